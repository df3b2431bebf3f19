/* model/forecast/forecast_cell.h: what a forecast is made of: cells of history, their factors and
 * their months (forecast.h). */
#ifndef KSTAR_MODEL_FORECAST_FORECAST_CELL_H
#define KSTAR_MODEL_FORECAST_FORECAST_CELL_H

#include "model/forecast/damped_trend.h"
#include "model/forecast/scenario.h"

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

#endif
