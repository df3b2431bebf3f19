/* model/forecast/node_policy.h: how other node counts change the hours of past jobs.
 *
 * A job that ran on K and moves to K' takes K'/K x T(K')/T(K) = E(K)/E(K') of its node-hours, and
 * T(K')/T(K) of its wall-hours. By policy, K' is
 *
 *     K*              the nearer end of its band, as on the statement; K if there is none
 *     cap             the smaller of K and the cap
 *     powers of two   the largest power of two up to K
 *
 * A job keeps its size if the family's curve gives no time for the new one.
 */
#ifndef KSTAR_MODEL_FORECAST_NODE_POLICY_H
#define KSTAR_MODEL_FORECAST_NODE_POLICY_H

#include "model/cost/cost_curve.h"
#include "model/forecast/scenario.h"

/* Jobs of one family with the same K and the same K*. */
struct node_policy_jobs {
    unsigned k, k_star; /* k_star 0: none */
    double node_hours, wall_hours;
};

/* K' as defined above. */
unsigned node_policy_k(enum scenario_policy policy, double cap, const struct node_policy_jobs *jobs);

/* The node-hours and wall-hours of the jobs on K'. False if the curve gives no time (NULL: there
 * is no curve): the hours stay as they were. */
bool node_policy_hours(const struct node_policy_jobs *jobs, unsigned new_k, const struct cost_curve *curve,
                       double *node_hours, double *wall_hours);

#endif
