/* cli/result_table.h: a query's result for people, as aligned columns, and for scripts, as JSON. */
#ifndef KSTAR_CLI_RESULT_TABLE_H
#define KSTAR_CLI_RESULT_TABLE_H

#include <cjson/cJSON.h>
#include <libpq-fe.h>

/* Prints `title` and the rows below it, indented, columns headed by their names: bigints and numerics to the
 * right. Control characters are shown as '?'. */
void result_table_print(const char *title, const PGresult *table);

/* The same for one screen: at most `rows` rows, and how many more there are; what is longer than `characters`
 * is cut. */
void result_table_print_short(const char *title, const PGresult *table, int rows, int characters);

/* An array of objects keyed by column name: bigints and doubles as numbers, NULL as null, everything else as
 * text. The caller deletes it. */
cJSON *result_table_json(const PGresult *table);

#endif
