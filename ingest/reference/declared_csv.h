/* ingest/reference/declared_csv.h: CSVs that people write by hand: reference data and measurements.
 *
 * These files are small and written by hand, so one bad field refuses the file, with an error that
 * names file, line, column and value. A table of columns describes a file. The reader finds columns
 * by name in any order and refuses unknown and missing ones. It trims white space, skips blank rows
 * and lines that begin with #, checks fields by the type of their column, and fills in fallbacks.
 *
 *     struct declared_csv *csv = declared_csv_open(path, columns, "docs/reference.md", error);
 *     while ((outcome = declared_csv_next(csv, &row, error)) == CSV_RECORD)
 *         … row.values[POOL], row.values[SPLIT] …
 *     declared_csv_close(csv);
 */
#ifndef KSTAR_INGEST_REFERENCE_DECLARED_CSV_H
#define KSTAR_INGEST_REFERENCE_DECLARED_CSV_H

#include "base/error.h"
#include "base/text/csv_reader.h"
#include "ingest/key_text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum declared_type {
    DECLARED_TEXT,         /* a name: at most KEY_TEXT_MAXIMUM bytes */
    DECLARED_PROSE,        /* a text that is no name: as long as a field may be */
    DECLARED_DATE,         /* YYYY-MM-DD */
    DECLARED_MONTH,        /* YYYY-MM */
    DECLARED_TIME,         /* a time as base/time_text.h reads it; UTC without an offset */
    DECLARED_DECIMAL,      /* any sign */
    DECLARED_NOT_NEGATIVE, /* decimal ≥ 0 */
    DECLARED_POSITIVE,     /* decimal > 0 */
    DECLARED_SHARE,        /* decimal from 0 to 1 */
    /* decimal of any sign, at most 9,000,000,000,000, which a statement can hold */
    DECLARED_MONEY,
    DECLARED_COST,       /* the same ≥ 0 */
    DECLARED_HOURS,      /* decimal ≥ 0, up to 1,000,000,000 */
    DECLARED_SOME_HOURS, /* the same > 0 */
    DECLARED_INTEGER,    /* whole, ≥ 0 */
    DECLARED_COUNT,      /* whole, ≥ 1 */
    DECLARED_SPAN,       /* whole, 1 to 1200: months, days or hours */
    DECLARED_BOOLEAN,    /* true, false, yes, no, 1, 0 */
    DECLARED_CURRENCY,   /* three capital letters */
    DECLARED_CHOICE,     /* one of `choices` */
    /* one of `choices`, or tag:KEY if "tag:KEY" is a choice; as long as a name */
    DECLARED_MATCH,
};

enum { DECLARED_OPTIONAL = 0, DECLARED_REQUIRED = 1, DECLARED_KEY = 2 };

struct declared_column {
    const char *name; /* NULL ends the list */
    enum declared_type type;
    /* REQUIRED: the column is there and never empty. KEY: part of a row's key. */
    int flags;
    const char *fallback;       /* value of an empty or absent field; NULL: none */
    const char *const *choices; /* ends with NULL */
};

enum { DECLARED_COLUMNS_MAXIMUM = 20, DECLARED_FIELD_BYTES = 4096, DECLARED_PROBLEM_BYTES = 640 };

/* Whether `text` is a value of this type. If not, `problem` describes it: "is not a date
 * (YYYY-MM-DD)". */
bool declared_value_check(enum declared_type type, const char *const *choices, const char *text,
                          char problem[DECLARED_PROBLEM_BYTES]);

struct declared_row {
    int64_t line;
    /* in the order of the columns; NULL: empty, without a fallback */
    const char *values[DECLARED_COLUMNS_MAXIMUM];
};

struct declared_csv;

/* Opens the file and reads its header. `documentation` is named in hints. NULL on failure. */
struct declared_csv *declared_csv_open(const char *path, const struct declared_column *columns,
                                       const char *documentation, struct error *error);
void declared_csv_close(struct declared_csv *csv); /* NULL is allowed */

/* The next row; its values live until the next call. */
enum csv_outcome declared_csv_next(struct declared_csv *csv, struct declared_row *row, struct error *error);

/* Refuses the file because of a value of the last row (column as in the table): always false. */
bool declared_csv_refuse(const struct declared_csv *csv, const struct declared_row *row, int column,
                         const char *problem, struct error *error);

#endif
