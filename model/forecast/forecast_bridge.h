/* model/forecast/forecast_bridge.h: from the base to a scenario, by lever.
 *
 * The levers are put on one after the other, in the order below; what a lever does is the
 * difference that it makes to all months together, on top of those before it. What it takes of
 * committed and owned hardware beyond what can be saved is freed capacity (forecast_floor.h): its
 * saving and what it frees are together what it would save if nothing were committed. Planned
 * trainings come at the scenario's own prices and penalties.
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

/* Minor units of all months. */
struct forecast_stage {
    double total;
    double freed; /* within it: of committed and owned hardware, with its contingency */
};

/* stages[0]: the base, with the forecast's history and months; stages[i + 1]: with the levers up to
 * i. The last one is the forecast. */
void forecast_bridge(const struct forecast *forecast, unsigned months,
                     struct forecast_stage stages[FORECAST_LEVERS + 1]);

#endif
