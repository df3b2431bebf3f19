/* night/month/month_answers.c: see month_answers.h. */
#include "night/month/month_answers.h"

#include "base/postgres/database.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A batch fits into the buffer of a socket: the server has made the next one by the time that this
 * one is answered. */
enum { BATCH_ROWS = 1000 };

static bool ask(PGconn *connection, const char *cursor, struct error *error)
{
    char fetch[128];
    snprintf(fetch, sizeof fetch, "FETCH %d FROM %s", BATCH_ROWS, cursor);
    return PQsendQuery(connection, fetch) == 1 || database_error(connection, NULL, cursor, error);
}

/* The batch that was asked for; NULL after a failure. */
static PGresult *take(PGconn *connection, const char *cursor, struct error *error)
{
    PGresult *rows = PQgetResult(connection);
    bool ok = PQresultStatus(rows) == PGRES_TUPLES_OK || database_error(connection, rows, cursor, error);
    while (rows != NULL) { /* up to the query's end */
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

/* Answers all rows of the cursor. While a batch is answered, the server makes the next. */
static bool answer_rows(PGconn *connection, const char *cursor, answer_row *answer, void *context,
                        struct copy_stream *answers, struct error *error)
{
    bool is_asked = ask(connection, cursor, error), ok = is_asked;
    while (is_asked) {
        PGresult *rows = take(connection, cursor, error);
        ok = ok && rows != NULL;
        is_asked = ok && PQntuples(rows) == BATCH_ROWS && (ok = ask(connection, cursor, error));
        for (int row = 0; ok && row < PQntuples(rows); row++)
            ok = answer(rows, row, context, answers, error);
        PQclear(rows);
    }
    return ok;
}

bool month_answer(PGconn *connection, const char *question_file, const char *cursor, answer_row *answer,
                  void *context, const char *copy_statement, struct error *error)
{
    bool ok = false;
    char close_cursor[128];
    struct copy_stream answers;
    if (!copy_stream_to_spool(&answers, error))
        return false;
    if (!database_run_file(connection, question_file, error) ||
        !answer_rows(connection, cursor, answer, context, &answers, error))
        goto done;
    snprintf(close_cursor, sizeof close_cursor, "CLOSE %s", cursor);
    int64_t count;
    ok = database_execute(connection, close_cursor, error) && copy_stream_end(&answers, &count, error) &&
         copy_stream_send_spool(&answers, connection, copy_statement, error);
done:
    copy_stream_discard(&answers);
    return ok;
}

void copy_ratio(struct copy_stream *answers, double ratio)
{
    char text[64];
    struct decimal decimal;
    int length = snprintf(text, sizeof text, "%.12f", ratio);
    if (isfinite(ratio) && length < (int)sizeof text && decimal_parse(text, (size_t)length, &decimal))
        copy_decimal(answers, &decimal);
    else
        copy_null(answers);
}

void copy_string(struct copy_stream *answers, const char *text)
{
    if (text == NULL || text[0] == '\0')
        copy_null(answers);
    else
        copy_text(answers, text, strlen(text));
}

void copy_optional_count(struct copy_stream *answers, unsigned count)
{
    if (count == 0)
        copy_null(answers);
    else
        copy_int4(answers, (int32_t)count);
}

void copy_optional_float8(struct copy_stream *answers, double value)
{
    if (isfinite(value))
        copy_float8(answers, value);
    else
        copy_null(answers);
}
