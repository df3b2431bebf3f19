/* cli/result_table.h: a query's result for people, as aligned columns, and for scripts, as JSON. */
#ifndef KSTAR_CLI_RESULT_TABLE_H
#define KSTAR_CLI_RESULT_TABLE_H

#include <cjson/cJSON.h>
#include <libpq-fe.h>

/* Prints `title` and the rows below it, indented, columns headed by their names: bigints and numerics to the right. */
void result_table_print(const char *title, const PGresult *table);

/* An array of objects keyed by column name: bigints as numbers, NULL as null, everything else as text. The
 * caller deletes it. */
cJSON *result_table_json(const PGresult *table);

#endif
