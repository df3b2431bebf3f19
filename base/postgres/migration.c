/* base/postgres/migration.c: see migration.h. */
#include "base/postgres/migration.h"

#include "base/log.h"
#include "base/postgres/database.h"
#include "base/postgres/database_roles.h"
#include "base/postgres/sql_catalogue.h"
#include "base/system/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char folder[] = "migrations/";

/* A file of the catalogue, taken apart. */
struct migration {
    int number;
    char name[128]; /* "reference" of 0001_reference.sql */
    char sha256[SHA256_HEX_BYTES];
    const struct sql_text *file;
};

/* The catalogue's `number`-th migration (it is sorted by name); NULL past the last one. */
static const struct sql_text *find_file(int number)
{
    for (const struct sql_text *entry = sql_catalogue; entry->name != NULL; entry++) {
        if (strncmp(entry->name, folder, strlen(folder)) == 0 && --number == 0)
            return entry;
    }
    return NULL;
}

static int known_count(void)
{
    int count = 0;
    while (find_file(count + 1) != NULL)
        count++;
    return count;
}

const char *migration_file_name(int number)
{
    const struct sql_text *file = find_file(number);
    return file ? file->name + strlen(folder) : "?";
}

/* Fills `migration` from its file; a file out of its place is a programmer's mistake. */
static void describe(int number, struct migration *migration)
{
    const struct sql_text *file = find_file(number);
    const char *file_name = migration_file_name(number);
    char *end;
    long written = strtol(file_name, &end, 10);
    if (file == NULL || written != number || end != file_name + 4 || *end != '_') {
        fprintf(stderr, "BUG: sql/migrations: %s stands where number %04d belongs\n", file_name, number);
        abort();
    }
    migration->number = number;
    migration->file = file;
    snprintf(migration->name, sizeof migration->name, "%.*s", (int)strcspn(end + 1, "."), end + 1);
    text_sha256(file->text, file->length, migration->sha256);
}

static bool query_flag(PGconn *connection, const char *name, bool *flag, struct error *error)
{
    PGresult *result = database_query_file(connection, name, 0, NULL, error);
    if (result == NULL)
        return false;
    *flag = PQntuples(result) == 1 && result_flag(result, 0, 0);
    PQclear(result);
    return true;
}

/* Row `row` of the ledger against the program's migration in the same place. */
static bool compare(const PGresult *ledger, int row, int known, struct error *error)
{
    const char *number = PQgetvalue(ledger, row, 0);
    const char *name = PQgetvalue(ledger, row, 1);
    const char *sha256 = PQgetvalue(ledger, row, 2);
    struct migration migration;
    int recorded_number = (int)strtol(number, NULL, 10);
    if (recorded_number > known) {
        error_set(error, ERROR_DATABASE, "migration %04d_%s of this database is unknown to this kstar",
                  recorded_number, name);
        error_detail(error, "the last one known here is %s", migration_file_name(known));
        error_hint(error, "a newer kstar has been here: use that one");
        return false;
    }
    if (recorded_number != row + 1) {
        error_set(error, ERROR_DATABASE, "migration %s is not recorded in this database, but %04d_%s is",
                  migration_file_name(row + 1), recorded_number, name);
        error_hint(error, "kstar.schema_migration has been changed by hand: restore it");
        return false;
    }
    describe(recorded_number, &migration);
    if (strcmp(sha256, migration.sha256) != 0 || strcmp(name, migration.name) != 0) {
        error_set(error, ERROR_DATABASE, "migration %s has changed since it was applied to this database",
                  migration_file_name(recorded_number));
        error_detail(error, "applied: %s, SHA-256 %.16s…; this kstar: %s, %.16s…", name, sha256,
                     migration.name, migration.sha256);
        error_hint(error, "use the kstar that made this database, or another database");
        return false;
    }
    return true;
}

