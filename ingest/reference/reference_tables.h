/* ingest/reference/reference_tables.h: which reference files there are and what stands in their
 * columns.
 *
 * A file is a row of reference_tables[], a column a row of its columns: adding one is adding a row
 * (and the column to the schema and to docs/reference.md). A column of the CSV is called as in the
 * database. REQUIRED and KEY: of one key there is one row at any time.
 */
#ifndef KSTAR_INGEST_REFERENCE_REFERENCE_TABLES_H
#define KSTAR_INGEST_REFERENCE_REFERENCE_TABLES_H

#include "ingest/reference/declared_csv.h"

#include <stdbool.h>

struct reference_table {
    /* "pools.csv"; of workbooks a pattern, "review-*.xlsx"; NULL ends the table */
    const char *file;
    const char *table; /* "pool" */
    const struct declared_column *columns;
    /* A check over several columns; NULL: none. False names the column and the problem. */
    bool (*check)(const char *const *values, int *column, char problem[DECLARED_PROBLEM_BYTES]);
    const char *about;   /* what stands in it, in a few words, and a row with all columns, for */
    const char *example; /* reference_template.h; NULL: no template is made of it */
};

extern const struct reference_table reference_tables[];

/* The row of the file with this name, NULL if there is none. A file of a row with a pattern is one
 * of several, each with rows of its own in the table, whose column declared_in names it. */
const struct reference_table *reference_table_find(const char *file);

#endif
