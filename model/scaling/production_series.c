/* model/scaling/production_series.c: see production_series.h. */
#include "model/scaling/production_series.h"

#include "model/statistics/quantile.h"

#include <math.h>
#include <stdlib.h>

/* The jobs under test. */
struct series_test {
    enum scaling_metric metric;
    enum scaling_mode mode;
    struct production_job *jobs; /* by time */
    size_t count;
    unsigned sizes[MEASURED_SIZES_MAX]; /* distinct K that are kept, ascending */
    double medians[MEASURED_SIZES_MAX]; /* T of each */
    size_t size_count;
    double *room; /* for `count` numbers */
};

bool production_steady(double *values, size_t count, double *value)
{
    if (count == 0)
        return false;
    size_t warm_up = count > 1 ? (count + 3) / 4 : 0;
    double *steady = values + warm_up;
    size_t left = count - warm_up;
    sort_ascending(steady, left);
    *value = quantile(steady, left, 0.5);
    return quantile(steady, left, 0.75) - quantile(steady, left, 0.25) <= PRODUCTION_UNSTEADY * *value;
}

static int by_time(const void *a, const void *b)
{
    const struct production_job *x = a, *y = b;
    if (x->day != y->day)
        return x->day < y->day ? -1 : 1;
    return (x->k > y->k) - (x->k < y->k);
}

static double hours_of(const struct series_test *test, const struct production_job *job)
{
    return measured_hours(test->metric, test->mode, job->k, job->value);
}

static bool is_same(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(b);
}

/* One batch for all K is strong scaling, a batch that grows with K is weak scaling. */
static bool find_mode(struct series_test *test, struct production_series *series)
{
    const struct production_job *first = NULL;
    bool is_strong = true, is_weak = true;
    for (size_t i = 0; i < test->count; i++) {
        const struct production_job *job = &test->jobs[i];
        if (job->is_controlled)
            continue;
        if (first == NULL)
            first = job;
        is_strong = is_strong && is_same(job->batch, first->batch);
        is_weak = is_weak && is_same(job->batch / job->k, first->batch / first->k);
    }
    series->mode = test->mode = is_strong ? SCALING_STRONG : SCALING_WEAK;
    if (first != NULL)
        series->batch = is_strong ? first->batch : first->batch / first->k;
    return first != NULL && (is_strong || is_weak);
}

/* Whether a controlled run has the batch of the series. */
static bool has_its_batch(const struct production_series *series, const struct production_job *job)
{
    return is_same(series->mode == SCALING_STRONG ? job->batch : job->batch / job->k, series->batch);
}

/* The index of K among the sizes; size_count if it is missing. */
static size_t size_at(const struct series_test *test, unsigned k)
{
    size_t at = 0;
    while (at < test->size_count && test->sizes[at] != k)
        at++;
    return at;
}

/* The number of K that have enough jobs in the days from `from` to `to`. */
static size_t sizes_within(const struct series_test *test, size_t from, size_t to)
{
    unsigned seen[MEASURED_SIZES_MAX], jobs[MEASURED_SIZES_MAX];
    size_t count = 0, repeated = 0;
    for (size_t i = from; i <= to; i++) {
        size_t at = 0;
        if (test->jobs[i].is_controlled)
            continue;
        while (at < count && seen[at] != test->jobs[i].k)
            at++;
        if (at == MEASURED_SIZES_MAX)
            continue;
        if (at == count) {
            seen[count] = test->jobs[i].k;
            jobs[count++] = 0;
        }
        repeated += ++jobs[at] == PRODUCTION_REPEATS;
    }
    return repeated;
}

