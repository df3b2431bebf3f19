/* model/forecast/forecast_floor.h: hardware that is paid in any scenario: committed and owned
 * capacity.
 *
 * A reservation is paid until its end, and so are one's own nodes. Its cost is a floor, by provider
 * and SKU; one's own nodes are one floor together. In a month,
 *
 *     floor = cost of committed and owned hardware in the last month, at most that of history
 *             carried on
 *     left  = cost of all hardware there after the levers, except what they move to spot
 *     freed = what left lacks of the floor
 *
 * Levers so take on demand and spot first. What they would take beyond, the freed capacity, is paid
 * all the same and saves nothing. At most what history carried on costs: where that falls by
 * itself, what nobody uses of a commitment is among the statements' own unused commitments already.
 *
 * Money is fixed in the bill's currency and at the price that was agreed: of the scenario's prices
 * a floor follows those that name a currency or a purchase. Others change what is bought anew.
 */
#ifndef KSTAR_MODEL_FORECAST_FORECAST_FLOOR_H
#define KSTAR_MODEL_FORECAST_FORECAST_FLOOR_H

#include "model/forecast/forecast_cell.h"

struct forecast_floor {
    const char *provider, *sku; /* NULL: one's own nodes */
};

/* What one purchase of a cell, or all, adds to its floor in a month. Money in minor units. */
struct forecast_floor_month {
    double committed;    /* of the last month, as far as it has not ended */
    double carried_on;   /* all hardware there, without any lever */
    double left;         /* and with them, without what they move to spot */
    double floor, freed; /* of all together */
};

/* The scenario's prices, as far as a commitment follows them. */
double forecast_floor_change(const struct scenario *scenario, const struct forecast_purchase *purchase,
                             scenario_month month);

/* What part of a month is before the end: 0 .. 1; all of it where nobody said one. */
double forecast_floor_in_force(const struct forecast_purchase *purchase, scenario_month month);

/* Adds one purchase of a cell whose month that is. */
void forecast_floor_add(const struct forecast *forecast, const struct forecast_purchase *purchase,
                        unsigned ahead, const struct forecast_cell_month *month,
                        struct forecast_floor_month *sum);

/* Adds all purchases of a cell to the floors that they are of; once every cell is added, each floor
 * and what is freed of it. */
void forecast_floors_add(const struct forecast *forecast, size_t cell, unsigned ahead,
                         const struct forecast_cell_month *month, struct forecast_floor_month *floors);
void forecast_floors_end(const struct forecast *forecast, struct forecast_floor_month *floors);

#endif
