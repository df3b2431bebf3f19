/* ingest/reference/reference_tables.h: the reference files and their columns.
 *
 * A file is a row of reference_tables[], and a column is a row of its columns. To add one, add a
 * row, and the column to the schema and to docs/reference.md. A column of the CSV has the same name
 * in the database. REQUIRED and KEY: a key has one row at any time.
 */
#ifndef KSTAR_INGEST_REFERENCE_REFERENCE_TABLES_H
#define KSTAR_INGEST_REFERENCE_REFERENCE_TABLES_H

#include "ingest/reference/declared_csv.h"

#include <stdbool.h>

struct reference_table {
    /* "pools.csv"; for workbooks a pattern, "review-*.xlsx"; NULL ends the table */
    const char *file;
    const char *table; /* "pool" */
    const struct declared_column *columns;
    /* A check over several columns; NULL: none. False names the column and the problem. */
    bool (*check)(const char *const *values, int *column, char problem[DECLARED_PROBLEM_BYTES]);
    const char *about;   /* its content in a few words, and a row with all columns, for */
    const char *example; /* reference_template.h; NULL: no template is made of it */
};

extern const struct reference_table reference_tables[];

/* The row for a file of this name; NULL: none. Several files may fit a pattern. Each of them has
 * its own rows in the table, and column declared_in names the file. */
const struct reference_table *reference_table_find(const char *file);

#endif
