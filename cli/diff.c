/* cli/diff.c: kstar diff: how the last delivery of each source changed a month's cost. Reads, never
 * writes. */
#include "base/postgres/database.h"
#include "base/time_text.h"
#include "cli/command.h"
#include "cli/connect.h"
#include "print/json_print.h"
#include "print/print_line.h"
#include "print/result_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SOURCE, AFTER_LOAD, BEFORE_LOAD, AFTER_LABEL, AFTER_KNOWN, BEFORE_KNOWN }; /* sql/diff/loads.sql */

static bool is_comparable(const PGresult *loads, int row)
{
    return !PQgetisnull(loads, row, BEFORE_LOAD) && result_flag(loads, row, AFTER_KNOWN) &&
           result_flag(loads, row, BEFORE_KNOWN);
}

/* Prints why sources cannot be compared; with JSON on standard error. */
static void say_unknown(const PGresult *loads, FILE *out)
{
    for (int i = 0; i < PQntuples(loads); i++) {
        const char *source = PQgetvalue(loads, i, SOURCE);
        if (PQgetisnull(loads, i, BEFORE_LOAD))
            print_line(out, "%s: delivered once (%s)", source, PQgetvalue(loads, i, AFTER_LABEL));
        else if (!result_flag(loads, i, AFTER_KNOWN))
            print_line(out, "%s: its last delivery is in no statement yet: run kstar model", source);
        else if (!result_flag(loads, i, BEFORE_KNOWN))
            print_line(out,
                       "%s: the delivery before the last was never in a statement: nothing to compare with",
                       source);
    }
}

/* The load ids of a column, for sources that can be compared, as an array of PostgreSQL. */
static char *comparable_loads(const PGresult *loads, int column)
{
    char *text = NULL;
    size_t length;
    const char *separator = "";
    FILE *out = open_memstream(&text, &length);
    fputc('{', out);
    for (int i = 0; i < PQntuples(loads); i++) {
        if (!is_comparable(loads, i))
            continue;
        fprintf(out, "%s%s", separator, PQgetvalue(loads, i, column));
        separator = ",";
    }
    fputc('}', out);
    fclose(out);
    return text;
}

static bool print_changes(const PGresult *changes, bool json, struct error *error)
{
    if (!json) {
        result_table_print("changes", changes);
        return true;
    }
    return json_print(result_table_json(changes), error);
}

struct diff_options {
    const char *source, *by;
    bool all, json;
};

static bool compare_loads(PGconn *connection, const PGresult *loads, const struct diff_options *wanted,
                          struct error *error)
{
    char *before = comparable_loads(loads, BEFORE_LOAD), *after = comparable_loads(loads, AFTER_LOAD);
    const char *const parameters[] = { before, after, wanted->by, wanted->all ? "true" : "false" };
    bool ok = true;
    if (wanted->json || strcmp(after, "{}") != 0) {
        PGresult *changes = database_query_file(connection, "diff/changes.sql", 4, parameters, error);
        ok = changes != NULL && print_changes(changes, wanted->json, error);
        PQclear(changes);
    }
    free(before);
    free(after);
    return ok;
}

static bool compare(PGconn *connection, const char *month, const struct diff_options *wanted,
                    struct error *error)
{
    const char *const parameters[] = { month, wanted->source };
    PGresult *loads = database_query_file(connection, "diff/loads.sql", 2, parameters, error);
    bool ok = loads != NULL;
    if (ok && PQntuples(loads) == 0)
        ok = error_set(error, ERROR_INPUT, "no bill%s%s for %.7s", wanted->source ? " of " : "",
                       wanted->source ? wanted->source : "", month);
    if (ok) {
        say_unknown(loads, wanted->json ? stderr : stdout);
        ok = compare_loads(connection, loads, wanted, error);
    }
    PQclear(loads);
    return ok;
}

/* "cost-centre" on the command line, "cost centre" in the database. */
static bool read_dimension(const char **by, struct error *error)
{
    static const char *const dimensions[][2] = { { "source", "source" },
                                                 { "service", "service" },
                                                 { "account", "account" },
                                                 { "cost-centre", "cost centre" } };
    for (size_t i = 0; *by != NULL && i < sizeof dimensions / sizeof dimensions[0]; i++) {
        if (strcmp(*by, dimensions[i][0]) == 0) {
            *by = dimensions[i][1];
            return true;
        }
    }
    return *by == NULL ||
           error_set(error, ERROR_USAGE,
                     "diff: --by takes source, service, account or cost-centre, not \"%s\"", *by);
}

static bool run(const struct command *command, int argc, char **argv, struct error *error)
{
    struct diff_options wanted = { 0 };
    const struct option_entry entries[] = {
        { "source", OPTION_TEXT, "NAME", "only of this source", &wanted.source },
        { "by", OPTION_TEXT, "WHAT", "only by source, service, account or cost-centre", &wanted.by },
        { "all", OPTION_FLAG, NULL, "also what has not changed", &wanted.all },
        { "json", OPTION_FLAG, NULL, "print JSON", &wanted.json },
        { 0 },
    };
    struct common_options options;
    int first_operand;
    char month[16];
    if (!options_read(command, entries, argc, argv, &options, &first_operand, error) ||
        !read_dimension(&wanted.by, error))
        return false;
    if (argc - first_operand != 1) {
        error_set(error, ERROR_USAGE, "diff: takes one PERIOD such as 2026-09");
        error_hint(error, "kstar diff --help shows an example");
        return false;
    }
    if (!period_operand(command, argv[first_operand], error))
        return false;
    period_first_day(argv[first_operand], month);
    PGconn *connection = connect_existing(&options, error);
    bool ok = connection != NULL && compare(connection, month, &wanted, error);
    connect_close(connection);
    return ok;
}

const struct command command_diff = {
    .name = "diff",
    .summary = "what the last delivery of a month changed in money",
    .usage = "kstar diff PERIOD [options]",
    .description = "Compares the last two deliveries of each source of PERIOD: billed and effective cost by "
                   "source, service "
                   "and account,\n"
                   "and what each cost centre is charged. A delivery is added up with the statement that it "
                   "stands in: run "
                   "kstar model\n"
                   "(or the night) first. Equal rows are not shown.",
    .examples = "kstar diff 2026-09\n"
                "kstar diff 2026-09 --by cost-centre --json",
    .run = run,
};
