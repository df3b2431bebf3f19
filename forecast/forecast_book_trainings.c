/* forecast/forecast_book_trainings.c: planned trainings in a forecast's workbook: the plan,
 * every possible K, and the chosen K. */
#include "forecast/forecast_book_lists.h"

#include <math.h>

static double or_none(double value)
{
    return value > 0 ? value : NAN;
}

/* The factor on E of the penalties that are not those of a cell. A cell's penalties are inputs
 * that the reader can change. */
static double own_penalty(const struct scenario *scenario, const struct scenario_training *plan)
{
    double left = 1;
    for (size_t i = 0; i < scenario->penalty_count; i++) {
        const struct scenario_jobs *jobs = &scenario->penalties[i].jobs;
        bool for_all = jobs->cost_centre == NULL && jobs->family == NULL;
        if (!for_all && scenario_jobs_match(jobs, plan->cost_centre, plan->family))
            left *= 1 - scenario->penalties[i].penalty;
    }
    return 1 - left;
}

/* T(K) of the measured work without interruptions. */
static double plain_hours(const struct cost_curve *curve, unsigned k)
{
    struct cost_curve plain = *curve;
    plain.work = 1;
    plain.interruption.rate = 0;
    return cost_curve_hours(&plain, k);
}

/* K-hours of the measured work on the smallest K, at which E is 1. */
static double smallest_k_hours(const struct cost_curve *curve)
{
    unsigned k = cost_curve_base_k(curve);
    double hours = cost_curve_fitted_hours(curve, k);
    return k * (isnan(hours) ? plain_hours(curve, k) : hours);
}

/* Adds the plan's values and the data of its calculation. */
static void add_plan(const struct book_rows *rows, size_t i, const struct cost_curve *curve, cJSON *row)
{
    const struct forecast_result *result = rows->result;
    const struct scenario_training *plan = &result->scenario.trainings[i];
    const struct forecast_question *of = &result->questions[i];
    const struct training_question *question = &of->asked;
    int cell = book_cell_number(rows, plan->cost_centre, plan->family);
    row_text(row, "training", plan->name);
    row_text(row, "cost_centre", plan->cost_centre);
    row_text(row, "family", plan->family);
    row_month(row, "month", plan->month);
    json_add_number(row, "ideal_node_hours", result->answers[i].ideal_node_hours);
    json_add_number(row, "given_k", or_none(plan->k));
    json_add_number(row, "deadline_hours", or_none(plan->deadline_hours));
    json_add_number(row, "runs", plan->runs > 0 ? plan->runs : 1);
    json_add_number(row, "fees", plan->fees);
    cJSON_AddBoolToObject(row, "spot", plan->spot);
    json_add_number(row, "ahead", result->trainings[i].ahead);
    json_add_number(row, "centre_no", book_centre_number(rows, plan->cost_centre));
    json_add_number(row, "cell_no", cell);
    json_add_number(row, "bought_no", of->is_bought_as_family ? -(double)i - 1 : cell);
    json_add_number(row, "per_node", question->accelerators_per_node);
    json_add_number(row, "own_penalty", own_penalty(&result->scenario, plan));
    json_add_number(row, "efficiency_left", question->efficiency_left);
    json_add_number(row, "ideal_k_hours", result->answers[i].ideal_k_hours);
    json_add_number(row, "measured_k_hours", smallest_k_hours(curve));
    json_add_number(row, "work", curve->work);
    json_add_number(row, "list_price", question->curve.price.per_node_hour);
    json_add_number(row, "price_factor", question->price_factor);
    json_add_number(row, "node_price", cost_curve_hardware_price(curve));
    json_add_number(row, "node_overhead", curve->price.overhead_per_node_hour);
    json_add_number(row, "wall_price", curve->price.per_wall_hour);
    json_add_number(row, "waiting_price", curve->price.waiting_per_hour);
    json_add_number(row, "rate", curve->interruption.rate);
    json_add_number(row, "checkpoint_hours", curve->interruption.checkpoint_hours);
    json_add_number(row, "restart_hours", curve->interruption.restart_hours);
    cJSON_AddBoolToObject(row, "is_spot_price", of->is_spot_price);
    cJSON_AddBoolToObject(row, "spot_is_stated", of->spot_is_stated);
    json_add_number(row, "failed_factor", of->failed_factor);
    json_add_number(row, "interrupted_factor", of->interrupted_factor);
}