bool migration_check(PGconn *connection, struct migration_status *status, struct error *error)
{
    bool exists = false;
    *status = (struct migration_status){ .known = known_count() };
    if (!query_flag(connection, "schema/exists.sql", &exists, error))
        return false;
    if (!exists)
        return true;
    PGresult *ledger = database_query_file(connection, "schema/recorded.sql", 0, NULL, error);
    if (ledger == NULL)
        return false;
    status->recorded = PQntuples(ledger);
    bool ok = true;
    for (int row = 0; ok && row < status->recorded; row++)
        ok = compare(ledger, row, status->known, error);
    PQclear(ledger);
    return ok;
}

static bool record(PGconn *connection, const struct migration *migration, struct error *error)
{
    char number[16];
    snprintf(number, sizeof number, "%d", migration->number);
    const char *parameters[] = { number, migration->name, migration->sha256 };
    return database_run_query(connection, "schema/record.sql", 3, parameters, error);
}

static bool apply_one(PGconn *connection, int number, struct error *error)
{
    struct migration migration;
    describe(number, &migration);
    bool ok = database_begin(connection, error) &&
              database_run_file(connection, migration.file->name, error) &&
              record(connection, &migration, error) && database_commit(connection, error);
    if (!ok && error->kind == ERROR_BUSY)
        error_in(error, "%s", migration.file->name);
    if (!ok)
        database_rollback(connection);
    else
        log_event(LOG_DEBUG, "migration", "applied=%s", migration_file_name(number));
    return ok;
}

/* A run goes on with the schema that it began with: its SQL knows no other. */
static bool nobody_at_work(PGconn *connection, struct error *error)
{
    bool knows_runs = false;
    if (!query_flag(connection, "schema/knows_runs.sql", &knows_runs, error))
        return false;
    if (!knows_runs)
        return true;
    PGresult *run = database_query_file(connection, "schema/at_work.sql", 0, NULL, error);
    if (run == NULL)
        return false;
    bool nobody = PQntuples(run) == 0;
    if (!nobody) {
        error_set(error, ERROR_BUSY, "%s: the schema is not changed beneath it", PQgetvalue(run, 0, 0));
        error_hint(error, "wait until it has ended");
    }
    PQclear(run);
    return nobody;
}

/* Migrations act as the schema's owner: a restore may have given the views to another role. */
static bool own_again(PGconn *connection, struct error *error)
{
    bool knows_roles = false;
    return query_flag(connection, "schema/knows_roles.sql", &knows_roles, error) &&
           (!knows_roles || roles_own(connection, error));
}

static bool apply_missing(PGconn *connection, struct migration_status *status, struct error *error)
{
    if (!migration_check(connection, status, error))
        return false;
    if (status->recorded == 0 && !database_run_file(connection, "schema/ledger.sql", error))
        return false;
    if (status->recorded == status->known)
        return true;
    /* While it waits for a table that somebody reads, everybody else waits behind it. */
    bool ok = nobody_at_work(connection, error) &&
              database_execute(connection, "SET lock_timeout = '15s'", error) &&
              own_again(connection, error) && roles_become_owner(connection, error);
    for (int number = status->recorded + 1; ok && number <= status->known; number++)
        ok = apply_one(connection, number, error);
    /* What comes with the roles is not done again by the next run: it waits as long as it takes. */
    return ok && database_execute(connection, "RESET lock_timeout", error) &&
           roles_refresh(connection, error) && roles_stop_owning(connection, error);
}

static bool check_encoding(PGconn *connection, struct error *error)
{
    const char *encoding = PQparameterStatus(connection, "server_encoding");
    if (encoding == NULL || strcmp(encoding, "UTF8") == 0)
        return true;
    error_set(error, ERROR_DATABASE, "database %s holds text in %s; kstar needs one in UTF8",
              PQdb(connection), encoding);
    error_hint(error, "CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0");
    return false;
}

bool migration_apply(PGconn *connection, struct migration_status *status, struct error *error)
{
    struct error ignored;
    if (!check_encoding(connection, error) || !database_run_file(connection, "schema/lock.sql", error))
        return false;
    bool ok = apply_missing(connection, status, error);
    database_run_file(connection, "schema/unlock.sql", &ignored); /* the session's end would do it too */
    return ok;
}
