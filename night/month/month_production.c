/* night/month/month_production.c: series from jobs at work. Gathers the samples that jobs logged,
 * asks model/scaling/production_series.h, and stores the runs in production_run for the fits.
 *
 * Rows are ordered by identity. Rows of one identity are tested together, since a batch that grows
 * with K is weak scaling. If their batches differ otherwise, each batch is tested alone.
 */
#include "base/log.h"
#include "base/postgres/database.h"
#include "model/scaling/production_series.h"
#include "night/month/month_families.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns of sql/model/production_jobs.sql. The columns before BATCH are the identity. */
enum {
    FAMILY,
    METRIC,
    ACCELERATOR,
    PRECISION,
    MODEL,
    SEQUENCE_LENGTH,
    SOFTWARE,
    BATCH,
    ATTEMPT_ID,
    K,
    VALUE,
    DAY
};

enum { NUMBER_BYTES = 32, BATCH_BYTES = 256 };

static bool is_same(const PGresult *rows, int a, int b, int columns)
{
    for (int column = 0; column < columns; column++)
        if (strcmp(PQgetvalue(rows, a, column), PQgetvalue(rows, b, column)) != 0)
            return false;
    return true;
}

/* The first row after `from` that differs from it in the first columns. */
static int end_of(const PGresult *rows, int from, int columns)
{
    int to = from + 1;
    while (to < PQntuples(rows) && is_same(rows, from, to, columns))
        to++;
    return to;
}

/* The text after the number of a batch: " tokens" of "4096 tokens". */
static const char *batch_unit(const char *text)
{
    char *rest;
    (void)strtod(text, &rest);
    return rest;
}

/* The batch of a row as a number if its unit is that of row `like`. Otherwise NaN, which equals no
 * batch. */
static double batch_of(const PGresult *rows, int row, int like)
{
    const char *text = PQgetvalue(rows, row, BATCH), *unit = batch_unit(text);
    double number = strtod(text, NULL);
    return number > 0 && isfinite(number) && strcmp(unit, batch_unit(PQgetvalue(rows, like, BATCH))) == 0
               ? number
               : NAN;
}

/* Makes one job of each attempt and K, and a controlled run of each row without an attempt. Jobs
 * with unsteady samples do not count. */
static size_t read_jobs(const PGresult *rows, int from, int to, bool has_one_batch,
                        struct production_job *jobs)
{
    size_t count = 0;
    double *samples = calloc((size_t)(to - from), sizeof *samples);
    for (int row = from, next; row < to; row = next) {
        bool is_controlled = PQgetisnull(rows, row, ATTEMPT_ID);
        struct production_job job = { .k = (unsigned)strtoul(PQgetvalue(rows, row, K), NULL, 10),
                                      .day = strtod(PQgetvalue(rows, row, DAY), NULL),
                                      .batch = has_one_batch ? 1 : batch_of(rows, row, from),
                                      .is_controlled = is_controlled };
        next = is_controlled ? row + 1 : end_of(rows, row, K + 1);
        for (int sample = row; sample < next; sample++)
            samples[sample - row] = strtod(PQgetvalue(rows, sample, VALUE), NULL);
        if (production_steady(samples, (size_t)(next - row), &job.value))
            jobs[count++] = job;
    }
    free(samples);
    return count;
}

static bool store_run(PGconn *connection, const PGresult *rows, int row,
                      const struct production_series *series, const struct production_job *job,
                      const char *batch, struct error *error)
{
    char k[NUMBER_BYTES], value[NUMBER_BYTES];
    snprintf(k, sizeof k, "%u", job->k);
    snprintf(value, sizeof value, "%.17g", job->value);
    const char *const parameters[] = { PQgetvalue(rows, row, FAMILY),
                                       series->mode == SCALING_WEAK ? "weak" : "strong",
                                       PQgetvalue(rows, row, METRIC),
                                       PQgetvalue(rows, row, ACCELERATOR),
                                       PQgetvalue(rows, row, PRECISION),
                                       batch,
                                       PQgetvalue(rows, row, MODEL),
                                       PQgetvalue(rows, row, SEQUENCE_LENGTH),
                                       PQgetvalue(rows, row, SOFTWARE),
                                       series->is_confirmed ? "confirmed" : "production",
                                       k,
                                       value };
    return database_run_query(connection, "model/production_add.sql", 12, parameters, error);
}

/* Stores the runs of a series. Under weak scaling its batch is "64 tokens x K". */
static bool store_series(PGconn *connection, const PGresult *rows, int row,
                         const struct production_series *series, const struct production_job *jobs,
                         size_t count, struct error *error)
{
    char batch[BATCH_BYTES];
    bool ok = true;
    snprintf(batch, sizeof batch, "%.6g%s x K", series->batch, batch_unit(PQgetvalue(rows, row, BATCH)));
    for (size_t i = 0; ok && i < count; i++)
        if (jobs[i].is_kept)
            ok = store_run(connection, rows, row, series, &jobs[i],
                           series->mode == SCALING_WEAK ? batch : PQgetvalue(rows, row, BATCH), error);
    return ok;
}

static enum scaling_metric metric_of(const PGresult *rows, int row)
{
    return strcmp(PQgetvalue(rows, row, METRIC), "step_time") == 0 ? SCALING_STEP_TIME : SCALING_THROUGHPUT;
}

static bool has_production(const struct production_job *jobs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!jobs[i].is_controlled)
            return true;
    return false;
}

/* Tests rows [from, to), which have one identity, and one batch if has_one_batch. */
static bool test_rows(PGconn *connection, const PGresult *rows, int from, int to, bool has_one_batch,
                      struct error *error)
{
    struct production_series series;
    struct production_job *jobs = calloc((size_t)(to - from), sizeof *jobs);
    size_t count = read_jobs(rows, from, to, has_one_batch, jobs);
    enum production_outcome outcome = production_series(metric_of(rows, from), jobs, count, &series);
    bool ok = true, is_tried = outcome != PRODUCTION_BATCHES || has_one_batch;
    if (is_tried && has_production(jobs, count))
        log_event(LOG_DEBUG, "production", "family=\"%s\" model=\"%s\" batch=\"%s\" jobs=%zu note=\"%s: %s\"",
                  PQgetvalue(rows, from, FAMILY), PQgetvalue(rows, from, MODEL),
                  PQgetvalue(rows, from, BATCH), count,
                  outcome == PRODUCTION_SERIES ? "a series" : "no series", production_outcome_text(outcome));
    if (outcome == PRODUCTION_SERIES)
        ok = store_series(connection, rows, from, &series, jobs, count, error);
    for (int next; ok && !is_tried && from < to; from = next) {
        next = end_of(rows, from, BATCH + 1);
        ok = test_rows(connection, rows, from, next, true, error);
    }
    free(jobs);
    return ok;
}

bool month_production(PGconn *connection, struct error *error)
{
    PGresult *rows = NULL;
    bool ok = database_run_file(connection, "model/production_begin.sql", error) &&
              (rows = database_query_file(connection, "model/production_jobs.sql", 0, NULL, error)) != NULL;
    for (int from = 0, to; ok && from < PQntuples(rows); from = to) {
        to = end_of(rows, from, BATCH);
        ok = test_rows(connection, rows, from, to, end_of(rows, from, BATCH + 1) == to, error);
    }
    PQclear(rows);
    return ok;
}
