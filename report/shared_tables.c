/* report/shared_tables.c: see shared_tables.h. */
#include "report/shared_tables.h"

#include "base/postgres/database.h"
#include "base/system/temporary_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK = 1 << 16 };

/* ---- from the session to the file ---- */

static bool write_all(int file, const char *bytes, size_t count, struct error *error)
{
    while (count > 0) {
        ssize_t written = write(file, bytes, count);
        if (written < 0 && errno != EINTR)
            return temporary_file_failed(error);
        bytes += written > 0 ? written : 0;
        count -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

/* Begins a COPY of a table. `expected` is the state of the connection afterwards. */
static bool begin_copy(PGconn *connection, const char *name, const char *direction, ExecStatusType expected,
                       struct error *error)
{
    char statement[256];
    snprintf(statement, sizeof statement, "COPY pg_temp.%s %s (FORMAT binary)", name, direction);
    PGresult *result = PQexec(connection, statement);
    bool ok = PQresultStatus(result) == expected || database_error(connection, result, name, error);
    PQclear(result);
    return ok;
}

/* Reads the results that end a COPY. */
static bool end_copy(PGconn *connection, const char *name, struct error *error)
{
    bool ok = true;
    for (PGresult *result; (result = PQgetResult(connection)) != NULL; PQclear(result))
        if (ok && PQresultStatus(result) != PGRES_COMMAND_OK)
            ok = database_error(connection, result, name, error);
    return ok;
}

static bool keep_table(int file, struct shared_table *table, PGconn *connection, struct error *error)
{
    if (!begin_copy(connection, table->name, "TO STDOUT", PGRES_COPY_OUT, error))
        return false;
    bool ok = true;
    char *bytes;
    int count;
    while ((count = PQgetCopyData(connection, &bytes, 0)) > 0) {
        ok = ok && write_all(file, bytes, (size_t)count, error);
        table->to += count;
        PQfreemem(bytes);
    }
    struct error ignored;
    return end_copy(connection, table->name, ok ? error : &ignored) && ok;
}

bool shared_tables_keep(struct shared_tables *shared, PGconn *names_from, PGconn *connection,
                        struct error *error)
{
    *shared = (struct shared_tables){ .file = temporary_file(error) };
    PGresult *names =
        shared->file < 0 ? NULL : database_query_file(names_from, "report/shared_tables.sql", 0, NULL, error);
    bool ok = names != NULL;
    int count = ok ? PQntuples(names) : 0;
    shared->tables = calloc((size_t)count + 1, sizeof *shared->tables);
    off_t end = 0;
    for (; ok && shared->count < count; shared->count++) {
        struct shared_table *table = &shared->tables[shared->count];
        *table = (struct shared_table){ strdup(PQgetvalue(names, shared->count, 0)), end, end,
                                        result_flag(names, shared->count, 1) };
        ok = keep_table(shared->file, table, connection, error);
        end = table->to;
    }
    PQclear(names);
    return ok;
}

/* ---- from the file to another session ---- */

static bool send_bytes(int file, const struct shared_table *table, PGconn *connection, struct error *error)
{
    char chunk[CHUNK];
    for (off_t at = table->from; at < table->to;) {
        size_t most = table->to - at < CHUNK ? (size_t)(table->to - at) : CHUNK;
        ssize_t count = pread(file, chunk, most, at);
        if (count == 0 || (count < 0 && errno != EINTR))
            return temporary_file_failed(error);
        if (count > 0 && PQputCopyData(connection, chunk, (int)count) != 1)
            return database_error(connection, NULL, table->name, error);
        at += count > 0 ? count : 0;
    }
    return PQputCopyEnd(connection, NULL) == 1 || database_error(connection, NULL, table->name, error);
}

bool shared_tables_fill(const struct shared_tables *shared, PGconn *connection, struct error *error)
{
    for (int i = 0; i < shared->count; i++) {
        const struct shared_table *table = &shared->tables[i];
        char analyze[256];
        snprintf(analyze, sizeof analyze, "ANALYZE pg_temp.%s", table->name);
        if (!begin_copy(connection, table->name, "FROM STDIN", PGRES_COPY_IN, error) ||
            !send_bytes(shared->file, table, connection, error) ||
            !end_copy(connection, table->name, error) ||
            (table->is_analyzed && !database_execute(connection, analyze, error)))
            return false;
    }
    return true;
}

void shared_tables_free(struct shared_tables *shared)
{
    for (int i = 0; i < shared->count; i++)
        free(shared->tables[i].name);
    free(shared->tables);
    if (shared->file >= 0)
        close(shared->file);
    *shared = (struct shared_tables){ .file = -1 };
}
