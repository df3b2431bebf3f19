/* cli/status.c: kstar status: what was delivered, and which months have a statement. Reads, never writes. */
#include "base/database.h"
#include "cli/command.h"
#include "cli/connect.h"
#include "cli/result_table.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The tables of the status, each a query, in the order in which they are shown. */
static const struct status_table {
    const char *title, *key, *query;
    bool takes_version;
    bool only_with_rows; /* left out on the terminal where it is empty */
} tables[] = {
    { "deliveries", "deliveries", "status/deliveries.sql", false, false },
    { "held deliveries (kstar ingest billing --accept lets them in)", "held", "status/held.sql", false,
      true },
    { "months", "statements", "status/statements.sql", true, false },
    { "what keeps a close waiting", "blocked", "status/blocked.sql", false, true },
};
enum { TABLE_COUNT = sizeof tables / sizeof tables[0] };

static bool print_json(PGresult *const *results, struct error *error)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "version", KSTAR_VERSION);
    for (int i = 0; i < TABLE_COUNT; i++)
        cJSON_AddItemToObject(root, tables[i].key, result_table_json(results[i]));
    char *text = cJSON_Print(root);
    cJSON_Delete(root);
    if (text == NULL)
        return error_set(error, ERROR_FAILED, "out of memory");
    puts(text);
    free(text);
    return true;
}

static void print_text(PGresult *const *results)
{
    for (int i = 0; i < TABLE_COUNT; i++) {
        if (PQntuples(results[i]) > 0 || !tables[i].only_with_rows)
            result_table_print(tables[i].title, results[i]);
    }
}

static bool run(const struct command *command, int argc, char **argv, struct error *error)
{
    bool json = false;
    const struct option_entry entries[] = {
        { "json", OPTION_FLAG, NULL, "print JSON", &json },
        { 0 },
    };
    struct common_options options;
    int first_operand;
    if (!options_read(command, entries, argc, argv, &options, &first_operand, error))
        return false;
    if (first_operand < argc)
        return error_set(error, ERROR_USAGE, "status: takes no operand, but got %s", argv[first_operand]);

    const char *version[] = { KSTAR_VERSION };
    PGresult *results[TABLE_COUNT] = { NULL };
    PGconn *connection = connect_database(&options, error);
    bool ok = connection != NULL;
    for (int i = 0; ok && i < TABLE_COUNT; i++) {
        results[i] =
            database_query_file(connection, tables[i].query, tables[i].takes_version, version, error);
        ok = results[i] != NULL;
    }
    if (ok && json)
        ok = print_json(results, error);
    else if (ok)
        print_text(results);
    for (int i = 0; i < TABLE_COUNT; i++)
        PQclear(results[i]);
    connect_close(connection);
    return ok;
}

const struct command command_status = {
    .name = "status",
    .summary = "what was delivered and what waits, which months have a statement",
    .usage = "kstar status [options]",
    .examples = "kstar status\n"
                "kstar status --json",
    .run = run,
};
