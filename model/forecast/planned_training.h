/* model/forecast/planned_training.h: the cost of a planned training, by its family's law and the
 * forecast formula (true_cost.h).
 *
 * The plan states the ideal work in node-hours, that is, at E = 1. The family's curve gives T(K).
 * K is given, or K*, or the cheapest K that meets a deadline. Interruptions (of the curve) stretch
 * the run; that part is then removed from the failed-run factor (true_cost.h).
 */
#ifndef KSTAR_MODEL_FORECAST_PLANNED_TRAINING_H
#define KSTAR_MODEL_FORECAST_PLANNED_TRAINING_H

#include "model/cost/k_star.h"
#include "model/forecast/forecast.h"

struct training_question {
    const struct scenario_training *plan;
    /* the family's curve, at its prices, in units of the currency; the work is set here */
    struct cost_curve curve;
    const struct node_limits *limits;
    bool has_no_k_star; /* only the plan's own K can be costed */
    /* if K counts accelerators, else 1: the ideal work is in node-hours */
    double accelerators_per_node;
    double price_factor;    /* the scenario's factor on the price of hardware */
    double efficiency_left; /* 1 - penalty */
    double elastic_saving;
    double failed_run_factor;   /* the family's, or the scenario's if it states one */
    double modelled_by_stretch; /* the part of it that interruptions cause */
    double minor_per_unit;
};

struct training_answer {
    unsigned k;
    double hours;      /* of one run, wall clock, stretch included */
    double efficiency; /* E(K), penalty included */
    double ideal_node_hours;
    double ideal_k_hours; /* the same in hours of one unit of K */
    /* price of the hardware of one unit of K for an hour, in currency, with the scenario's
     * changes */
    double node_price;
    double stretch;        /* of the run on k */
    double cost;           /* minor units, for all runs */
    double cost_at_k_star; /* the cost at K*; NaN if there is no K* */
    unsigned k_star;       /* 0: none */
};

/* Computes the cost of all runs into training->parts. If the result is not K_STAR_FOUND, it says
 * why there is no K. */
enum k_star_outcome planned_training(const struct training_question *question,
                                     struct forecast_training *training, struct training_answer *answer);

/* The family's curve for the plan's work at the scenario's prices, for output that shows the
 * choice. False if the plan has no possible K. */
bool planned_training_curve(const struct training_question *question, struct cost_curve *curve);

#endif
