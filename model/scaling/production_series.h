/* model/scaling/production_series.h: a scaling series from the jobs that a company runs anyway.
 *
 * Jobs at work were not run to measure anything. Their throughput is comparable only if they did
 * the same work, so the rule is strict: when in doubt there is no series. The caller passes jobs of
 * one identity (family, metric, model, sequence length, software, accelerator, precision), each on
 * its own nodes. docs/mathematics.md, section 9, has the rule with an example.
 *
 *     production_steady(samples, count, &job.value);   // for each job
 *     production_series(jobs, count, &series);
 *     if (series.outcome == PRODUCTION_SERIES)
 *         ... each jobs[i] with is_kept is one run of the series
 */
#ifndef KSTAR_MODEL_SCALING_PRODUCTION_SERIES_H
#define KSTAR_MODEL_SCALING_PRODUCTION_SERIES_H

#include "model/scaling/measurement.h"

#include <stdbool.h>
#include <stddef.h>

/* The largest spread of the middle half of a job's steady samples, as a share of their median. */
#define PRODUCTION_UNSTEADY 0.20
/* All jobs of a series are within this many days. */
#define PRODUCTION_DAYS 60.0
/* The fewest sizes, and the fewest jobs of each. */
enum { PRODUCTION_SIZES = 3, PRODUCTION_REPEATS = 2 };
/* Runs of the same work are within this share of the median of their size. Drift over the days of
 * the series must be smaller, and throughput must grow by more from each size to the next. */
#define PRODUCTION_NEAR 0.05
/* At most this share of the jobs may be farther off, and each size must keep two. */
#define PRODUCTION_OUTLIERS 0.10
/* The bounds of each size's efficiency relative to the smallest size. */
#define PRODUCTION_EFFICIENCY_LEAST 0.5
#define PRODUCTION_EFFICIENCY_MOST  1.1

struct production_job {
    unsigned k;         /* >= 1 */
    double day;         /* the time of the measurement, in days since any moment */
    double batch;       /* the global batch, > 0 */
    double value;       /* of the metric, from production_steady() */
    bool is_controlled; /* run to measure: it joins no series, but confirms or contradicts one */
    bool is_kept;       /* result: a run of the series */
};

/* Why there is no series: the first that applies. */
enum production_outcome {
    PRODUCTION_SERIES,       /* there is a series */
    PRODUCTION_BATCHES,      /* batches differ, and do not grow with K */
    PRODUCTION_FEW_SIZES,    /* fewer than three K with two jobs in 60 days */
    PRODUCTION_MIXED,        /* jobs of one K differ: they do not do the same work */
    PRODUCTION_UNREPEATED,   /* no K was repeated over half of the days: drift cannot be tested */
    PRODUCTION_DRIFT,        /* repeats at one K change with time */
    PRODUCTION_OTHER_WORK,   /* no strong scaling is like this: larger models, or other units */
    PRODUCTION_CONTRADICTED, /* a controlled run at one of its K is off */
    PRODUCTION_OUTCOMES
};

struct production_series {
    enum production_outcome outcome;
    enum scaling_mode mode; /* weak if the batch grows with K */
    /* the batch of all jobs; under weak scaling, of one unit of K */
    double batch;
    /* a controlled run agrees at one of its K; without that, confidence is low */
    bool is_confirmed;
};

/* The value of one job: the median of its samples without the first quarter (rounded up), which is
 * warm-up. A single sample is the value. `values` are in order of time and are sorted here. False
 * if there is no sample, or if the samples are not steady. */
bool production_steady(double *values, size_t count, double *value);

/* Tests the jobs and marks those that are runs of the series. Sorts `jobs` by time. */
enum production_outcome production_series(enum scaling_metric metric, struct production_job *jobs,
                                          size_t count, struct production_series *series);

/* A sentence for a reader. Never NULL. */
const char *production_outcome_text(enum production_outcome outcome);

#endif
