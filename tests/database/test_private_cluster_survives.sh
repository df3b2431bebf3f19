# The private PostgreSQL survives what a machine does to it: kills, stale files, halves, and two
# starts at once.
. "$KSTAR_SOURCE_DIR/tests/lib/check.sh"
data=$KSTAR_DATA_DIR/postgresql
server() { head -n 1 "$data/postmaster.pid"; }
owner() { stat -c %u "$KSTAR_DATA_DIR/socket"; }

# gone PID: waits for a process that is not ours to end.
gone() { while kill -0 "$1" 2>/dev/null && ! grep -q '^State:.*Z' "/proc/$1/status" 2>/dev/null; do :; done; }

it "starts once when eight start at once, on nothing"
pids=()
for i in {1..8}; do
    kstar init >"$WORK/init.$i" 2>&1 &
    pids+=($!)
done
for pid in "${pids[@]}"; do wait "$pid" || fail "one of them failed: $(cat "$WORK"/init.*)"; done
equals 1 "$(grep -l created "$WORK"/init.* | wc -l)"
equals 7 "$(grep -l 'nothing to do' "$WORK"/init.* | wc -l)"

it "comes back after its server was killed, with what was committed"
sql "CREATE TABLE kept AS SELECT 42 AS answer"
pid=$(server)
kill -9 "$pid"
gone "$pid"
equals 42 "$(sql "SELECT answer FROM kept")"
[ "$pid" != "$(server)" ] || fail "the pid file is that of the killed server"

it "comes back although the pid file names a living process of the same user that is no server"
ends_with 0 kstar db stop
if [ "$(id -u)" = 0 ]; then
    as_server=(setpriv --reuid "$(owner)" --clear-groups)
else
    as_server=()
fi
mkfifo "$WORK/wait"
(cd / && exec "${as_server[@]}" cat) <"$WORK/wait" &
stranger=$!
exec 8>"$WORK/wait"
for pid_file in "$data/postmaster.pid" "$KSTAR_DATA_DIR/socket/.s.PGSQL.5432.lock"; do
    printf '%s\n%s\n1700000000\n5432\n%s\n\n       1         1\nready   \n' "$stranger" "$data" \
        "$KSTAR_DATA_DIR/socket" | "${as_server[@]}" tee "$pid_file" >/dev/null
done
equals 42 "$(sql "SELECT answer FROM kept")"
kill -0 "$stranger" || fail "the stranger was killed"
exec 8>&-
wait "$stranger" || true

it "waits for a server that makes good what a crash left, and keeps a stop from breaking it off"
ends_with 0 kstar db stop
echo "wal_level = replica" >"$KSTAR_DATA_DIR/local.conf" # an archive, which holds the server up as gigabytes of log would, takes no less
ends_with 0 kstar db start
pid=$(server)
kill -9 "$pid"
gone "$pid"
mkfifo "$WORK/archive"
chmod 666 "$WORK/archive"
chmod o+x "$WORK"
echo "restore_command = 'test -e $WORK/restored || cat $WORK/archive; false'" >>"$KSTAR_DATA_DIR/local.conf"
"${as_server[@]}" touch "$data/recovery.signal"
start_and_wait() {
    : >"$WORK/started.log"
    kstar db start >"$WORK/started" 2>"$WORK/started.log" &
    starter=$!
    grep -q 'waits_for=' < <(tail -n +1 -f --pid=$starter "$WORK/started.log") || fail "the start ended: $(cat "$WORK/started" "$WORK/started.log")"
}
start_and_wait
kill -9 $starter
wait $starter || true
pid=$(server)
ends_with 6 kstar db stop
contains "$errors" "makes good what a crash left"
start_and_wait
touch "$WORK/restored"
: >"$WORK/archive"
wait $starter || fail "$(cat "$WORK/started.log" "$KSTAR_DATA_DIR"/log/*.log)"
contains "$(<"$WORK/started")" running
equals "$pid" "$(server)"
equals 42 "$(sql "SELECT answer FROM kept")"
rm "$KSTAR_DATA_DIR/local.conf"

it "throws away logs that a weekday has left from the week before"
ends_with 0 kstar db stop
log=$(find "$KSTAR_DATA_DIR/log" -name 'postgresql-*.log' | head -n 1)
other=$KSTAR_DATA_DIR/log/postgresql-Old.log
"${as_server[@]}" touch -d '7 days ago' "$other"
ends_with 0 kstar db start
[ ! -e "$other" ] && [ -e "$log" ] || fail "$(ls "$KSTAR_DATA_DIR/log")"

half_made() { find "$KSTAR_DATA_DIR" -maxdepth 1 -name 'postgresql.new-*'; }

it "throws a half-made data directory away"
ends_with 0 kstar db stop
rm -rf "$data"
mkdir -p "$data.new-aBcDeF/base/1"
echo 15 >"$data.new-aBcDeF/PG_VERSION"
[ "$(id -u)" != 0 ] || chown -R "$(owner)" "$data.new-aBcDeF"
ends_with 0 kstar init
contains "$errors" "half-made"
contains "$output" " created"
equals "" "$(half_made)"

it "makes it again after being killed at any moment of making it"
for moment in PG_VERSION global/pg_control base/5; do
    ends_with 0 kstar db stop
    rm -rf "$data"
    kstar db start >/dev/null 2>&1 &
    starter=$!
    until compgen -G "$data.new-*/$moment" >/dev/null || [ -e "$data" ]; do
        kill -0 $starter || fail "the start ended early"
    done
    kill -9 $starter
    wait $starter || true
    ends_with 0 kstar db start
    equals running "${output%%$'\n'*}"
    equals 1 "$(sql "SELECT 1")"
done

it "leaves a folder alone that is not PostgreSQL's"
ends_with 0 kstar db stop
rm -rf "$data"
mkdir "$data"
echo precious >"$data/thesis.txt"
ends_with 1 kstar db start
contains "$errors" "is not a data directory of PostgreSQL: move it away"
equals precious "$(<"$data/thesis.txt")"
equals "" "$(half_made)"
