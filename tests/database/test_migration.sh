# kstar init: each migration once, and no other kstar's schema touched.
. "$KSTAR_SOURCE_DIR/tests/lib/check.sh"
files=("$KSTAR_SOURCE_DIR"/sql/migrations/*.sql)
last=$(basename "${files[-1]}" .sql)

it "applies every file of sql/migrations in order, and says so"
ends_with 0 kstar init
equals "$(for file in "${files[@]}"; do echo "applied $(basename "$file")"; done)" "$output"

it "records number, name and the checksum of the file"
for file in "${files[@]}"; do
    name=$(basename "$file" .sql)
    equals "$(sha256sum <"$file" | cut -d' ' -f1)" \
        "$(sql "SELECT sha256 FROM schema_migration WHERE number = ${name%%_*}::integer AND name = '${name#*_}'")"
done

it "has nothing to do the second time"
ends_with 0 kstar init
equals "nothing to do: the schema has all ${#files[@]} migrations" "$output"

it "refuses a migration that has changed since, by name"
sql "UPDATE schema_migration SET sha256 = repeat('0', 64) WHERE number = 2"
ends_with 7 kstar init
contains "$errors" "migration $(basename "${files[1]}") has changed since it was applied"
sql "UPDATE schema_migration SET sha256 = '$(sha256sum <"${files[1]}" | cut -d' ' -f1)' WHERE number = 2"

it "refuses a database that a newer kstar has been in, by name"
sql "INSERT INTO schema_migration VALUES (9999, 'from_the_future', repeat('0', 64))"
ends_with 7 kstar init
contains "$errors" "migration 9999_from_the_future of this database is unknown to this kstar"
sql "DELETE FROM schema_migration WHERE number = 9999"

it "refuses a ledger with a hole, by name"
sql "DELETE FROM schema_migration WHERE number = 1"
ends_with 7 kstar init
contains "$errors" "migration $(basename "${files[0]}") is not recorded"

it "undoes a migration that fails, keeps those before it, and goes on from there"
sql "DROP SCHEMA kstar CASCADE"
ends_with 0 kstar init
sql "DELETE FROM schema_migration WHERE number = ${#files[@]}"
sql "CREATE FUNCTION public.refuse() RETURNS event_trigger LANGUAGE plpgsql AS
     'BEGIN IF current_query() NOT LIKE ''%schema_migration%'' THEN RAISE EXCEPTION ''refused''; END IF; END';
     CREATE EVENT TRIGGER refuse ON ddl_command_start EXECUTE FUNCTION public.refuse()"
ends_with 7 kstar init
sql "DROP EVENT TRIGGER refuse"
contains "$errors" "migrations/$last.sql: database: "
equals $((${#files[@]} - 1)) "$(sql "SELECT count(*) FROM schema_migration")"

it "gives a table up that somebody reads for longer than 15 seconds, by its migration's name: nobody waits behind it"
sql "DROP SCHEMA kstar CASCADE"
ends_with 0 kstar init
sql "DELETE FROM schema_migration WHERE number >= (SELECT number FROM schema_migration WHERE name = 'readers_after_a_restore')"
coproc reader { kstar db psql -- -XAtq; }
reader_process=$reader_PID # bash forgets it where the process has ended before it is waited for
echo "BEGIN; LOCK TABLE kstar.seen_cost_centre IN ACCESS SHARE MODE; SELECT 'reads';" >&"${reader[1]}"
read -r line <&"${reader[0]}"
equals reads "$line"
ends_with 6 timeout 100 kstar init
contains "$errors" "_readers_after_a_restore.sql: canceling statement due to lock timeout"
contains "$errors" "then run again"
echo "\\q" >&"${reader[1]}"
wait "$reader_process"

it "is one of many at once in a database of somebody else"
dsn=$(kstar db status | sed -n 's/^dsn: *//p')
for round in {1..3}; do
    sql "DROP SCHEMA kstar CASCADE"
    pids=()
    for i in {1..5}; do
        kstar init --dsn "$dsn" >"$WORK/init.$i" 2>&1 &
        pids+=($!)
    done
    for pid in "${pids[@]}"; do wait "$pid" || fail "round $round: $(cat "$WORK"/init.*)"; done
    equals 1 "$(grep -l applied "$WORK"/init.* | wc -l)"
done

it "says of a database in another encoding what it needs, and leaves it empty"
sql "CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"
ends_with 7 kstar init --dsn "$dsn dbname=latin"
contains "$errors" "database latin holds text in LATIN1; kstar needs one in UTF8"
contains "$errors" "ENCODING 'UTF8'"
equals "" "$(psql -XAtqc "SELECT nspname FROM pg_namespace WHERE nspname = 'kstar'" "$dsn dbname=latin")"
