/* night/month/month_answers.h: reading a cursor in batches while answers wait in a spool.
 *
 * The model's answers go into tables by COPY, but the connection is busy with the cursor that asks
 * the questions (base/postgres/cursor.h). So answers are spooled (base/postgres/copy_stream.h), and
 * the spool is sent when the cursor is closed: memory does not grow with the number of jobs.
 */
#ifndef KSTAR_NIGHT_MONTH_MONTH_ANSWERS_H
#define KSTAR_NIGHT_MONTH_MONTH_ANSWERS_H

#include "base/error.h"
#include "base/postgres/copy_stream.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* Answers one row of the cursor by writing to `answers`, without the connection. */
typedef void answer_row(const PGresult *rows, int row, void *context, struct copy_stream *answers);

/* `question_file` declares a cursor named `cursor`; `copy_statement` takes the answers. */
bool month_answer(PGconn *connection, const char *question_file, const char *cursor, answer_row *answer,
                  void *context, const char *copy_statement, struct error *error);

/* A double as a decimal of 12 places: how E and cost ratios enter money. */
void copy_ratio(struct copy_stream *answers, double ratio);
void copy_string(struct copy_stream *answers, const char *text);       /* NULL or "": NULL */
void copy_optional_count(struct copy_stream *answers, unsigned count); /* 0: NULL */
void copy_optional_float8(struct copy_stream *answers, double value);  /* NaN or infinite: NULL */

#endif
