/* model/forecast/forecast.h: forecasts the cost of the coming months: history is continued and
 * changed by the levers of a scenario.
 *
 * History consists of cells: the jobs of one cost centre and family, and for each cost centre the
 * costs without a job (family ""). In each cell,
 *
 *     ideal node-hours, price, overheads, the rest    follow a level or trend (damped_trend.h)
 *     E, fees per node-hour, failed, cancelled runs   pool the last FORECAST_TRAILING months
 *
 * The cost of a month is (ideal hardware (1 + CIF) + fees)(1 + failed-run factor) + fixed +
 * engineering overhead (true_cost.h). Each lever changes one factor:
 *
 *     growth        ideal node-hours = trailing mean x (1 + monthly)^h, instead of the trend
 *     node policy   node-hours and wall-hours x the change by the families' laws (node_policy.h);
 *                   overhead per wall-hour changes with them
 *     penalty       E x (1 - penalty)
 *     price         price x the price changes of the purchases of the cell's hardware
 *     spot          moves a share of the node-hours that are not on spot, at price_fraction. They
 *                   are stretched; in that share, interruptions leave the failed-run factor
 *                   (true_cost.h)
 *     commitment    coverage x the base's node-hours a month at the discount, used or not; unused
 *                   hours are an unused commitment
 *     elastic       x (1 - saving) on uncommitted node-hours: idle nodes are returned
 *     contingency   a share of the whole cost
 *
 * Committed and owned hardware is paid until its end, also if levers leave it without work
 * (forecast_floor.h). Planned trainings are added (planned_training.h). Money is minor units as
 * double: an estimate that is never booked. For output, each leaf (cell, month, component) is
 * rounded once, and every total is a sum of rounded leaves.
 */
#ifndef KSTAR_MODEL_FORECAST_FORECAST_H
#define KSTAR_MODEL_FORECAST_FORECAST_H

#include "model/forecast/forecast_floor.h"

/* "useful_compute", "coordination_waste", ...: the names of a statement's components, if a
 * statement has the component. */
const char *forecast_component_name(enum forecast_component component);

/* The factors by which a draw multiplies a cell's factors. All are 1 in the forecast itself. */
struct forecast_shock {
    double work, price, failures, hours;
};

/* Fits the drivers of one cell to its first `count` months. */
void forecast_fit_cell(const struct forecast_cell *cell, size_t count, struct forecast_drivers *drivers);

/* The use of a commitment in one month, and its unused part. */
struct forecast_commitment {
    double hours;           /* on-demand capacity, without returned nodes */
    double committed, used; /* node-hours */
    double covered;         /* used / hours */
    /* of a node-hour on demand: mean of the month's work; without work, of the trailing months */
    double price;
    double unused_cost;
};

/* The month `ahead`, without draws. `month` is the month of cell `cell`. */
void forecast_commitment(const struct forecast *forecast, unsigned ahead,
                         struct forecast_commitment *commitment);
void forecast_cell_month(const struct forecast *forecast, size_t cell, unsigned ahead,
                         const struct forecast_commitment *commitment, struct forecast_cell_month *month);

/* The ideal node-hours of a cell `ahead` months after the history. */
double forecast_work(const struct forecast *forecast, size_t cell, unsigned ahead);

/* The node-hours that this work takes under the scenario's policy and penalties. */
double forecast_hours(const struct forecast *forecast, size_t cell, unsigned ahead);

/* Computes one month: parts[leaf x FORECAST_COMPONENTS + component]. The leaves are, in this
 * order: the cells; one for the company as a whole (unused commitments, added overheads); the
 * scenario's people; the floors (their freed capacity); the planned trainings. `shocks` has one
 * entry for each cell, then one for each training. NULL: no shocks. */
void forecast_month(const struct forecast *forecast, unsigned ahead, const struct forecast_shock *shocks,
                    double *parts);
size_t forecast_leaves(const struct forecast *forecast); /* the number of leaves */

/* Computes every floor in the month `ahead`, without draws. */
void forecast_floors(const struct forecast *forecast, unsigned ahead, struct forecast_floor_month *floors);

#endif
