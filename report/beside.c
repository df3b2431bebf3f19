/* report/beside.c: see beside.h. */
#include "report/beside.h"

#include "base/postgres/database.h"
#include "base/postgres/sql_catalogue.h"
#include "report/shared_tables.h"
#include "report/workbook_name.h"

#include <stdio.h>
#include <stdlib.h>

/* The last one is for reviews and pages only. */
static const char *const files[] = { "report/02_results.sql", "report/03_jobs.sql", "report/05_review.sql" };
enum { FILES = sizeof files / sizeof files[0] };

static int file_count(const struct beside *beside)
{
    return beside->has_review ? FILES : FILES - 1;
}

bool beside_join(PGconn *connection, const char *snapshot, struct error *error)
{
    char statement[128];
    snprintf(statement, sizeof statement, "SET TRANSACTION SNAPSHOT '%s'", snapshot);
    return database_run_file(connection, "report/00_session.sql", error) &&
           database_run_file(connection, "page/tables.sql", error) &&
           database_run_file(connection, "report/begin.sql", error) &&
           database_execute(connection, statement, error);
}

/* Sends the files without waiting for their end. */
static bool send_files(const struct beside *beside, PGconn *connection, const char *month,
                       struct error *error)
{
    const char *const parameters[] = { month, "" };
    if (!database_run_query(connection, "report/scope.sql", 2, parameters, error))
        return false;
    char *text = text_of("%s\n%s\n%s", sql_text(files[0]), sql_text(files[1]),
                         beside->has_review ? sql_text(files[2]) : "");
    bool ok = PQsendQuery(connection, text) == 1;
    free(text);
    return ok;
}

bool beside_begin(struct beside *beside, PGconn *connection, const char *month, bool has_review,
                  bool is_wanted, struct error *error)
{
    struct error ignored = { 0 };
    *beside = (struct beside){ .has_review = has_review };
    if (!is_wanted)
        return true;
    PGresult *snapshot = database_query(connection, "SELECT pg_export_snapshot()", 0, NULL, error);
    if (snapshot == NULL)
        return false;
    PGconn *second = database_connect_again(connection, &ignored);
    if (second != NULL && beside_join(second, PQgetvalue(snapshot, 0, 0), &ignored) &&
        send_files(beside, second, month, &ignored))
        beside->connection = second;
    else
        PQfinish(second);
    PQclear(snapshot);
    return true;
}

static bool wait_for_files(PGconn *connection, struct error *error)
{
    bool ok = true;
    for (PGresult *result; (result = PQgetResult(connection)) != NULL; PQclear(result))
        if (ok && PQresultStatus(result) != PGRES_COMMAND_OK && PQresultStatus(result) != PGRES_TUPLES_OK)
            ok = database_error(connection, result, "report/02_results.sql to 05_review.sql", error);
    return ok;
}

static bool copy_tables(PGconn *from, PGconn *to, struct error *error)
{
    struct shared_tables tables = { .file = -1 };
    /* the second session made this table with 02_results.sql; the caller's planner must know it,
     * too */
    bool ok = shared_tables_keep(&tables, to, from, error) && shared_tables_fill(&tables, to, error) &&
              database_execute(to, "ANALYZE report_attempt_row", error);
    shared_tables_free(&tables);
    return ok;
}

bool beside_end(struct beside *beside, PGconn *connection, bool ok, struct error *error)
{
    if (beside->connection == NULL) {
        for (int i = 0; i < file_count(beside); i++)
            ok = ok && database_run_file(connection, files[i], error);
        return ok;
    }
    ok =
        ok && wait_for_files(beside->connection, error) && copy_tables(beside->connection, connection, error);
    PQfinish(beside->connection);
    return ok;
}
