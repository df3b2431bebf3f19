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

/* Step 1 is the schema of release 0.1.0: all files of this folder in the order of their names. */
static const char schema_folder[] = "schema/";

/* Each later step is a file of this folder: 0002_name.sql. */
static const char migration_folder[] = "migrations/";

/* A step: successive files of the catalogue. */
struct migration {
    int number;
    char name[128]; /* "schema"; "added" of 0002_added.sql */
    char sha256[SHA256_HEX_BYTES];
    const struct sql_text *first;
    int file_count;
};

static bool is_in(const struct sql_text *file, const char *folder)
{
    return strncmp(file->name, folder, strlen(folder)) == 0;
}

/* The first file of `folder` in the catalogue, which is sorted by name, and the number of its
 * files. */
static const struct sql_text *find_files(const char *folder, int *count)
{
    const struct sql_text *first = sql_catalogue;
    while (first->name != NULL && !is_in(first, folder))
        first++;
    *count = 0;
    while (first[*count].name != NULL && is_in(first + *count, folder))
        (*count)++;
    return first;
}

static int known_count(void)
{
    int later;
    find_files(migration_folder, &later);
    return 1 + later;
}

const char *migration_file_name(int number)
{
    int later;
    const struct sql_text *first = find_files(migration_folder, &later);
    if (number == 1)
        return "0001_schema";
    return number - 2 < later ? first[number - 2].name + strlen(migration_folder) : "?";
}

static void describe_schema(struct migration *migration)
{
    migration->number = 1;
    migration->first = find_files(schema_folder, &migration->file_count);
    snprintf(migration->name, sizeof migration->name, "schema");
    size_t length = 0;
    for (int i = 0; i < migration->file_count; i++)
        length += migration->first[i].length;
    char *text = malloc(length + 1);
    char *end = text;
    for (int i = 0; i < migration->file_count; i++) {
        memcpy(end, migration->first[i].text, migration->first[i].length);
        end += migration->first[i].length;
    }
    text_sha256(text, length, migration->sha256);
    free(text);
}

/* A wrong number of a file is a programmer's mistake. */
static void describe_later(int number, struct migration *migration)
{
    int later;
    const struct sql_text *file = find_files(migration_folder, &later) + number - 2;
    const char *file_name = migration_file_name(number);
    char *end;
    long written = strtol(file_name, &end, 10);
    if (written != number || end != file_name + 4 || *end != '_') {
        fprintf(stderr, "BUG: sql/migrations: %s stands where number %04d belongs\n", file_name, number);
        abort();
    }
    migration->number = number;
    migration->first = file;
    migration->file_count = 1;
    snprintf(migration->name, sizeof migration->name, "%.*s", (int)strcspn(end + 1, "."), end + 1);
    text_sha256(file->text, file->length, migration->sha256);
}

/* Step `number`, from 1 to known_count(). */
static void describe(int number, struct migration *migration)
{
    if (number == 1)
        describe_schema(migration);
    else
        describe_later(number, migration);
}

/* Compares a row of the ledger with the migration of the program in the same place. */
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
    if (!database_query_flag(connection, "migration/exists.sql", 0, NULL, &exists, error))
        return false;
    if (!exists)
        return true;
    PGresult *ledger = database_query_file(connection, "migration/recorded.sql", 0, NULL, error);
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
    return database_run_query(connection, "migration/record.sql", 3, parameters, error);
}

static bool apply_one(PGconn *connection, int number, struct error *error)
{
    struct migration migration;
    describe(number, &migration);
    bool ok = true;
    for (int i = 0; ok && i < migration.file_count; i++) {
        ok = database_run_file(connection, migration.first[i].name, error);
        if (!ok && error->kind == ERROR_BUSY)
            error_in(error, "%s", migration.first[i].name);
    }
    ok = ok && record(connection, &migration, error);
    if (ok)
        log_event(LOG_DEBUG, "migration", "applied=%s", migration_file_name(number));
    return ok;
}

/* Refuses while a run is at work: it continues with the schema that it began with, which its SQL
 * needs. */
static bool nobody_at_work(PGconn *connection, struct error *error)
{
    bool knows_runs = false;
    if (!database_query_flag(connection, "migration/knows_runs.sql", 0, NULL, &knows_runs, error))
        return false;
    if (!knows_runs)
        return true;
    PGresult *run = database_query_file(connection, "migration/at_work.sql", 0, NULL, error);
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

/* Migrations act as the owner of the schema, but a restore may have given the views to another
 * role. */
static bool own_again(PGconn *connection, struct error *error)
{
    bool knows_roles = false;
    return database_query_flag(connection, "migration/knows_roles.sql", 0, NULL, &knows_roles, error) &&
           (!knows_roles || roles_own(connection, error));
}

/* Called in a transaction: a step that fails leaves the database unchanged. */
static bool apply_steps(PGconn *connection, const struct migration_status *status, struct error *error)
{
    if (status->recorded == 0 && !database_run_file(connection, "migration/ledger.sql", error))
        return false;
    /* A migration that waits for a table blocks everybody else who needs the table: it must not
     * wait long. */
    bool ok = nobody_at_work(connection, error) &&
              database_execute(connection, "SET LOCAL lock_timeout = '15s'", error) &&
              own_again(connection, error) && roles_become_owner(connection, error);
    for (int number = status->recorded + 1; ok && number <= status->known; number++)
        ok = apply_one(connection, number, error);
    return ok;
}

static bool apply_missing(PGconn *connection, struct migration_status *status, struct error *error)
{
    if (!migration_check(connection, status, error))
        return false;
    if (status->recorded == status->known)
        return true;
    if (!database_begin(connection, error) || !apply_steps(connection, status, error) ||
        !database_commit(connection, error)) {
        database_rollback(connection);
        return false;
    }
    /* The next run does not repeat this work on roles, so it may wait for any time. */
    return roles_refresh(connection, error) && roles_stop_owning(connection, error);
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
    if (!check_encoding(connection, error) || !database_run_file(connection, "migration/lock.sql", error))
        return false;
    bool ok = apply_missing(connection, status, error);
    /* the end of the session would do it, too */
    database_run_file(connection, "migration/unlock.sql", &ignored);
    return ok;
}
