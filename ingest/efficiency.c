/* ingest/efficiency.c: see efficiency.h. */
#include "ingest/efficiency.h"

#include "base/copy_stream.h"
#include "base/database.h"
#include "base/file.h"
#include "base/log.h"
#include "base/time_text.h"
#include "ingest/declared_csv.h"
#include "ingest/delivery.h"
#include "ingest/torch_trace.h"

#include <glob.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const metrics[] = { "run_time",   "throughput",    "step_time",
                                       "efficiency", "compute_share", NULL };
static const char *const units[] = { "s", "min", "h", NULL };
static const double hours_per_unit[] = { 1.0 / 3600, 1.0 / 60, 1 };
static const char *const scalings[] = { "strong", "weak", NULL };

enum column {
    FAMILY,
    JOB_ID,
    K,
    METRIC,
    VALUE,
    UNIT,
    SCALING,
    ACCELERATOR,
    PRECISION,
    BATCH,
    MEASURED_AT,
    METHOD,
    TRACE
};
static const struct declared_column columns[] = {
    [FAMILY] = { "family", DECLARED_TEXT, DECLARED_REQUIRED, NULL, NULL },
    [JOB_ID] = { "job_id", DECLARED_TEXT, DECLARED_OPTIONAL, NULL, NULL },
    [K] = { "k", DECLARED_COUNT, DECLARED_REQUIRED, NULL, NULL },
    [METRIC] = { "metric", DECLARED_CHOICE, DECLARED_REQUIRED, NULL, metrics },
    [VALUE] = { "value", DECLARED_POSITIVE, DECLARED_OPTIONAL, NULL, NULL },
    [UNIT] = { "unit", DECLARED_CHOICE, DECLARED_OPTIONAL, NULL, units },
    [SCALING] = { "scaling", DECLARED_CHOICE, DECLARED_OPTIONAL, "strong", scalings },
    [ACCELERATOR] = { "accelerator", DECLARED_TEXT, DECLARED_OPTIONAL, "", NULL },
    [PRECISION] = { "precision", DECLARED_TEXT, DECLARED_OPTIONAL, "", NULL },
    [BATCH] = { "batch", DECLARED_TEXT, DECLARED_OPTIONAL, "", NULL },
    [MEASURED_AT] = { "measured_at", DECLARED_TIME, DECLARED_OPTIONAL, NULL, NULL },
    [METHOD] = { "method", DECLARED_TEXT, DECLARED_OPTIONAL, NULL, NULL },
    [TRACE] = { "trace", DECLARED_TEXT, DECLARED_OPTIONAL, NULL, NULL },
    [TRACE + 1] = { 0 },
};

static const char measurement_copy[] =
    "COPY measurement (delivery_id, file_id, line_number, family, job_id, k, metric, value, scaling, "
    "accelerator, "
    "precision_name, batch, measured_at, method) FROM STDIN (FORMAT binary)";
enum { MEASUREMENT_COLUMNS = 14 };

struct efficiency_load {
    PGconn *connection;
    const struct efficiency_request *request;
    const char *source;
    struct delivery delivery;
    struct ingest_summary *summary;
};

static bool is_time(const char *metric)
{
    return strcmp(metric, "run_time") == 0 || strcmp(metric, "step_time") == 0;
}

/* The compute share of the traces that a row names below the folder of its file, the ranks of one step:
 * "run7/rank*.gz". */
static bool read_traces(const struct efficiency_load *load, const struct declared_csv *csv,
                        const struct declared_row *row, double *value, struct error *error)
{
    const char *path = load->request->path, *slash = strrchr(path, '/');
    char pattern[4096];
    glob_t found = { 0 };
    if (strcmp(row->values[METRIC], "compute_share") != 0 || row->values[VALUE] != NULL)
        return declared_csv_refuse(csv, row, TRACE, "goes with the metric compute_share, and without a value",
                                   error);
    snprintf(pattern, sizeof pattern, "%.*s%s", slash ? (int)(slash + 1 - path) : 0, path,
             row->values[TRACE]);
    if (strstr(row->values[TRACE], "..") != NULL || row->values[TRACE][0] == '/' ||
        glob(pattern, 0, NULL, &found) != 0)
        return declared_csv_refuse(csv, row, TRACE, "names no file in the folder of this one", error);
    struct trace_breakdown *ranks = calloc(found.gl_pathc, sizeof *ranks);
    bool ok = ranks != NULL || error_set(error, ERROR_FAILED, "out of memory");
    for (size_t i = 0; ok && i < found.gl_pathc; i++)
        ok = torch_trace_read(found.gl_pathv[i], false, &ranks[i], error);
    if (ok)
        *value = trace_compute_share(ranks, (int)found.gl_pathc);
    if (ok && !(*value > 0))
        ok = declared_csv_refuse(csv, row, TRACE, "shows no compute", error);
    free(ranks);
    globfree(&found);
    return ok;
}

