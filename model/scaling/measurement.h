/* model/scaling/measurement.h: measurements, as the time of one fixed piece of work.
 *
 * Every metric becomes T(K), the time that the same work takes on K nodes, so one fit serves all
 * metrics. T has the metric's own unit (hours, seconds, 1/throughput), because a law needs only
 * ratios of T. A caller that wants the hours of a job scales T (cost_curve.h, `work`).
 *
 * The caller must not mix metrics, accelerators, precisions or batch sizes in one array.
 *
 * Repeats stay single runs. measured_sizes() groups them by K, with their mean and their spread.
 * The spread distinguishes noise from an error of the law.
 */
#ifndef KSTAR_MODEL_SCALING_MEASUREMENT_H
#define KSTAR_MODEL_SCALING_MEASUREMENT_H

#include <stdbool.h>
#include <stddef.h>

/* The most distinct K of one family. More are refused, never cut off. */
#define MEASURED_SIZES_MAX 128

enum scaling_metric {
    SCALING_RUN_TIME,   /* time of a whole run */
    SCALING_THROUGHPUT, /* work per time, of all K together */
    SCALING_STEP_TIME,  /* time of one training step */
    SCALING_EFFICIENCY  /* E itself, relative to one node, 1 = perfect; may be above 1 */
};

enum scaling_mode {
    SCALING_STRONG, /* the work is the same at each K */
    SCALING_WEAK    /* the work of a run or step grows with K */
};

/* One run. */
struct measurement {
    unsigned k;   /* node count (or accelerators), >= 1 */
    double hours; /* T(K) > 0, in any unit that all measurements of the fit share */
};

/* All repeats at one K. */
struct measured_size {
    unsigned k;
    unsigned repeats; /* >= 1 */
    /* arithmetic mean of T: cost is linear in T, so this T gives the expected cost */
    double hours;
    double square_spread; /* sum over the repeats of ((T - hours)/hours)^2 */
    double law_hours;     /* T of the fitted law at this K; NaN without a law */
    /* the law is off by more than the repeat noise: this K is judged by `hours` (scaling_fit.h) */
    bool law_misses;
};

/* T(K) of one measured value: run time and step time unchanged (under weak scaling divided by K,
 * because K nodes did K times the work), 1/throughput, 1/(K E). NaN if k is 0 or the value is not a
 * positive finite number. */
double measured_hours(enum scaling_metric metric, enum scaling_mode mode, unsigned k, double value);

/* Groups measurements by K, ascending, into `sizes` (caller's, at least MEASURED_SIZES_MAX).
 * Returns the number of distinct K. 0 if there is no measurement, if one is unusable (k = 0, or T
 * is not positive and finite), or if there are more than MEASURED_SIZES_MAX distinct K. */
size_t measured_sizes(const struct measurement *measurements, size_t count, struct measured_size *sizes);

/* Relative standard deviation of one repeat, pooled over all K with two or more; *freedom gets its
 * degrees of freedom. 0 with *freedom = 0 if nothing was repeated: the noise is then unknown, not
 * 0. */
double repeat_noise(const struct measured_size *sizes, size_t count, unsigned *freedom);

/* The source of the time of a K. */
enum size_basis {
    SIZE_MEASURED, /* a run */
    SIZE_FITTED,   /* the law or the growth rule, between measured sizes */
    /* the law or the growth rule, above the largest measured size; shown with low confidence */
    SIZE_ABOVE
};

enum size_basis size_basis_of(const struct measured_size *sizes, size_t count, unsigned k);

/* "measured", "fitted", "fitted, low confidence". */
const char *size_basis_name(enum size_basis basis);

/* The size measured at exactly k, or NULL. */
const struct measured_size *measured_at(const struct measured_size *sizes, size_t count, unsigned k);

#endif