/* Keeps the jobs of the 60 days with the most sizes; among equals, of the latest. */
static void choose_days(struct series_test *test)
{
    size_t best = 0, best_from = 0, best_to = 0, from = 0;
    for (size_t to = 0; to < test->count; to++) {
        while (test->jobs[to].day - test->jobs[from].day > PRODUCTION_DAYS)
            from++;
        /* a window is longest if the next job would be too late */
        bool ends = to + 1 == test->count || test->jobs[to + 1].day - test->jobs[from].day > PRODUCTION_DAYS;
        size_t sizes = ends ? sizes_within(test, from, to) : 0;
        if (ends && sizes >= best) {
            best = sizes;
            best_from = from;
            best_to = to;
        }
    }
    for (size_t i = best_from; best > 0 && i <= best_to; i++)
        test->jobs[i].is_kept = !test->jobs[i].is_controlled;
}

/* Writes T of the kept jobs of one K into room. Returns their number. */
static size_t times_of(const struct series_test *test, unsigned k)
{
    size_t count = 0;
    for (size_t i = 0; i < test->count; i++)
        if (test->jobs[i].is_kept && test->jobs[i].k == k)
            test->room[count++] = hours_of(test, &test->jobs[i]);
    return count;
}

static int by_number(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return (x > y) - (x < y);
}

/* Lists the sizes with their medians. A K with a single job is dropped: nobody knows whether that
 * job did the same work. */
static void list_sizes(struct series_test *test)
{
    for (size_t i = 0; i < test->count; i++) {
        struct production_job *job = &test->jobs[i];
        if (!job->is_kept || size_at(test, job->k) < test->size_count)
            continue;
        if (times_of(test, job->k) < PRODUCTION_REPEATS || test->size_count == MEASURED_SIZES_MAX)
            job->is_kept = false;
        else
            test->sizes[test->size_count++] = job->k;
    }
    qsort(test->sizes, test->size_count, sizeof *test->sizes, by_number);
    for (size_t at = 0; at < test->size_count; at++) {
        size_t count = times_of(test, test->sizes[at]);
        sort_ascending(test->room, count);
        test->medians[at] = quantile(test->room, count, 0.5);
    }
}

static bool is_near(double hours, double median)
{
    return fabs(hours / median - 1) <= PRODUCTION_NEAR;
}

/* Drops the jobs that are too far off. False if there are too many of them, or a size keeps too few
 * jobs. */
static bool drop_outliers(struct series_test *test)
{
    size_t jobs = 0, dropped = 0;
    for (size_t i = 0; i < test->count; i++) {
        struct production_job *job = &test->jobs[i];
        if (!job->is_kept)
            continue;
        job->is_kept = is_near(hours_of(test, job), test->medians[size_at(test, job->k)]);
        jobs++;
        dropped += !job->is_kept;
    }
    for (size_t at = 0; at < test->size_count; at++)
        if (times_of(test, test->sizes[at]) < PRODUCTION_REPEATS)
            return false;
    return (double)dropped <= PRODUCTION_OUTLIERS * (double)jobs;
}

/* The days between the first and the last kept job of one K; for k = 0 of all. */
static double span_of(const struct series_test *test, unsigned k)
{
    double first = NAN, last = NAN;
    for (size_t i = 0; i < test->count; i++) {
        if (!test->jobs[i].is_kept || (k > 0 && test->jobs[i].k != k))
            continue;
        if (isnan(first))
            first = test->jobs[i].day;
        last = test->jobs[i].day;
    }
    return last - first;
}

static bool was_repeated(const struct series_test *test)
{
    double span = span_of(test, 0);
    for (size_t at = 0; at < test->size_count; at++)
        if (span_of(test, test->sizes[at]) >= span / 2)
            return true;
    return false;
}

/* How much T changes over the days of the series, by the repeats: the least-squares slope of ln T
 * against time within the sizes, times the days. */
static double drift_of(const struct series_test *test)
{
    double across = 0, squares = 0;
    for (size_t at = 0; at < test->size_count; at++) {
        double mean_day = 0, mean = 0, count = 0;
        for (int pass = 0; pass < 2; pass++) {
            for (size_t i = 0; i < test->count; i++) {
                const struct production_job *job = &test->jobs[i];
                if (!job->is_kept || job->k != test->sizes[at])
                    continue;
                double time = log(hours_of(test, job) / test->medians[at]);
                if (pass == 0) {
                    mean_day += job->day;
                    mean += time;
                    count++;
                } else {
                    across += (job->day - mean_day) * (time - mean);
                    squares += (job->day - mean_day) * (job->day - mean_day);
                }
            }
            if (pass == 0) {
                mean_day /= count;
                mean /= count;
            }
        }
    }
    return squares > 0 ? across / squares * span_of(test, 0) : 0;
}

