/* ingest/reference_tables.h: which reference files there are and what stands in their columns.
 *
 * A file is a row of reference_tables[], a column a row of its columns: adding one is adding a row (and the column
 * to the schema and to docs/reference.md). A column of the CSV is called as in the database.
 */
#ifndef KSTAR_INGEST_REFERENCE_TABLES_H
#define KSTAR_INGEST_REFERENCE_TABLES_H

#include <stdbool.h>
#include <stddef.h>

enum reference_type {
    REFERENCE_TEXT,
    REFERENCE_DATE,         /* YYYY-MM-DD */
    REFERENCE_TIME,         /* a time as base/time_text.h reads it; UTC without an offset */
    REFERENCE_DECIMAL,      /* any sign */
    REFERENCE_NOT_NEGATIVE, /* decimal ≥ 0 */
    REFERENCE_POSITIVE,     /* decimal > 0 */
    REFERENCE_SHARE,        /* decimal from 0 to 1 */
    REFERENCE_INTEGER,      /* whole, ≥ 0 */
    REFERENCE_COUNT,        /* whole, ≥ 1 */
    REFERENCE_BOOLEAN,      /* true, false, yes, no, 1, 0 */
    REFERENCE_CURRENCY,     /* three capital letters */
    REFERENCE_CHOICE,       /* one of `choices` */
    REFERENCE_MATCH,        /* one of `choices`, or tag:KEY where "tag:KEY" is a choice */
    REFERENCE_PARAMETER,    /* name of a setting */
    REFERENCE_VALUE,        /* its value: the type is that of the setting */
};

enum { REFERENCE_OPTIONAL = 0, REFERENCE_REQUIRED = 1, REFERENCE_KEY = 2 };

struct reference_column {
    const char *name;           /* NULL ends the list */
    enum reference_type type;
    int flags;                  /* REQUIRED: never empty. KEY: one row per key at any time; may be empty otherwise */
    const char *fallback;       /* value of an empty or absent field; NULL: none */
    const char *const *choices; /* ends with NULL */
};

struct reference_table {
    const char *file;  /* "pools.csv"; NULL ends the table */
    const char *table; /* "pool" */
    const struct reference_column *columns;
};

enum { REFERENCE_COLUMNS_MAXIMUM = 16 };

extern const struct reference_table reference_tables[];

/* The row of the file with this name, NULL if there is none. */
const struct reference_table *reference_table_find(const char *file);

/* Is `text` a value of the column's type? If not, `expected` says what was expected ("is not a date (YYYY-MM-DD)").
 * `parameter` is the setting that a REFERENCE_VALUE belongs to. */
bool reference_value_check(const struct reference_column *column, const char *parameter, const char *text,
                           char *expected, size_t expected_size);

#endif
