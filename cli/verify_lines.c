/* cli/verify_lines.c: see verify_lines.h. */
#include "cli/verify_lines.h"

#include "base/postgres/database.h"
#include "ingest/bill/line_sums.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_ID, BILLING_PERIOD, DAY, ROW_COUNT, LINES_SUM, PLACE, WRONG }; /* verify/chunks.sql */

static int64_t number(const PGresult *chunks, int row, int column)
{
    return strtoll(PQgetvalue(chunks, row, column), NULL, 10);
}

/* Whether the stored lines of a chunk equal the recorded ones. Counts the lines. */
static bool is_as_read(const PGresult *chunks, int row, const struct line_sums *sums,
                       struct verify_answer *answer)
{
    char text[LINE_SUM_BYTES];
    const struct line_sum none = { 0 };
    const struct line_sum *stored =
        line_sums_find(sums, number(chunks, row, CHUNK_ID), (int32_t)number(chunks, row, DAY));
    if (stored == NULL)
        stored = &none;
    line_sum_text(stored->sum, text);
    answer->compared += stored->lines;
    return stored->lines == number(chunks, row, ROW_COUNT) &&
           strcmp(text, PQgetvalue(chunks, row, LINES_SUM)) == 0;
}

static bool describe(PGconn *connection, const PGresult *chunks, int row, struct verify_answer *answer,
                     struct error *error)
{
    const char *const parameters[] = { PQgetvalue(chunks, row, CHUNK_ID),
                                       PQgetvalue(chunks, row, BILLING_PERIOD) };
    PGresult *what = database_query_file(connection, "verify/line_difference.sql", 2, parameters, error);
    if (what != NULL)
        snprintf(answer->first, sizeof answer->first, "%s, %s", PQgetvalue(chunks, row, PLACE),
                 PQgetvalue(what, 0, 0));
    PQclear(what);
    return what != NULL;
}

static bool compare(PGconn *connection, const PGresult *chunks, const struct line_sums *sums,
                    struct verify_answer *answer, struct error *error)
{
    for (int row = 0; row < PQntuples(chunks); row++) {
        bool is_wrong_load = !PQgetisnull(chunks, row, WRONG);
        if (!is_wrong_load && is_as_read(chunks, row, sums, answer))
            continue;
        if (answer->differing++ > 0)
            continue;
        if (is_wrong_load)
            snprintf(answer->first, sizeof answer->first, "%s", PQgetvalue(chunks, row, WRONG));
        else if (!describe(connection, chunks, row, answer, error))
            return false;
    }
    return true;
}

bool verify_lines(PGconn *connection, const char *month, struct verify_answer *answer, struct error *error)
{
    struct line_sums sums = { 0 };
    PGresult *set = NULL, *chunks = NULL;
    *answer = (struct verify_answer){ 0 };
    bool ok = (set = database_query(connection, "SELECT set_config('kstar.verified_month', $1, true)", 1,
                                    &month, error)) != NULL &&
              (chunks = database_query_file(connection, "verify/chunks.sql", 1, &month, error)) != NULL &&
              line_sums_read(connection, "verify/lines.sql", &sums, error) &&
              compare(connection, chunks, &sums, answer, error);
    line_sums_free(&sums);
    PQclear(chunks);
    PQclear(set);
    return ok;
}
