/* model/forecast/node_policy.h: what another choice of node counts does to the hours of jobs that
 * ran.
 *
 * A job that ran on K takes K'/K x T(K')/T(K) = E(K)/E(K') of its node-hours on K', and T(K')/T(K)
 * of its wall- hours. Its K' is
 *
 *     K*              the nearer end of its band, as on the statement; unchanged without one
 *     cap             K where that is at most the cap, else the cap
 *     powers of two   the largest power of two up to K
 *
 * A size that the family's curve says nothing about stays as it was.
 */
#ifndef KSTAR_MODEL_FORECAST_NODE_POLICY_H
#define KSTAR_MODEL_FORECAST_NODE_POLICY_H

#include "model/cost/cost_curve.h"
#include "model/forecast/scenario.h"

/* Jobs of one family that ran on one K and have one K*. */
struct node_policy_jobs {
    unsigned k, k_star; /* k_star 0: none */
    double node_hours, wall_hours;
};

/* K' of the above. */
unsigned node_policy_k(enum scenario_policy policy, double cap, const struct node_policy_jobs *jobs);

/* What the jobs on their K' take, in node-hours and wall-hours. False: the curve (NULL: there is
 * none) does not say it, and they are as they were. */
bool node_policy_hours(const struct node_policy_jobs *jobs, unsigned new_k, const struct cost_curve *curve,
                       double *node_hours, double *wall_hours);

#endif
