/* print/result_table.h: prints a query's result as aligned columns for people, or as JSON for
 * scripts. */
#ifndef KSTAR_PRINT_RESULT_TABLE_H
#define KSTAR_PRINT_RESULT_TABLE_H

#include <cjson/cJSON.h>
#include <libpq-fe.h>

/* Prints `title` and below it the rows, indented. The heading of a column is its name with
 * blanks for underscores. bigint and numeric columns are aligned to the right. Control
 * characters are shown as '?'. Boolean columns are omitted: they are for programs, and another
 * column has their meaning in words. */
void result_table_print(const char *title, const PGresult *table);

/* The same for one screen: prints at most `rows` rows and the number of further ones. Longer
 * texts are cut at `characters`. */
void result_table_print_short(const char *title, const PGresult *table, int rows, int characters);

/* How a numeric is written in JSON: as text "12.30", which every reader takes exactly, or as the
 * number 12.30, if the command's documentation says so. */
enum json_decimals { DECIMALS_AS_TEXT, DECIMALS_AS_NUMBERS };

/* Adds the cells of a row under the names of their columns. NULL becomes null. Whole numbers and
 * doubles become numbers, NaN and infinities null, flags true and false. Times become
 * "2026-09-01T00:00:00Z", and everything else text. */
void result_row_add(cJSON *object, const PGresult *table, int row, enum json_decimals decimals);

/* An array of such objects with decimals as text. The caller deletes it. */
cJSON *result_table_json(const PGresult *table);

#endif
