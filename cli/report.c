/* cli/report.c: kstar report chargeback, review and page: writes a month's files and lists them. */
#include "base/system/file.h"
#include "cli/command.h"
#include "cli/connect.h"
#include "print/print_line.h"
#include "report/report.h"

#include <stdio.h>

static void print_summary(const struct report_summary *summary)
{
    for (int i = 0; i < summary->file_count; i++)
        print_written(summary->files[i].path, summary->files[i].changed);
    for (int i = 0; i < summary->stale_count; i++)
        print_line(stdout, "%s %s", summary->stale[i].path, summary->stale[i].what);
}

static bool write_reports(const struct command *command, enum report_kind kind, int argc, char **argv,
                          struct error *error)
{
    const char *period = NULL, *out = NULL, *cost_centre = NULL;
    int jobs = 0;
    const struct option_entry side_by_side = {
        "jobs", OPTION_PLACE, "N",
        "write at most so many workbooks side by side; default: as many as processors, up to 16", &jobs
    };
    const struct option_entry one_centre = { "cost-centre", OPTION_TEXT, "CC",
                                             "write the page and the CSV of this cost centre only",
                                             &cost_centre };
    const struct option_entry entries[] = {
        { "period", OPTION_PERIOD, "YYYY-MM", "the month (required)", &period },
        { "out", OPTION_TEXT, "DIR", "where the files go (required)", &out },
        kind == REPORT_PAGE ? one_centre : side_by_side,
        { 0 },
    };
    struct common_options options;
    if (!options_read_alone(command, entries, argc, argv, &options, error))
        return false;
    if (period == NULL || out == NULL)
        return error_set(error, ERROR_USAGE, "%s: needs --period YYYY-MM and --out DIR", command->name);

    struct report_summary summary = { 0 };
    PGconn *connection = connect_existing(&options, error);
    if (connection == NULL)
        return false;
    bool ok = cost_centre != NULL ? report_page_of(connection, period, out, cost_centre, &summary, error)
                                  : report_write(connection, period, out, kind, jobs, &summary, error);
    print_summary(&summary);
    report_summary_free(&summary);
    connect_close(connection);
    return ok;
}

static bool run_page(const struct command *command, int argc, char **argv, struct error *error)
{
    return write_reports(command, REPORT_PAGE, argc, argv, error);
}

static bool run_chargeback(const struct command *command, int argc, char **argv, struct error *error)
{
    return write_reports(command, REPORT_CHARGEBACK, argc, argv, error);
}

static bool run_review(const struct command *command, int argc, char **argv, struct error *error)
{
    return write_reports(command, REPORT_REVIEW, argc, argv, error);
}

const struct command command_report_chargeback = {
    .name = "report chargeback",
    .summary = "write the chargeback workbooks of a month",
    .usage = "kstar report chargeback --period YYYY-MM --out DIR [options]",
    .description = "Writes chargeback-YYYY-MM.xlsx, for everybody, and one workbook per cost centre that "
                   "holds its rows and nobody\n"
                   "else's, from the published statement; beside each data-YYYY-MM….xlsx with the details. "
                   "A workbook that is as it\n"
                   "was written, from the same facts, is left alone. docs/workbooks.md explains every sheet.",
    .examples = "kstar report chargeback --period 2026-09 --out out",
    .run = run_chargeback,
};

const struct command command_report_review = {
    .name = "report review",
    .summary = "write the review workbook of a month",
    .usage = "kstar report review --period YYYY-MM --out DIR [options]",
    .description =
        "Writes review-YYYY-MM.xlsx: the jobs above K* and below it, ranked by what that cost, each "
        "family's cost against K, the\n"
        "scaling fits, and what to measure next.",
    .examples = "kstar report review --period 2026-09 --out out",
    .run = run_review,
};

const struct command command_report_page = {
    .name = "report page",
    .summary = "write the pages of a month",
    .usage = "kstar report page --period YYYY-MM --out DIR [--cost-centre CC] [options]",
    .description =
        "Writes page-YYYY-MM.html, for everybody, and one page and one CSV per cost centre that hold its "
        "rows and nobody\n"
        "else's, from the published statement. A page is one file without scripts, for screen, phone and "
        "paper.\n"
        "docs/workbooks.md says what stands where. kstar nightly writes the same files.",
    .examples = "kstar report page --period 2026-09 --out out\n"
                "kstar report page --period 2026-09 --out out --cost-centre CC-210",
    .run = run_page,
};
