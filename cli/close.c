/* cli/close.c: kstar close: makes a month's statement Final. */
#include "base/postgres/database.h"
#include "base/time_text.h"
#include "cli/command.h"
#include "cli/connect.h"
#include "night/ledger/run_ledger.h"
#include "night/month/month.h"
#include "print/json_print.h"
#include "print/print_line.h"
#include "print/result_table.h"

#include <pwd.h>
#include <stdio.h>
#include <unistd.h>

/* The user who runs kstar, by the system's records. A copy, because the next getpwuid overwrites
 * its result: for root, kstar also asks for PostgreSQL's user. */
static const char *user_name(void)
{
    static char name[256];
    const struct passwd *user = getpwuid(getuid());
    snprintf(name, sizeof name, "%s", user != NULL ? user->pw_name : "unknown");
    return name;
}

static bool print_list(PGconn *connection, bool json, struct error *error)
{
    PGresult *closed = database_query_file(connection, "close/list.sql", 0, NULL, error);
    if (closed == NULL)
        return false;
    bool ok = true;
    if (json)
        ok = json_print(result_table_json(closed), error);
    else
        result_table_print("closed months", closed);
    PQclear(closed);
    return ok;
}

/* Publishes the statement again if it is out of date, so that the closed one has the present
 * data. */
static bool bring_up_to_date(PGconn *connection, const char *period, struct error *error)
{
    struct month_list list;
    bool published = false;
    if (!month_replay_changed(connection, error) || !month_list(connection, period, NULL, &list, error))
        return false;
    if (list.count > 0 &&
        ((!list.months[0].is_current && !month_publish(connection, list.months[0].month, NULL, error)) ||
         !month_has_statement(connection, list.months[0].month, &published, error)))
        return false;
    if (published)
        return true;
    error_set(error, ERROR_INPUT, "there is neither a bill nor an adjustment for %s", period);
    error_hint(error, "kstar status lists the months; kstar nightly reads the bill of another one");
    return false;
}

static void print_reasons(const PGresult *reasons)
{
    for (int i = 0; reasons != NULL && i < PQntuples(reasons); i++)
        print_line(stdout, "  %s", PQgetvalue(reasons, i, 0));
}

static bool close_period(PGconn *connection, const char *period, const struct month_close_request *accepted,
                         struct error *error)
{
    char month[16];
    bool final;
    struct month_close_request request = *accepted;
    period_first_day(period, month);
    request.month = month;
    if (!database_query_flag(connection, "close/is_final.sql", 1, &request.month, &final, error))
        return false;
    if (final) {
        printf("%s is closed already\n", period);
        return true;
    }
    PGresult *reasons;
    if (!bring_up_to_date(connection, period, error))
        return false;
    bool ok = month_close(connection, &request, &reasons, error);
    print_reasons(reasons);
    PQclear(reasons);
    if (ok)
        printf("%s is closed: its statement is final\n", period);
    if (ok && accepted->accepted != NULL && request.accepted == NULL)
        print_line(stdout, "its data were complete: the reason of --accept-incomplete is not kept");
    return ok;
}

static bool run(const struct command *command, int argc, char **argv, struct error *error)
{
    struct month_close_request request = { 0 };
    bool list = false, json = false;
    const struct option_entry entries[] = {
        { "list", OPTION_FLAG, NULL, "list the closed months instead", &list },
        { "by", OPTION_TEXT, "NAME", "who closes it (default: the user's name)", &request.closed_by },
        { "accept-incomplete", OPTION_TEXT, "WHY",
          "close although node cost awaits job records, runs are missing from later exports, or a bill ends early, is "
          "missing or is held, and why; a hold for moved lines is answered with ingest billing --moved or --both",
          &request.accepted },
        { "json", OPTION_FLAG, NULL, "with --list: print JSON", &json },
        { 0 },
    };
    struct common_options options;
    int first_operand;
    if (!options_read(command, entries, argc, argv, &options, &first_operand, error))
        return false;
    int operands = argc - first_operand;
    if (list ? operands != 0 : operands != 1) {
        error_set(error, ERROR_USAGE, list ? "close --list takes no operand" : "close: takes one PERIOD");
        error_hint(error, "kstar close --help shows an example");
        return false;
    }
    if (list && (request.accepted != NULL || request.closed_by != NULL))
        return error_set(error, ERROR_USAGE, "close --list: --by and --accept-incomplete go with a PERIOD");
    if (json && !list)
        return error_set(error, ERROR_USAGE, "close: --json goes with --list");
    const char *period = argv[first_operand];
    if (!list && !period_operand(command, period, error))
        return false;
    if (request.closed_by == NULL)
        request.closed_by = user_name();
    PGconn *connection = connect_existing(&options, error);
    if (connection != NULL && !list)
        run_begin(connection, &(struct run_start){ .command = command->name });
    bool ok = connection != NULL && (list ? print_list(connection, json, error)
                                          : close_period(connection, period, &request, error));
    connect_close(connection);
    return ok;
}

const struct command command_close = {
    .name = "close",
    .summary = "make a month's statement final, or list the final ones",
    .usage = "kstar close PERIOD [options]\n       kstar close --list [--json]",
    .description =
        "Brings the statement of PERIOD up to date and freezes it, with the rules, rates and fits that made "
        "it. "
        "Later facts\n"
        "about it (bill lines, job records, nodes) become prior-period adjustments in the earliest open "
        "statement; later\n"
        "choices (rules, rates, fits) take effect from there on. Refused, with every reason and exit code 4, "
        "while an earlier\n"
        "month is open, the month or a bill is not over, a bill is missing or held, money is unread or "
        "unexplained, node cost\nawaits job records, runs are missing from later exports, an invoice differs "
        "from its bill, an exchange\nrate is still to come, or cost on suspense has no account or no declared "
        "cost centre (docs/close.md).",
    .examples = "kstar close 2026-09\n"
                "kstar close 2026-09 --accept-incomplete 'cluster b was shut down on 12 September'\n"
                "kstar close --list",
    .run = run,
};
