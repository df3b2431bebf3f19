/* night/month/month_answers.c: see month_answers.h. */
#include "night/month/month_answers.h"

#include "base/postgres/database.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BATCH_ROWS = 10000 };

/* Answers the next batch; *rows_left is false after the last. */
static bool answer_batch(PGconn *connection, const char *cursor, answer_row *answer, void *context,
                         struct copy_stream *answers, bool *rows_left, struct error *error)
{
    char fetch[128];
    snprintf(fetch, sizeof fetch, "FETCH %d FROM %s", BATCH_ROWS, cursor);
    PGresult *rows = database_query(connection, fetch, 0, NULL, error);
    bool ok = rows != NULL;
    *rows_left = ok && PQntuples(rows) == BATCH_ROWS;
    for (int row = 0; ok && row < PQntuples(rows); row++)
        ok = answer(rows, row, context, answers, error);
    PQclear(rows);
    return ok;
}

bool month_answer(PGconn *connection, const char *question_file, const char *cursor, answer_row *answer,
                  void *context, const char *copy_statement, struct error *error)
{
    bool ok = false;
    bool rows_left = true;
    char close_cursor[128];
    struct copy_stream answers;
    if (!copy_stream_to_spool(&answers, error))
        return false;
    if (!database_run_file(connection, question_file, error))
        goto done;
    while (rows_left) {
        if (!answer_batch(connection, cursor, answer, context, &answers, &rows_left, error))
            goto done;
    }
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
