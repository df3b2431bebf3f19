/* forecast/forecast_policy.c: see forecast_policy.h. */
#include "forecast/forecast_policy.h"
#include "model/cost/verdict_fit.h"

#include <stdlib.h>

enum {
    BY_CENTRE,
    BY_FAMILY,
    BY_ACCELERATOR,
    BY_K,
    BY_K_STAR,
    BY_NODE_HOURS,
    BY_WALL_HOURS
}; /* sql/forecast/jobs_by_k.sql */

/* Units of K in a node: its accelerators if K counts accelerators, else 1. */
static unsigned ks_per_node(const struct month_family *family)
{
    return family != NULL && family->accelerators_per_node > 1 ? family->accelerators_per_node : 1;
}

struct interruption forecast_spot_interruption(const struct scenario *scenario,
                                               const struct month_family *family)
{
    unsigned per_node = ks_per_node(family);
    return (struct interruption){ .rate = scenario->spot.preemptions_per_node_hour / per_node,
                                  .checkpoint_hours = scenario->spot.checkpoint_hours,
                                  .restart_hours = scenario->spot.restart_hours };
}

void forecast_jobs_read(const struct scenario *scenario, struct month_families *families,
                        const PGresult *rows, int row, struct forecast_jobs *jobs)
{
    const struct job_price price = { .per_node_hour = 1 };
    *jobs = (struct forecast_jobs){
        .cost_centre = PQgetvalue(rows, row, BY_CENTRE),
        .family = PQgetvalue(rows, row, BY_FAMILY),
        .as_run = { .k = (unsigned)strtoul(PQgetvalue(rows, row, BY_K), NULL, 10),
                    .k_star = (unsigned)strtoul(PQgetvalue(rows, row, BY_K_STAR), NULL, 10),
                    .node_hours = strtod(PQgetvalue(rows, row, BY_NODE_HOURS), NULL),
                    .wall_hours = strtod(PQgetvalue(rows, row, BY_WALL_HOURS), NULL) },
    };
    enum month_hardware hardware;
    const struct month_family *family = month_family_find(families, jobs->family);
    const struct month_family *fit =
        month_family_of_jobs(families, jobs->family, PQgetvalue(rows, row, BY_ACCELERATOR), &hardware);
    jobs->on_other_hardware = hardware == HARDWARE_OTHER;
    jobs->measured = fit != NULL && fit->has_series && verdict_law_usable(&fit->fit, &families->rules);
    if (jobs->measured) {
        jobs->fit = fit->name;
        verdict_curve(&fit->fit, &price, &jobs->curve);
    }
    struct interruption spot = forecast_spot_interruption(scenario, family);
    jobs->per_node = ks_per_node(family);
    jobs->k = node_policy_k(scenario->policy, scenario->policy_cap, &jobs->as_run);
    bool moves = node_policy_hours(&jobs->as_run, jobs->k, jobs->measured ? &jobs->curve : NULL,
                                   &jobs->node_hours, &jobs->wall_hours);
    jobs->stays = !moves && jobs->k != jobs->as_run.k;
    jobs->stretch = interruption_stretch(&spot, moves ? jobs->k : jobs->as_run.k);
}
