/* model/scaling/scaling_fit.h: fits a scaling law to measurements, and judges how far to trust it.
 *
 * Loss: sum over the runs of ((T - That)/T)^2. Each repeat counts. The loss is linear in (T1, T1 s,
 * T1 c, T1 d), so non-negative least squares (nnls.h) finds the exact minimum within the bounds.
 *
 * Which law:
 *   - fewer than three distinct K: no law. Only measured costs are compared;
 *   - a law is a candidate if there are two more distinct K than free parameters: five for usl,
 *     six for stepped, one of them on a single node. Leave-one-K-out decides between two
 *     candidates: each K above the smallest is predicted from the rest. The smallest stays, because
 *     the step cannot be seen without it. Both candidates are kept in the result;
 *   - the chosen law stands if it is within 5 % of the mean of every measured K, or within the
 *     noise of the repeats. Fewer than four degrees of freedom of that noise count as four. Without
 *     enough repeated sizes a law may stand by chance; confidence is then low
 *     (SCALING_REASON_BY_CHANCE). It is low, too, if only the noise lets the law stand, because a
 *     step may hide in it (SCALING_REASON_BY_NOISE). Otherwise the growth rule (growth_rule.h) goes
 *     through every measured K. On real series that costs half as much as the law that fits best
 *     (docs/mathematics.md);
 *   - without K = 1 the law is relative to the smallest measured K (scaling_law.h).
 *
 * If a standing law misses a K by more than the repeat noise (95 %, pooled over all repeated K),
 * that K is marked and judged by its measured cost. A K with a single run must also be missed by
 * more than the law's residuals.
 *
 * E above 1 (superlinear data) is outside these laws: s, c and d stop at their bounds. The growth
 * rule follows it, with low confidence (SCALING_REASON_SUPERLINEAR), because the measurement of the
 * smallest K is often wrong.
 */
#ifndef KSTAR_MODEL_SCALING_SCALING_FIT_H
#define KSTAR_MODEL_SCALING_SCALING_FIT_H

#include "model/scaling/growth_rule.h"
#include "model/scaling/measurement.h"
#include "model/scaling/scaling_law.h"

#include <stdbool.h>
#include <stddef.h>

/* The place of each parameter in `covariance` and, as bit 1 << index, in `on_bound`. */
enum scaling_parameter {
    SCALING_T1,
    SCALING_SERIAL,
    SCALING_COMMUNICATION,
    SCALING_STEP,
    SCALING_PARAMETERS
};

enum scaling_fit_outcome {
    SCALING_FIT_LAW,           /* a law stands */
    SCALING_FIT_GROWTH,        /* no law stands: `sizes` and `growth` decide */
    SCALING_FIT_MEASURED_ONLY, /* fewer than three distinct K: there is nothing but `sizes` */
    SCALING_FIT_NO_DATA,       /* no measurement at all */
    /* a K of 0, a T that is not positive, or more than MEASURED_SIZES_MAX distinct K */
    SCALING_FIT_REFUSED
};

enum scaling_confidence { SCALING_CONFIDENCE_NORMAL, SCALING_CONFIDENCE_LOW };

/* The reason for the confidence: the first that applies. */
enum scaling_reason {
    SCALING_REASON_NONE,     /* normal confidence: the law stands */
    SCALING_REASON_NO_DATA,  /* nothing was measured */
    SCALING_REASON_BAD_DATA, /* a measurement is unusable */
    SCALING_REASON_ONE_SIZE, /* one K says nothing about scaling */
    /* two K: their measured costs are compared, nothing in between is known */
    SCALING_REASON_TWO_SIZES,
    /* as many parameters as runs: the law passes through every point, error unknown */
    SCALING_REASON_NO_FREEDOM,
    SCALING_REASON_FEW_SIZES,   /* three or four distinct K: too few to test a law */
    SCALING_REASON_SUPERLINEAR, /* a measured E is above 1 beyond 2 % or the repeat noise */
    /* five distinct K with a single node among them: too few to see a step */
    SCALING_REASON_STEP_UNTESTED,
    /* single runs may be farther off the law than it may miss a size, and fewer than four degrees
     * of freedom are left between the sizes: the law may stand by chance */
    SCALING_REASON_BY_CHANCE,
    /* only the noise of the repeats lets the law stand (stands_by_noise) */
    SCALING_REASON_BY_NOISE,
    /* normal confidence: the measurements decide, and there are enough of them */
    SCALING_REASON_NO_LAW_STANDS,
    SCALING_REASONS
};

struct scaling_candidate {
    bool possible; /* it fits, and has enough distinct K: the stepped law more than parameters */
    struct scaling_law law;
    double residual_sum; /* of the relative loss, over all runs */
    /* mean squared relative error of predicting each K without itself; NaN if not computed */
    double leave_one_out_error;
};

