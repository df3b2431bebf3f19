/* advise/scenario.h: a budget scenario's levers on one job, for `kstar advise --scenario`
 * (docs/scenarios.md).
 *
 * Only levers count that change one job's cost against its node count: price changes of all
 * hardware, elastic saving, efficiency penalties, spot if at least half of the work runs on spot,
 * and node policies that limit K.
 */
#ifndef KSTAR_ADVISE_SCENARIO_H
#define KSTAR_ADVISE_SCENARIO_H

#include "model/cost/advise.h"
#include "model/forecast/scenario.h"

#include <stddef.h>

/* Sets spot and limits if the options left them open (NaN, 0). */
void advise_scenario_defaults(const struct scenario *scenario, struct advise_question *question);

/* The factor on the price of a node-hour, once all changes are in force. */
double advise_scenario_price(const struct scenario *scenario);

/* The factor, at least 1, on the time of a job of that family (NULL: no family). */
double advise_scenario_hours(const struct scenario *scenario, const char *family);

/* Lists the price changes and the family's penalties that do not apply, because the job has no cost
 * centre and no particular purchase here: "prices[1], efficiency_penalties[0]" into text; "":
 * nothing. Returns text. */
char *advise_scenario_omitted(const struct scenario *scenario, const char *family, char *text, size_t size);

#endif
