/* model/cost/verdict.h: did this job run on the right number of nodes, and how sure are we?
 *
 * A job has a band of node counts. Its lower end is the K of least money. Its upper end is the
 * cheapest K when an hour of waiting counts the declared rate (job_price.waiting_per_hour). Without
 * a rate the band is one K. K* of a job is the nearer end of the band. Inside the band it is the
 * job's own K.
 *
 * The verdict is the first that applies:
 *
 *   not measured      no usable law and no measured cost at K; one size alone; K below the smallest
 *                     measured; a misfit or contradiction beyond the bound
 *   extrapolated      K or the upper end is beyond twice the largest K measured
 *   at K*             K is the K of least money
 *   inside the band   K costs more money, and is worth it at the declared rate
 *   near K*           the excess over the nearer end is at most 5 % of C(K): the bottom is flat
 *   below, shared cost alone
 *                     K is below the band, but at K* the job's own cost would hardly fall: mostly
 *                     a share of overhead would move to others
 *   below / above, within measurement error
 *                     the excess at K is at most that 5 % in more than 2.5 % of the draws
 *                     (excess_interval.h); with two sizes, their costs differ by no more than noise
 *   below K*          the job costs more than at K*, and takes longer
 *   above K*          the job costs more than at K*, waiting included: the flag
 *
 * C(K) includes waiting above the band. Below the band it is money alone, because waiting would
 * only add to the excess.
 *
 * Confidence is low for a K above the largest one measured, whatever the verdict, and for a K*
 * beside a fourfold gap between measured sizes.
 *
 * With two distinct K there is no law, and only measured costs are compared: a job at a measured K
 * is judged against the cheapest measured K, with low confidence. Any other K is not measured.
 *
 * If E(K) was measured on the job itself, that E counts: its T(K) is the curve's times E of the
 * curve / its own E, and C(K*) is the curve's. One measurement makes no sure flag: where the curve
 * says near, confidence is low.
 *
 * The ratio C(K*)/C(K) does not depend on the job's length: excess = cost of the job x (1 - ratio),
 * in the caller's decimal money. "What to measure next" names the one size that would narrow the
 * answer most.
 */
#ifndef KSTAR_MODEL_COST_VERDICT_H
#define KSTAR_MODEL_COST_VERDICT_H

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

/* The rules if the settings give none. */
extern const struct verdict_rules VERDICT_RULES;

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

/* A curve from a fit: its law or growth rule, its sizes, and prices. Work 1, no interruption. */
void verdict_curve(const struct scaling_fit *fit, const struct job_price *price, struct cost_curve *curve);

/* Why K* of a family is of low confidence, whatever the fit's own confidence: K* is in or beside a
 * gap (k_star_in_gap), or above the largest size measured. A sentence for the reader; NULL:
 * neither. */
const char *verdict_doubt(const struct scaling_fit *fit, const struct cost_curve *curve,
                          const struct node_limits *limits, unsigned k_star);

/* The largest K that a fit covers: `measured_multiple` × the largest measured. `rules` NULL:
 * VERDICT_RULES. */
unsigned verdict_largest_k(const struct scaling_fit *fit, const struct verdict_rules *rules);

/* The feasible K that a fit covers, up to verdict_largest_k(). `rules` NULL: VERDICT_RULES. */
struct node_limits verdict_limits(const struct scaling_fit *fit, const struct node_limits *limits,
                                  const struct verdict_rules *rules);

/* Whether E of a fit is believed: the fit is near enough to its measurements, and these to each
 * other. False beyond the misfit bound. Two sizes alone are believed unless their E or T is one
 * that no work has. One size alone has an E only within one node, where it is 1. `rules` NULL:
 * VERDICT_RULES. */
bool verdict_law_usable(const struct scaling_fit *fit, const struct verdict_rules *rules);

/* Whether a fit gives K*: it has at least two sizes, and its E is believed. If not, *reason says
 * why. */
bool verdict_gives_k_star(const struct scaling_fit *fit, const struct verdict_rules *rules,
                          enum verdict_reason *reason);

/* Whether K*, as found on this curve, is unusable for every job. *reason gets the cause. `rules`
 * NULL: VERDICT_RULES. */
bool verdict_against_k_star(const struct scaling_fit *fit, const struct cost_curve *curve,
                            enum k_star_outcome outcome, const struct k_star_result *k_star,
                            const struct verdict_rules *rules, enum verdict_reason *reason);

enum verdict verdict_of(const struct verdict_question *question, struct verdict_answer *answer);

/* The cheapest K on which a job that took `job_hours` on its own K takes at most `deadline_hours`;
 * 0: none. `answer` is verdict_of's: below the band this K is found without waiting, like K*. A K
 * on which no job is judged is not proposed. */
unsigned verdict_size_in_time(const struct verdict_question *question, const struct verdict_answer *answer,
                              double job_hours, double deadline_hours);

/* The curve without the cost of waiting. */
struct cost_curve verdict_money_curve(const struct cost_curve *curve);

/* "above K*": for workbooks and databases. */
const char *verdict_name(enum verdict verdict);

/* A sentence for the reader. */
const char *verdict_reason_text(enum verdict_reason reason);

/* "Measure 16 nodes: one size beyond the suspected optimum pins K* down best." Returns text. */
char *verdict_next_text(const struct verdict_answer *answer, char *text, size_t size);

#endif
