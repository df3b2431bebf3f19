/* cli/report.c: kstar report chargeback, review, journal: writes a month's workbooks, or its journal, and
 * says which. */
#include "base/database.h"
#include "base/file.h"
#include "base/log.h"
#include "cli/command.h"
#include "cli/connect.h"
#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_summary(const struct report_summary *summary)
{
    for (int i = 0; i < summary->file_count; i++)
        printf("%s%s\n", summary->files[i].path, summary->files[i].changed ? "" : " (unchanged)");
    for (int i = 0; i < summary->stale_count; i++)
        printf("%s is of a cost centre that the statement no longer has\n", summary->stale[i]);
}

static bool write_reports(const struct command *command, enum report_kind kind, int argc, char **argv,
                          struct error *error)
{
    const char *period = NULL, *out = NULL;
    const struct option_entry entries[] = {
        { "period", OPTION_PERIOD, "YYYY-MM", "the month (required)", &period },
        { "out", OPTION_TEXT, "DIR", "where the workbooks go (required)", &out },
        { 0 },
    };
    struct common_options options;
    int first_operand;
    if (!options_read(command, entries, argc, argv, &options, &first_operand, error))
        return false;
    if (first_operand < argc)
        return error_set(error, ERROR_USAGE, "%s: takes no operand, but got %s", command->name,
                         argv[first_operand]);
    if (period == NULL || out == NULL)
        return error_set(error, ERROR_USAGE, "%s: needs --period YYYY-MM and --out DIR", command->name);

    struct report_summary summary = { 0 };
    PGconn *connection = connect_database(&options, error);
    if (connection == NULL)
        return false;
    bool ok = report_write(connection, period, out, kind, &summary, error);
    print_summary(&summary);
    report_summary_free(&summary);
    connect_close(connection);
    return ok;
}

static bool run_chargeback(const struct command *command, int argc, char **argv, struct error *error)
{
    return write_reports(command, REPORT_CHARGEBACK, argc, argv, error);
}

static bool run_review(const struct command *command, int argc, char **argv, struct error *error)
{
    return write_reports(command, REPORT_REVIEW, argc, argv, error);
}

/* The one month whose statement is open: what a journal is of where nothing else is said. */
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
    print_summary(summary);
    if (request->posting_key != NULL)
        printf("posting key %s\n", request->posting_key);
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
    PGconn *connection = connect_database(options, error);
    bool ok =
        connection != NULL && (period != NULL || find_open_period(connection, open_period, error)) &&
        report_journal(connection, period != NULL ? period : open_period, out, request, &summary, error);
    if (ok)
        print_journal(&summary, request);
    report_summary_free(&summary);
    free(request->posting_key);
    free(request->lacking);
    connect_close(connection);
    return ok;
}

static bool run_journal(const struct command *command, int argc, char **argv, struct error *error)
{
    const char *period = NULL, *out = NULL;
    struct journal_request request = { 0 };
    const struct option_entry entries[] = {
        { "period", OPTION_PERIOD, "YYYY-MM", "the month (default: the only one that is open)", &period },
        { "out", OPTION_TEXT, "DIR", "where journal-YYYY-MM.csv goes (required)", &out },
        { "issue", OPTION_FLAG, NULL, "give it a posting key and keep it, unless it is the last issue",
          &request.issue },
        { "number", OPTION_COUNT, "N", "write issue N again as it was", &request.number },
        { 0 },
    };
    struct common_options options;
    int first_operand;
    if (!options_read(command, entries, argc, argv, &options, &first_operand, error))
        return false;
    if (first_operand < argc)
        return error_set(error, ERROR_USAGE, "report journal: takes no operand, but got %s",
                         argv[first_operand]);
    if (out == NULL)
        return error_set(error, ERROR_USAGE, "report journal: needs --out DIR");
    if (request.issue && request.number > 0)
        return error_set(error, ERROR_USAGE, "report journal: --issue and --number exclude each other");
    return write_journal(&options, period, out, &request, error);
}

const struct command command_report_chargeback = {
    .name = "report chargeback",
    .summary = "write the chargeback workbooks of a month",
    .usage = "kstar report chargeback --period YYYY-MM --out DIR [options]",
    .description = "Writes chargeback-YYYY-MM.xlsx, for everybody, and one workbook per cost centre that "
                   "holds its rows and nobody\n"
                   "else's, from the published statement. A workbook that would not change is left "
                   "untouched. docs/workbooks.md\n"
                   "explains every sheet.",
    .examples = "kstar report chargeback --period 2026-09 --out out",
    .run = run_chargeback,
};

const struct command command_report_review = {
    .name = "report review",
    .summary = "write the review workbook of a month",
    .usage = "kstar report review --period YYYY-MM --out DIR [options]",
    .description = "Writes review-YYYY-MM.xlsx: the jobs that ran above K*, ranked by what that cost, each "
                   "family's cost against K, the\n"
                   "scaling fits, and what to measure next.",
    .examples = "kstar report review --period 2026-09 --out out",
    .run = run_review,
};

const struct command command_report_journal = {
    .name = "report journal",
    .summary = "write the journal of a month, or issue it for the ledger",
    .usage = "kstar report journal [--period YYYY-MM] [--issue | --number N] --out DIR [options]",
    .description = "Writes journal-YYYY-MM.csv: balanced debit and credit lines that book the published "
                   "statement. It is a preview\n"
                   "without posting key until --issue keeps it under company, period and issue number. The "
                   "same content is the same\n"
                   "issue with the same bytes; changed content is the next one, and opens with the exact "
                   "reversal of the last. Before\n"
                   "the month is closed issues are accruals. docs/journal.md explains every column.",
    .examples = "kstar report journal --period 2026-09 --out out\n"
                "kstar report journal --period 2026-09 --issue --out out",
    .run = run_journal,
};