struct scaling_fit {
    enum scaling_fit_outcome outcome;
    enum scaling_confidence confidence;
    enum scaling_reason reason;
    /* a if K counts accelerators; 0 or 1 if K counts nodes */
    unsigned accelerators_per_node;

    /* the chosen law, if outcome is SCALING_FIT_LAW; else zero */
    struct scaling_law law;
    struct growth_rule growth;              /* if outcome is SCALING_FIT_GROWTH */
    struct scaling_candidate candidates[2]; /* indexed by enum scaling_form: the fit of each */

    unsigned runs; /* n, repeats included */
    /* p of the chosen law: 3 or 4; of the growth rule the number of distinct K */
    unsigned parameters;
    /* n - p, at least 0; of the growth rule, that of `noise` */
    unsigned freedom;
    double residual_sum; /* sum of ((T - That)/T)^2 */
    /* Of the growth rule: the relative standard deviation of one run, from the repeats, or else
     * from the roughness of the measured sizes; 0 with freedom 0 if both are unknown. */
    double noise;
    /* Of the growth rule: how far sizes are from their neighbours' line. Else NaN. */
    double roughness;
    /* Of the growth rule: the size that contradicts the others most (growth_rule_odd_size) */
    unsigned odd_k;
    /* of efficiency: 1 - sum (E - Ehat)^2 / sum (E - mean E)^2; 1 if E does not vary; NaN for the
     * growth rule, which goes through every mean */
    double r_squared;
    /* the largest |T - That|/T of the runs; of the growth rule the largest |ln(T/That)| */
    double largest_residual;
    /* of a law with freedom: Student's t(.975, freedom), for every job's interval */
    double quantile;
    /* of (T1, s, c, d); zero rows for parameters on a bound; all zero without a degree of
     * freedom */
    double covariance[SCALING_PARAMETERS][SCALING_PARAMETERS];
    /* bits 1 << SCALING_SERIAL ..: parameters held at 0 (d only in a stepped law) */
    unsigned on_bound;
    /* of a law: only the noise of the repeats lets it stand. It misses a measured mean by more than
     * 5 %, or that mean is uncertain by more than 5 % */
    bool stands_by_noise;
    /* Of the growth rule: a law may be true nevertheless, and draws use it. No repeated size
     * contradicts it. It does not stand because of single runs, whose noise is unknown, or because
     * five sizes, each repeated, do not test its step. */
    bool law_is_open;
    enum scaling_form chosen;
    /* relative standard deviation of one run at the same K; 0 without repeats */
    double repeat_noise;
    unsigned repeat_freedom; /* its degrees of freedom */
    /* The same for a size with a single run: the noise of the other sizes' repeats, and at least
     * the noise by which the means of the sizes miss the law, or without a law the roughness of the
     * sizes. */
    double single_noise;
    unsigned single_freedom;

    size_t size_count;                              /* distinct K */
    struct measured_size sizes[MEASURED_SIZES_MAX]; /* ascending by K */
};

/* Fits `count` measurements. accelerators_per_node is a if K counts accelerators, and 0 or 1 if K
 * counts nodes. Always fills *fit; returns fit->outcome. */
enum scaling_fit_outcome scaling_fit(const struct measurement *measurements, size_t count,
                                     unsigned accelerators_per_node, struct scaling_fit *fit);

/* Fits one form of a law of nodes without judging it, for comparison and for resampling. False if
 * the measurements do not determine it. residual_sum may be NULL. */
bool scaling_fit_form(const struct measurement *measurements, size_t count, enum scaling_form form,
                      struct scaling_law *law, double *residual_sum);

/* Relative standard deviation of one run, from the distances between a law and the means of the
 * fit's sizes, each weighted by its repeats. *freedom gets its degrees of freedom: sizes less
 * parameters. Differences between repeats of one size do not count, because they may share a node
 * or an hour. 0 with *freedom = 0 if there are no more sizes than parameters. */
double scaling_between_noise(const struct scaling_fit *fit, const struct scaling_law *law, unsigned *freedom);

/* Measured E of one size, relative to the smallest measured K, by the means of both. */
double scaling_measured_efficiency(const struct scaling_fit *fit, const struct measured_size *size);

/* "usl", "stepped", "growth" or "none": the source of T(K), for logs, databases and workbooks. */
const char *scaling_fit_law_name(const struct scaling_fit *fit);

/* Smallest and largest measured K; 0 if there is none. */
unsigned scaling_fit_smallest_k(const struct scaling_fit *fit);
unsigned scaling_fit_largest_k(const struct scaling_fit *fit);

/* The largest K that is a single node, at least 1. */
unsigned scaling_fit_one_node(const struct scaling_fit *fit);

/* Whether the fit has a single node and enough sizes, six, to test the step from it. */
bool scaling_fit_step_is_tested(const struct scaling_fit *fit);

/* A sentence for a reader. Never NULL. */
const char *scaling_reason_text(enum scaling_reason reason);

#endif
