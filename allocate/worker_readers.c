/* allocate/worker_readers.c: see worker_readers.h.
 *
 * Rows are passed to readers as COPY text, one row a line. The line starts with the reader's
 * number.
 */
#include "allocate/worker_readers.h"

#include "base/postgres/database.h"
#include "base/postgres/sql_catalogue.h"

#include <stdio.h>
#include <stdlib.h>

enum { HOST, PORT, LINES }; /* columns of readers.sql */

/* The data of readers: a table, and sql/allocate/workers/NAME.sql, which selects its rows. */
static const struct {
    const char *from, *to;
} given[] = {
    { "allocate/workers/current_chunk.sql", "COPY current_chunk FROM STDIN" },
    { "allocate/workers/node_inventory.sql", "COPY node_inventory FROM STDIN" },
    { "allocate/workers/job_node.sql", "COPY job_node FROM STDIN" },
};

static bool expect(PGconn *connection, PGresult *result, ExecStatusType wanted, struct error *error)
{
    bool ok = PQresultStatus(result) == wanted;
    if (!ok)
        database_error(connection, result, "a month on several servers", error);
    PQclear(result);
    return ok;
}

/* Checks the result of a COPY after its last row. */
static bool is_copied(PGconn *connection, struct error *error)
{
    bool ok = expect(connection, PQgetResult(connection), PGRES_COMMAND_OK, error);
    for (PGresult *rest; (rest = PQgetResult(connection)) != NULL;)
        PQclear(rest);
    return ok;
}

static bool put_line(PGconn *reader, const char *line, int length, struct error *error)
{
    return PQputCopyData(reader, line, length) == 1 ||
           database_error(reader, NULL, "a month on several servers", error);
}

static bool hand_on(PGconn *from, PGconn *const *readers, int count, struct error *error)
{
    char *line;
    int length;
    bool ok = true;
    while ((length = PQgetCopyData(from, &line, 0)) > 0) {
        int reader = (int)strtol(line, NULL, 10);
        for (int i = 0; ok && i < count; i++) {
            if (reader < 0 || reader == i)
                ok = put_line(readers[i], line, length, error);
        }
        PQfreemem(line);
    }
    return is_copied(from, ok ? error : &(struct error){ 0 }) && ok;
}

static bool give(PGconn *connection, size_t what, PGconn *const *readers, int count, struct error *error)
{
    bool ok = true;
    for (int i = 0; ok && i < count; i++)
        ok = expect(readers[i], PQexec(readers[i], given[what].to), PGRES_COPY_IN, error);
    ok = ok && expect(connection, PQexec(connection, sql_text(given[what].from)), PGRES_COPY_OUT, error) &&
         hand_on(connection, readers, count, error);
    for (int i = 0; ok && i < count; i++)
        ok = PQputCopyEnd(readers[i], NULL) == 1 && is_copied(readers[i], error);
    return ok;
}

static PGconn *open_reader(PGconn *connection, const PGresult *shares, int row, struct error *error)
{
    const char *host = PQgetvalue(shares, row, HOST), *port = PQgetvalue(shares, row, PORT);
    PGconn *reader = database_connect_to(connection, host, port, error);
    if (reader == NULL) {
        error_in(error, "worker %s:%s", host, port);
        error_hint(error, "kstar reads a month from the workers: let it in there as on the coordinator "
                          "(docs/distributed.md)");
        return NULL;
    }
    if (database_execute(reader, "BEGIN ISOLATION LEVEL REPEATABLE READ", error) &&
        database_run_file(reader, "allocate/workers/tables.sql", error) &&
        database_execute(reader, PQgetvalue(shares, row, LINES), error))
        return reader;
    error_in(error, "worker %s:%s", host, port);
    PQfinish(reader);
    return NULL;
}

static PGresult *find_shares(PGconn *connection, int wanted, struct error *error)
{
    char number[16];
    snprintf(number, sizeof number, "%d", wanted);
    const char *const parameters[] = { number };
    PGresult *set =
        database_query(connection, "SELECT set_config('kstar.readers', $1, true)", 1, parameters, error);
    bool ok = set != NULL && database_run_file(connection, "allocate/workers/shares.sql", error);
    PQclear(set);
    return ok ? database_query_file(connection, "allocate/workers/readers.sql", 0, NULL, error) : NULL;
}

bool worker_readers_open(PGconn *connection, int wanted, PGconn **readers, int maximum, int *count,
                         struct error *error)
{
    *count = 0;
    PGresult *shares = find_shares(connection, wanted, error);
    bool ok = shares != NULL;
    if (ok && PQntuples(shares) > maximum)
        ok = error_set(error, ERROR_DATABASE, "%d readers of workers: more than %d", PQntuples(shares),
                       maximum);
    for (int row = 0; ok && row < PQntuples(shares); row++) {
        readers[row] = open_reader(connection, shares, row, error);
        ok = readers[row] != NULL;
        *count += ok;
    }
    PQclear(shares);
    for (size_t i = 0; ok && i < sizeof given / sizeof given[0]; i++)
        ok = give(connection, i, readers, *count, error);
    for (int i = 0; ok && i < *count; i++)
        ok = database_execute(readers[i], "ANALYZE current_chunk, node_inventory, job_node", error);
    return ok;
}
