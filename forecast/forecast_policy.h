/* forecast/forecast_policy.h: how a scenario's node policy and spot share change the past work,
 * by the node counts of the jobs. */
#ifndef KSTAR_FORECAST_FORECAST_POLICY_H
#define KSTAR_FORECAST_FORECAST_POLICY_H

#include "model/forecast/node_policy.h"
#include "model/forecast/scenario.h"
#include "night/month/month_families.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* A row of sql/forecast/jobs_by_k.sql: productive jobs of a cost centre and family that ran on
 * the same accelerator and K and have the same K*. */
struct forecast_jobs {
    const char *cost_centre, *family; /* owned by the rows */
    struct node_policy_jobs as_run;
    /* the family has a law, or measurements, on the accelerator of the jobs */
    bool measured;
    bool on_other_hardware; /* it has them only on other accelerators */
    /* if measured: the name of the curve, "llm on H100"; owned by the families */
    const char *fit;
    struct cost_curve curve; /* if measured */
    /* units of K in a node: its accelerators if K counts accelerators, else 1 */
    unsigned per_node;
    unsigned k; /* K by the policy */
    bool stays; /* the jobs stay on as_run.k, because the curve gives no time for k */
    double node_hours, wall_hours;
    double stretch; /* of the work that runs on spot */
};

void forecast_jobs_read(const struct scenario *scenario, struct month_families *families,
                        const PGresult *rows, int row, struct forecast_jobs *jobs);

/* Interruptions per hour of one unit of K. */
struct interruption forecast_spot_interruption(const struct scenario *scenario,
                                               const struct month_family *family);

#endif
