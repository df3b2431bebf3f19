/* model/forecast/forecast_price.h: what a scenario's prices make of hardware, by how it was
 * bought. */
#ifndef KSTAR_MODEL_FORECAST_FORECAST_PRICE_H
#define KSTAR_MODEL_FORECAST_FORECAST_PRICE_H

#include "model/forecast/forecast_cell.h"

#include <stdbool.h>

/* Whether a change of prices is one of hardware that was bought so. */
bool forecast_price_buys(const struct scenario_price *price, const struct forecast_purchase *purchase);

/* A month's price in the scenario ÷ the trend's: of one purchase, and of a cell's hardware. */
double forecast_price_change(const struct scenario *scenario, const struct forecast_purchase *purchase,
                             scenario_month month);
double forecast_price_factor(const struct scenario *scenario, const struct forecast_purchase *purchases,
                             size_t purchase_count, scenario_month month);

#endif
