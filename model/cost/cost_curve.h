/* model/cost/cost_curve.h: the time and the cost of a job on K nodes.
 *
 *     C(K) = (p' K + f') T(K)
 *
 *     p' = p + o, or p phi + o on spot capacity    price of one node for one hour
 *     f' = f + cost of waiting                     per wall-clock hour
 *     T(K) = work * law or measured T(K) * stretch
 *     stretch = 1 + sqrt(2 delta K lambda) + K lambda R
 *
 * stretch is the first-order expected loss to interruptions at the best interval between
 * checkpoints (Young 1974, Daly 2006). On spot, lambda is the preemption rate. On demand it is the
 * measured node failure rate.
 *
 * T(K) is the law's. At a K that the law misses by more than the repeat noise
 * (measured_size.law_misses) T(K) is the measured mean. If no law stands, T(K) is the growth rule's
 * (growth_rule.h), which goes through every measured mean. With neither, only measured K have a T.
 */
#ifndef KSTAR_MODEL_COST_COST_CURVE_H
#define KSTAR_MODEL_COST_COST_CURVE_H

#include "model/scaling/growth_rule.h"
#include "model/scaling/measurement.h"
#include "model/scaling/scaling_law.h"

#include <stdbool.h>
#include <stddef.h>

/* Prices of running a job, in one currency. */
struct job_price {
    /* p >= 0: the job's hardware divided by its node-hours (if K counts accelerators, by
     * accelerator-hours) */
    double per_node_hour;
    double per_wall_hour;    /* f >= 0: the job's own share of other fixed overhead while it runs */
    double waiting_per_hour; /* >= 0: what an hour's delay costs people who wait; added to f */
    /* o, p' >= 0: the job's overhead by the node-hour. Spot capacity does not make it cheaper */
    double overhead_per_node_hour;
};

/* The interruptions of a job. All zero: none. */
struct interruption {
    bool spot;          /* apply price_share; false: on demand at full price */
    double price_share; /* phi > 0: spot price divided by on-demand price */
    /* lambda >= 0: interruptions per node-hour (if K counts accelerators, per accelerator-hour) */
    double rate;
    double checkpoint_hours; /* delta >= 0: writing one checkpoint */
    double restart_hours;    /* R >= 0: from interruption to running again */
};

struct cost_curve {
    const struct scaling_law *law;     /* NULL: the growth rule, or measured sizes alone */
    const struct growth_rule *growth;  /* if law is NULL; NULL: measured sizes alone */
    const struct measured_size *sizes; /* ascending by K; NULL: the law alone */
    size_t size_count;
    double work; /* the job's work divided by the measured work; 0 means 1 */
    struct job_price price;
    struct interruption interruption;
};

/* True when prices, rates and law are finite and in range. */
bool cost_curve_valid(const struct cost_curve *curve);

/* p' and f' of the formula above. */
double cost_curve_node_price(const struct cost_curve *curve);
double cost_curve_wall_price(const struct cost_curve *curve);

/* p' without o: the hardware alone. */
double cost_curve_hardware_price(const struct cost_curve *curve);

/* The factor by which interruptions lengthen a run on k nodes, at least 1. `k` may be
 * fractional. */
double interruption_stretch(const struct interruption *interruption, double k);

/* The best time between two checkpoints on k nodes, in hours: sqrt(2 delta / (K lambda)), as in the
 * stretch. NaN if a checkpoint costs nothing or there are no interruptions. */
double interruption_checkpoint_hours(const struct interruption *interruption, double k);

/* T(K) of the measured work by the law or the growth rule alone, without interruptions. NaN without
 * either, or if K is below the smallest measured. */
double cost_curve_fitted_hours(const struct cost_curve *curve, unsigned k);

/* T(K) in hours, stretch included. NaN if K is neither on the curve nor measured. */
double cost_curve_hours(const struct cost_curve *curve, unsigned k);

/* C(K). NaN in the same cases. */
double cost_curve_cost(const struct cost_curve *curve, unsigned k);

/* E(K) of useful time alone: without the stretch, relative to the law's K0 (without a law, to the
 * smallest measured K). */
double cost_curve_efficiency(const struct cost_curve *curve, unsigned k);

/* The smallest and the largest measured K; 0 without sizes. */
unsigned cost_curve_smallest_k(const struct cost_curve *curve);

/* The K at which E is 1: K0 of the law, or without a law the smallest measured K. */
unsigned cost_curve_base_k(const struct cost_curve *curve);
unsigned cost_curve_largest_k(const struct cost_curve *curve);

/* The measured size that gives T(k), or NULL if the law or the growth rule gives T(k). */
const struct measured_size *cost_curve_override(const struct cost_curve *curve, unsigned k);

/* The work factor that makes the curve pass through an actual run: hours on k nodes. NaN if K is
 * not on the curve. */
double cost_curve_work_of(const struct cost_curve *curve, unsigned k, double hours);

#endif
