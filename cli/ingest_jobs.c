/* cli/ingest_jobs.c: kstar ingest jobs: records of a scheduler. */
#include "base/system/file.h"
#include "cli/command.h"
#include "cli/ingest_print.h"
#include "cli/ingest_run.h"
#include "ingest/jobs/job_detect.h"
#include "ingest/jobs/job_preview.h"
#include "ingest/jobs/jobs.h"
#include "print/print_line.h"

#include <inttypes.h>
#include <stdio.h>

static bool print(PGconn *connection, const struct delivery_request *request,
                  const struct ingest_summary *summary, struct error *error)
{
    (void)connection, (void)error;
    if (!ingest_print_unchanged(summary))
        print_line(stdout,
                   "%s: %" PRId64 " record%s of source %s, %" PRId64 " quarantined, %" PRId64
                   " step%s passed over",
                   summary->label, summary->rows, summary->rows == 1 ? "" : "s", request->source,
                   summary->quarantined, summary->ignored, summary->ignored == 1 ? "" : "s");
    if (summary->time_beyond[0] != '\0')
        print_line(stdout, "  time beyond %s", summary->time_beyond);
    return true;
}

static const struct ingest_kind kind = { .name = "jobs",
                                         .load = ingest_jobs,
                                         .preview = ingest_jobs_preview,
                                         .place = delivery_place_of_jobs,
                                         .print = print };

static bool detect_file(const struct delivery_request *given, const char *file, bool *is_known,
                        struct error *error)
{
    const struct job_format_options options = { .delimiter = given->delimiter, .columns = given->columns };
    struct delivery_place place;
    struct job_detection found;
    if (!path_is_readable(file, error) || !delivery_place_of_jobs(file, given->source, &place, error) ||
        !job_detect(file, &options, &found, error))
        return false;
    *is_known = found.count == 1;
    if (found.count == 0)
        print_line(stdout, "%s: no job records of a known format", file);
    else
        print_line(stdout, "%s: job records of format %s%s%s", file, found.formats[0]->name,
                   found.count > 1 ? " or as much of " : "", found.count > 1 ? found.formats[1]->name : "");
    for (int i = 0; i < found.count; i++)
        print_line(stdout, "  sources.csv: %s,jobs,%s", place.source, found.formats[i]->name);
    return true;
}

/* Ends with ERROR_INPUT if a file has no known format, or two. */
static bool detect_files(const struct delivery_request *given, struct error *error)
{
    int unknown = 0;
    for (int i = 0; i < given->path_count; i++) {
        bool is_known = false;
        if (!detect_file(given, given->paths[i], &is_known, error))
            return false;
        unknown += !is_known;
    }
    if (unknown > 0)
        error->kind = ERROR_INPUT;
    return true;
}

static bool run(const struct command *command, int argc, char **argv, struct error *error)
{
    struct ingest_call call = { .command = command, .kind = &kind };
    struct delivery_request *request = &call.request;
    bool detect = false;
    const struct option_entry options[] = {
        { "source", OPTION_TEXT, "NAME", "who delivered it (default: the name of the file's folder)",
          &request->source },
        { "format", OPTION_TEXT, "NAME",
          "sacct, sacct-json, csv, jsonl, kubernetes, pbs, sagemaker, vertex or azureml (default: what "
          "sources.csv says, else what the file shows)",
          &request->format },
        { "delimiter", OPTION_DELIMITER, "TEXT",
          "between fields (default: what sources.csv says, else the header's)", &request->delimiter },
        { "columns", OPTION_TEXT, "A,B,C", "columns of text without a header (docs/formats.md)",
          &request->columns },
        { "strict", OPTION_FLAG, NULL, "refuse the delivery where a record cannot be read",
          &request->strict },
        { "accept", OPTION_FLAG, NULL, "let in a delivery that is held: most of it cannot be read",
          &request->accept },
        { "detect", OPTION_FLAG, NULL, "only say what the files are; needs no database", &detect },
        { "dry-run", OPTION_FLAG, NULL, "show records, time and what would be quarantined; change nothing",
          &request->dry_run },
        { "json", OPTION_FLAG, NULL, "print what was done as JSON, a line per file", &call.json },
        { 0 },
    };
    if (!ingest_call_read(&call, options, argc, argv, error))
        return false;
    if (request->path_count == 0)
        return error_set(error, ERROR_USAGE, "ingest jobs: no file given");
    if (detect &&
        (request->dry_run || call.json || request->strict || request->accept || request->format != NULL))
        return error_set(error, ERROR_USAGE,
                         "ingest jobs: --detect takes --source, --delimiter and --columns alone");
    return detect ? detect_files(request, error) : ingest_run(&call, error);
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
                "kstar ingest jobs --detect inbox/jobs/*/*\n"
                "kstar ingest jobs --source phillips --delimiter '|#' export.txt",
    .run = run,
};