/* If larger jobs train larger models, throughput hardly grows; in another unit it is multiplied.
 * Both are far from the efficiency of one work. */
static bool looks_like_one_work(const struct series_test *test)
{
    for (size_t at = 1; at < test->size_count; at++) {
        double efficiency = test->medians[0] * test->sizes[0] / (test->medians[at] * test->sizes[at]);
        if (efficiency < PRODUCTION_EFFICIENCY_LEAST || efficiency > PRODUCTION_EFFICIENCY_MOST ||
            test->medians[at] * (1 + PRODUCTION_NEAR) >= test->medians[at - 1])
            return false;
    }
    return true;
}

/* False if a controlled run at one of the sizes is off. */
static bool ask_controlled(const struct series_test *test, struct production_series *series)
{
    for (size_t i = 0; i < test->count; i++) {
        const struct production_job *job = &test->jobs[i];
        size_t at = size_at(test, job->k);
        if (!job->is_controlled || at == test->size_count || !has_its_batch(series, job))
            continue;
        if (!is_near(hours_of(test, job), test->medians[at]))
            return false;
        series->is_confirmed = true;
    }
    return true;
}

static enum production_outcome outcome_of(struct series_test *test, struct production_series *series)
{
    if (!find_mode(test, series))
        return PRODUCTION_BATCHES;
    choose_days(test);
    list_sizes(test);
    if (test->size_count < PRODUCTION_SIZES)
        return PRODUCTION_FEW_SIZES;
    if (!drop_outliers(test))
        return PRODUCTION_MIXED;
    if (!was_repeated(test))
        return PRODUCTION_UNREPEATED;
    if (fabs(drift_of(test)) > PRODUCTION_NEAR)
        return PRODUCTION_DRIFT;
    if (!looks_like_one_work(test))
        return PRODUCTION_OTHER_WORK;
    return ask_controlled(test, series) ? PRODUCTION_SERIES : PRODUCTION_CONTRADICTED;
}

enum production_outcome production_series(enum scaling_metric metric, struct production_job *jobs,
                                          size_t count, struct production_series *series)
{
    struct series_test test = { .metric = metric, .jobs = jobs, .count = count };
    *series = (struct production_series){ 0 };
    test.room = calloc(count + 1, sizeof *test.room);
    for (size_t i = 0; i < count; i++)
        jobs[i].is_kept = false;
    if (count > 0)
        qsort(jobs, count, sizeof *jobs, by_time);
    series->outcome = outcome_of(&test, series);
    for (size_t i = 0; i < count && series->outcome != PRODUCTION_SERIES; i++)
        jobs[i].is_kept = false;
    free(test.room);
    return series->outcome;
}

const char *production_outcome_text(enum production_outcome outcome)
{
    static const char *const texts[PRODUCTION_OUTCOMES] = {
        [PRODUCTION_SERIES] = "its jobs do the same work",
        [PRODUCTION_BATCHES] = "its batches differ, and do not grow with K",
        [PRODUCTION_FEW_SIZES] = "fewer than three K have two usable jobs in 60 days",
        [PRODUCTION_MIXED] = "jobs of one K differ by too much for the same work",
        [PRODUCTION_UNREPEATED] = "no K was repeated over half of the days, so drift cannot be tested",
        [PRODUCTION_DRIFT] = "jobs of one K became faster or slower with time",
        [PRODUCTION_OTHER_WORK] = "larger jobs differ from smaller ones as other models or units do",
        [PRODUCTION_CONTRADICTED] = "a controlled run at one of its K differs",
    };
    return texts[outcome];
}
