/* cli/ingest_jobs.c: kstar ingest jobs: records of a scheduler. */
#include "cli/command.h"
#include "cli/connect.h"
#include "cli/ingest_print.h"
#include "ingest/jobs/jobs.h"
#include "night/deliver/delivery_place.h"
#include "night/ledger/run_ledger.h"
#include "print/json_print.h"
#include "print/print_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool print_summary(const char *source, const struct ingest_summary *summary, bool json,
                          struct error *error)
{
    if (json)
        return json_print_line(ingest_summary_json(source, summary->label, summary), error);
    if (summary->unchanged)
        print_line(stdout, "%s: already there, nothing done", summary->label);
    else
        print_line(stdout,
                   "%s: %" PRId64 " records of source %s, %" PRId64 " quarantined, %" PRId64
                   " steps passed over",
                   summary->label, summary->rows, source, summary->rejected, summary->ignored);
    if (summary->time_beyond[0] != '\0')
        print_line(stdout, "  time beyond %s", summary->time_beyond);
    return true;
}

static bool load_files(PGconn *connection, const struct jobs_request *given, int count, char **files,
                       bool json, struct error *error)
{
    int64_t rejected = 0;
    for (int i = 0; i < count; i++) {
        struct delivery_place place;
        struct jobs_request request = *given;
        struct ingest_summary summary;
        if (!delivery_place_of_jobs(files[i], given->source, &place, error))
            return false;
        request.source = place.source;
        request.label = place.label;
        request.path = files[i];
        bool ok = ingest_jobs(connection, &request, &summary, error);
        run_delivery("jobs", request.source, summary.label, &summary, ok ? NULL : error);
        if (!ok || !print_summary(request.source, &summary, json, error))
            return false;
        rejected += summary.rejected;
    }
    if (rejected > 0)
        error->kind = ERROR_ATTENTION;
    return true;
}

static bool run(const struct command *command, int argc, char **argv, struct error *error)
{
    struct jobs_request request = { 0 };
    struct common_options common;
    bool json = false;
    int first;
    const struct option_entry options[] = {
        { "source", OPTION_TEXT, "NAME", "who delivered it (default: the name of the file's folder)",
          &request.source },
        { "format", OPTION_TEXT, "NAME",
          "sacct, sacct-json, csv, jsonl, kubernetes, pbs, sagemaker, vertex or azureml (default: what "
          "sources.csv says, else sacct)",
          &request.format },
        { "delimiter", OPTION_DELIMITER, "TEXT",
          "between fields (default: what sources.csv says, else the header's)", &request.delimiter },
        { "columns", OPTION_TEXT, "A,B,C", "columns of text without a header (docs/formats.md)",
          &request.columns },
        { "strict", OPTION_FLAG, NULL, "refuse the delivery where a record cannot be read", &request.strict },
        { "json", OPTION_FLAG, NULL, "print what was done as JSON, a line per file", &json },
        { 0 },
    };
    if (!options_read(command, options, argc, argv, &common, &first, error))
        return false;
    if (first == argc)
        return error_set(error, ERROR_USAGE, "ingest jobs: no file given");
    PGconn *connection = connect_database(&common, error);
    if (connection == NULL)
        return false;
    run_begin(connection, &(struct run_start){ .command = command->name });
    run_stage_begin("jobs", NULL);
    bool ok = load_files(connection, &request, argc - first, argv + first, json, error);
    run_stage_end(ok ? NULL : error, NULL);
    connect_close(connection);
    return ok;
}

const struct command command_ingest_jobs = {
    .name = "ingest jobs",
    .summary = "load job records: Slurm, Kubernetes, PBS, SageMaker, Vertex AI, Azure ML, CSV, JSON",
    .usage = "kstar ingest jobs [options] FILE…",
    .description =
        "Each file is a delivery of its own, loaded in one transaction; a later record of a run replaces an "
        "earlier\n"
        "one. The same content again changes nothing. Records that cannot be read are quarantined, with exit\n"
        "code 4; a file without a required column is refused, with exit code 3.",
    .examples = "kstar ingest jobs inbox/jobs/phillips/2026-09-30.txt\n"
                "kstar ingest jobs --source phillips --delimiter '|#' export.txt",
    .run = run,
};
