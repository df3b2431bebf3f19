/* ingest/jobs/sacct_text.h: splits the text of `sacct -P` into rows of fields.
 *
 * libcsv does not fit, because this text has no quoting. sacct never escapes its delimiter, which
 * may have several characters ("|#"), and job names, comments and command lines may contain
 * delimiters, quotes and line ends. A CSV reader would swallow lines at the first stray quote.
 * Instead, the number of columns decides:
 *   - too few fields: lines are joined until the number fits, but never with a line that is
 *     complete by itself; a record that stays too short was cut off;
 *   - too many fields: the surplus belongs to one of the free-text columns (the caller tries them:
 *     sacct_row_fields);
 *   - a line without any delimiter after a record whose last column is free text belongs to that
 *     column.
 */
#ifndef KSTAR_INGEST_JOBS_SACCT_TEXT_H
#define KSTAR_INGEST_JOBS_SACCT_TEXT_H

#include "base/error.h"
#include "ingest/text_slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SACCT_COLUMNS_MAXIMUM = 512, SACCT_RECORD_MAXIMUM = 1 << 20, SACCT_LINES_MAXIMUM = 1000 };

/* A record. Everything is valid until the next call of sacct_text_next. */
struct sacct_row {
    int64_t line;    /* physical line on which it starts, from 1 */
    const char *raw; /* its bytes, joined lines with their line ends */
    size_t raw_length;
    int field_count;    /* after splitting; at least the number of columns */
    const char *reason; /* of SACCT_BROKEN */
};

struct sacct_text;

/* Opens a plain or gzip file. `delimiter` NULL: '|', or the text between the first names of the
 * header. `columns` NULL: those of the header or, without one, the order of docs/formats.md;
 * otherwise names separated by commas, for text without a header. A first line with a field JobID
 * or JobIDRaw is a header. NULL on failure. */
struct sacct_text *sacct_text_open(const char *path, const char *delimiter, const char *columns,
                                   struct error *error);
void sacct_text_close(struct sacct_text *text);

int sacct_text_column_count(const struct sacct_text *text);

/* The first column called `name` in any case, −1 if there is none. */
int sacct_text_column(const struct sacct_text *text, const char *name);

/* Columns that may hold the delimiter, the last one first. */
int sacct_text_free_columns(const struct sacct_text *text, const int **columns);

enum sacct_outcome { SACCT_ROW, SACCT_BROKEN, SACCT_END, SACCT_FAILED };
enum sacct_outcome sacct_text_next(struct sacct_text *text, struct sacct_row *row, struct error *error);

/* The fields of the last row, one per column; `free_column` (−1: none) takes a surplus. */
void sacct_row_fields(const struct sacct_text *text, int free_column, struct text_slice *fields);

/* For progress. */
int64_t sacct_text_position(const struct sacct_text *text);

#endif
