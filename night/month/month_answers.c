/* night/month/month_answers.c: see month_answers.h. */
#include "night/month/month_answers.h"

#include "base/postgres/cursor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The function that answers the rows of the cursor, and the spool where the answers wait. */
struct asking {
    answer_row *answer;
    void *context;
    struct copy_stream answers;
};

static bool answer_one(const PGresult *rows, int row, void *context, struct error *error)
{
    struct asking *asking = context;
    (void)error;
    asking->answer(rows, row, asking->context, &asking->answers);
    return true;
}

bool month_answer(PGconn *connection, const char *question_file, const char *cursor, answer_row *answer,
                  void *context, const char *copy_statement, struct error *error)
{
    struct asking asking = { .answer = answer, .context = context };
    int64_t count;
    if (!copy_stream_to_spool(&asking.answers, error))
        return false;
    bool ok = cursor_read(connection, question_file, cursor, CURSOR_TEXT, answer_one, &asking, error) &&
              copy_stream_end(&asking.answers, &count, error) &&
              copy_stream_send_spool(&asking.answers, connection, copy_statement, error);
    copy_stream_discard(&asking.answers);
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
