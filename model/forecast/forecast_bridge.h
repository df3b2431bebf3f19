/* model/forecast/forecast_bridge.h: the difference between the base and a scenario, by lever.
 *
 * The levers are applied one after the other, in the order below. The effect of a lever is the
 * change of the total of all months, on top of the levers before it.
 *
 * A lever cannot save committed and owned hardware. That part of its effect is its freed capacity
 * (forecast_floor.h). Saving + freed capacity = the saving if nothing were committed. Planned
 * trainings are costed at the scenario's own prices and penalties.
 */
#ifndef KSTAR_MODEL_FORECAST_FORECAST_BRIDGE_H
#define KSTAR_MODEL_FORECAST_FORECAST_BRIDGE_H

#include "model/forecast/forecast.h"

enum forecast_lever {
    LEVER_GROWTH,
    LEVER_NODE_POLICY,
    LEVER_PENALTIES,
    LEVER_PRICES,
    LEVER_ELASTIC,
    LEVER_SPOT,
    LEVER_COMMITMENT,
    LEVER_FAILED_RUNS,
    LEVER_OVERHEADS,
    LEVER_PEOPLE,
    LEVER_TRAININGS,
    LEVER_CONTINGENCY,
    FORECAST_LEVERS
};

/* "growth", "node_policy", ... */
const char *forecast_lever_name(enum forecast_lever lever);

/* The same for people. The title of node counts names the scenario's policy: "every job at its
 * K*". */
const char *forecast_lever_title(enum forecast_lever lever, enum scenario_policy policy);

/* Minor units of all months. */
struct forecast_stage {
    double total;
    double freed; /* freed capacity of committed and owned hardware, with its contingency */
};

/* stages[0] is the base, with the forecast's history and months. stages[i + 1] has the levers up
 * to i. The last stage is the forecast. */
void forecast_bridge(const struct forecast *forecast, unsigned months,
                     struct forecast_stage stages[FORECAST_LEVERS + 1]);

#endif
