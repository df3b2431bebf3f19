/* ingest/jobs/job_source.c: see job_source.h. */
#include "ingest/jobs/job_source.h"

#include "base/postgres/database.h"
#include "ingest/bill/billing_detect.h"
#include "ingest/jobs/job_detect.h"

#include <stdio.h>
#include <stdlib.h>

static bool find_format(struct job_source *source, const char *path, const char *name, struct error *error)
{
    char known[JOB_FORMAT_NAMES_BYTES];
    source->format = job_format_find(name);
    if (source->format == NULL) {
        error_set(error, ERROR_INPUT, "%s: \"%s\" is not a job format", path, name);
        error_hint(error, "known: %s (docs/formats.md); sources.csv or --format names the format of a source",
                   job_format_names(known));
    }
    return source->format != NULL;
}

/* Finds the format by the file. If no format knows the file, the reader of sacct says what is
 * wrong. */
static bool detect_format(struct job_source *source, const struct delivery_request *request,
                          struct error *error)
{
    const char *path = request->paths[0];
    struct job_detection found;
    if (!job_detect(path, &source->options, &found, error))
        return false;
    source->is_detected = found.count == 1;
    source->format = found.count > 0 ? found.formats[0] : &sacct_format;
    if (found.count < 2)
        return true;
    const char *first = found.formats[0]->name, *second = found.formats[1]->name;
    error_set(error, ERROR_INPUT, "%s: may be of format %s or %s, and fits both", path, first, second);
    error_hint(error, "add one of these rows to sources.csv: %s,jobs,%s or %s,jobs,%s", request->source,
               first, request->source, second);
    return false;
}

/* ---- settings ---- */

/* The columns of sql/ingest/jobs_source.sql. */
enum {
    FORMAT,
    TIME_ZONE,
    DELIMITER,
    CLOCK_MAY_GO_BACK,
    LIMIT_RECORD_NODES,
    LIMIT_FILE_NODES,
    HORIZON_GAP,
    HORIZON,
    DETECTED
};

/* A setting; NULL: there is none. */
static const char *text_of(const PGresult *settings, int column)
{
    return PQgetisnull(settings, 0, column) ? NULL : PQgetvalue(settings, 0, column);
}

static int64_t number_of(const PGresult *settings, int column)
{
    return strtoll(PQgetvalue(settings, 0, column), NULL, 10);
}

static bool read_columns(struct job_source *source, const struct delivery_request *request,
                         struct error *error)
{
    source->options.columns = request->columns;
    if (request->columns != NULL)
        return true;
    if (!job_columns_read(request->paths[0], source->columns, error))
        return false;
    if (source->columns[0] != '\0')
        source->options.columns = source->columns;
    return true;
}

static bool settle_format(struct job_source *source, const struct delivery_request *request,
                          struct error *error)
{
    const char *path = request->paths[0];
    const char *declared = text_of(source->settings, FORMAT);
    const char *detected = text_of(source->settings, DETECTED);
    source->is_declared = request->format != NULL || declared != NULL;
    if (source->is_declared)
        return find_format(source, path, request->format != NULL ? request->format : declared, error);
    source->is_of_file = detected == NULL;
    return detected != NULL ? find_format(source, path, detected, error)
                            : detect_format(source, request, error);
}

bool job_source_read(PGconn *connection, const struct delivery_request *request, struct job_source *source,
                     struct error *error)
{
    struct job_format_options *options = &source->options;
    *source = (struct job_source){ 0 };
    PGresult *settings =
        database_query_file(connection, "ingest/jobs_source.sql", 1, &request->source, error);
    source->settings = settings;
    if (settings == NULL)
        return false;
    source->time_zone = PQgetvalue(settings, 0, TIME_ZONE);
    source->limits = (struct job_limits){ .record_nodes_maximum = number_of(settings, LIMIT_RECORD_NODES),
                                          .file_nodes_maximum = number_of(settings, LIMIT_FILE_NODES) };
    options->delimiter = request->delimiter != NULL ? request->delimiter : text_of(settings, DELIMITER);
    options->clock_may_go_back = result_flag(settings, 0, CLOCK_MAY_GO_BACK);
    options->horizon_gap = number_of(settings, HORIZON_GAP);
    options->horizon =
        (struct job_time){ .known = text_of(settings, HORIZON) != NULL, .at = number_of(settings, HORIZON) };
    if (!read_columns(source, request, error) || !settle_format(source, request, error))
        return false;
    snprintf(source->text, sizeof source->text, "%s %s %s %s", source->format->name, source->time_zone,
             options->delimiter ? options->delimiter : "", options->columns ? options->columns : "");
    return true;
}

void job_source_free(struct job_source *source)
{
    PQclear(source->settings);
}

bool job_source_remember(PGconn *connection, const struct job_source *source,
                         const struct delivery_request *request, struct error *error)
{
    const char *const parameters[] = { request->source, "jobs", source->format->name };
    return !source->is_detected ||
           database_run_query(connection, "ingest/format_remember.sql", 3, parameters, error);
}

/* ---- hints ---- */

static bool is_bill(const char *path)
{
    struct billing_detection found;
    struct error unreadable = { 0 };
    bool is = billing_detect(path, &found, &unreadable) && found.format != NULL;
    billing_detection_free(&found);
    return is;
}

/* Lists the known formats. A file that no format recognises is read as sacct, and an error of that
 * reader alone would mislead. */
static void say_unrecognised(const struct delivery_request *request, struct error *error)
{
    char known[JOB_FORMAT_NAMES_BYTES];
    const struct error as_sacct = *error;
    error_set(error, ERROR_INPUT, "%s: no format recognises the file by its first record", request->paths[0]);
    error_detail(error, "read as sacct: %s", as_sacct.message);
    error_hint(error,
               "add the row %s,jobs,FORMAT to sources.csv, with one of %s; and the delimiter, if not , or |",
               request->source, job_format_names(known));
}

void job_source_hint(const struct job_source *source, const struct delivery_request *request,
                     struct error *error)
{
    const char *path = request->paths[0];
    struct job_detection found;
    struct error unreadable = { 0 };
    if (error->kind != ERROR_INPUT || source->format == NULL || request->format != NULL ||
        !job_detect(path, &source->options, &found, &unreadable))
        return;
    if (found.count == 1 && found.formats[0] != source->format)
        error_hint(error,
                   "it was read as %s, and is of format %s: sources.csv must have the row %s,jobs,%s, and no "
                   "other of this source and kind",
                   source->format->name, found.formats[0]->name, request->source, found.formats[0]->name);
    else if (error->hint[0] != '\0')
        ;
    else if (found.count == 0 && is_bill(path)) {
        error_set(error, ERROR_INPUT, "%s: this is a bill", path);
        error_hint(error, "give it to kstar ingest billing, or put it into billing/SOURCE/ of the inbox");
    } else if (found.count == 0 && !source->is_declared)
        say_unrecognised(request, error);
}
