/* base/postgres/cursor.c: see cursor.h. */
#include "base/postgres/cursor.h"

#include "base/postgres/database.h"

#include <stdio.h>

/* A Unix socket buffers about 180 KB, and the widest rows have about 400 bytes. If a batch is
 * larger, the server stops in the middle of it until kstar reads. */
enum { BATCH_ROWS = 400 };

static bool ask(PGconn *connection, const char *cursor, enum cursor_format format, struct error *error)
{
    char fetch[128];
    snprintf(fetch, sizeof fetch, "FETCH %d FROM %s", BATCH_ROWS, cursor);
    return PQsendQueryParams(connection, fetch, 0, NULL, NULL, NULL, NULL, format == CURSOR_BINARY) == 1 ||
           database_error(connection, NULL, cursor, error);
}

/* Receives the requested batch; NULL after a failure. */
static PGresult *answer(PGconn *connection, const char *cursor, struct error *error)
{
    PGresult *rows = PQgetResult(connection);
    bool ok = PQresultStatus(rows) == PGRES_TUPLES_OK || database_error(connection, rows, cursor, error);
    while (rows != NULL) { /* to the end of the query */
        PGresult *more = PQgetResult(connection);
        if (more == NULL)
            break;
        PQclear(more);
    }
    if (ok)
        return rows;
    PQclear(rows);
    return NULL;
}

/* Also after a failure it receives the requested batch, which would block the connection. */
static bool read_batches(PGconn *connection, const char *cursor, enum cursor_format format, cursor_row *take,
                         void *context, struct error *error)
{
    bool is_asked = ask(connection, cursor, format, error), ok = is_asked;
    while (is_asked) {
        struct error ignored;
        PGresult *rows = answer(connection, cursor, ok ? error : &ignored);
        ok = ok && rows != NULL;
        is_asked = ok && PQntuples(rows) == BATCH_ROWS && (ok = ask(connection, cursor, format, error));
        for (int row = 0; ok && row < PQntuples(rows); row++)
            ok = take(rows, row, context, error);
        PQclear(rows);
    }
    return ok;
}

bool cursor_read(PGconn *connection, const char *file, const char *cursor, enum cursor_format format,
                 cursor_row *take, void *context, struct error *error)
{
    char close_cursor[128];
    snprintf(close_cursor, sizeof close_cursor, "CLOSE %s", cursor);
    return database_run_file(connection, file, error) &&
           read_batches(connection, cursor, format, take, context, error) &&
           database_execute(connection, close_cursor, error);
}