/* The value as stored: times in hours (seconds where no unit is given), the rest as it is. */
static bool read_value(const struct efficiency_load *load, const struct declared_csv *csv,
                       const struct declared_row *row, double *value, struct error *error)
{
    const char *metric = row->values[METRIC], *unit = row->values[UNIT];
    if (row->values[TRACE] != NULL)
        return read_traces(load, csv, row, value, error);
    if (row->values[VALUE] == NULL)
        return declared_csv_refuse(csv, row, VALUE, "is empty, and there is no trace to take it from", error);
    *value = strtod(row->values[VALUE], NULL);
    if (unit != NULL && !is_time(metric))
        return declared_csv_refuse(csv, row, UNIT, "goes with run_time and step_time alone", error);
    if (strcmp(metric, "compute_share") == 0 && *value > 1)
        return declared_csv_refuse(csv, row, VALUE, "is above 1, and a share of the step is not", error);
    for (int i = 0; is_time(metric) && units[i] != NULL; i++)
        if (strcmp(units[i], unit != NULL ? unit : "s") == 0)
            *value *= hours_per_unit[i];
    if (!isfinite(*value) || *value <= 0)
        return declared_csv_refuse(csv, row, VALUE, "is too large or too small", error);
    return true;
}

static void put_text(struct copy_stream *rows, const char *text)
{
    if (text != NULL)
        copy_text(rows, text, strlen(text));
    else
        copy_null(rows);
}

static void put_row(const struct efficiency_load *load, const struct declared_row *row, double value,
                    struct copy_stream *rows)
{
    time_us measured_at;
    copy_row(rows, MEASUREMENT_COLUMNS);
    copy_int4(rows, load->delivery.id);
    copy_int4(rows, load->delivery.files[0].file_id);
    copy_int8(rows, row->line);
    put_text(rows, row->values[FAMILY]);
    put_text(rows, row->values[JOB_ID]);
    copy_int4(rows, (int32_t)strtol(row->values[K], NULL, 10));
    put_text(rows, row->values[METRIC]);
    copy_float8(rows, value);
    put_text(rows, row->values[SCALING]);
    put_text(rows, row->values[ACCELERATOR]);
    put_text(rows, row->values[PRECISION]);
    put_text(rows, row->values[BATCH]);
    const char *when = row->values[MEASURED_AT];
    if (when != NULL && time_parse(when, strlen(when), &measured_at))
        copy_timestamptz(rows, measured_at);
    else
        copy_null(rows);
    put_text(rows, row->values[METHOD]);
}

static bool copy_rows(struct efficiency_load *load, struct error *error)
{
    struct copy_stream rows = { 0 };
    struct declared_row row;
    enum csv_outcome outcome = CSV_FAILED;
    double value = 0;
    bool ok = false;
    struct declared_csv *csv = declared_csv_open(load->request->path, columns, "docs/formats.md", error);
    if (csv == NULL || !copy_stream_to_connection(&rows, load->connection, measurement_copy, error))
        goto done;
    while ((outcome = declared_csv_next(csv, &row, error)) == CSV_RECORD) {
        if (!read_value(load, csv, &row, &value, error))
            goto done;
        put_row(load, &row, value, &rows);
    }
    ok = outcome == CSV_END && copy_stream_end(&rows, &load->summary->rows, error);
done:
    copy_stream_discard(&rows);
    declared_csv_close(csv);
    return ok;
}

static bool load_delivery(struct efficiency_load *load, struct error *error)
{
    static const char *const any_name[] = { "", NULL };
    struct ingest_summary *summary = load->summary;
    const char *parameters[] = { load->source, summary->label };
    if (!delivery_gather(&load->delivery, 1, &load->request->path, any_name, NULL, error) ||
        !delivery_open(&load->delivery, load->connection, "efficiency", load->source, summary->label,
                       &summary->unchanged, error))
        return false;
    if (summary->unchanged) {
        log_event(LOG_INFO, "unchanged", "kind=efficiency label=\"%s\"", summary->label);
        return true;
    }
    PGresult *result =
        database_query_file(load->connection, "ingest/efficiency_withdraw.sql", 2, parameters, error);
    PQclear(result);
    if (result == NULL || !copy_rows(load, error) ||
        !delivery_close(&load->delivery, load->connection, summary->rows, 0, error))
        return false;
    summary->files = 1;
    log_event(LOG_INFO, "ingest", "kind=efficiency label=\"%s\" rows=%" PRId64, summary->label,
              summary->rows);
    return true;
}

bool ingest_efficiency(PGconn *connection, const struct efficiency_request *request,
                       struct ingest_summary *summary, struct error *error)
{
    const char *slash = strrchr(request->path, '/');
    struct efficiency_load load = { .connection = connection,
                                    .request = request,
                                    .source = request->source ? request->source : "efficiency",
                                    .summary = summary };
    *summary = (struct ingest_summary){ 0 };
    if (request->label != NULL)
        snprintf(summary->label, sizeof summary->label, "%s", request->label);
    else
        snprintf(summary->label, sizeof summary->label, "efficiency/%s", slash ? slash + 1 : request->path);
    if (path_is_directory(request->path))
        return error_set(error, ERROR_INPUT, "%s: is a folder; a delivery of measurements is a file",
                         request->path);
    bool ok = database_begin(connection, error) && load_delivery(&load, error) &&
              database_commit(connection, error);
    delivery_free(&load.delivery);
    database_rollback(connection);
    return ok;
}
