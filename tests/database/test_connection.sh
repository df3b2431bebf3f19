# Which database a command uses, and how it ends when there is none or when it is interrupted.
. "$KSTAR_SOURCE_DIR/tests/lib/check.sh"
ends_with 0 kstar db start
dsn=$(sed -n 's/^dsn: *//p' <<<"$output")
socket=$KSTAR_DATA_DIR/socket
sql "CREATE DATABASE theirs"
unset KSTAR_DATA_DIR
export HOME=$WORK/nobody XDG_DATA_HOME=$WORK/nobody # any cluster made by mistake would be there
created() { contains "$output" " created"; }
drop() { psql -XAtq "$dsn dbname=theirs" -c "DROP SCHEMA IF EXISTS kstar CASCADE" 2>/dev/null; }

it "uses --dsn"
ends_with 0 kstar init --dsn "$dsn dbname=theirs"
created

it "uses PG* variables"
drop
ends_with 0 env PGHOST="$socket" PGUSER=kstar PGDATABASE=theirs kstar init
created

it "uses a service of libpq"
drop
printf '[bills]\nhost=%s\nuser=kstar\ndbname=theirs\n' "$socket" >"$WORK/services"
ends_with 0 env PGSERVICE=bills PGSERVICEFILE="$WORK/services" kstar init
created

it "prefers --dsn to the variables"
ends_with 0 env PGHOST=/nonexistent kstar init --dsn "$dsn dbname=theirs"
contains "$output" "nothing to do"

it "prefers --data-dir to the variables"
ends_with 0 env PGHOST=/nonexistent kstar init --data-dir "$WORK/db"

it "starts no server of its own where one is named and does not answer"
ends_with 7 kstar init --dsn "host=/nonexistent dbname=x"
contains "$errors" "error: database: "
contains "$errors" "hint:"
ends_with 7 env PGHOST=/nonexistent kstar init
[ ! -e "$WORK/nobody" ] || fail "a cluster was made"

it "says of a server with several addresses why the last was not to be had, and the first"
ends_with 7 kstar init --dsn "host=/nonexistent,/absent dbname=x"
contains "$errors" 'error: database: connection to server on socket "/absent/'
contains "$errors" 'detail: connection to server on socket "/nonexistent/'

it "dies of SIGTERM while a statement runs, cancels it, and leaves no session behind"
psql -XAtq "$dsn dbname=theirs" -c "DROP SCHEMA kstar CASCADE" 2>/dev/null
mkfifo "$WORK/hold"
psql -XAtq "$dsn dbname=theirs" <"$WORK/hold" >"$WORK/held" 2>&1 &
holder=$!
exec 9>"$WORK/hold"
cat "$KSTAR_SOURCE_DIR/sql/migration/lock.sql" >&9
echo "SELECT 'locked';" >&9
until grep -q locked "$WORK/held"; do kill -0 $holder || fail "psql ended"; done
kstar init --dsn "$dsn dbname=theirs application_name=waiting" >"$WORK/out" 2>&1 &
waiting=$!
is_waiting="SELECT count(*) FROM pg_stat_activity WHERE application_name = 'waiting' AND wait_event_type = 'Lock'"
until [ "$(psql -XAtq "$dsn" -c "$is_waiting")" = 1 ]; do kill -0 $waiting || fail "init ended: $(<"$WORK/out")"; done
kill -TERM $waiting
code=0
wait $waiting || code=$?
equals 143 "$code"
contains "$(<"$WORK/out")" "error: interrupted"
deadline=$((SECONDS + 60))
until grep -q 'waiting ERROR:  canceling statement due to user request' "$WORK"/db/log/*.log; do
    [ $SECONDS -lt $deadline ] || fail "the statement was not cancelled"
done
until [ "$(psql -XAtq "$dsn" -c "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'waiting'")" = 0 ]; do
    [ $SECONDS -lt $deadline ] || fail "the session is still there"
done
exec 9>&-
wait $holder
