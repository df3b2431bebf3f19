/* ingest/measure/efficiency.c: see efficiency.h. */
#include "ingest/measure/efficiency.h"

#include "base/log.h"
#include "base/postgres/copy_stream.h"
#include "base/postgres/database.h"
#include "base/system/file.h"
#include "base/text/near_name.h"
#include "base/time_text.h"
#include "ingest/delivery_of_file.h"
#include "ingest/measure/measured_files.h"
#include "ingest/reference/declared_csv.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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
    MODEL,
    SEQUENCE_LENGTH,
    SOFTWARE,
    MEASURED_AT,
    METHOD,
    TRACE,
    LOG,
    SYSTEM,
    EXPOSED_COMMUNICATION,
    IDLE
};
static const struct declared_column columns[] = {
    [FAMILY] = { "family", DECLARED_TEXT, DECLARED_REQUIRED, NULL, NULL },
    [JOB_ID] = { "job_id", DECLARED_TEXT, DECLARED_OPTIONAL, NULL, NULL },
    [K] = { "k", DECLARED_COUNT, DECLARED_OPTIONAL, NULL, NULL },
    [METRIC] = { "metric", DECLARED_CHOICE, DECLARED_REQUIRED, NULL, metrics },
    [VALUE] = { "value", DECLARED_POSITIVE, DECLARED_OPTIONAL, NULL, NULL },
    [UNIT] = { "unit", DECLARED_CHOICE, DECLARED_OPTIONAL, NULL, units },
    [SCALING] = { "scaling", DECLARED_CHOICE, DECLARED_OPTIONAL, "strong", scalings },
    [ACCELERATOR] = { "accelerator", DECLARED_PROSE, DECLARED_OPTIONAL, "", NULL },
    [PRECISION] = { "precision", DECLARED_PROSE, DECLARED_OPTIONAL, "", NULL },
    [BATCH] = { "batch", DECLARED_PROSE, DECLARED_OPTIONAL, "", NULL },
    [MODEL] = { "model", DECLARED_PROSE, DECLARED_OPTIONAL, "", NULL },
    [SEQUENCE_LENGTH] = { "sequence_length", DECLARED_PROSE, DECLARED_OPTIONAL, "", NULL },
    [SOFTWARE] = { "software", DECLARED_PROSE, DECLARED_OPTIONAL, "", NULL },
    [MEASURED_AT] = { "measured_at", DECLARED_TIME, DECLARED_OPTIONAL, NULL, NULL },
    [METHOD] = { "method", DECLARED_PROSE, DECLARED_OPTIONAL, NULL, NULL },
    [TRACE] = { "trace", DECLARED_PROSE, DECLARED_OPTIONAL, NULL, NULL },
    [LOG] = { "log", DECLARED_PROSE, DECLARED_OPTIONAL, NULL, NULL },
    [SYSTEM] = { "system", DECLARED_PROSE, DECLARED_OPTIONAL, NULL, NULL },
    [EXPOSED_COMMUNICATION] = { "exposed_communication", DECLARED_SHARE, DECLARED_OPTIONAL, NULL, NULL },
    [IDLE] = { "idle", DECLARED_SHARE, DECLARED_OPTIONAL, NULL, NULL },
    [IDLE + 1] = { 0 },
};

static const char measurement_copy[] =
    "COPY measurement (delivery_id, file_id, line_number, run, family, job_id, k, metric, value, scaling, "
    "accelerator, precision_name, batch, model, sequence_length, software, measured_at, method, "
    "exposed_communication, idle, other, shares_from) FROM STDIN (FORMAT binary)";
enum { MEASUREMENT_COLUMNS = 22, EFFICIENCY_MOST = 2 };
#define ROUNDING 1e-9 /* of the sum of three shares that are written as decimals */

struct efficiency_load {
    PGconn *connection;
    const struct delivery_request *request;
    const char *path; /* its file */
    const char *source;
    PGresult *families; /* all families of families.csv, of any validity */
    char *named;        /* hashes of the files named by its rows; owned */
    struct delivery delivery;
    struct ingest_summary *summary;
    int64_t ignored_line; /* of the first unused row */
    char missing[256];    /* columns that this row lacks */
};

static bool is_time(const char *metric)
{
    return strcmp(metric, "run_time") == 0 || strcmp(metric, "step_time") == 0;
}

static bool is_filled(const char *value)
{
    return value != NULL && value[0] != '\0';
}

