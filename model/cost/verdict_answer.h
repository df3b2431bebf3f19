/* model/cost/verdict_answer.h: the question about the node count of a job, and its answer
 * (verdict.h). */
#ifndef KSTAR_MODEL_COST_VERDICT_ANSWER_H
#define KSTAR_MODEL_COST_VERDICT_ANSWER_H

#include "model/cost/k_star.h"
#include "model/cost/k_star_interval.h"
#include "model/cost/k_table.h"
#include "model/scaling/scaling_fit.h"

#include <stdbool.h>

enum verdict {
    VERDICT_NOT_MEASURED,
    VERDICT_EXTRAPOLATED,
    VERDICT_AT,
    VERDICT_INSIDE, /* the band, above its lower end */
    VERDICT_NEAR,
    VERDICT_BELOW_SHARED,
    VERDICT_BELOW_WITHIN_ERROR,
    VERDICT_BELOW, /* a flag as well */
    VERDICT_WITHIN_ERROR,
    VERDICT_ABOVE, /* the flag */
    VERDICTS
};

enum verdict_reason {
    VERDICT_REASON_NO_MEASUREMENT,   /* nothing was measured, or the measurements are unusable */
    VERDICT_REASON_ONE_SIZE,         /* one size was measured, which is the cheapest by itself */
    VERDICT_REASON_NOT_AT_THIS_SIZE, /* no law, and this K was not measured */
    VERDICT_REASON_BELOW_SMALLEST,   /* K is below the smallest K measured */
    /* the law misses the sizes, or one size contradicts the others, by more than the bound */
    VERDICT_REASON_MISFIT,
    VERDICT_REASON_NONE_FEASIBLE, /* no feasible K is on the curve */
    VERDICT_REASON_BELOW_ZERO,    /* a price is below zero: discounts exceed charges */
    VERDICT_REASON_K_BEYOND,      /* K is beyond twice the largest K measured */
    VERDICT_REASON_K_STAR_BEYOND, /* K* is beyond twice the largest K measured */
    /* cost falls for ever on this law: give a maximum, or measure larger K */
    VERDICT_REASON_FALLS_FOR_EVER,
    VERDICT_REASON_AT,
    VERDICT_REASON_INSIDE,       /* worth it at the declared rate */
    VERDICT_REASON_SMALL_EXCESS, /* near */
    /* near by a measurement on the job itself, but not by its family's curve */
    VERDICT_REASON_OWN_NEAR,
    VERDICT_REASON_NOT_SURE,          /* within error */
    VERDICT_REASON_INSIDE_NOISE,      /* within error: two sizes, and repeats differ as much */
    VERDICT_REASON_ABOVE,             /* a flag, above or below the band; also for the next three */
    VERDICT_REASON_ABOVE_NO_INTERVAL, /* above, with unknown certainty: low confidence */
    /* above; K* has no interval because of a gap beside it: low confidence */
    VERDICT_REASON_ABOVE_GAP,
    /* above, and K is above the largest one measured: low confidence */
    VERDICT_REASON_ABOVE_BEYOND,
    VERDICT_REASON_ABOVE_MEASURED_ONLY, /* above, by measured costs alone: low confidence */
    /* a flag only by a measurement on the job itself: low confidence */
    VERDICT_REASON_OWN_ABOVE,
    VERDICT_REASON_BELOW_SHARED,
    VERDICT_REASON_BELOW_MEASURED_ONLY, /* below, by measured costs alone: low confidence */
    VERDICT_REASONS
};

enum measure_next {
    MEASURE_NOTHING,        /* the answer is as sure as the flag requires */
    MEASURE_A_SIZE,         /* fill a gap between measured sizes, or the first sizes of all */
    MEASURE_BEYOND_OPTIMUM, /* one size above the suspected optimum determines K* best */
    MEASURE_K_STAR,         /* no law stands, and K* itself was not measured */
    MEASURE_THE_GAP,        /* K* lies in, or beside, a gap wider than a doubling */
    MEASURE_THIS_SIZE,      /* the job's own K was not measured, and decides */
    /* K = 1 (the smallest feasible K) is missing: the step cannot be seen */
    MEASURE_ONE_NODE,
    MEASURE_REPEATS, /* repeat a size: the noise is unknown */
    /* the size that contradicts the others, or its own repeats, most: the fit is not believed */
    MEASURE_ODD_SIZE,
    /* K*, which is judged by its measurement, was run only once; other sizes were repeated */
    MEASURE_AGAIN,
    MEASURE_MORE, /* K* itself: only the noise lets the law stand */
    /* too few sizes for a sure verdict, and every feasible one up to the largest is measured */
    MEASURE_NO_SIZE,
    MEASURE_NEXTS
};

struct verdict_rules {
    double near_share; /* the largest excess / C(K) that is near; 0.05 */
    /* the largest root mean square relative residual of a usable law, and the largest roughness of
     * measured sizes that do not contradict each other; 0.25 */
    double misfit_bound;
    /* the largest E of a measured size, and the largest T ÷ T of the size before. Above that the
     * sizes cannot be of one work and unit; 10 */
    double unit_bound;
    double measured_multiple; /* K is judged up to this multiple of the largest measured K; 2 */
};

struct verdict_question {
    const struct scaling_fit *fit;
    /* prices of this job; law = &fit->law or NULL, sizes = fit->sizes */
    const struct cost_curve *curve;
    const struct node_limits *limits;
    const struct k_interval
        *interval; /* k_table_interval() of the same, on the band's upper end; NULL: none */
    /* likewise of the curve without waiting, on the band's lower end; read only if waiting has a
     * cost */
    const struct k_interval *money_interval;
    /* of the same fit and limits: gives K* and how sure an excess is; NULL: K* is searched, and
     * nothing is sure */
    struct k_table *table;
    const struct verdict_rules *rules; /* NULL: VERDICT_RULES */
    unsigned k;                        /* the job's node count */
    double own_efficiency;             /* E(K) measured on this job itself; 0: not measured */
    /* the part of o and f that others would pay without the job: the shared pools, which do not
     * end */
    double shared_per_node_hour, shared_per_wall_hour;
};

struct verdict_answer {
    enum verdict verdict;
    enum verdict_reason reason;
    /* the fit's is low, or K is above the largest measured, or the certainty of a flag is
     * unknown */
    bool low_confidence;
    /* the band; k = 0 without one; hours and cost are of the curve's own work */
    struct k_star_result least_money;  /* its lower end, cost without waiting */
    struct k_star_result with_waiting; /* its upper end, cost with waiting */
    /* the nearer end; in the band the job's own K; for a job without verdict the upper end */
    struct k_star_result k_star;
    bool unbounded; /* the upper end has no end on this law and set */
    /* C(K*)/C(K), below the band without waiting and above it with waiting; 0 .. 1 if K is
     * feasible; NaN if unknown */
    double cost_ratio;
    double money_ratio; /* C(K*)/C(K) without waiting, wherever K is */
    double hours_ratio; /* T(K*)/T(K); NaN if unknown */
    /* the worth of a saved hour at which K costs as much as K*; NaN if K does not cost more money
     * or saves no time */
    double break_even;
    double excess_share; /* 1 - cost_ratio, at least 0; NaN if unknown */
    /* of a K outside the band and not near; else draws is 0. Below the band without waiting */
    struct excess_interval excess;
    /* the job's own E(K) ÷ the curve's; 1 if the job has none, or if E of the curve is not relative
     * to one node. The ratios and shares above include it. */
    double own_share;
    enum measure_next next;
    unsigned next_k; /* the K to measure; 0: none */
};

#endif
