/* advise/scenario.h: a budget scenario's levers on one job, for `kstar advise --scenario`
 * (docs/scenarios.md).
 *
 * Of a scenario, those count that change one job's cost against its node count: price changes for
 * everything, elastic saving, efficiency penalties, spot where at least half of the work is to run
 * on it, and the node policies that limit K.
 */
#ifndef KSTAR_ADVISE_SCENARIO_H
#define KSTAR_ADVISE_SCENARIO_H

#include "model/cost/advise.h"
#include "model/forecast/scenario.h"

#include <stddef.h>

/* Spot and limits, where the options left them open (NaN, 0). */
void advise_scenario_defaults(const struct scenario *scenario, struct advise_question *question);

/* What the price of a node-hour is multiplied with, once all changes are in force. */
double advise_scenario_price(const struct scenario *scenario);

/* How much longer a job of that family (NULL: of none) takes, at least 1. */
double advise_scenario_hours(const struct scenario *scenario, const char *family);

/* Lists the price changes and the family's penalties that do not apply, because the job has no cost
 * centre and no particular purchase here: "prices[1], efficiency_penalties[0]" into text; "":
 * nothing. Returns text. */
char *advise_scenario_omitted(const struct scenario *scenario, const char *family, char *text, size_t size);

#endif
