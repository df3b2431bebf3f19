/* model/scaling_fit.h: from measurements to a scaling law, and how far to trust it.
 *
 * Loss: sum over the runs of ((T - That)/T)^2. That is linear in (T1, T1 s, T1 c, T1 d), so non-negative
 * least squares (nnls.h) finds the minimum exactly, bounds included. Repeats count one by one.
 *
 * Which law (design.md, section 7):
 *   - fewer than three distinct K: no law; measured costs alone are compared;
 *   - a law is a candidate only with two more distinct K than free parameters (usl 3, so five; stepped 4, so
 *     six, one of them on a single node); with fewer the simpler law is used, at low confidence;
 *   - between two candidates leave-one-K-out decides: each K above the smallest is predicted by the rest. The
 *     smallest is never left out, because without it the step cannot be seen. What the other candidate said
 *     is kept;
 *   - without K = 1 the law is relative to the smallest measured K (scaling_law.h).
 *
 * A K that the law misses by more than the repeat noise (95 %, pooled over all repeated K) is marked and
 * judged by its measured cost. Without any repeat the noise is unknown and the law stands.
 *
 * Superlinear data (E above 1) has no place in these laws: s, c and d stop at their bounds, the law says
 * perfect scaling at best, and confidence is low with the reason SCALING_REASON_SUPERLINEAR.
 */
#ifndef KSTAR_MODEL_SCALING_FIT_H
#define KSTAR_MODEL_SCALING_FIT_H

#include "model/measurement.h"
#include "model/scaling_law.h"

#include <stdbool.h>
#include <stddef.h>

/* Where each parameter stands in `covariance` and, as bit 1 << index, in `on_bound`. */
enum scaling_parameter {
    SCALING_T1,
    SCALING_SERIAL,
    SCALING_COMMUNICATION,
    SCALING_STEP,
    SCALING_PARAMETERS
};

enum scaling_fit_outcome {
    SCALING_FIT_LAW,           /* there is a law */
    SCALING_FIT_MEASURED_ONLY, /* fewer than three distinct K, or no law fits: `sizes` is all there is */
    SCALING_FIT_NO_DATA,       /* no measurement at all */
    SCALING_FIT_REFUSED /* a K of 0, a T that is not positive, or more than MEASURED_SIZES_MAX distinct K */
};

enum scaling_confidence { SCALING_CONFIDENCE_NORMAL, SCALING_CONFIDENCE_LOW };

/* Why confidence is what it is: the first that applies. */
enum scaling_reason {
    SCALING_REASON_NONE,      /* normal confidence */
    SCALING_REASON_NO_DATA,   /* nothing was measured */
    SCALING_REASON_BAD_DATA,  /* a measurement is unusable */
    SCALING_REASON_ONE_SIZE,  /* one K says nothing about scaling */
    SCALING_REASON_TWO_SIZES, /* two K: their measured costs are compared, nothing in between is known */
    SCALING_REASON_NO_FIT,    /* the measurements contradict every law */
    /* as many parameters as runs: the law passes through every point, error unknown */
    SCALING_REASON_NO_FREEDOM,
    SCALING_REASON_FEW_SIZES,   /* three or four distinct K */
    SCALING_REASON_SUPERLINEAR, /* a measured E is above 1 beyond 2 % or the repeat noise */
    /* five distinct K with a single node among them: too few to tell a step */
    SCALING_REASON_STEP_UNTESTED,
    SCALING_REASONS
};

struct scaling_candidate {
    bool possible; /* enough distinct K, and it fits */
    struct scaling_law law;
    double residual_sum; /* of the relative loss, over all runs */
    /* mean squared relative error of predicting each left-out K; NaN where not computed */
    double left_out_error;
};

struct scaling_fit {
    enum scaling_fit_outcome outcome;
    enum scaling_confidence confidence;
    enum scaling_reason reason;

    struct scaling_law law;                 /* the chosen law, where outcome is SCALING_FIT_LAW */
    struct scaling_candidate candidates[2]; /* indexed by enum scaling_form: what each would have said */

    unsigned runs;       /* n, repeats included */
    unsigned parameters; /* p of the chosen law: 3 or 4 */
    unsigned freedom;    /* n - p, 0 where negative */
    double residual_sum; /* sum of ((T - That)/T)^2 */
    /* of efficiency: 1 - sum (E - Ehat)^2 / sum (E - mean E)^2; 1 where E does not vary */
    double r_squared;
    double largest_residual; /* |T - That|/T, the largest over the runs */
    /* of (T1, s, c, d); zero rows for those on a bound, all zero without a degree of freedom */
    double covariance[SCALING_PARAMETERS][SCALING_PARAMETERS];
    unsigned on_bound; /* bits 1 << SCALING_SERIAL ..: parameters held at 0 (d only in a stepped law) */
    /* relative standard deviation of one run at the same K; 0 where nothing was repeated */
    double repeat_noise;
    unsigned repeat_freedom; /* its degrees of freedom */

    size_t size_count;                              /* distinct K */
    struct measured_size sizes[MEASURED_SIZES_MAX]; /* ascending by K */
};

/* Fits `count` measurements. accelerators_per_node is a where K counts accelerators, 0 or 1 where it counts
 * nodes. Always fills *fit; returns fit->outcome. */
enum scaling_fit_outcome scaling_fit(const struct measurement *measurements, size_t count,
                                     unsigned accelerators_per_node, struct scaling_fit *fit);

/* Fits one form without judging it: for a reader who wants to compare, and for resampling. Returns false
 * where the measurements do not determine it. residual_sum may be NULL. */
bool scaling_fit_form(const struct measurement *measurements, size_t count, enum scaling_form form,
                      unsigned accelerators_per_node, struct scaling_law *law, double *residual_sum);

/* Measured E of one size, relative to the smallest measured K (by measured means alone, without a law). */
double scaling_measured_efficiency(const struct scaling_fit *fit, const struct measured_size *size);

/* Smallest and largest measured K; 0 where there is none. */
unsigned scaling_fit_smallest_k(const struct scaling_fit *fit);
unsigned scaling_fit_largest_k(const struct scaling_fit *fit);

/* One word for a database ("few sizes" and the like), and one sentence for a reader. Never NULL. */
const char *scaling_reason_name(enum scaling_reason reason);
const char *scaling_reason_text(enum scaling_reason reason);

#endif
