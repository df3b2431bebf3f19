/* cli/report_units.c: kstar report units: the cost of a successful model, a trained token and a
 * served token, by the published statements, as on the sheets "Unit costs" and "Serving fleets". */
#include "base/postgres/database.h"
#include "base/time_text.h"
#include "cli/command.h"
#include "cli/connect.h"
#include "print/json_print.h"
#include "print/print_line.h"
#include "print/result_table.h"

#include <cjson/cJSON.h>
#include <stdio.h>

struct request {
    const char *period, *cost_centre;
    bool json;
};

/* The tables of the answer. As text, serving fleets are printed only if there are some, and the
 * choice of replicas as sentences. */
static const struct {
    const char *key, *query, *title;
    enum { TABLE, TABLE_IF_ROWS, SENTENCES } shown;
} tables[] = {
    { "units", "units/costs.sql", "what was delivered or given up, with all that it cost (*: all)", TABLE },
    { "results", "units/results.sql", "results with declared models or known tokens", TABLE },
    { "serving_counts", "units/serving_sizes.sql", "serving fleets, by measured replica count",
      TABLE_IF_ROWS },
    { "serving", "units/serving.sql", NULL, SENTENCES },
};
enum { TABLE_COUNT = sizeof tables / sizeof tables[0] };

/* The requested month ("2026-09-01" and "2026-09"); refused if it has nothing to report. */
static bool find_month(PGconn *connection, const struct request *request, char first_day[16], char period[8],
                       struct error *error)
{
    char wanted[16] = "";
    period_first_day(request->period, wanted);
    const char *const parameters[] = { wanted, request->cost_centre != NULL ? request->cost_centre : "" };
    PGresult *month = database_query_file(connection, "units/month.sql", 2, parameters, error);
    bool ok = month != NULL;
    if (ok && PQntuples(month) == 0) {
        ok = error_set(error, ERROR_INPUT, "no statement is published%s%s", request->period ? " for " : "",
                       request->period ? request->period : "");
        error_hint(error, "kstar nightly or kstar model makes one");
    } else if (ok && !result_flag(month, 0, 2)) {
        ok = error_set(error, ERROR_INPUT, "%s has no cost centre \"%s\"", PQgetvalue(month, 0, 1),
                       request->cost_centre);
    } else if (ok) {
        snprintf(first_day, 16, "%s", PQgetvalue(month, 0, 0));
        snprintf(period, 8, "%s", PQgetvalue(month, 0, 1));
    }
    PQclear(month);
    return ok;
}

/* Chooses the month and fills what the queries read. */
static bool begin(PGconn *connection, const struct request *request, char period[8], struct error *error)
{
    char first_day[16];
    if (!find_month(connection, request, first_day, period, error))
        return false;
    const char *const scope[] = { first_day, request->cost_centre != NULL ? request->cost_centre : "" };
    return database_run_query(connection, "report/scope.sql", 2, scope, error) &&
           database_run_file(connection, "report/02_results.sql", error);
}

static bool print_json(PGresult *const *answers, const char *period, struct error *error)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "period", period);
    for (int i = 0; i < TABLE_COUNT; i++)
        cJSON_AddItemToObject(root, tables[i].key, result_table_json(answers[i]));
    return json_print(root, error);
}

static void print_text(PGresult *const *answers, const char *period)
{
    char title[128];
    for (int i = 0; i < TABLE_COUNT; i++) {
        int rows = PQntuples(answers[i]);
        snprintf(title, sizeof title, "%s: %s", period, tables[i].title != NULL ? tables[i].title : "");
        for (int row = 0; tables[i].shown == SENTENCES && row < rows; row++)
            print_line(stdout, "  %s", PQgetvalue(answers[i], row, PQfnumber(answers[i], "sentence")));
        if (tables[i].shown == TABLE || (tables[i].shown == TABLE_IF_ROWS && rows > 0))
            result_table_print(title, answers[i]);
    }
}

static bool print_answers(PGconn *connection, const struct request *request, struct error *error)
{
    char period[8];
    PGresult *answers[TABLE_COUNT] = { NULL };
    bool ok = database_run_file(connection, "report/00_session.sql", error) &&
              database_run_file(connection, "report/begin.sql", error) &&
              begin(connection, request, period, error);
    for (int i = 0; ok && i < TABLE_COUNT; i++) {
        answers[i] = database_query_file(connection, tables[i].query, 0, NULL, error);
        ok = answers[i] != NULL;
    }
    if (ok && request->json)
        ok = print_json(answers, period, error);
    else if (ok)
        print_text(answers, period);
    for (int i = 0; i < TABLE_COUNT; i++)
        PQclear(answers[i]);
    database_rollback(connection);
    return ok;
}

static bool run(const struct command *command, int argc, char **argv, struct error *error)
{
    struct request request = { 0 };
    const struct option_entry entries[] = {
        { "period", OPTION_PERIOD, "YYYY-MM", "the month; default: that of the latest statement",
          &request.period },
        { "cost-centre", OPTION_TEXT, "NAME", "only what this one paid", &request.cost_centre },
        { "json", OPTION_FLAG, NULL, "print JSON", &request.json },
        { 0 },
    };
    struct common_options options;
    if (!options_read_alone(command, entries, argc, argv, &options, error))
        return false;
    PGconn *connection = connect_existing(&options, error);
    bool ok = connection != NULL && print_answers(connection, &request, error);
    connect_close(connection);
    return ok;
}

const struct command command_report_units = {
    .name = "report units",
    .summary = "what a successful model, a trained token and a served token cost",
    .usage = "kstar report units [options]",
    .description =
        "By the published statements: what was delivered or given up in the month, with all that its "
        "attempts cost; what a\n"
        "million output tokens cost on serving fleets, by measured replica count (docs/unit-costs.md). The "
        "sheets Unit costs\n"
        "and Serving fleets of the data workbooks show the same.",
    .examples = "kstar report units\n"
                "kstar report units --period 2026-09 --cost-centre CC-210 --json",
    .run = run,
};
