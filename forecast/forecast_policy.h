/* forecast/forecast_policy.h: what a scenario's node policy and spot share make of the work that
 * was done, by the node counts of the jobs. */
#ifndef KSTAR_FORECAST_FORECAST_POLICY_H
#define KSTAR_FORECAST_FORECAST_POLICY_H

#include "model/forecast/node_policy.h"
#include "model/forecast/scenario.h"
#include "night/month/month_families.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* A row of sql/forecast/jobs_by_k.sql: productive jobs of a cost centre and family on one
 * accelerator and one K, with one K*. */
struct forecast_jobs {
    const char *cost_centre, *family; /* in the rows */
    struct node_policy_jobs as_run;
    bool measured;           /* the family has a law, or measurements, to go by on what the jobs ran on */
    bool on_other_hardware;  /* it has them on other accelerators alone */
    const char *fit;         /* where measured: whose curve it is, "llm on H100"; the families' */
    struct cost_curve curve; /* where measured */
    unsigned per_node;       /* K's of a node: accelerators where K counts them, else 1 */
    unsigned k;              /* by the policy */
    bool stays;              /* on as_run.k all the same: nothing says what the jobs would take on k */
    double node_hours, wall_hours;
    double stretch; /* of what runs on spot */
};

void forecast_jobs_read(const struct scenario *scenario, struct month_families *families,
                        const PGresult *rows, int row, struct forecast_jobs *jobs);

/* Interruptions per hour of one K. */
struct interruption forecast_spot_interruption(const struct scenario *scenario,
                                               const struct month_family *family);

#endif
