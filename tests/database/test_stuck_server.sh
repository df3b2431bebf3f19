# The private PostgreSQL in surroundings that keep it from working: limits of a shell, folders of
# others, crashes in each recovery. Nothing waits for ever.
. "$KSTAR_SOURCE_DIR/tests/lib/check.sh"
unset KSTAR_TEST_CLUSTER
server() { head -n 1 "$1/postgresql/postmaster.pid"; }
in_time() { timeout 120 "$@"; }

it "makes a folder whose parent does not exist, also for root, whose server is another user"
ends_with 0 kstar init --data-dir "$WORK/a/b/c"
ends_with 0 kstar db stop --data-dir "$WORK/a/b/c"

it "says nothing where it is to be quiet, and nothing is wrong"
ends_with 0 kstar init --quiet
equals "" "$output$errors"
ends_with 0 kstar init --quiet
equals "" "$output$errors"

it "takes no folder that everybody may write to, nor such settings: local.conf could have the server run any program"
mkdir -m 777 "$WORK/open"
chmod 777 "$WORK/open"
ends_with 7 kstar init --data-dir "$WORK/open"
contains "$errors" "$WORK/open: everybody may write there"
contains "$errors" "chmod o-w"
chmod 711 "$WORK/open"
touch "$WORK/open/local.conf"
chmod 666 "$WORK/open/local.conf"
ends_with 7 kstar init --data-dir "$WORK/open"
contains "$errors" "local.conf: everybody may write there"

it "a limit of file size is an error that says so, in kstar; its server does not have it"
ends_with 0 kstar db stop
(ulimit -S -f 100 && kstar db start >/dev/null)
grep -q '^Max file size *unlimited' "/proc/$(server "$KSTAR_DATA_DIR")/limits" || fail "$(grep 'file size' "/proc/$(server "$KSTAR_DATA_DIR")/limits")"
cp -r "$KSTAR_SOURCE_DIR/fixtures/inbox" "$WORK/inbox"
limited() (ulimit -f 8 && exec kstar nightly "$WORK/inbox" --out "$WORK/limited" --quiet)
ends_with 1 limited
contains "$errors" "File too large"
contains "$errors" "ulimit -f"
ends_with 0 kstar db stop
ends_with 7 limited
contains "$errors" "files may have 8192 bytes here"

it "a server that crashes in each recovery is not waited for without end: a night ends with 7 and says why, so does a status"
ends_with 4 kstar nightly "$WORK/inbox" --out "$WORK/out" --quiet
pid=$(server "$KSTAR_DATA_DIR")
if [ "$(id -u)" = 0 ]; then
    as_server=(setpriv --reuid "$(stat -c %u "$KSTAR_DATA_DIR/postgresql")" --regid "$(stat -c %g "$KSTAR_DATA_DIR/postgresql")" --clear-groups)
else
    as_server=()
fi
sql CHECKPOINT
while [ "$(sql "SELECT (pg_walfile_name_offset(pg_current_wal_lsn())).file_offset < 4000000")" = t ]; do
    sql "SELECT pg_logical_emit_message(false, 'fill', repeat('x', 1000000))" >/dev/null
done
"${as_server[@]}" prlimit --pid "$pid" --fsize=2000000: # what a recovery writes lies behind that
sleeper=$(sql "SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'")
kill -9 "$sleeper"
ends_with 7 in_time kstar nightly "$WORK/inbox" --out "$WORK/out"
contains "$errors" "crashes in each recovery"
contains "$errors" "PANIC:"
contains "$errors" 'crashed in its recovery and began anew'
ends_with 7 in_time kstar status
contains "$errors" "crashes in each recovery"

it "such a server is stopped at once, and the next one has all that was there"
ends_with 0 timeout 45 kstar db stop
ends_with 0 kstar db start
equals t "$(sql "SELECT count(*) > 0 FROM kstar.statement_row")"
