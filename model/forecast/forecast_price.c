/* model/forecast/forecast_price.c: see forecast_price.h. */
#include "model/forecast/forecast_price.h"

#include <string.h>

static bool says(const char *wanted, const char *is)
{
    return wanted == NULL || (is != NULL && strcmp(wanted, is) == 0);
}

bool forecast_price_buys(const struct scenario_price *price, const struct forecast_purchase *purchase)
{
    return says(price->provider, purchase->provider) && says(price->sku, purchase->sku) &&
           says(price->purchase, purchase->purchase) && says(price->currency, purchase->currency);
}

double forecast_price_change(const struct scenario *scenario, const struct forecast_purchase *purchase,
                             scenario_month month)
{
    double change = 1;
    for (size_t i = 0; i < scenario->price_count; i++)
        if (scenario->prices[i].from <= month && forecast_price_buys(&scenario->prices[i], purchase))
            change *= 1 + scenario->prices[i].change;
    return change;
}

double forecast_price_factor(const struct scenario *scenario, const struct forecast_purchase *purchases,
                             size_t purchase_count, scenario_month month)
{
    static const struct forecast_purchase unknown = { .share = 1 };
    double known = 0, factor = 0;
    for (size_t i = 0; i < purchase_count; i++) {
        known += purchases[i].share;
        factor += purchases[i].share * forecast_price_change(scenario, &purchases[i], month);
    }
    /* hardware whose purchase is unknown follows only changes of all prices */
    return factor + (1 - known) * forecast_price_change(scenario, &unknown, month);
}
