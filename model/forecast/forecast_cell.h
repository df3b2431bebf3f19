/* model/forecast/forecast_cell.h: the data of a forecast: cells of history, their factors and
 * their months (forecast.h). */
#ifndef KSTAR_MODEL_FORECAST_FORECAST_CELL_H
#define KSTAR_MODEL_FORECAST_FORECAST_CELL_H

#include "model/forecast/damped_trend.h"
#include "model/forecast/scenario.h"

#include <stddef.h>

#define FORECAST_TRAILING 3u
#define FORECAST_MONTHS   60u /* the longest forecast */

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
    /* costs without a job, or of no cost centre: */
    FORECAST_IDLE,
    FORECAST_SHARED,
    FORECAST_DIRECT,
    FORECAST_TAX,
    FORECAST_CREDITS, /* and charge adjustments */
    FORECAST_UNALLOCATED,
    /* costs that levers add: */
    FORECAST_UNUSED,
    FORECAST_FREED,
    FORECAST_CONTINGENCY,
    FORECAST_COMPONENTS
};
/* The components without a job have facts and trends of their own, in this order. */
enum { FORECAST_WITHOUT_JOB = FORECAST_UNALLOCATED - FORECAST_IDLE + 1 };

/* One month of a cell. Money in minor units. */
struct forecast_facts {
    /* Of productive attempts. Ideal: node-hours x E, or all node-hours without a measured E. */
    double ideal_node_hours, unmeasured_node_hours, node_hours;
    double hardware, fees;
    double failed, cancelled;
    double failed_interrupted; /* part of failed: runs ended by preemption or node failure */
    double fixed, engineering;
    double without_job[FORECAST_WITHOUT_JOB];
    double fixed_by_node_hours; /* part of fixed: pools split by node-hours */
    double failed_attempts;
};

/* A part of a cell's hardware that was bought in one way. Own nodes have purchase "owned" and no
 * provider: their other texts are NULL. */
struct forecast_purchase {
    const char *provider, *sku, *purchase, *currency;
    double share;
    /* Only for committed and owned hardware, else 0 and NULL: */
    const char *commitment; /* as the bill names it */
    double committed;       /* minor units of the last month, failed and cancelled runs included */
    /* end in months, as scenario_month counts, with the fraction of the last month; 0: unknown */
    double ends;
    size_t floor; /* number of the floor of its provider and SKU, from 1; 0: none */
};

struct forecast_cell {
    const char *cost_centre, *family; /* family "": costs without a job */
    struct forecast_facts *months;    /* consecutive; the same months for every cell */
    const struct forecast_purchase *purchases;
    size_t purchase_count;
    /* share (0 .. 1) of its hardware with a spot price; the spot discount is not applied to it
     * again */
    double bought_on_spot;
    /* effect of the scenario by the families' laws; 1: no change */
    double policy_hours, policy_wall; /* node-hours and wall-hours, relative to the past */
    double spot_stretch;              /* of the work on spot, at its node counts; at least 1 */
};

/* A cell's factors, after its trailing months. */
struct forecast_drivers {
    struct damped_trend work, price, fixed, engineering, without_job[FORECAST_WITHOUT_JOB];
    double efficiency;       /* ideal node-hours / node-hours, above 0; 1 without jobs */
    double unmeasured_share; /* share of the ideal node-hours without a measured E */
    double fees_per_node_hour;
    /* relative to productive hardware and fees */
    double failed_factor, interrupted_factor, cancelled_factor;
    /* Monthly cost of a cell without work in the trailing months, for example if every job
     * failed or had no nodes. The last two also apply if the work cost nothing. Otherwise 0. */
    double hardware_alone, fees_alone, failed_alone, cancelled_alone;
    double
        /* share of fixed overhead that changes with node-hours; the rest changes with wall-hours */
        fixed_by_node_hours;
    double recent_work;     /* mean of the trailing months */
    double failed_attempts; /* in the trailing months */
};

/* Intermediate results of a cell's month, for output that explains its parts. */
struct forecast_cell_month {
    double work, hours; /* ideal node-hours, and the node-hours that they take */
    /* per node-hour of on-demand capacity, with the scenario's price changes */
    double price;
    double on_demand_hours; /* without returned nodes */
    double paid;            /* per node-hour of `hours`, with spot, commitment and returned nodes */
    /* hardware, interruptions and fees of the work: the base of the failed-run factor */
    double productive;
    /* the scenario's; else the measured one without the part that the spot model covers */
    double failed_factor;
    /* Hardware, failed and cancelled runs included, before changes of prices: */
    double carried_on;  /* without any lever */
    double not_on_spot; /* with the levers, without the part that they move to spot */
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
    const struct forecast_floor *floors; /* to which the cells' purchases refer */
    size_t floor_count;
    const struct scenario *scenario;
    scenario_month first;  /* the first month that is forecast */
    double minor_per_unit; /* 100: amounts of the scenario are in units of the currency */
};

#endif
