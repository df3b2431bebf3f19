/* model/forecast/node_policy.c: see node_policy.h. */
#include "model/forecast/node_policy.h"

#include <math.h>

unsigned node_policy_k(enum scenario_policy policy, double cap, const struct node_policy_jobs *jobs)
{
    unsigned power = 1;
    switch (policy) {
    case POLICY_K_STAR:
        return jobs->k_star > 0 ? jobs->k_star : jobs->k;
    case POLICY_CAP:
        return jobs->k > cap ? (unsigned)cap : jobs->k;
    case POLICY_POWERS_OF_TWO:
        while (power <= jobs->k / 2)
            power *= 2;
        return power;
    case POLICY_AS_IS:
        break;
    }
    return jobs->k;
}

bool node_policy_hours(const struct node_policy_jobs *jobs, unsigned new_k, const struct cost_curve *curve,
                       double *node_hours, double *wall_hours)
{
    double longer = curve != NULL ? cost_curve_hours(curve, new_k) / cost_curve_hours(curve, jobs->k) : NAN;
    bool known = isfinite(longer) && longer > 0;
    *wall_hours = jobs->wall_hours * (known ? longer : 1);
    *node_hours = jobs->node_hours * (known ? longer * new_k / jobs->k : 1);
    return known;
}
