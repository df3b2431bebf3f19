/* model/cost/cost_change.c: see cost_change.h. */
#include "model/cost/cost_change.h"

#include <math.h>
#include <stdbool.h>

/* The stages from the old month to the new one, without the rest. Effect i is the change from
 * stage i to i + 1. */
enum { STAGES = EFFECT_REST + 1 };

static const char *const effect_names[COST_EFFECTS] = { "volume", "mix",      "efficiency", "price",
                                                        "fees",   "failures", "rest" };

const char *cost_effect_name(enum cost_effect effect)
{
    return effect_names[effect];
}

static int64_t job_cost(const struct cost_drivers *drivers)
{
    return drivers->hardware + drivers->fees + drivers->failed + drivers->cancelled;
}

int64_t cost_drivers_total(const struct cost_drivers *drivers)
{
    return job_cost(drivers) + drivers->rest;
}

/* Whether the cell has rates. Fees may be negative (credits). */
static bool has_rates(const struct cost_drivers *drivers)
{
    return drivers->ideal_node_hours > 0 && drivers->node_hours > 0 && drivers->hardware > 0 &&
           drivers->hardware + drivers->fees > 0;
}

/* Adds the cost of the cell at each stage; `growth` is the growth of all work. */
static void add_stages(const struct cost_drivers *before, const struct cost_drivers *after, double growth,
                       double stages[STAGES])
{
    double old_cost = (double)job_cost(before), new_cost = (double)job_cost(after);
    double cell[STAGES] = { old_cost, old_cost * growth };
    if (!has_rates(before)) {
        bool worked = after->ideal_node_hours > 0;
        cell[1] = old_cost;
        for (int stage = 2; stage < STAGES; stage++)
            cell[stage] = worked || stage == STAGES - 1 ? new_cost : old_cost;
    } else {
        double hardware = (double)before->hardware, fees = (double)before->fees;
        double with_fees = 1 + fees / hardware;
        double with_lost = old_cost / (hardware + fees);
        cell[2] = after->ideal_node_hours * old_cost / before->ideal_node_hours;
        cell[3] = after->node_hours * hardware / before->node_hours * with_fees * with_lost;
        cell[4] = (double)after->hardware * with_fees * with_lost;
        cell[5] = (double)(after->hardware + after->fees) * with_lost;
        cell[6] = new_cost;
    }
    for (int stage = 0; stage < STAGES; stage++)
        stages[stage] += cell[stage];
}

void cost_change(const struct cost_drivers *before, const struct cost_drivers *after, size_t count,
                 int64_t effects[COST_EFFECTS])
{
    double old_work = 0, new_work = 0, stages[STAGES] = { 0 };
    int64_t rest = 0;
    for (size_t i = 0; i < count; i++) {
        old_work += before[i].ideal_node_hours;
        new_work += after[i].ideal_node_hours;
        rest += after[i].rest - before[i].rest;
    }
    for (size_t i = 0; i < count; i++)
        add_stages(&before[i], &after[i], old_work > 0 ? new_work / old_work : 1, stages);
    if (!(old_work > 0)) {
        stages[1] = stages[2]; /* without work before, all of the cost is new */
    }
    for (int effect = 0; effect < EFFECT_REST; effect++)
        effects[effect] = llround(stages[effect + 1]) - llround(stages[effect]);
    effects[EFFECT_REST] = rest;
}
