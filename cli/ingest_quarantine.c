/* cli/ingest_quarantine.c: kstar ingest quarantine: rows that could not be read, with the reason
 * and their state. */
#include "base/postgres/database.h"
#include "base/utf8.h"
#include "cli/command.h"
#include "cli/connect.h"
#include "print/json_print.h"
#include "print/print_line.h"
#include "print/result_table.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KIND = 2, REASON = 8, BILLED, EFFECTIVE, CURRENCY, PLACE, RAW }; /* of sql/ingest/quarantine.sql */

/* The row as it stands in its file. Bytes that are not UTF-8 text are written as "\\374". The
 * caller frees it. */
static char *text_of_row(const PGresult *rows, int row)
{
    enum { ESCAPED = sizeof "\\374" - 1 };
    size_t length;
    unsigned char *bytes = PQunescapeBytea((const unsigned char *)PQgetvalue(rows, row, RAW), &length);
    char *text = malloc(ESCAPED * length + 1), *end = text;
    for (size_t at = 0, valid; at < length; at += valid) {
        valid = utf8_valid_prefix((const char *)bytes + at, length - at);
        memcpy(end, bytes + at, valid);
        end += valid;
        if (valid == 0) {
            end += snprintf(end, ESCAPED + 1, "\\%03o", bytes[at]);
            valid = 1;
        }
    }
    *end = '\0';
    PQfreemem(bytes);
    return text;
}

static void print_cost(const PGresult *rows, int row, int column, const char *unread)
{
    const char *currency = PQgetvalue(rows, row, CURRENCY);
    if (PQgetisnull(rows, row, column))
        print_part(stdout, "%s", unread);
    else
        print_part(stdout, "%s%s%s", PQgetvalue(rows, row, column), currency[0] != '\0' ? " " : "", currency);
}

static void print_costs(const PGresult *rows, int row)
{
    print_part(stdout, "  billed: ");
    print_cost(rows, row, BILLED, "unread");
    print_part(stdout, "; effective: ");
    print_cost(rows, row, EFFECTIVE, PQgetisnull(rows, row, BILLED) ? "unread" : "unread, counted as billed");
    print_line(stdout, "%s", "");
}

static void print_text(const PGresult *rows, int row)
{
    print_line(stdout, "%s: %s", PQgetvalue(rows, row, PLACE), PQgetvalue(rows, row, REASON));
    if (strcmp(PQgetvalue(rows, row, KIND), "billing") == 0)
        print_costs(rows, row);
    char *text = text_of_row(rows, row);
    print_line(stdout, "  row:    %s", text);
    free(text);
}

/* One object per line, named as in the database. */
static bool print_json(const PGresult *rows, int row, struct error *error)
{
    cJSON *object = cJSON_CreateObject();
    result_row_add(object, rows, row, DECIMALS_AS_TEXT);
    char *text = text_of_row(rows, row);
    cJSON_ReplaceItemInObjectCaseSensitive(object, PQfname(rows, RAW), cJSON_CreateString(text));
    free(text);
    return json_print_line(object, error);
}

/* `parameters` are those of sql/ingest/quarantine.sql: source, delivery, load. An unknown value is
 * refused, because an empty list would look like good news. */
static bool check_asked(PGconn *connection, const char *const parameters[3], struct error *error)
{
    const char *source = parameters[0], *delivery = parameters[1], *load = parameters[2];
    PGresult *there = database_query_file(connection, "ingest/quarantine_of.sql", 3, parameters, error);
    bool ok = there != NULL && PQgetvalue(there, 0, 0)[0] == 't';
    if (there != NULL && !ok)
        error_set(error, ERROR_INPUT, "there is no delivery%s%s%s%s%s%s", delivery ? " " : "",
                  delivery ? delivery : "", load ? " with load " : "", load ? load : "",
                  source ? " of source " : "", source ? source : "");
    PQclear(there);
    return ok;
}

static bool run(const struct command *command, int argc, char **argv, struct error *error)
{
    const char *source = NULL;
    char delivery_text[16], load_text[16];
    int delivery = 0, load = 0; /* not given */
    bool json = false;
    const struct option_entry entries[] = {
        { "source", OPTION_TEXT, "NAME", "only of this source", &source },
        { "delivery", OPTION_PLACE, "NUMBER", "of this delivery, also one that no longer counts", &delivery },
        { "load", OPTION_PLACE, "NUMBER", "of this load: a delivery's rows of one billing period", &load },
        { "json", OPTION_FLAG, NULL, "a JSON object per row", &json },
        { 0 },
    };
    struct common_options options;
    if (!options_read_alone(command, entries, argc, argv, &options, error))
        return false;
    PGconn *connection = connect_existing(&options, error);
    if (connection == NULL)
        return false;
    snprintf(delivery_text, sizeof delivery_text, "%d", delivery);
    snprintf(load_text, sizeof load_text, "%d", load);
    const char *parameters[] = { source, delivery > 0 ? delivery_text : NULL, load > 0 ? load_text : NULL };
    PGresult *rows = database_query_file(connection, "ingest/quarantine.sql", 3, parameters, error);
    bool ok = rows != NULL;
    for (int row = 0; ok && row < PQntuples(rows); row++) {
        if (!json)
            print_text(rows, row);
        else
            ok = print_json(rows, row, error);
    }
    if (ok && PQntuples(rows) == 0)
        ok = check_asked(connection, parameters, error);
    if (ok && !json && PQntuples(rows) == 0)
        printf("no row is quarantined\n");
    PQclear(rows);
    connect_close(connection);
    return ok;
}

const struct command command_ingest_quarantine = {
    .name = "ingest quarantine",
    .summary = "list the rows that could not be read",
    .usage = "kstar ingest quarantine [options]",
    .description =
        "Lists each quarantined row with file, line, column, reason and the row itself. The billed cost of a "
        "billing row\n"
        "stands on the statement as unallocated: quarantined. A row whose billed cost is `unread` does not. To "
        "mend rows,\n"
        "mend them in their file and ingest the delivery again: it replaces what was loaded, quarantined rows "
        "included.",
    .examples = "kstar ingest quarantine\n"
                "kstar ingest quarantine --source fjordhall --json",
    .run = run,
};
