/* cli/status.c: kstar status: what was delivered, and which months have a statement. Reads, never writes. */
#include "base/database.h"
#include "cli/command.h"
#include "cli/connect.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Characters of UTF-8 text: bytes but those that continue one. */
static int width(const char *text)
{
    int count = 0;
    for (; *text != '\0'; text++)
        count += (*text & 0xC0) != 0x80;
    return count;
}

static int column_width(const PGresult *table, int column)
{
    int widest = width(PQfname(table, column));
    for (int row = 0; row < PQntuples(table); row++) {
        int here = width(PQgetvalue(table, row, column));
        widest = here > widest ? here : widest;
    }
    return widest;
}

/* One cell, padded: numbers to the right. The last column is not padded. */
static void print_cell(const PGresult *table, int column, const char *text)
{
    static const Oid int8_type = 20;
    int padding = column_width(table, column) - width(text);
    bool is_number = PQftype(table, column) == int8_type;
    bool is_last = column == PQnfields(table) - 1;
    printf("%s%*s%s%*s", column > 0 ? "  " : "", is_number ? padding : 0, "", text,
           is_number || is_last ? 0 : padding, "");
}

static void print_table(const char *title, const PGresult *table)
{
    printf("%s\n", title);
    if (PQntuples(table) == 0)
        printf("  none");
    for (int row = -1; row < PQntuples(table) && PQntuples(table) > 0; row++) {
        printf(row < 0 ? "  " : "\n  ");
        for (int column = 0; column < PQnfields(table); column++)
            print_cell(table, column, row < 0 ? PQfname(table, column) : PQgetvalue(table, row, column));
    }
    printf("\n");
}

static cJSON *table_as_json(const PGresult *table)
{
    static const Oid int8_type = 20;
    cJSON *rows = cJSON_CreateArray();
    for (int row = 0; row < PQntuples(table); row++) {
        cJSON *object = cJSON_CreateObject();
        for (int column = 0; column < PQnfields(table); column++) {
            const char *name = PQfname(table, column);
            const char *text = PQgetvalue(table, row, column);
            if (PQgetisnull(table, row, column))
                cJSON_AddNullToObject(object, name);
            else if (PQftype(table, column) == int8_type)
                cJSON_AddRawToObject(object, name, text);
            else
                cJSON_AddStringToObject(object, name, text);
        }
        cJSON_AddItemToArray(rows, object);
    }
    return rows;
}

static bool print_json(const PGresult *deliveries, const PGresult *statements, struct error *error)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "version", KSTAR_VERSION);
    cJSON_AddItemToObject(root, "deliveries", table_as_json(deliveries));
    cJSON_AddItemToObject(root, "statements", table_as_json(statements));
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
        print_table("deliveries", deliveries);
        print_table("months", statements);
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
