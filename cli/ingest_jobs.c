/* cli/ingest_jobs.c: kstar ingest jobs: records of a scheduler. */
#include "base/system/file.h"
#include "cli/command.h"
#include "cli/connect.h"
#include "cli/ingest_print.h"
#include "ingest/jobs/job_detect.h"
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

/* The delivery that a file is; `place` holds its names. */
static bool find_request(const struct jobs_request *given, const char *file, struct delivery_place *place,
                         struct jobs_request *request, struct error *error)
{
    *request = *given;
    request->source = place->source;
    request->label = place->label;
    request->path = file;
    return delivery_place_of_jobs(file, given->source, place, error);
}

static bool preview_files(PGconn *connection, const struct jobs_request *given, int count, char **files,
                          bool json, struct error *error)
{
    struct ingest_preview *seen = calloc(1, sizeof *seen);
    bool ok = true;
    for (int i = 0; ok && i < count; i++) {
        struct delivery_place place;
        struct jobs_request request;
        ok = find_request(given, files[i], &place, &request, error) &&
             ingest_jobs_preview(connection, &request, seen, error) &&
             ingest_print_preview(request.source, seen, json, error);
    }
    free(seen);
    return ok;
}

static bool load_files(PGconn *connection, const struct jobs_request *given, int count, char **files,
                       bool json, struct error *error)
{
    int64_t rejected = 0;
    for (int i = 0; i < count; i++) {
        struct delivery_place place;
        struct jobs_request request;
        struct ingest_summary summary;
        if (!find_request(given, files[i], &place, &request, error))
            return false;
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

/* ---- --detect ---- */

static bool detect_file(const struct jobs_request *given, const char *file, bool *is_known,
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

/* Ends with ERROR_INPUT where a file is of no format, or of two. */
static bool detect_files(const struct jobs_request *given, int count, char **files, struct error *error)
{
    int unknown = 0;
    for (int i = 0; i < count; i++) {
        bool is_known = false;
        if (!detect_file(given, files[i], &is_known, error))
            return false;
        unknown += !is_known;
    }
    if (unknown > 0)
        error->kind = ERROR_INPUT;
    return true;
}

static bool run(const struct command *command, int argc, char **argv, struct error *error)
{
    struct jobs_request request = { 0 };
    struct common_options common;
    bool json = false, detect = false, dry_run = false;
    int first;
    const struct option_entry options[] = {
        { "source", OPTION_TEXT, "NAME", "who delivered it (default: the name of the file's folder)",
          &request.source },
        { "format", OPTION_TEXT, "NAME",
          "sacct, sacct-json, csv, jsonl, kubernetes, pbs, sagemaker, vertex or azureml (default: what "
          "sources.csv says, else what the file shows)",
          &request.format },
        { "delimiter", OPTION_DELIMITER, "TEXT",
          "between fields (default: what sources.csv says, else the header's)", &request.delimiter },
        { "columns", OPTION_TEXT, "A,B,C", "columns of text without a header (docs/formats.md)",
          &request.columns },
        { "strict", OPTION_FLAG, NULL, "refuse the delivery where a record cannot be read", &request.strict },
        { "accept", OPTION_FLAG, NULL, "let in a delivery that is held: most of it cannot be read",
          &request.accept },
        { "detect", OPTION_FLAG, NULL, "only say what the files are; needs no database", &detect },
        { "dry-run", OPTION_FLAG, NULL, "show records, time and what would be quarantined; change nothing",
          &dry_run },
        { "json", OPTION_FLAG, NULL, "print what was done as JSON, a line per file", &json },
        { 0 },
    };
    if (!options_read(command, options, argc, argv, &common, &first, error))
        return false;
    if (first == argc)
        return error_set(error, ERROR_USAGE, "ingest jobs: no file given");
    if (detect && (dry_run || json || request.strict || request.accept || request.format != NULL))
        return error_set(error, ERROR_USAGE,
                         "ingest jobs: --detect takes --source, --delimiter and --columns alone");
    if (detect)
        return detect_files(&request, argc - first, argv + first, error);
    PGconn *connection = connect_database(&common, error);
    if (connection == NULL)
        return false;
    if (dry_run) {
        bool seen = preview_files(connection, &request, argc - first, argv + first, json, error);
        connect_close(connection);
        return seen;
    }
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
                "kstar ingest jobs --detect inbox/jobs/*/*\n"
                "kstar ingest jobs --source phillips --delimiter '|#' export.txt",
    .run = run,
};
