/* cli/ingest_efficiency.c: kstar ingest efficiency: measured scaling. */
#include "cli/command.h"
#include "cli/connect.h"
#include "cli/ingest_print.h"
#include "ingest/measure/efficiency.h"
#include "night/ledger/run_ledger.h"
#include "print/json_print.h"
#include "print/print_line.h"

#include <inttypes.h>
#include <stdio.h>

static bool print_summary(const struct ingest_summary *summary, bool json, struct error *error)
{
    if (json)
        return json_print_line(ingest_summary_json(NULL, summary->label, summary), error);
    if (summary->unchanged)
        print_line(stdout, "%s: already there, nothing done", summary->label);
    else if (summary->ignored > 0)
        print_line(stdout,
                   "%s: %" PRId64 " measurements; %" PRId64
                   " ignored: run_time, step_time or throughput of one job alone (job_id)",
                   summary->label, summary->rows, summary->ignored);
    else
        print_line(stdout, "%s: %" PRId64 " measurements", summary->label, summary->rows);
    return true;
}

static bool run(const struct command *command, int argc, char **argv, struct error *error)
{
    struct common_options common;
    bool json = false, dry_run = false, ok = true;
    int first;
    const struct option_entry options[] = {
        { "dry-run", OPTION_FLAG, NULL, "show measurements and what would be refused; change nothing",
          &dry_run },
        { "json", OPTION_FLAG, NULL, "print what was done as JSON, a line per file", &json },
        { 0 },
    };
    if (!options_read(command, options, argc, argv, &common, &first, error))
        return false;
    if (first == argc)
        return error_set(error, ERROR_USAGE, "ingest efficiency: no file given");
    PGconn *connection = connect_database(&common, error);
    if (connection == NULL)
        return false;
    if (!dry_run)
        run_begin(connection, &(struct run_start){ .command = command->name });
    run_stage_begin("efficiency", NULL);
    for (int i = first; ok && i < argc; i++) {
        struct efficiency_request request = { .path = argv[i], .dry_run = dry_run };
        struct ingest_summary summary;
        ok = ingest_efficiency(connection, &request, &summary, error);
        run_delivery("efficiency", "efficiency", summary.label, &summary, ok ? NULL : error);
        summary.dry_run = dry_run;
        ok = ok && print_summary(&summary, json, error);
        if (ok && dry_run && !json)
            printf("  nothing was changed\n");
    }
    run_stage_end(ok ? NULL : error, NULL);
    connect_close(connection);
    return ok;
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
