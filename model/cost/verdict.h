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

#include "model/cost/verdict_answer.h"

/* Why K* of a family is of low confidence, whatever the fit's own confidence: K* is in or beside a
 * gap (k_star_in_gap), or above the largest size measured. A sentence for the reader; NULL:
 * neither. */
const char *verdict_doubt(const struct scaling_fit *fit, const struct cost_curve *curve,
                          const struct node_limits *limits, unsigned k_star);

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

#endif
