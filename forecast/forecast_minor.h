/* forecast/forecast_minor.h: what the model says of a scenario's months, in whole minor units:
 * leaves, ranges and the bridge from the base. More than kstar can hold (most_cost.h) refuses the
 * scenario: no number of that size is kept or shown.
 */
#ifndef KSTAR_FORECAST_FORECAST_MINOR_H
#define KSTAR_FORECAST_FORECAST_MINOR_H

#include "forecast/forecast_result.h"

/* Fills minor, work, hours, price, ranges, bridge. ERROR_INPUT names the last month that fits. */
bool forecast_minor(struct forecast_result *result, struct error *error);

#endif
