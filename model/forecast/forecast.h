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

#include "model/forecast/damped_trend.h"
#include "model/forecast/scenario.h"

#include <stdbool.h>
#include <stddef.h>

#define FORECAST_TRAILING 3u
#define FORECAST_MONTHS   60u /* no forecast is longer */

enum forecast_component {
    FORECAST_USEFUL,
    FORECAST_COORDINATION,
    FORECAST_UNMEASURED,
    FORECAST_INTERRUPTION,
    FORECAST_FAILED,
    FORECAST_CANCELLED,
    FORECAST_FEES,
    FORECAST_FIXED,
    FORECAST_ENGINEERING,
    FORECAST_OTHER,
    FORECAST_UNUSED,
    FORECAST_FREED,
    FORECAST_CONTINGENCY,
    FORECAST_COMPONENTS
};

/* "useful_compute", "coordination_waste", ...: a statement's components where they are the same. */
const char *forecast_component_name(enum forecast_component component);

/* One month of a cell. Money in minor units. */
struct forecast_facts {
    /* Of productive attempts. Ideal: node-hours x E, or all node-hours without a measured E. */
    double ideal_node_hours, unmeasured_node_hours, node_hours;
    double hardware, fees;
    double failed, cancelled;
    double failed_interrupted; /* within failed: what preemptions and failing nodes ended */
    double fixed, engineering, other;
    double fixed_by_node_hours; /* within fixed: of pools split by node-hours */
    double failed_attempts;
};

/* What part of a cell's hardware was bought as what. One's own nodes were bought as "owned", and of
 * nobody: their other texts are NULL. */
struct forecast_purchase {
    const char *provider, *sku, *purchase, *currency;
    double share;
    /* Of committed and owned hardware, else 0 and NULL: */
    const char *commitment; /* as the bill names it */
    double committed;       /* minor units of the last month, failed and cancelled runs included */
    double ends;  /* in months, as scenario_month counts, with the part of the last one; 0: nobody said */
    size_t floor; /* of the forecast's floors, from 1: that of its provider and SKU; 0: none */
};

struct forecast_cell {
    const char *cost_centre, *family; /* family "": what stands on no job */
    struct forecast_facts *months;    /* consecutive, the same ones for every cell */
    const struct forecast_purchase *purchases;
    size_t purchase_count;
    /* share of its hardware, 0 .. 1, whose price is one of spot: none is applied to it again */
    double bought_on_spot;
    /* of the scenario, by the families' laws; 1 where nothing changes */
    double policy_hours, policy_wall; /* node-hours and wall-hours against as they were */
    double spot_stretch;              /* of what runs on spot, at its node counts; at least 1 */
};

/* A cell's factors, after its trailing months. */
struct forecast_drivers {
    struct damped_trend work, price, fixed, engineering, other;
    double efficiency;       /* ideal node-hours / node-hours, above 0; 1 without jobs */
    double unmeasured_share; /* of the ideal node-hours */
    double fees_per_node_hour;
    double failed_factor, interrupted_factor, cancelled_factor; /* to productive hardware and fees */
    /* A month of a cell without any work in the trailing months (every job failed, or had no
     * nodes), of the last two also where its work cost nothing; else 0 */
    double hardware_alone, fees_alone, failed_alone, cancelled_alone;
    double
        fixed_by_node_hours; /* share of fixed overhead that moves with node-hours; the rest does with wall-hours */
    double recent_work;     /* mean of the trailing months */
    double failed_attempts; /* in the trailing months */
};

/* What a draw multiplies a cell's factors with; all 1 in the middle. */
struct forecast_shock {
    double work, price, failures, hours;
};

extern const struct forecast_shock FORECAST_NO_SHOCK;

/* A planned training that is costed: parts in minor units, by component. */
struct forecast_training {
    const char *cost_centre, *family;
    unsigned ahead;   /* month, 1: the first one */
    double fit_noise; /* relative standard deviation of E, of its family's fit */
    double parts[FORECAST_COMPONENTS];
};

struct forecast {
    const struct forecast_cell *cells;
    struct forecast_drivers *drivers; /* of the cells, made by forecast_fit */
    size_t cell_count;
    const struct forecast_training *trainings;
    size_t training_count;
    const struct forecast_floor *floors; /* which the cells' purchases name */
    size_t floor_count;
    const struct scenario *scenario;
    scenario_month first;  /* the first month that is forecast */
    double minor_per_unit; /* 100: amounts of the scenario are in units of the currency */
};

/* Drivers of one cell from its first `count` months. */
void forecast_fit_cell(const struct forecast_cell *cell, size_t count, struct forecast_drivers *drivers);

/* Whether a change of prices is one of hardware that was bought so. */
bool forecast_price_buys(const struct scenario_price *price, const struct forecast_purchase *purchase);

/* A month's price in the scenario ÷ the trend's: of one purchase, and of a cell's hardware. */
double forecast_price_change(const struct scenario *scenario, const struct forecast_purchase *purchase,
                             scenario_month month);
double forecast_price_factor(const struct scenario *scenario, const struct forecast_purchase *purchases,
                             size_t purchase_count, scenario_month month);

/* What nobody uses of a commitment, and how its price reaches who does: one month. */
struct forecast_commitment {
    double hours;           /* of on-demand capacity, without what is given back */
    double committed, used; /* node-hours */
    double covered;         /* used / hours */
    double price;           /* of a node-hour on demand: of all work's, else of the trailing months' */
    double unused_cost;
};

/* A cell's month on the way to its parts, for those who show how these come about. */
struct forecast_cell_month {
    double work, hours;     /* ideal node-hours; the node-hours that they take */
    double price;           /* per node-hour of on-demand capacity, with the scenario's changes */
    double on_demand_hours; /* without what is given back */
    double paid;            /* per node-hour of `hours`: spot, commitment and what is given back included */
    double productive;    /* hardware, interruptions and fees of the work: what the failed-run factor is of */
    double failed_factor; /* in force: the scenario's, else as measured without what spot models */
    /* Hardware, with that of failed and cancelled runs, before changes of prices: */
    double carried_on;  /* without any lever */
    double not_on_spot; /* with the levers, without what they move to spot */
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

#endif
