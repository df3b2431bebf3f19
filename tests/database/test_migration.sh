# kstar init: the schema is created once, migrations are applied once, and no other kstar's schema
# is touched. KSTAR_MIGRATED is kstar with one migration more (sample_migration.sql).
. "$KSTAR_SOURCE_DIR/tests/lib/check.sh"
sample=$(basename "$KSTAR_SAMPLE")
number=$((10#${sample%%_*}))
fresh() { psql -XAtq "$dsn" -c "DROP SCHEMA IF EXISTS kstar, kstar_views CASCADE" 2>/dev/null; }
schema_of() { # the schema of a database, but for the key that each dump has anew; the rows that come with it, but when they came
    pg_dump --schema-only "$1" | grep -Ev '^\\(un)?restrict '
    pg_dump --data-only --inserts "$1" | grep INSERT | sed '/schema_migration/s/, [^,]*$//'
}

it "creates the schema, and says so"
ends_with 0 kstar init
version=$(kstar --version | cut -d' ' -f2)
equals "schema $version created" "$output"
dsn=$(kstar db status | sed -n 's/^dsn: *//p')

it "records number, name and the checksum of the text"
equals "1|schema|$(cat "$KSTAR_SOURCE_DIR"/sql/schema/*.sql | sha256sum | cut -d' ' -f1)" \
    "$(sql "SELECT number, name, sha256 FROM schema_migration WHERE number = 1")"
equals $((number - 1)) "$(sql "SELECT count(*) FROM schema_migration")"

it "has nothing to do the second time"
ends_with 0 kstar init
equals "nothing to do: the schema is up to date" "$output"

it "refuses a schema that has changed since"
checksum=$(sql "SELECT sha256 FROM schema_migration WHERE number = 1")
sql "UPDATE schema_migration SET sha256 = repeat('0', 64) WHERE number = 1"
ends_with 7 kstar init
contains "$errors" "migration 0001_schema has changed since it was applied"
sql "UPDATE schema_migration SET sha256 = '$checksum' WHERE number = 1"

it "refuses a database that a newer kstar has been in, by name"
sql "INSERT INTO schema_migration VALUES (9999, 'from_the_future', repeat('0', 64))"
ends_with 7 kstar init
contains "$errors" "migration 9999_from_the_future of this database is unknown to this kstar"
sql "DELETE FROM schema_migration WHERE number = 9999"

it "undoes a migration that fails"
before=$(schema_of "$dsn")
sql "CREATE FUNCTION public.refuse() RETURNS event_trigger LANGUAGE plpgsql AS
     'BEGIN IF current_query() LIKE ''%finding%'' THEN RAISE EXCEPTION ''refused''; END IF; END';
     CREATE EVENT TRIGGER refuse ON ddl_command_end EXECUTE FUNCTION public.refuse()"
ends_with 7 "$KSTAR_MIGRATED" init
contains "$errors" "migrations/$sample: database: "
sql "DROP EVENT TRIGGER refuse"
equals "$before" "$(sql "DROP FUNCTION public.refuse" && schema_of "$dsn")"

it "gives a table up that somebody reads for longer than 15 seconds, by the migration's name: nobody waits behind it"
coproc reader { kstar db psql -- -XAtq; }
reader_process=$reader_PID # bash forgets it where the process has ended before it is waited for
echo "BEGIN; LOCK TABLE kstar.finding IN ACCESS SHARE MODE; SELECT 'reads';" >&"${reader[1]}"
read -r line <&"${reader[0]}"
equals reads "$line"
ends_with 6 timeout 100 "$KSTAR_MIGRATED" init
contains "$errors" "migrations/$sample: canceling statement due to lock timeout"
contains "$errors" "then run again"
echo "\\q" >&"${reader[1]}"
wait "$reader_process"
equals "$before" "$(schema_of "$dsn")"

it "applies a migration that is missing, and says so"
ends_with 0 "$KSTAR_MIGRATED" init
equals "applied $sample" "$output"
equals "$number|sample|$(sha256sum <"$KSTAR_SAMPLE" | cut -d' ' -f1)" \
    "$(sql "SELECT number, name, sha256 FROM schema_migration ORDER BY number DESC LIMIT 1")"
ends_with 0 "$KSTAR_MIGRATED" init
equals "nothing to do: the schema is up to date" "$output"

it "is refused then by the kstar of before, by name"
ends_with 7 kstar init
contains "$errors" "migration ${sample%.sql} of this database is unknown to this kstar"

it "has the same schema after a migration as a new database"
sql "CREATE DATABASE new TEMPLATE template0"
ends_with 0 "$KSTAR_MIGRATED" init --dsn "$dsn dbname=new"
equals "schema $version created" "$output"
equals "$(schema_of "$dsn")" "$(schema_of "$dsn dbname=new")"

it "refuses a ledger with a hole, by name"
sql "DELETE FROM schema_migration WHERE number = 1"
ends_with 7 "$KSTAR_MIGRATED" init
contains "$errors" "migration 0001_schema is not recorded"

it "leaves a database empty in which the schema cannot be created"
fresh
psql -XAtq "$dsn" -c "CREATE FUNCTION public.refuse() RETURNS event_trigger LANGUAGE plpgsql AS
     'BEGIN IF current_query() LIKE ''%report_budget%'' THEN RAISE EXCEPTION ''refused''; END IF; END';
     CREATE EVENT TRIGGER refuse ON ddl_command_end EXECUTE FUNCTION public.refuse()"
ends_with 7 kstar init
contains "$errors" "schema/20_views.sql: database: "
equals "" "$(psql -XAtq "$dsn" -c "DROP EVENT TRIGGER refuse" -c "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'kstar%'")"

it "is one of many at once in a database of somebody else"
for round in {1..3}; do
    fresh
    pids=()
    for i in {1..5}; do
        kstar init --dsn "$dsn" >"$WORK/init.$i" 2>&1 &
        pids+=($!)
    done
    for pid in "${pids[@]}"; do wait "$pid" || fail "round $round: $(cat "$WORK"/init.*)"; done
    equals 1 "$(grep -l created "$WORK"/init.* | wc -l)"
done

it "says of a database in another encoding what it needs, and leaves it empty"
sql "CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"
ends_with 7 kstar init --dsn "$dsn dbname=latin"
contains "$errors" "database latin holds text in LATIN1; kstar needs one in UTF8"
contains "$errors" "ENCODING 'UTF8'"
equals "" "$(psql -XAtqc "SELECT nspname FROM pg_namespace WHERE nspname = 'kstar'" "$dsn dbname=latin")"
