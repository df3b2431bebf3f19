/* model/forecast/forecast_floor.h: hardware that must be paid in every scenario: committed and
 * owned capacity.
 *
 * A reservation is paid until its end, and so are own nodes. Their cost is a floor. Each provider
 * and SKU has one floor; all own nodes together have one. In a month,
 *
 *     floor = cost of committed and owned hardware in the last month, at most the cost of the
 *             history continued
 *     left  = cost of all hardware of the floor after the levers, without the part moved to spot
 *     freed = floor - left, if above 0
 *
 * So levers first reduce on-demand and spot hardware. A further reduction is freed capacity: it is
 * still paid and saves nothing. The floor is at most the cost of the history continued: if that
 * cost falls without a lever, the statements already show the unused part as an unused commitment.
 *
 * The cost is fixed in the bill's currency at the agreed price. A floor follows only price changes
 * of the scenario that name a currency or a purchase. Other price changes apply to new purchases.
 */
#ifndef KSTAR_MODEL_FORECAST_FORECAST_FLOOR_H
#define KSTAR_MODEL_FORECAST_FORECAST_FLOOR_H

#include "model/forecast/forecast_cell.h"

struct forecast_floor {
    const char *provider, *sku; /* NULL: own nodes */
};

/* The amount that one purchase of a cell, or all purchases, add to a floor in a month. Money in
 * minor units. */
struct forecast_floor_month {
    double committed;    /* cost in the last month, without ended purchases */
    double carried_on;   /* all hardware of the floor, without any lever */
    double left;         /* with the levers, without the part moved to spot */
    double floor, freed; /* of all purchases together */
};

/* The scenario's price change, as far as a commitment follows it. */
double forecast_floor_change(const struct scenario *scenario, const struct forecast_purchase *purchase,
                             scenario_month month);

/* The part of a month before the purchase's end, 0 .. 1; 1 if the end is unknown. */
double forecast_floor_in_force(const struct forecast_purchase *purchase, scenario_month month);

/* Adds one purchase of a cell to a floor. `month` is the cell's month. */
void forecast_floor_add(const struct forecast *forecast, const struct forecast_purchase *purchase,
                        unsigned ahead, const struct forecast_cell_month *month,
                        struct forecast_floor_month *sum);

/* forecast_floors_add adds all purchases of a cell to their floors. After the last cell,
 * forecast_floors_end computes each floor and its freed capacity. */
void forecast_floors_add(const struct forecast *forecast, size_t cell, unsigned ahead,
                         const struct forecast_cell_month *month, struct forecast_floor_month *floors);
void forecast_floors_end(const struct forecast *forecast, struct forecast_floor_month *floors);

#endif
