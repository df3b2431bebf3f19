/* cli/result_table.c: see result_table.h. */
#include "cli/result_table.h"

#include <stdbool.h>
#include <stdio.h>

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
    static const Oid int8_type = 20, numeric_type = 1700;
    int padding = column_width(table, column) - width(text);
    bool is_number = PQftype(table, column) == int8_type || PQftype(table, column) == numeric_type;
    bool is_last = column == PQnfields(table) - 1;
    printf("%s%*s%s%*s", column > 0 ? "  " : "", is_number ? padding : 0, "", text,
           is_number || is_last ? 0 : padding, "");
}

void result_table_print(const char *title, const PGresult *table)
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

cJSON *result_table_json(const PGresult *table)
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