/* The fields that make jobs comparable. A job that lacks one is not comparable. */
static const enum column identity[] = { ACCELERATOR,     PRECISION, BATCH,      MODEL,
                                        SEQUENCE_LENGTH, SOFTWARE,  MEASURED_AT };
enum { IDENTITY_FIELDS = sizeof identity / sizeof identity[0] };

/* Whether a row was measured in production: on a job at work, with every field filled in. */
static bool is_production(const struct declared_row *row)
{
    const char *metric = row->values[METRIC];
    bool all = row->values[JOB_ID] != NULL &&
               (strcmp(metric, "step_time") == 0 || strcmp(metric, "throughput") == 0);
    for (int i = 0; i < IDENTITY_FIELDS; i++)
        all = all && is_filled(row->values[identity[i]]);
    return all;
}

/* Whether a row is not used: it has the time or throughput of a single job, and it is not known
 * whether other jobs do the same work. An E of a single job is used. */
static bool is_of_nothing(const struct declared_row *row)
{
    const char *metric = row->values[METRIC];
    bool is_of_job = row->values[JOB_ID] != NULL && (is_time(metric) || strcmp(metric, "throughput") == 0);
    return is_of_job && !is_production(row);
}

/* Counts an unused row, and notes the missing columns of the first one. No column makes a run time
 * usable. */
static void ignore(struct efficiency_load *load, const struct declared_row *row)
{
    char *missing = load->missing;
    if (load->summary->ignored++ > 0)
        return;
    load->ignored_line = row->line;
    for (int i = 0; i < IDENTITY_FIELDS && strcmp(row->values[METRIC], "run_time") != 0; i++)
        if (!is_filled(row->values[identity[i]])) {
            size_t used = strlen(missing);
            snprintf(missing + used, sizeof load->missing - used, "%s%s", used > 0 ? " " : "",
                     columns[identity[i]].name);
        }
}

/* Fills in fields from the log of the job. If the log contradicts itself or the row, the work of
 * the job is not known, and the field counts as missing. */
static void take_identity(const struct logged_identity *logged, struct declared_row *row)
{
    static const enum column columns_of[LOGGED_FIELDS] = { [LOGGED_ACCELERATOR] = ACCELERATOR,
                                                           [LOGGED_PRECISION] = PRECISION,
                                                           [LOGGED_BATCH] = BATCH,
                                                           [LOGGED_MODEL] = MODEL,
                                                           [LOGGED_SEQUENCE_LENGTH] = SEQUENCE_LENGTH,
                                                           [LOGGED_SOFTWARE] = SOFTWARE };
    for (int field = 0; field < LOGGED_FIELDS; field++) {
        const char **declared = &row->values[columns_of[field]];
        const char *value = logged->values[field], *other = logged->others[field];
        bool contradicts_itself = is_filled(other);
        if (!contradicts_itself && is_filled(*declared))
            other = is_filled(value) && strcasecmp(value, *declared) != 0 ? *declared : "";
        if (is_filled(other)) {
            log_event(LOG_WARNING, "logged_identity",
                      "log=\"%s\" field=%s logged=\"%s\" other=\"%s\" note=\"%s: the job is of no series\"",
                      row->values[LOG], logged_field_names[field], value, other,
                      contradicts_itself ? "the log contradicts itself" : "the row declares another value");
            *declared = "";
        } else if (!is_filled(*declared)) {
            *declared = value;
        }
    }
}

/* Refuses the row if it has the problem itself; otherwise `error` is already set. */
static bool refuse(const struct declared_csv *csv, const struct declared_row *row, int column,
                   const struct measured_values *measured, struct error *error)
{
    return measured->problem[0] != '\0' ? declared_csv_refuse(csv, row, column, measured->problem, error)
                                        : false;
}

/* Reads the value to be stored: times in hours (without a unit, they are in seconds), other values
 * unchanged. */
