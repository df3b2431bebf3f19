/* model/forecast/forecast.h: the cost of coming months: history carried on, changed by a scenario's
 * levers.
 *
 * History is cells: the jobs of a cost centre and family, and per cost centre what stands on no job
 * (family ""). Of a cell,
 *
 *     ideal node-hours, price, overheads, the rest    keep level or damped trend (damped_trend.h)
 *     E, fees per node-hour, failed, cancelled runs   pool the last FORECAST_TRAILING months
 *
 * and a month is (ideal hardware (1 + CIF) + fees)(1 + failed-run factor) + fixed + engineering
 * overhead (true_cost.h). Levers act on the factor that they are about:
 *
 *     growth        ideal node-hours = trailing mean x (1 + monthly)^h, in place of the trend
 *     node policy   node-hours and wall-hours x what the families' laws say (node_policy.h), and
 *                   overhead per wall-hour with them
 *     penalty       E x (1 - penalty)
 *     price         price x the changes of what the cell's hardware was bought as
 *     spot          a share of the node-hours not on spot before, at price_fraction. They are
 *                   stretched, and the failed-run factor loses its interruptions in that share
 *                   (true_cost.h)
 *     commitment    coverage x the base's node-hours a month at the discount, used or not; what
 *                   nobody uses is an unused commitment
 *     elastic       1 - saving of the node-hours that are not committed: idle nodes are given back
 *     contingency   a share of everything
 *
 * Committed and owned hardware is paid until its end, whatever the levers leave of its work
 * (forecast_floor.h). Planned trainings come on top (planned_training.h). Money is minor units as
 * double: an estimate, never booked. Whoever prints it rounds each leaf (cell, month, component)
 * once, and every total is a sum of those.
 */
#ifndef KSTAR_MODEL_FORECAST_FORECAST_H
#define KSTAR_MODEL_FORECAST_FORECAST_H

#include "model/forecast/forecast_floor.h"

/* "useful_compute", "coordination_waste", ...: a statement's components where they are the same. */
const char *forecast_component_name(enum forecast_component component);

/* What a draw multiplies a cell's factors with; all 1 in the middle. */
struct forecast_shock {
    double work, price, failures, hours;
};

extern const struct forecast_shock FORECAST_NO_SHOCK;

/* Drivers of one cell from its first `count` months. */
void forecast_fit_cell(const struct forecast_cell *cell, size_t count, struct forecast_drivers *drivers);

/* What nobody uses of a commitment, and how its price reaches who does: one month. */
struct forecast_commitment {
    double hours;           /* of on-demand capacity, without what is given back */
    double committed, used; /* node-hours */
    double covered;         /* used / hours */
    double price;           /* of a node-hour on demand: of all work's, else of the trailing months' */
    double unused_cost;
};

/* The month `ahead` without draws. `month` is of cell `cell`. */
void forecast_commitment(const struct forecast *forecast, unsigned ahead,
                         struct forecast_commitment *commitment);
void forecast_cell_month(const struct forecast *forecast, size_t cell, unsigned ahead,
                         const struct forecast_commitment *commitment, struct forecast_cell_month *month);

/* Ideal node-hours of a cell `ahead` months on. */
double forecast_work(const struct forecast *forecast, size_t cell, unsigned ahead);

/* Node-hours that they take, with the scenario's policy and penalties. */
double forecast_hours(const struct forecast *forecast, size_t cell, unsigned ahead);

/* One month: parts[leaf x FORECAST_COMPONENTS + component]. The leaves are the cells; then one for
 * what is the company's as a whole (unused commitments, overheads that are added); then the
 * scenario's people; then the floors, which have what is freed of them; then the planned trainings.
 * shocks is one per cell, then one per training; NULL: none. */
void forecast_month(const struct forecast *forecast, unsigned ahead, const struct forecast_shock *shocks,
                    double *parts);
size_t forecast_leaves(const struct forecast *forecast); /* cells + 1 + people + floors + trainings */

/* The month `ahead` of every floor, without draws. */
void forecast_floors(const struct forecast *forecast, unsigned ahead, struct forecast_floor_month *floors);

#endif
