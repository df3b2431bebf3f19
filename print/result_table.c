/* print/result_table.c: see result_table.h. */
#include "print/result_table.h"

#include "base/postgres/database.h"
#include "print/print_line.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* PostgreSQL's numbers of its types (pg_type.dat). They never change. */
enum {
    BOOL = 16,
    INT8 = 20,
    INT2 = 21,
    INT4 = 23,
    FLOAT4 = 700,
    FLOAT8 = 701,
    TIMESTAMPTZ = 1184,
    NUMERIC = 1700
};

/* Number of characters in UTF-8 text: all bytes except continuation bytes. */
static int text_width(const char *text)
{
    int count = 0;
    for (; *text != '\0'; text++)
        count += (*text & 0xC0) != 0x80;
    return count;
}

/* The limits of the printed part of a table. */
struct extent {
    int rows, characters;
};

static int shown_width(const char *text, const struct extent *extent)
{
    int all = text_width(text);
    return all < extent->characters ? all : extent->characters;
}

static int shown_rows(const PGresult *table, const struct extent *extent)
{
    int all = PQntuples(table);
    return all < extent->rows ? all : extent->rows;
}

/* Width of a column, its name included. */
static int widest(const PGresult *table, int column, const struct extent *extent)
{
    int width = shown_width(PQfname(table, column), extent);
    for (int row = 0; row < shown_rows(table, extent); row++) {
        int here = shown_width(PQgetvalue(table, row, column), extent);
        width = here > width ? here : width;
    }
    return width;
}

static void print_text(const char *text, const struct extent *extent)
{
    bool is_cut = text_width(text) > extent->characters;
    print_visible(stdout, text, is_cut ? extent->characters - 1 : extent->characters);
    if (is_cut)
        printf("…");
}

/* Prints one cell, padded to the width of its column; numbers are aligned to the right. Blanks
 * are printed only before the next text, so no line ends in blanks. Flags are not printed. */
static void print_cell(const PGresult *table, int column, const char *text, int column_width,
                       const struct extent *extent, int *owed)
{
    if (PQftype(table, column) == BOOL)
        return;
    int padding = column_width - shown_width(text, extent);
    bool is_number = PQftype(table, column) == INT8 || PQftype(table, column) == NUMERIC;
    *owed += 2 + (is_number ? padding : 0);
    if (text[0] != '\0') {
        printf("%*s", *owed, "");
        print_text(text, extent);
        *owed = 0;
    }
    *owed += is_number ? 0 : padding;
}

/* "covers to" of the column covers_to. The caller frees it. */
static char *heading(const PGresult *table, int column)
{
    char *text = strdup(PQfname(table, column));
    for (char *at = text; *at != '\0'; at++)
        if (*at == '_')
            *at = ' ';
    return text;
}

static void print_headings(const PGresult *table, const int *widths, const struct extent *extent)
{
    int owed = 0;
    for (int column = 0; column < PQnfields(table); column++) {
        char *text = heading(table, column);
        print_cell(table, column, text, widths[column], extent, &owed);
        free(text);
    }
}

static void print_table(const char *title, const PGresult *table, const struct extent *extent)
{
    int rows = shown_rows(table, extent), columns = PQnfields(table);
    int *widths = calloc((size_t)columns + 1, sizeof *widths);
    for (int column = 0; column < columns; column++)
        widths[column] = widest(table, column, extent);
    printf("%s\n", title);
    if (rows == 0)
        printf("  none");
    else
        print_headings(table, widths, extent);
    for (int row = 0; row < rows; row++) {
        int owed = 0;
        printf("\n");
        for (int column = 0; column < columns; column++)
            print_cell(table, column, PQgetvalue(table, row, column), widths[column], extent, &owed);
    }
    if (PQntuples(table) > rows)
        printf("\n  and %d more", PQntuples(table) - rows);
    printf("\n");
    free(widths);
}

void result_table_print(const char *title, const PGresult *table)
{
    print_table(title, table, &(struct extent){ INT_MAX, INT_MAX });
}

void result_table_print_short(const char *title, const PGresult *table, int rows, int characters)
{
    print_table(title, table, &(struct extent){ rows, characters });
}

/* NaN and infinities are no numbers in JSON. */
static bool is_json_number(const char *text)
{
    return isdigit((unsigned char)text[text[0] == '-']) != 0;
}

static cJSON *number_json(const char *text)
{
    return is_json_number(text) ? cJSON_CreateRaw(text) : cJSON_CreateNull();
}

/* "2026-09-01 00:00:00+00" as "2026-09-01T00:00:00Z". Sessions are in UTC (sql/session.sql). */
static cJSON *time_json(const char *text)
{
    const char *space = strchr(text, ' '), *zone = strstr(text, "+00");
    if (space == NULL || zone == NULL)
        return cJSON_CreateString(text); /* infinity */
    char time[48];
    snprintf(time, sizeof time, "%.*sT%.*sZ", (int)(space - text), text, (int)(zone - space - 1), space + 1);
    return cJSON_CreateString(time);
}

static cJSON *cell_json(const PGresult *table, int row, int column, enum json_decimals decimals)
{
    const char *text = PQgetvalue(table, row, column);
    if (PQgetisnull(table, row, column))
        return cJSON_CreateNull();
    switch (PQftype(table, column)) {
    case BOOL:
        return cJSON_CreateBool(result_flag(table, row, column));
    case INT2:
    case INT4:
    case INT8:
    case FLOAT4:
    case FLOAT8:
        return number_json(text);
    case TIMESTAMPTZ:
        return time_json(text);
    case NUMERIC:
        return decimals == DECIMALS_AS_NUMBERS || !is_json_number(text) ? number_json(text)
                                                                        : cJSON_CreateString(text);
    default:
        return cJSON_CreateString(text);
    }
}

void result_row_add(cJSON *object, const PGresult *table, int row, enum json_decimals decimals)
{
    for (int column = 0; column < PQnfields(table); column++)
        cJSON_AddItemToObject(object, PQfname(table, column), cell_json(table, row, column, decimals));
}

cJSON *result_table_json(const PGresult *table)
{
    cJSON *rows = cJSON_CreateArray();
    for (int row = 0; row < PQntuples(table); row++) {
        cJSON *object = cJSON_CreateObject();
        result_row_add(object, table, row, DECIMALS_AS_TEXT);
        cJSON_AddItemToArray(rows, object);
    }
    return rows;
}