static bool read_value(const struct declared_csv *csv, const struct declared_row *row, double *value,
                       struct error *error)
{
    const char *metric = row->values[METRIC], *unit = row->values[UNIT];
    if (row->values[VALUE] == NULL)
        return declared_csv_refuse(csv, row, VALUE, "is empty, and there is no trace or log to take it from",
                                   error);
    *value = strtod(row->values[VALUE], NULL);
    if (unit != NULL && !is_time(metric))
        return declared_csv_refuse(csv, row, UNIT, "goes with run_time and step_time alone", error);
    if (strcmp(metric, "compute_share") == 0 && *value > 1)
        return declared_csv_refuse(csv, row, VALUE, "is above 1, and a share of the step is not", error);
    if (strcmp(metric, "efficiency") == 0 && *value > EFFICIENCY_MOST)
        return declared_csv_refuse(csv, row, VALUE,
                                   "is not an efficiency: 1 is perfect, and 81 per cent are 0.81", error);
    for (int i = 0; is_time(metric) && units[i] != NULL; i++)
        if (strcmp(units[i], unit != NULL ? unit : "s") == 0)
            *value *= hours_per_unit[i];
    if (!isfinite(*value) || *value <= 0)
        return declared_csv_refuse(csv, row, VALUE, "is too large or too small", error);
    return true;
}

/* Reads the shares of a sampled step beside its compute share, if that was read. Either both shares
 * are given or none. The remainder is `other`. */
static bool read_samples(const struct declared_csv *csv, const struct declared_row *row,
                         struct measured_values *measured, struct error *error)
{
    const char *exposed = row->values[EXPOSED_COMMUNICATION], *idle = row->values[IDLE];
    if (exposed == NULL && idle == NULL)
        return true;
    int column = exposed != NULL ? EXPOSED_COMMUNICATION : IDLE;
    if (strcmp(row->values[METRIC], "compute_share") != 0 || measured->values == NULL)
        return declared_csv_refuse(csv, row, column, "goes with a value of compute_share alone", error);
    if (exposed == NULL || idle == NULL)
        return declared_csv_refuse(csv, row, exposed == NULL ? EXPOSED_COMMUNICATION : IDLE,
                                   "is empty: exposed_communication and idle go together", error);
    struct trace_shares shares = { strtod(exposed, NULL), strtod(idle, NULL), 0 };
    shares.other = 1 - measured->values[0] - shares.exposed_communication - shares.idle;
    if (shares.other < -ROUNDING)
        return declared_csv_refuse(
            csv, row, column, "is too large: with value and idle, shares of one step, it exceeds 1", error);
    shares.other = shares.other < ROUNDING ? 0 : shares.other;
    measured->shares = shares;
    measured->shares_from = "samples";
    return true;
}

/* Reads the values of a row: its own value, or one for each run in its files. */
static bool read_values(const struct efficiency_load *load, const struct declared_csv *csv,
                        const struct declared_row *row, struct measured_values *measured, struct error *error)
{
    const char *path = load->path, *metric = row->values[METRIC];
    *measured = (struct measured_values){ 0 };
    if ((row->values[TRACE] != NULL || row->values[LOG] != NULL) && !read_samples(csv, row, measured, error))
        return false;
    if (row->values[TRACE] != NULL) {
        if (strcmp(metric, "compute_share") != 0 || row->values[VALUE] != NULL || row->values[LOG] != NULL)
            return declared_csv_refuse(csv, row, TRACE,
                                       "goes with the metric compute_share, and without a value", error);
        return measured_from_traces(path, row->values[TRACE], measured, error) ||
               refuse(csv, row, TRACE, measured, error);
    }
    if (row->values[LOG] != NULL) {
        bool run_time = strcmp(metric, "run_time") == 0, step_time = strcmp(metric, "step_time") == 0;
        if ((!run_time && !step_time && strcmp(metric, "throughput") != 0) || row->values[VALUE] != NULL ||
            row->values[UNIT] != NULL)
            return declared_csv_refuse(
                csv, row, LOG, "goes with run_time, step_time or throughput, without value and unit", error);
        bool ok = (run_time ? measured_from_logs(path, row->values[LOG], measured, error)
                   : row->values[JOB_ID] != NULL
                       ? measured_from_job(path, row->values[LOG], step_time, measured, error)
                       : measured_from_training(path, row->values[LOG], step_time, measured, error)) ||
                  refuse(csv, row, LOG, measured, error);
        for (int i = 0; ok && i < measured->count && (run_time || step_time); i++)
            measured->values[i] *= hours_per_unit[0]; /* seconds */
        return ok;
    }
    measured->values = calloc(1, sizeof *measured->values);
    measured->count = 1;
    return read_value(csv, row, measured->values, error) && read_samples(csv, row, measured, error);
}

