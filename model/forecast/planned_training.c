/* model/forecast/planned_training.c: see planned_training.h. */
#include "model/forecast/planned_training.h"

#include "model/cost/true_cost.h"

#include <math.h>

static double ideal_node_hours(const struct scenario_training *plan)
{
    return plan->ideal_node_hours > 0 ? plan->ideal_node_hours : plan->tokens / plan->tokens_per_node_hour;
}

/* Makes the curve for the planned work. The law's E is 1 at its smallest K, so that size does
 * the ideal work. A lower E makes every size slower by the same factor and does not move the
 * optimum. */
static bool prepare_curve(const struct training_question *question, double ideal, struct cost_curve *curve)
{
    *curve = question->curve;
    curve->work = 1;
    curve->price.per_node_hour *= question->price_factor * (1 - question->elastic_saving);
    unsigned smallest = cost_curve_base_k(curve);
    double hours = cost_curve_fitted_hours(curve, smallest);
    if (isnan(hours))
        hours = cost_curve_hours(curve, smallest) / interruption_stretch(&curve->interruption, smallest);
    curve->work = ideal / (smallest * hours * question->efficiency_left);
    return isfinite(curve->work) && curve->work > 0;
}

bool planned_training_curve(const struct training_question *question, struct cost_curve *curve)
{
    return prepare_curve(question, ideal_node_hours(question->plan) * question->accelerators_per_node, curve);
}

static bool cost_at(const struct training_question *question, const struct cost_curve *curve, double ideal,
                    unsigned k, struct forecast_parts *parts, double *hours)
{
    double stretch = interruption_stretch(&curve->interruption, k);
    *hours = cost_curve_hours(curve, k);
    double efficiency = ideal / (k * *hours / stretch);
    struct forecast_input input = {
        .ideal_hardware = ideal * cost_curve_hardware_price(curve),
        .inefficiency_factor = coordination_inefficiency_factor(efficiency),
        .cloud_fees = question->plan->fees,
        .stretch = stretch,
        .failed_run_factor = question->failed_run_factor,
        .modelled_by_stretch = fmin(question->modelled_by_stretch, question->failed_run_factor),
        .fixed_overhead = (curve->price.overhead_per_node_hour * k + curve->price.per_wall_hour) * *hours,
    };
    return true_cost_forecast(&input, parts);
}

static enum k_star_outcome choose(const struct training_question *question, const struct cost_curve *curve,
                                  struct k_star_result *result)
{
    const struct scenario_training *plan = question->plan;
    if (plan->k > 0) {
        *result = (struct k_star_result){ .k = (unsigned)plan->k };
        return isnan(cost_curve_hours(curve, result->k)) ? K_STAR_NONE_FEASIBLE : K_STAR_FOUND;
    }
    return plan->deadline_hours > 0 ? k_deadline(curve, question->limits, plan->deadline_hours, result)
                                    : k_star(curve, question->limits, result);
}

enum k_star_outcome planned_training(const struct training_question *question,
                                     struct forecast_training *training, struct training_answer *answer)
{
    const struct scenario_training *plan = question->plan;
    double runs = plan->runs > 0 ? plan->runs : 1, unit = question->minor_per_unit * runs, hours;
    double ideal = ideal_node_hours(plan) * question->accelerators_per_node; /* in K-hours */
    struct cost_curve curve;
    struct k_star_result chosen, cheapest;
    struct forecast_parts parts;
    *answer = (struct training_answer){ .cost_at_k_star = NAN };
    if (!prepare_curve(question, ideal, &curve))
        return K_STAR_NONE_FEASIBLE;
    enum k_star_outcome outcome = choose(question, &curve, &chosen);
    if (outcome != K_STAR_FOUND) {
        answer->k = chosen.k; /* if no K meets the deadline: the fastest K */
        answer->hours = chosen.hours;
        return outcome;
    }
    if (!question->has_no_k_star && k_star(&curve, question->limits, &cheapest) == K_STAR_FOUND &&
        cost_at(question, &curve, ideal, cheapest.k, &parts, &hours)) {
        answer->k_star = cheapest.k;
        answer->cost_at_k_star = parts.total * unit;
    }
    if (!cost_at(question, &curve, ideal, chosen.k, &parts, &hours))
        return K_STAR_INVALID;
    training->parts[FORECAST_USEFUL] = parts.useful_compute * unit;
    training->parts[FORECAST_COORDINATION] = parts.coordination_waste * unit;
    training->parts[FORECAST_INTERRUPTION] = parts.interruption * unit;
    training->parts[FORECAST_FEES] = parts.cloud_fees * unit;
    training->parts[FORECAST_FAILED] = parts.failed_runs * unit;
    training->parts[FORECAST_FIXED] = parts.fixed_overhead * unit;
    answer->k = chosen.k;
    answer->hours = hours;
    answer->efficiency = ideal / (chosen.k * hours / interruption_stretch(&curve.interruption, chosen.k));
    answer->ideal_node_hours = ideal_node_hours(plan);
    answer->ideal_k_hours = ideal;
    answer->node_price = cost_curve_hardware_price(&curve);
    answer->stretch = interruption_stretch(&curve.interruption, chosen.k);
    answer->cost = parts.total * unit;
    return K_STAR_FOUND;
}
