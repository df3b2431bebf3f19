# The private PostgreSQL: made on demand, reached by a Unix socket only, started once, stopped.
. "$KSTAR_SOURCE_DIR/tests/lib/check.sh"

it "is not there before it is needed, and nobody who only asks makes it: an empty one would hide a wrong setting"
ends_with 0 kstar db status
contains "$output" "not there: nothing has made it yet"
ends_with 0 kstar db stop
equals "was not running" "$output"
while IFS= read -r words; do
    # shellcheck disable=SC2086 # words of a command line
    ends_with 7 kstar $words
    contains "$errors" "there is no database in $KSTAR_DATA_DIR"
    contains "$errors" "kstar nightly makes one"
done <<END
status
db psql
diff 2026-09
budget
close --list
deliver $WORK --directory $WORK/owners
ingest quarantine
model
prune
report chargeback --period 2026-09 --out $WORK/out
report forecast
report units --period 2026-09
report journal --list
advise --family gpt-7b
END
ends_with 7 kstar status --data-dir "somewhere/else"
contains "$errors" "there is no database in $PWD/somewhere/else"
equals "" "$(ls -d "$KSTAR_DATA_DIR" somewhere "$WORK/out" 2>/dev/null || true)"

it "is made and started by the first command"
ends_with 0 kstar init
ends_with 0 kstar db status
contains "$output" "running"

it "listens on no network address"
equals "" "$(sql "SHOW listen_addresses")"
equals "$KSTAR_DATA_DIR/socket" "$(sql "SHOW unix_socket_directories" | tr -d '"')"
pid=$(head -n 1 "$KSTAR_DATA_DIR/postgresql/postmaster.pid")
inodes=$(find "/proc/$pid/fd" -lname 'socket:*' -printf '%l\n' 2>/dev/null | tr -dc '0-9\n')
for inode in $inodes; do
    equals "" "$(awk -v inode="$inode" '$10 == inode && $4 == "0A"' /proc/net/tcp /proc/net/tcp6)"
done

it "keeps others out"
equals 700 "$(stat -c %a "$KSTAR_DATA_DIR/socket")"
equals 700 "$(stat -c %a "$KSTAR_DATA_DIR/postgresql")"

it "holds text as UTF-8 and its pages with checksums"
equals "UTF8 C C.UTF-8" "$(sql "SELECT concat_ws(' ', pg_encoding_to_char(encoding), datcollate, datctype) FROM pg_database WHERE datname = 'kstar'")"
equals on "$(sql "SHOW data_checksums")"

it "runs as an unprivileged user, with settings that this user cannot read or change"
[ "$(stat -c %u "/proc/$pid")" != 0 ] || fail "the server runs as root"
equals "$(id -u)" "$(stat -c %u "$KSTAR_DATA_DIR/pg_ident.conf")"

it "takes settings from local.conf, and is found whatever it says of port and socket"
ends_with 0 kstar db stop
printf '%s\n' "work_mem = '5MB'" "port = 5433" "unix_socket_directories = '/tmp'" >"$KSTAR_DATA_DIR/local.conf"
ends_with 0 kstar db start
equals 5MB "$(sql "SHOW work_mem")"

it "is started only once"
again=$(head -n 1 "$KSTAR_DATA_DIR/postgresql/postmaster.pid")
ends_with 0 kstar db start
equals "$again" "$(head -n 1 "$KSTAR_DATA_DIR/postgresql/postmaster.pid")"

# A session called auditor, until descriptor 9 is closed.
hold_session() {
    rm -f "$WORK/hold" "$WORK/held"
    mkfifo "$WORK/hold"
    PGAPPNAME=auditor kstar db psql -- -XAtq <"$WORK/hold" >"$WORK/held" 2>&1 &
    holder=$!
    exec 9>"$WORK/hold"
    echo "SELECT 'in';" >&9
    until grep -qs in "$WORK/held"; do kill -0 $holder || fail "psql ended"; done
}

it "is not stopped under a session, unless that is wanted"
hold_session
ends_with 6 kstar db stop
contains "$errors" "sessions are connected: 1 (auditor)"
ends_with 0 kstar db stop --force
equals "stopped" "$output"
exec 9>&-
wait $holder || true

it "is used through its socket, whatever variables name other servers, and is not stopped under a session either"
ends_with 0 kstar db start
elsewhere=(PGREQUIREPEER=nobody PGGSSENCMODE=require PGCONNECT_TIMEOUT=abc PGCHANNELBINDING=require
    PGTARGETSESSIONATTRS=standby PGHOSTADDR=192.0.2.1 PGSSLMODE=verify-full PGREQUIREAUTH=scram-sha-256)
hold_session
ends_with 0 env "${elsewhere[@]}" kstar db status --data-dir "$KSTAR_DATA_DIR"
equals running "${output%%$'\n'*}"
ends_with 6 env "${elsewhere[@]}" kstar db stop --data-dir "$KSTAR_DATA_DIR"
contains "$errors" "sessions are connected: 1 (auditor)"
ends_with 0 env "${elsewhere[@]}" kstar status --data-dir "$KSTAR_DATA_DIR"
ends_with 0 env "${elsewhere[@]}" kstar db psql --data-dir "$KSTAR_DATA_DIR" -- -XAtqc "SELECT 1"
echo "SELECT 'still ' || 'in';" >&9
until grep -q "still in" "$WORK/held"; do kill -0 $holder || fail "the session was ended"; done
exec 9>&-
wait $holder

it "is not stopped where it does not answer, unless that is wanted, and does not count as stopped"
rm "$KSTAR_DATA_DIR/socket/.s.PGSQL.5432"
ends_with 0 kstar db status
equals "runs, but does not answer" "${output%%$'\n'*}"
ends_with 6 kstar db stop
contains "$errors" "does not answer: nobody can say who is connected"
contains "$errors" "--force"
kill -0 "$(head -n 1 "$KSTAR_DATA_DIR/postgresql/postmaster.pid")"
ends_with 0 kstar db stop --force
equals stopped "$output"

it "moves its socket to a short folder when its own path is too long"
long=$WORK/$(printf 'a%.0s' {1..120})
ends_with 0 kstar db start --data-dir "$long"
socket=$(<"$long/socket_directory")
equals 700 "$(stat -c %a "$socket")"
ends_with 0 kstar init --data-dir "$long"
ends_with 0 kstar db stop --data-dir "$long"
rm -rf "$socket" # as a cleaner of /tmp would
ends_with 0 kstar db start --data-dir "$long"
[ "$socket" != "$(<"$long/socket_directory")" ] || fail "the lost folder is still recorded"
ends_with 0 kstar db stop --data-dir "$long"
rm -rf "$(<"$long/socket_directory")"

it "refuses a folder whose name cannot be quoted"
ends_with 2 kstar db start --data-dir "$WORK/o'clock"
contains "$errors" "may not have a quote"

it "says which package is missing"
ends_with 7 env KSTAR_PG_BINDIR="$WORK" kstar db start
contains "$errors" "install the package postgresql-"