/* Reads K: from the row, otherwise the number of nodes in the system description. */
static bool read_k(const struct efficiency_load *load, const struct declared_csv *csv,
                   const struct declared_row *row, int *k, struct error *error)
{
    struct measured_values measured = { 0 };
    *k = row->values[K] != NULL ? (int)strtol(row->values[K], NULL, 10) : 0;
    if (*k > 0)
        return true;
    if (row->values[SYSTEM] == NULL)
        return declared_csv_refuse(csv, row, K, "is empty, and there is no system to take it from", error);
    return measured_nodes(load->path, row->values[SYSTEM], k, &measured, error) ||
           refuse(csv, row, SYSTEM, &measured, error);
}

static void put_text(struct copy_stream *rows, const char *text)
{
    if (text != NULL)
        copy_text(rows, text, strlen(text));
    else
        copy_null(rows);
}

static void put_shares(struct copy_stream *rows, const struct measured_values *measured)
{
    const struct trace_shares *shares = &measured->shares;
    const double values[] = { shares->exposed_communication, shares->idle, shares->other };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (measured->shares_from != NULL)
            copy_float8(rows, values[i]);
        else
            copy_null(rows);
    put_text(rows, measured->shares_from);
}

/* Stores one run of a row; `run` counts from 1. */
static void put_run(const struct efficiency_load *load, const struct declared_row *row, int run, int k,
                    const struct measured_values *measured, struct copy_stream *rows)
{
    time_us measured_at;
    copy_row(rows, MEASUREMENT_COLUMNS);
    copy_int4(rows, load->delivery.id);
    copy_int4(rows, load->delivery.files[0].file_id);
    copy_int8(rows, row->line);
    copy_int4(rows, run);
    put_text(rows, row->values[FAMILY]);
    put_text(rows, row->values[JOB_ID]);
    copy_int4(rows, k);
    put_text(rows, row->values[METRIC]);
    copy_float8(rows, measured->values[run - 1]);
    put_text(rows, row->values[SCALING]);
    put_text(rows, row->values[ACCELERATOR]);
    put_text(rows, row->values[PRECISION]);
    put_text(rows, row->values[BATCH]);
    put_text(rows, row->values[MODEL]);
    put_text(rows, row->values[SEQUENCE_LENGTH]);
    put_text(rows, row->values[SOFTWARE]);
    const char *when = row->values[MEASURED_AT];
    if (when != NULL && time_parse(when, strlen(when), &measured_at))
        copy_timestamptz(rows, measured_at);
    else
        copy_null(rows);
    put_text(rows, row->values[METHOD]);
    put_shares(rows, measured);
}

/* Refuses a family that is not declared: it has no limits, and its name is often misspelt. If no
 * family is declared, all are allowed. */
static bool is_declared(const struct efficiency_load *load, const struct declared_csv *csv,
                        const struct declared_row *row, struct error *error)
{
    const char *family = row->values[FAMILY], *meant = NULL;
    for (int i = 0; i < PQntuples(load->families); i++) {
        if (strcmp(PQgetvalue(load->families, i, 0), family) == 0)
            return true;
        near_name_keep(family, PQgetvalue(load->families, i, 0), &meant);
    }
    if (PQntuples(load->families) == 0)
        return true;
    declared_csv_refuse(csv, row, FAMILY, "is no family of families.csv", error);
    error_hint(error, "%s%s%sadd a row for it to families.csv; each night tries the file again",
               meant != NULL ? "did you mean " : "", meant != NULL ? meant : "",
               meant != NULL ? "? If not, " : "");
    return false;
}

static bool copy_row_of(struct efficiency_load *load, const struct declared_csv *csv,
                        const struct declared_row *row, struct copy_stream *rows, struct error *error)
{
    struct measured_values measured = { 0 };
    struct declared_row whole = *row;
    int k;
    bool ok = is_declared(load, csv, row, error) && read_k(load, csv, row, &k, error) &&
              read_values(load, csv, row, &measured, error);
    if (ok)
        take_identity(&measured.identity, &whole);
    bool is_ignored = is_of_nothing(&whole);
    if (ok && is_ignored)
        ignore(load, &whole);
    for (int i = 0; ok && !is_ignored && i < measured.count; i++)
        put_run(load, &whole, i + 1, k, &measured, rows);
    free(measured.values);
    return ok;
}

static bool copy_rows(struct efficiency_load *load, struct error *error)
{
    struct copy_stream rows = { 0 };
    struct declared_row row;
    enum csv_outcome outcome = CSV_FAILED;
    bool ok = false;
    struct declared_csv *csv = declared_csv_open(load->path, columns, "docs/formats.md", error);
    if (csv == NULL || !copy_stream_to_connection(&rows, load->connection, measurement_copy, error))
        goto done;
    while ((outcome = declared_csv_next(csv, &row, error)) == CSV_RECORD) {
        if (!copy_row_of(load, csv, &row, &rows, error))
            goto done;
    }
    ok = outcome == CSV_END && copy_stream_end(&rows, &load->summary->rows, error);
done:
    copy_stream_discard(&rows);
    declared_csv_close(csv);
    return ok;
}

