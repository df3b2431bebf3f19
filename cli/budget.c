/* cli/budget.c: kstar budget: budget and cost of each cost centre, by the published statement. Only
 * reads, but records which crossings a hook has received. */
#include "base/log.h"
#include "base/postgres/database.h"
#include "cli/budget_alerts.h"
#include "cli/command.h"
#include "cli/connect.h"
#include "night/month/planned_trainings.h"
#include "print/result_table.h"

#include <stdio.h>
#include <stdlib.h>

struct request {
    const char *period, *on_alert;
    bool json;
};

/* Prints rows as JSON lines of this kind. */
static bool print_lines(const char *kind, const PGresult *rows, struct error *error)
{
    for (int row = 0; row < PQntuples(rows); row++) {
        char *line = budget_json_line(kind, rows, row);
        if (line == NULL)
            return error_set(error, ERROR_FAILED, "out of memory");
        puts(line);
        free(line);
    }
    return true;
}

static bool is_crossed(const PGresult *standing)
{
    int column = PQfnumber(standing, "is_crossed");
    for (int row = 0; row < PQntuples(standing); row++)
        if (result_flag(standing, row, column))
            return true;
    return false;
}

static bool print_month_lines(PGconn *connection, const char *period, bool *crossed, struct error *error)
{
    const char *const parameters[] = { period, NULL, NULL, NULL };
    PGresult *standing = database_query_file(connection, "budget/standing.sql", 1, parameters, error);
    PGresult *alerts =
        standing != NULL ? database_query_file(connection, "budget/alerts.sql", 4, parameters, error) : NULL;
    bool ok = alerts != NULL && print_lines("budget", standing, error) && print_lines("alert", alerts, error);
    *crossed = *crossed || (ok && is_crossed(standing));
    PQclear(alerts);
    PQclear(standing);
    return ok;
}

static bool print_month_table(PGconn *connection, const char *period, bool *crossed, struct error *error)
{
    char title[64];
    const char *const parameters[] = { period };
    PGresult *table = database_query_file(connection, "budget/standing.sql", 1, parameters, error);
    if (table == NULL)
        return false;
    if (PQntuples(table) == 0) {
        printf("%s: no budgets\n", period);
    } else {
        snprintf(title, sizeof title, "budgets of %s", period);
        result_table_print(title, table);
    }
    *crossed = *crossed || is_crossed(table);
    PQclear(table);
    return true;
}

static bool print_months(PGconn *connection, const struct request *request, bool *crossed,
                         struct error *error)
{
    const char *const parameters[] = { request->period };
    PGresult *months = database_query_file(connection, "budget/months.sql", 1, parameters, error);
    bool ok = months != NULL;
    if (ok && PQntuples(months) == 0 && !request->json)
        puts("no open month has a statement; --period shows another one");
    for (int i = 0; ok && i < PQntuples(months); i++)
        ok = (request->json ? print_month_lines : print_month_table)(connection, PQgetvalue(months, i, 0),
                                                                     crossed, error);
    PQclear(months);
    return ok;
}

/* Prints planned trainings above the limit, for approval; nothing if there are none. */
static bool print_planned(PGconn *connection, const struct request *request, struct error *error)
{
    PGresult *planned = planned_trainings_list(connection, request->period, error);
    bool ok = planned != NULL;
    if (ok && request->json)
        ok = print_lines("planned training", planned, error);
    else if (ok && PQntuples(planned) > 0)
        result_table_print("planned trainings above the limit", planned);
    PQclear(planned);
    return ok;
}

static void report_hook(void *context, const struct error *error)
{
    bool *failed = context;
    *failed = true;
    log_event(LOG_WARNING, "hook", "message=\"%s\" detail=\"%s\" hint=\"%s\"", error->message, error->detail,
              error->hint);
}

static bool run(const struct command *command, int argc, char **argv, struct error *error)
{
    struct request request = { 0 };
    const struct option_entry entries[] = {
        { "period", OPTION_PERIOD, "YYYY-MM", "this month; default: every open one that has a statement",
          &request.period },
        { "on-alert", OPTION_TEXT, "COMMAND", "run it once for each crossing that it has not received",
          &request.on_alert },
        { "json", OPTION_FLAG, NULL, "print JSON lines", &request.json },
        { 0 },
    };
    struct common_options options;
    bool crossed = false, failed = false;
    if (!options_read_alone(command, entries, argc, argv, &options, error))
        return false;
    PGconn *connection = connect_existing(&options, error);
    bool ok = connection != NULL && print_months(connection, &request, &crossed, error) &&
              print_planned(connection, &request, error) &&
              (request.on_alert == NULL ||
               budget_alerts_send(connection, request.on_alert, report_hook, &failed, error));
    if (ok)
        error->kind = failed ? ERROR_ATTENTION : crossed ? ERROR_BUDGET : ERROR_NONE;
    connect_close(connection);
    return ok;
}

const struct command command_budget = {
    .name = "budget",
    .summary = "what each cost centre has spent of its budget, and where the month will end",
    .usage = "kstar budget [options]",
    .description = "By the published statement and budgets.csv (docs/budgets.md); below, planned trainings "
                   "above the limit, for approval.\n"
                   "The command of --on-alert "
                   "is run by sh; it reads\n"
                   "one JSON line per crossing on its standard input, and is run again for one that it ended "
                   "without 0.\n"
                   "Exit codes: 0 no threshold is crossed, 8 one is, 4 the command failed.",
    .examples = "kstar budget\n"
                "kstar budget --period 2026-09 --json\n"
                "kstar budget --on-alert /usr/local/bin/mail-budget-alert",
    .run = run,
};