/* Adds every K on the curve up to the largest one that may be chosen or is given. Returns their
 * number. */
static int add_sizes(const struct forecast_result *result, size_t i, int training_no,
                     const struct cost_curve *curve, cJSON *list)
{
    const struct scenario_training *plan = &result->scenario.trainings[i];
    struct node_limits limits = k_star_limits(curve, &result->questions[i].limits);
    unsigned last = result->answers[i].k > limits.largest ? result->answers[i].k : limits.largest;
    int count = 0;
    for (unsigned k = 1; k <= last; k++) {
        double measured = plain_hours(curve, k), hours = cost_curve_hours(curve, k);
        if (!(measured > 0))
            continue;
        bool feasible = !result->questions[i].asked.has_no_k_star && node_limits_allow(&limits, k);
        bool in_time = !(plan->deadline_hours > 0) || hours <= plan->deadline_hours * (1 + K_STAR_TIE);
        cJSON *row = row_added(list);
        json_add_number(row, "training_no", training_no);
        row_text(row, "training", plan->name);
        json_add_number(row, "k", k);
        cJSON_AddBoolToObject(row, "feasible", feasible);
        json_add_number(row, "measured_hours", measured);
        json_add_number(row, "stretch", interruption_stretch(&curve->interruption, k));
        json_add_number(row, "hours", hours);
        json_add_number(row, "cost", cost_curve_cost(curve, k));
        json_add_number(row, "choice", feasible && in_time ? cost_curve_cost(curve, k) : NAN);
        count++;
    }
    return count;
}

static void add_answer(const struct book_rows *rows, size_t i, cJSON *row)
{
    const struct forecast_result *result = rows->result;
    const struct training_answer *answer = &result->answers[i];
    int leaf = (int)(result->leaf_count - result->scenario.training_count + i);
    double runs = fmax(result->scenario.trainings[i].runs, 1), whole = 0;
    for (int component = 0; component < FORECAST_COMPONENTS; component++) {
        json_add_minor(row, forecast_component_name((enum forecast_component)component),
                       forecast_result_sum(result, -1, leaf, component));
        whole += result->trainings[i].parts[component];
    }
    json_add_minor(row, "total", forecast_result_sum(result, -1, leaf, -1));
    json_add_number(row, "whole", book_units(rows, whole));
    json_add_number(row, "k", answer->k);
    json_add_number(row, "hours", answer->hours);
    json_add_number(row, "stretch_at_k", answer->stretch);
    json_add_number(row, "efficiency", answer->efficiency);
    json_add_number(row, "hardware", answer->ideal_k_hours * answer->node_price / answer->efficiency * runs);
}

void book_add_trainings(const struct book_rows *rows, cJSON *book)
{
    const struct forecast_result *result = rows->result;
    cJSON *plans = cJSON_AddArrayToObject(book, "plans"), *sizes = cJSON_AddArrayToObject(book, "sizes");
    int training_no = 0, size = 0;
    for (size_t i = 0; i < result->scenario.training_count; i++) {
        struct cost_curve curve;
        if (result->answers[i].k == 0 || !planned_training_curve(&result->questions[i].asked, &curve))
            continue;
        cJSON *row = row_added(plans);
        json_add_number(row, "training_no", ++training_no);
        add_plan(rows, i, &curve, row);
        json_add_number(row, "first_size", size + 1);
        size += add_sizes(result, i, training_no, &curve, sizes);
        json_add_number(row, "last_size", size);
        add_answer(rows, i, row);
    }
}
