/* base/postgres/distribution.c: see distribution.h. */
#include "base/postgres/distribution.h"

#include "base/postgres/database.h"

#include <string.h>

static bool check_extension(PGconn *connection, struct error *error)
{
    PGresult *result = database_query_file(connection, "distributed/extension.sql", 0, NULL, error);
    if (result == NULL)
        return false;
    bool is_made = result_flag(result, 0, 0), is_installed = result_flag(result, 0, 1);
    PQclear(result);
    if (is_made)
        return true;
    error_set(error, ERROR_DATABASE, "database %s has no extension citus", PQdb(connection));
    if (is_installed)
        error_hint(error,
                   "add it on every server (CREATE EXTENSION citus), then the workers: docs/distributed.md");
    else
        error_hint(
            error,
            "install Citus on every server and preload it, or omit --distributed: docs/distributed.md");
    return false;
}

/* *is_distributed: the contents of the database need no check. */
static bool check_state(PGconn *connection, bool *is_distributed, struct error *error)
{
    PGresult *result = database_query_file(connection, "distributed/state.sql", 0, NULL, error);
    if (result == NULL)
        return false;
    *is_distributed = result_flag(result, 0, 0);
    bool ok = true;
    if (!*is_distributed && strcmp(PQgetvalue(result, 0, 1), "0") != 0) {
        ok = error_set(error, ERROR_DATABASE, "database %s is not empty: it holds %s deliveries",
                       PQgetvalue(result, 0, 3), PQgetvalue(result, 0, 1));
        error_hint(error, "distribute a new database, then run kstar nightly with the whole inbox into it");
    } else if (!*is_distributed && result_flag(result, 0, 2)) {
        ok = error_set(error, ERROR_DATABASE, "database %s has the roles of kstar init --roles",
                       PQgetvalue(result, 0, 3));
        error_hint(error, "Citus's servers connect to each other as the role at work, and nobody logs in as "
                          "those: distribute a database without them");
    }
    PQclear(result);
    return ok;
}

static bool check_workers(PGconn *connection, struct error *error)
{
    PGresult *result = database_query_file(connection, "distributed/workers.sql", 0, NULL, error);
    if (result == NULL)
        return false;
    bool has_workers = strcmp(PQgetvalue(result, 0, 0), "0") != 0, knows_itself = result_flag(result, 0, 1);
    PQclear(result);
    if (!has_workers) {
        error_set(error, ERROR_DATABASE, "database %s has no worker to distribute to", PQdb(connection));
        error_hint(error, "SELECT citus_add_node('worker1.example.org', 5432) for each: docs/distributed.md");
    } else if (!knows_itself) {
        error_set(error, ERROR_DATABASE, "the coordinator of database %s is not among its servers",
                  PQdb(connection));
        error_hint(error,
                   "SELECT citus_set_coordinator_host('coordinator.example.org'): docs/distributed.md");
    }
    return has_workers && knows_itself;
}

static bool check_alike(PGconn *connection, struct error *error)
{
    PGresult *result = database_query_file(connection, "distributed/unlike.sql", 0, NULL, error);
    if (result == NULL)
        return false;
    bool ok = PQntuples(result) == 0;
    if (!ok) {
        error_set(error, ERROR_DATABASE, "the database of %s is another kind: %s, here %s",
                  PQgetvalue(result, 0, 0), PQgetvalue(result, 0, 1), PQgetvalue(result, 0, 2));
        error_hint(error, "make it with the same encoding and locale on every server");
    }
    PQclear(result);
    return ok;
}

bool distribution_set_up(PGconn *connection, bool *is_new, struct error *error)
{
    bool is_distributed = false;
    *is_new = false;
    if (!check_extension(connection, error) || !check_state(connection, &is_distributed, error) ||
        !check_workers(connection, error) || !check_alike(connection, error) ||
        !database_run_file(connection, "distributed/settings.sql", error))
        return false;
    if (is_distributed)
        return true;
    bool ok = database_begin(connection, error) &&
              database_run_file(connection, "distributed/tables.sql", error) &&
              database_commit(connection, error);
    if (!ok)
        database_rollback(connection);
    *is_new = ok;
    return ok;
}

bool distribution_exists(PGconn *connection, bool *exists, struct error *error)
{
    return database_query_flag(connection, "distributed/state.sql", 0, NULL, exists, error);
}
