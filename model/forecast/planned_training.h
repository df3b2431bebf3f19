/* model/forecast/planned_training.h: what a planned training will cost, by its family's law and the
 * forecast formula (true_cost.h).
 *
 * The plan says the ideal work in node-hours (what it would take at E = 1); the family's curve says
 * T(K), and K is given, K*, or the cheapest one that meets a deadline. What interrupts jobs (the
 * curve's) stretches the run, and then leaves the failed-run factor (true_cost.h).
 */
#ifndef KSTAR_MODEL_FORECAST_PLANNED_TRAINING_H
#define KSTAR_MODEL_FORECAST_PLANNED_TRAINING_H

#include "model/cost/k_star.h"
#include "model/forecast/forecast.h"

struct training_question {
    const struct scenario_training *plan;
    struct cost_curve curve; /* the family's, at its prices, in units of the currency; work is set here */
    const struct node_limits *limits;
    bool has_no_k_star;           /* it can be costed on the plan's own K alone */
    double accelerators_per_node; /* where K counts accelerators; else 1: ideal work is in node-hours */
    double price_factor;          /* of the scenario on the price of hardware */
    double efficiency_left;       /* 1 - penalty */
    double elastic_saving;
    double failed_run_factor;   /* the family's; the scenario's where it states one */
    double modelled_by_stretch; /* its part that interruptions make up */
    double minor_per_unit;
};

struct training_answer {
    unsigned k;
    double hours;      /* of one run, wall clock, stretch included */
    double efficiency; /* E(K), penalty included */
    double ideal_node_hours;
    double ideal_k_hours;  /* likewise, in hours of one K */
    double work;           /* against the work that was measured: the curve's */
    double node_price;     /* of one K's hardware for an hour, in currency, with the scenario's changes */
    double stretch;        /* of the run on k */
    double cost;           /* minor units, of all runs */
    double cost_at_k_star; /* the same at K*; NaN where there is none */
    unsigned k_star;       /* 0: none */
};

/* Costs all runs of the plan into training->parts. Else the outcome says why there is no K. */
enum k_star_outcome planned_training(const struct training_question *question,
                                     struct forecast_training *training, struct training_answer *answer);

/* The family's curve for the plan's work at the scenario's prices, for those who show the choice.
 * False where the plan has no K at all. */
bool planned_training_curve(const struct training_question *question, struct cost_curve *curve);

#endif
