/* cli/status.c: kstar status: what was delivered, and which months have a statement. Reads, never writes. */
#include "base/database.h"
#include "cli/command.h"
#include "cli/connect.h"
#include "cli/result_table.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool print_json(const PGresult *deliveries, const PGresult *statements, struct error *error)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "version", KSTAR_VERSION);
    cJSON_AddItemToObject(root, "deliveries", result_table_json(deliveries));
    cJSON_AddItemToObject(root, "statements", result_table_json(statements));
    char *text = cJSON_Print(root);
    cJSON_Delete(root);
    if (text == NULL)
        return error_set(error, ERROR_FAILED, "out of memory");
    puts(text);
    free(text);
    return true;
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
    PGresult *deliveries = NULL, *statements = NULL;
    PGconn *connection = connect_database(&options, error);
    bool ok =
        connection != NULL &&
        (deliveries = database_query_file(connection, "status/deliveries.sql", 0, NULL, error)) != NULL &&
        (statements = database_query_file(connection, "status/statements.sql", 1, version, error)) != NULL;
    if (ok && json) {
        ok = print_json(deliveries, statements, error);
    } else if (ok) {
        result_table_print("deliveries", deliveries);
        result_table_print("months", statements);
    }
    PQclear(statements);
    PQclear(deliveries);
    connect_close(connection);
    return ok;
}

const struct command command_status = {
    .name = "status",
    .summary = "what was delivered, and which months have a statement",
    .usage = "kstar status [options]",
    .examples = "kstar status\n"
                "kstar status --json",
    .run = run,
};
