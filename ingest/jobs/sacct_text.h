/* ingest/jobs/sacct_text.h: `sacct -P` text into rows of fields.
 *
 * Why not libcsv: this text knows no quoting. sacct never escapes its delimiter, which may be
 * several characters ("|#"), and job names, comments and command lines hold delimiters, quotes and
 * line ends as they are; a CSV reader would swallow lines at the first stray quote. What helps is
 * the number of columns:
 *   - too few fields: lines are joined until the count fits, but never with a line that is complete
 *     by itself; what stays too short was cut off;
 *   - too many: the surplus belongs to one of the free-text columns (the caller tries which:
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
    int field_count;    /* as split; at least the number of columns */
    const char *reason; /* of SACCT_BROKEN */
};

struct sacct_text;

/* Opens a plain or gzip file. `delimiter` NULL: '|', or what stands between the names of the
 * header. `columns` NULL: the header's, or without a header the order of docs/formats.md; else
 * names separated by commas, for text without a header. A first line with the name JobID or
 * JobIDRaw among its fields is a header. NULL on failure. */
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
int64_t sacct_text_size(const struct sacct_text *text);

#endif
