/* cli/ingest_efficiency.c: kstar ingest efficiency: measured scaling. */
#include "cli/command.h"
#include "cli/ingest_print.h"
#include "cli/ingest_run.h"
#include "ingest/measure/efficiency.h"
#include "print/print_line.h"

#include <inttypes.h>
#include <stdio.h>

static bool print(PGconn *connection, const struct delivery_request *request,
                  const struct ingest_summary *summary, struct error *error)
{
    (void)connection, (void)request, (void)error;
    if (ingest_print_unchanged(summary))
        ;
    else if (summary->ignored > 0)
        print_line(stdout,
                   "%s: %" PRId64 " measurements; %" PRId64
                   " ignored: run_time, step_time or throughput of one job alone (job_id)",
                   summary->label, summary->rows, summary->ignored);
    else
        print_line(stdout, "%s: %" PRId64 " measurements", summary->label, summary->rows);
    return true;
}

static const struct ingest_kind kind = {
    .name = "efficiency", .source = "efficiency", .load = ingest_efficiency, .print = print
};

static bool run(const struct command *command, int argc, char **argv, struct error *error)
{
    struct ingest_call call = { .command = command, .kind = &kind };
    const struct option_entry options[] = {
        { "dry-run", OPTION_FLAG, NULL, "show measurements and what would be refused; change nothing",
          &call.request.dry_run },
        { "json", OPTION_FLAG, NULL, "print what was done as JSON, a line per file", &call.json },
        { 0 },
    };
    if (!ingest_call_read(&call, options, argc, argv, error))
        return false;
    if (call.request.path_count == 0)
        return error_set(error, ERROR_USAGE, "ingest efficiency: no file given");
    return ingest_run(&call, error);
}

const struct command command_ingest_efficiency = {
    .name = "ingest efficiency",
    .summary = "load measurements of how families scale",
    .usage = "kstar ingest efficiency [options] FILE…",
    .description =
        "Each file is a delivery of its own and replaces what an earlier file of the same name held. One bad "
        "row\n"
        "refuses the file with exit code 3, naming line, column and value. docs/formats.md has the columns.",
    .examples = "kstar ingest efficiency inbox/efficiency/llm-2026-08.csv",
    .run = run,
};
