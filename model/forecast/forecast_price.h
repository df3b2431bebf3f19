/* model/forecast/forecast_price.h: how a scenario's price changes affect hardware, by its
 * purchase. */
#ifndef KSTAR_MODEL_FORECAST_FORECAST_PRICE_H
#define KSTAR_MODEL_FORECAST_FORECAST_PRICE_H

#include "model/forecast/forecast_cell.h"

#include <stdbool.h>

/* Whether a price change applies to a purchase. */
bool forecast_price_buys(const struct scenario_price *price, const struct forecast_purchase *purchase);

/* The price of a month in the scenario, divided by the price of the trend: for one purchase, and
 * for a cell's hardware. */
double forecast_price_change(const struct scenario *scenario, const struct forecast_purchase *purchase,
                             scenario_month month);
double forecast_price_factor(const struct scenario *scenario, const struct forecast_purchase *purchases,
                             size_t purchase_count, scenario_month month);

#endif
