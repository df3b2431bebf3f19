/* cli/report_journal.c: kstar report journal: a month's journal as a preview, as an issue, or an
 * earlier issue again. */
#include "base/log.h"
#include "base/postgres/database.h"
#include "cli/command.h"
#include "cli/connect.h"
#include "print/json_print.h"
#include "print/print_line.h"
#include "print/result_table.h"
#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The only open month with a statement: the period of a journal without --period. */
static bool find_open_period(PGconn *connection, char period[8], struct error *error)
{
    PGresult *open = database_query_file(connection, "report/open_periods.sql", 0, NULL, error);
    if (open == NULL)
        return false;
    bool ok = strcmp(PQgetvalue(open, 0, 0), "1") == 0;
    if (ok)
        snprintf(period, 8, "%s", PQgetvalue(open, 0, 1));
    else
        error_set(error, ERROR_USAGE, "report journal: needs --period YYYY-MM; open months: %s",
                  PQgetvalue(open, 0, 1));
    PQclear(open);
    return ok;
}

static void print_journal(const struct report_summary *summary, const struct journal_request *request)
{
    for (int i = 0; i < summary->file_count; i++)
        print_written(summary->files[i].path, summary->files[i].changed);
    if (request->posting_keys != NULL)
        printf("posting key %s\n", request->posting_keys);
    else
        puts("a preview without posting key; --issue gives it one");
    if (request->lacking != NULL)
        log_event(LOG_WARNING, "journal",
                  "message=\"accounts are named, not numbered: settings.csv lacks %s\"", request->lacking);
}

static bool write_journal(const struct common_options *options, const char *period, const char *out,
                          struct journal_request *request, struct error *error)
{
    char open_period[8];
    struct report_summary summary = { 0 };
    PGconn *connection = connect_existing(options, error);
    bool ok =
        connection != NULL && (period != NULL || find_open_period(connection, open_period, error)) &&
        report_journal(connection, period != NULL ? period : open_period, out, request, &summary, error);
    if (ok)
        print_journal(&summary, request);
    report_summary_free(&summary);
    free(request->posting_keys);
    free(request->lacking);
    connect_close(connection);
    return ok;
}

static bool print_list(PGconn *connection, const char *period, bool json, struct error *error)
{
    PGresult *issues = database_query_file(connection, "report/journal_list.sql", 1, &period, error);
    if (issues == NULL)
        return false;
    bool ok = true;
    if (json)
        ok = json_print(result_table_json(issues), error);
    else
        result_table_print("issued journals", issues);
    PQclear(issues);
    return ok;
}

static bool write_list(const struct common_options *options, const char *period, bool json,
                       struct error *error)
{
    PGconn *connection = connect_existing(options, error);
    bool ok = connection != NULL && print_list(connection, period, json, error);
    connect_close(connection);
    return ok;
}

/* Checks that the options go together. */
static bool check_options(const char *out, const struct journal_request *request, bool list, bool json,
                          struct error *error)
{
    if (list + request->issue + (request->number > 0) > 1)
        return error_set(error, ERROR_USAGE,
                         "report journal: --issue, --number and --list exclude each other");
    if (json && !list)
        return error_set(error, ERROR_USAGE, "report journal: --json goes with --list");
    if (out != NULL && list)
        return error_set(error, ERROR_USAGE, "report journal: --out does not go with --list");
    if (out == NULL && !list)
        return error_set(error, ERROR_USAGE, "report journal: needs --out DIR");
    return true;
}

static bool run(const struct command *command, int argc, char **argv, struct error *error)
{
    const char *period = NULL, *out = NULL;
    struct journal_request request = { 0 };
    bool list = false, json = false;
    const struct option_entry entries[] = {
        { "period", OPTION_PERIOD, "YYYY-MM", "the month (default: the only one that is open)", &period },
        { "out", OPTION_TEXT, "DIR", "where journal-YYYY-MM.csv goes (required)", &out },
        { "issue", OPTION_FLAG, NULL, "give it a posting key and keep it, unless it is the last issue",
          &request.issue },
        { "number", OPTION_PLACE, "N", "write issue N again as it was", &request.number },
        { "list", OPTION_FLAG, NULL, "list what was issued instead, of all months or of --period", &list },
        { "json", OPTION_FLAG, NULL, "with --list: print JSON", &json },
        { 0 },
    };
    struct common_options options;
    if (!options_read_alone(command, entries, argc, argv, &options, error))
        return false;
    if (!check_options(out, &request, list, json, error))
        return false;
    if (list)
        return write_list(&options, period, json, error);
    return write_journal(&options, period, out, &request, error);
}

const struct command command_report_journal = {
    .name = "report journal",
    .summary = "write the journal of a month, or issue it for the ledger",
    .usage = "kstar report journal [--period YYYY-MM] [--issue | --number N] --out DIR [options]\n"
             "       kstar report journal --list [--period YYYY-MM] [--json]",
    .description = "Writes journal-YYYY-MM.csv: balanced debit and credit lines that book the published "
                   "statement. It is a preview\n"
                   "without posting key until --issue keeps it under company, period and issue number. The "
                   "same content is the same\n"
                   "issue with the same bytes; changed content is the next one, and opens with the exact "
                   "reversal of the last. Before\n"
                   "the month is closed issues are accruals. While an open month's statement is to be made "
                   "again there is no new issue\n"
                   "of it: exit code 4. docs/journal.md explains every column.",
    .examples = "kstar report journal --period 2026-09 --out out\n"
                "kstar report journal --period 2026-09 --issue --out out",
    .run = run,
};