/* Hashes the files that rows name: they contain measurements of the CSV, so their hashes are part
 * of its hash. *gone: files of a row are missing. Rows after a refused one are not included. */
static void hash_named_files(struct efficiency_load *load, bool *gone)
{
    static const enum column naming[] = { TRACE, LOG, SYSTEM };
    struct error unread; /* loading the rows reports it */
    struct declared_row row;
    struct declared_csv *csv = declared_csv_open(load->path, columns, "docs/formats.md", &unread);
    *gone = false;
    while (csv != NULL && declared_csv_next(csv, &row, &unread) == CSV_RECORD)
        for (size_t i = 0; i < sizeof naming / sizeof naming[0]; i++) {
            const char *pattern = row.values[naming[i]];
            if (pattern != NULL && !measured_files_hash(load->path, pattern, &load->named))
                *gone = true;
        }
    declared_csv_close(csv);
}

/* Whether the latest delivery has the same CSV. */
static bool is_same_csv(struct efficiency_load *load, bool *same, struct error *error)
{
    if (!delivery_hash(&load->delivery, error))
        return false;
    const char *parameters[] = { load->source, load->summary->label, load->delivery.files[0].sha256 };
    return database_query_flag(load->connection, "ingest/efficiency_same.sql", 3, parameters, same, error);
}

/* Opens the delivery. If files that rows name are missing and the CSV is the same, the delivery is
 * unchanged: measurements that were read from these files stay. */
static bool open_delivery(struct efficiency_load *load, struct error *error)
{
    static const char *const any_name[] = { "", NULL };
    bool gone, *unchanged = &load->summary->unchanged;
    hash_named_files(load, &gone);
    if (!delivery_gather(&load->delivery, 1, &load->path, any_name, load->named, error) ||
        (gone && !is_same_csv(load, unchanged, error)))
        return false;
    return *unchanged || delivery_open(&load->delivery, load->connection, "efficiency", load->source,
                                       load->summary->label, unchanged, error);
}

static bool load_delivery(struct efficiency_load *load, struct error *error)
{
    struct ingest_summary *summary = load->summary;
    const char *parameters[] = { load->source, summary->label };
    if (!open_delivery(load, error))
        return false;
    if (summary->unchanged) {
        delivery_of_file_unchanged("efficiency", load->source, summary);
        return true;
    }
    load->families = database_query_file(load->connection, "ingest/efficiency_families.sql", 0, NULL, error);
    if (load->families == NULL ||
        !database_run_query(load->connection, "ingest/efficiency_withdraw.sql", 2, parameters, error) ||
        !copy_rows(load, error) ||
        !delivery_close(&load->delivery, load->connection, summary->rows, 0, error))
        return false;
    summary->files = 1;
    if (summary->ignored > 0)
        log_event(LOG_WARNING, "unused_measurements",
                  "file=\"%s\" rows=%" PRId64 " line=%" PRId64
                  " missing=\"%s\" note=\"run_time, step_time or throughput of one job alone "
                  "(job_id): ignored; docs/formats.md has the columns that make them a series\"",
                  summary->label, summary->ignored, load->ignored_line, load->missing);
    if (!load->request->dry_run)
        log_event(LOG_INFO, "ingest", "kind=efficiency label=\"%s\" rows=%" PRId64 " ignored=%" PRId64,
                  summary->label, summary->rows, summary->ignored);
    return true;
}

bool ingest_efficiency(PGconn *connection, const struct delivery_request *request,
                       struct ingest_summary *summary, struct error *error)
{
    struct efficiency_load load = { .connection = connection,
                                    .request = request,
                                    .path = request->paths[0],
                                    .source = "efficiency",
                                    .summary = summary };
    delivery_of_file_label(summary, request->label, load.path, "efficiency/");
    if (!delivery_of_file_check(load.path, "measurements", error))
        return false;
    bool ok = database_begin(connection, error) && load_delivery(&load, error) &&
              (request->dry_run || database_commit(connection, error));
    PQclear(load.families);
    delivery_free(&load.delivery);
    free(load.named);
    database_rollback(connection);
    return ok;
}
