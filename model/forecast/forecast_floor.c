/* model/forecast/forecast_floor.c: see forecast_floor.h. */
#include "model/forecast/forecast_floor.h"

#include "model/forecast/forecast_price.h"

#include <math.h>

double forecast_floor_change(const struct scenario *scenario, const struct forecast_purchase *purchase,
                             scenario_month month)
{
    double change = 1;
    for (size_t i = 0; i < scenario->price_count; i++) {
        const struct scenario_price *price = &scenario->prices[i];
        if ((price->currency != NULL || price->purchase != NULL) && price->from <= month &&
            forecast_price_buys(price, purchase))
            change *= 1 + price->change;
    }
    return change;
}

double forecast_floor_in_force(const struct forecast_purchase *purchase, scenario_month month)
{
    return purchase->ends > 0 ? fmin(fmax(purchase->ends - month, 0), 1) : 1;
}

void forecast_floor_add(const struct forecast *forecast, const struct forecast_purchase *purchase,
                        unsigned ahead, const struct forecast_cell_month *month,
                        struct forecast_floor_month *sum)
{
    scenario_month when = forecast->first + (int)ahead - 1;
    double change = forecast_price_change(forecast->scenario, purchase, when);
    double fixed = forecast_floor_change(forecast->scenario, purchase, when);
    sum->committed += purchase->committed * fixed * forecast_floor_in_force(purchase, when);
    sum->carried_on += purchase->share * fixed * month->carried_on;
    sum->left += purchase->share * change * month->not_on_spot;
}

void forecast_floors_add(const struct forecast *forecast, size_t cell, unsigned ahead,
                         const struct forecast_cell_month *month, struct forecast_floor_month *floors)
{
    const struct forecast_cell *of = &forecast->cells[cell];
    for (size_t i = 0; i < of->purchase_count && forecast->floor_count > 0; i++)
        if (of->purchases[i].floor > 0)
            forecast_floor_add(forecast, &of->purchases[i], ahead, month,
                               &floors[of->purchases[i].floor - 1]);
}

void forecast_floors_end(const struct forecast *forecast, struct forecast_floor_month *floors)
{
    for (size_t i = 0; i < forecast->floor_count; i++) {
        floors[i].floor = fmax(fmin(floors[i].committed, floors[i].carried_on), 0);
        floors[i].freed = fmax(floors[i].floor - floors[i].left, 0);
    }
}
