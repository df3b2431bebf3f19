/* explain/explain_archive.c: see explain_archive.h. */
#define _GNU_SOURCE /* memmem */
#include "explain/explain_archive.h"

#include "allocate/wire.h"
#include "base/postgres/database.h"
#include "base/text/gzip_chunk.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK_LIMIT = 256 << 20 };
enum { CHUNK_IS_WHOLE, CHUNK_CONTENT }; /* explain/archive_chunks.sql */

static bool refuse_damaged(const struct explain_question *question, struct error *error)
{
    error_set(error, ERROR_CONSERVATION, "the archived parts of %s are not those of its close",
              question->period);
    error_hint(error, "somebody changed the table closed_part or closure: restore it from a backup");
    return false;
}

static bool check_state(PGconn *connection, const struct explain_question *question, struct error *error)
{
    const char *const parameters[] = { question->month };
    bool is_whole;
    return database_query_flag(connection, "explain/archive_state.sql", 1, parameters, &is_whole, error) &&
           (is_whole || refuse_damaged(question, error));
}

/* Returns the end of the CSV row that begins at `row`: the first line end outside quotes. */
static const char *row_end(const char *row, const char *end)
{
    bool is_quoted = false;
    for (; row < end; row++) {
        if (*row == '"')
            is_quoted = !is_quoted;
        else if (*row == '\n' && !is_quoted)
            return row + 1;
    }
    return end;
}

/* A text that every requested row contains. NULL: no such text is known. */
static const char *needle_of(const struct explain_question *question)
{
    const char *name = question->pool != NULL && strcmp(question->pool, "tax") != 0 ? question->pool : NULL;
    if (question->invoice != NULL && strcmp(question->invoice, "(open)") != 0)
        name = question->invoice;
    if (question->line != NULL)
        name = strrchr(question->line, ':') + 1;
    return name != NULL && strchr(name, '"') == NULL ? name : NULL; /* CSV doubles quotes */
}

static bool send_rows(PGconn *connection, const char *text, size_t length, const char *needle)
{
    const char *end = text + length;
    bool ok = true;
    if (needle == NULL)
        return PQputCopyData(connection, text, (int)length) == 1;
    for (const char *row = text, *next; ok && row < end; row = next) {
        next = row_end(row, end);
        if (memmem(row, (size_t)(next - row), needle, strlen(needle)) != NULL)
            ok = PQputCopyData(connection, row, (int)(next - row)) == 1;
    }
    return ok;
}

static bool end_copy(PGconn *connection, bool ok, struct error *error)
{
    ok = PQputCopyEnd(connection, ok ? NULL : "given up") == 1 && ok;
    for (PGresult *result; (result = PQgetResult(connection)) != NULL; PQclear(result)) {
        if (ok && PQresultStatus(result) != PGRES_COMMAND_OK)
            ok = database_error(connection, result, "COPY archived", error);
    }
    return ok;
}

/* Copies the matching rows of these chunks to the table. */
static bool load_chunks(PGconn *connection, const struct explain_question *question, const PGresult *chunks,
                        struct error *error)
{
    const char *needle = needle_of(question);
    bool ok = true, is_damaged = false;
    PGresult *begun = PQexec(connection, "COPY archived FROM STDIN (FORMAT csv)");
    if (PQresultStatus(begun) != PGRES_COPY_IN)
        ok = database_error(connection, begun, "COPY archived", error);
    PQclear(begun);
    if (!ok)
        return false;
    for (int i = 0; ok && !is_damaged && i < PQntuples(chunks); i++) {
        size_t length = 0;
        char *text =
            !wire_bool(chunks, i, CHUNK_IS_WHOLE)
                ? NULL
                : gzip_chunk_text((const unsigned char *)PQgetvalue(chunks, i, CHUNK_CONTENT),
                                  (size_t)PQgetlength(chunks, i, CHUNK_CONTENT), CHUNK_LIMIT, &length);
        is_damaged = text == NULL;
        if (!is_damaged && !send_rows(connection, text, length, needle))
            ok = database_error(connection, NULL, "COPY archived", error);
        free(text);
    }
    return end_copy(connection, ok && !is_damaged, error) ||
           (is_damaged ? refuse_damaged(question, error) : false);
}

static bool load_all(PGconn *connection, const struct explain_question *question, struct error *error)
{
    if (!database_run_file(connection, "explain/archive_codes.sql", error))
        return false;
    for (;;) {
        PGresult *chunks = wire_query(connection, "FETCH 16 FROM archived_chunks", error);
        bool ok = chunks != NULL;
        int count = ok ? PQntuples(chunks) : 0;
        ok = ok && (count == 0 || load_chunks(connection, question, chunks, error));
        PQclear(chunks);
        if (!ok || count == 0)
            return ok && database_run_file(connection, "explain/archive_read.sql", error);
    }
}

bool explain_archive_load(PGconn *connection, const struct explain_question *question, struct error *error)
{
    const char *const parameters[] = { question->month, question->cost_centre,
                                       question->job != NULL ? question->attempts : NULL };
    return check_state(connection, question, error) &&
           database_run_query(connection, "explain/archive_chunks.sql", 3, parameters, error) &&
           load_all(connection, question, error);
}

bool explain_archive_load_seen(PGconn *connection, const struct explain_question *question,
                               struct error *error)
{
    const char *const parameters[] = { question->month, question->cost_centre, NULL };
    return database_run_query(connection, "explain/archive_seen.sql", 3, parameters, error) &&
           load_all(connection, question, error);
}
