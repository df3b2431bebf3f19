/* forecast/forecast_minor.h: rounds the model's results for a scenario to whole minor units:
 * leaves, ranges and the bridge from the base. A cost above the limit of kstar (most_cost.h)
 * refuses the scenario: such a number is never stored or shown. */
#ifndef KSTAR_FORECAST_FORECAST_MINOR_H
#define KSTAR_FORECAST_FORECAST_MINOR_H

#include "forecast/forecast_result.h"

/* Fills minor, work, hours, price, ranges, bridge. ERROR_INPUT names the last month that fits. */
bool forecast_minor(struct forecast_result *result, struct error *error);

#endif
