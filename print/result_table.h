/* print/result_table.h: a query's result for people, as aligned columns, and for scripts, as
 * JSON. */
#ifndef KSTAR_PRINT_RESULT_TABLE_H
#define KSTAR_PRINT_RESULT_TABLE_H

#include <cjson/cJSON.h>
#include <libpq-fe.h>

/* Prints `title` and the rows below it, indented, columns headed by their names, with blanks for
 * underscores: bigints and numerics to the right. Control characters are shown as '?'.
 * Flags are for programs: what they say stands in another column in words. */
void result_table_print(const char *title, const PGresult *table);

/* The same for one screen: at most `rows` rows, and how many more there are; what is longer than
 * `characters` is cut. */
void result_table_print_short(const char *title, const PGresult *table, int rows, int characters);

/* How decimals (numeric) stand in JSON: "12.30", which every reader takes exactly, or 12.30, where
 * a document says so. */
enum json_decimals { DECIMALS_AS_TEXT, DECIMALS_AS_NUMBERS };

/* Adds a row's cells under their columns' names: NULL as null; whole numbers and doubles as
 * numbers, and as null where they are none (NaN, an infinity); flags as true and false; everything
 * else as text. */
void result_row_add(cJSON *object, const PGresult *table, int row, enum json_decimals decimals);

/* An array of such objects, decimals as text. The caller deletes it. */
cJSON *result_table_json(const PGresult *table);

#endif
