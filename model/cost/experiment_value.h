/* model/cost/experiment_value.h: the saving of a family's jobs if its K* were known.
 *
 * A draw (k_bootstrap.h) is a family that might as well be the true one. A job ran on k nodes and
 * its cost is known. In draw j the same work on K nodes would have cost this share of it:
 *
 *     r_j(K) = C_j(K) / C_j(k) = (p K + f) T_j(K) / ((p k + f) T_j(k))
 *
 * Somebody who does not know the true draw has to choose one K for all draws. Somebody who knows it
 * chooses the cheapest K of each. The difference is the expected value of perfect information:
 *
 *     value(k) = min_K mean_j r_j(K)  -  mean_j min_K r_j(K)
 *
 * K is any choice of the draws, or k itself. So 0 <= value(k) <= 1 - mean_j min_K r_j(K), which is
 * the mean saving of resizing by each draw. The value is 0 if one K is cheapest in all draws. No
 * experiment gives perfect information, so on average none saves more. The value is a share of the
 * cost of the job, without unit. Source: H. Raiffa and R. Schlaifer, Applied Statistical Decision
 * Theory (1961), chapter 4.
 */
#ifndef KSTAR_MODEL_COST_EXPERIMENT_VALUE_H
#define KSTAR_MODEL_COST_EXPERIMENT_VALUE_H

#include "model/cost/cost_curve.h"
#include "model/cost/k_draws.h"

#include <stddef.h>

/* Sums over draws. Each draw has costs of the same choices. Set sums and choices, and zero the
 * rest. */
struct information_sums {
    double *sums;   /* the caller's, zeroed: the cost of each choice, as a share of today's */
    size_t choices; /* without today's K */
    double least;   /* sum of the cheapest of each draw, today's K included */
    size_t draws;
};

/* Adds a draw: the cost of each choice, finite, and today's, above 0. */
void information_add(struct information_sums *sums, const double *costs, double today);

/* The minimum of the mean shares less the mean of the minimum shares, today's K included. NaN
 * without a draw. */
double information_value(const struct information_sums *sums);

/* value(k) of each of `count` node counts (ascending), at the prices of `curve`, which differs from
 * the curve of the draws only in prices. NaN if the draws have no T(k), or if there are none. Of
 * many K above 64, only those in steps of an eighth are choices. */
void experiment_values(const struct k_draws *draws, const struct cost_curve *curve, const unsigned *ks,
                       size_t count, double *values);

#endif
