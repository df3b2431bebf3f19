/* cli/forecast_book_trainings.c: see forecast_book_trainings.h. */
#include "cli/forecast_book_trainings.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static void number(cJSON *row, const char *name, double value)
{
    cJSON_AddItemToObject(row, name, isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull());
}

static void minor(cJSON *row, const char *name, int64_t units)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%" PRId64, units);
    cJSON_AddRawToObject(row, name, digits);
}

static double or_none(double value)
{
    return value > 0 ? value : NAN;
}

/* What penalties leave of its E and are not those of a cell, which can be typed over. */
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

static unsigned curve_smallest(const struct cost_curve *curve)
{
    return curve->law != NULL ? scaling_law_smallest_k(curve->law) : cost_curve_smallest_k(curve);
}

/* T(K) of the measured work, as nothing interrupts it. */
static double plain_hours(const struct cost_curve *curve, unsigned k)
{
    struct cost_curve plain = *curve;
    plain.work = 1;
    plain.interruption.rate = 0;
    return cost_curve_hours(&plain, k);
}

/* K-hours of the measured work on the smallest K, where E is 1. */
static double smallest_k_hours(const struct cost_curve *curve)
{
    unsigned k = curve_smallest(curve);
    double hours = cost_curve_fitted_hours(curve, k);
    return k * (isnan(hours) ? plain_hours(curve, k) : hours);
}

/* What is typed in, and what it is worked out with. */
static void add_plan(const struct forecast_result *result, size_t i, const struct cost_curve *curve,
                     const struct book_numbers *numbers, cJSON *row)
{
    const struct scenario_training *plan = &result->scenario.trainings[i];
    const struct forecast_question *of = &result->questions[i];
    const struct training_question *question = &of->asked;
    char day[16];
    int cell = numbers->cell(numbers->rows, plan->cost_centre, plan->family);
    cJSON_AddStringToObject(row, "training", plan->name);
    cJSON_AddStringToObject(row, "cost_centre", plan->cost_centre);
    cJSON_AddStringToObject(row, "family", plan->family);
    cJSON_AddStringToObject(row, "month", forecast_month_day(plan->month, day));
    number(row, "ideal_node_hours", result->answers[i].ideal_node_hours);
    number(row, "given_k", or_none(plan->k));
    number(row, "deadline_hours", or_none(plan->deadline_hours));
    number(row, "runs", plan->runs > 0 ? plan->runs : 1);
    number(row, "fees", plan->fees);
    cJSON_AddBoolToObject(row, "spot", plan->spot);
    number(row, "ahead", result->trainings[i].ahead);
    number(row, "centre_no", numbers->centre(numbers->rows, plan->cost_centre));
    number(row, "cell_no", cell);
    number(row, "per_node", question->accelerators_per_node);
    number(row, "own_penalty", own_penalty(&result->scenario, plan));
    number(row, "efficiency_left", question->efficiency_left);
    number(row, "ideal_k_hours", result->answers[i].ideal_k_hours);
    number(row, "measured_k_hours", smallest_k_hours(curve));
    number(row, "work", curve->work);
    number(row, "list_price", question->curve.price.per_node_hour);
    number(row, "price_factor", question->price_factor);
    number(row, "node_price", cost_curve_node_price(curve));
    number(row, "wall_price", curve->price.per_wall_hour);
    number(row, "rate", curve->interruption.rate);
    number(row, "checkpoint_hours", curve->interruption.checkpoint_hours);
    number(row, "restart_hours", curve->interruption.restart_hours);
    cJSON_AddBoolToObject(row, "spot_is_stated", of->spot_is_stated);
    number(row, "failed_factor", of->failed_factor);
    number(row, "interrupted_factor", of->interrupted_factor);
}

/* Every K on the curve up to the largest that may be chosen or is given. Returns how many. */
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
        bool feasible = node_limits_allow(&limits, k);
        bool in_time = !(plan->deadline_hours > 0) || hours <= plan->deadline_hours * (1 + K_STAR_TIE);
        cJSON *row = cJSON_CreateObject();
        cJSON_AddItemToArray(list, row);
        number(row, "training_no", training_no);
        cJSON_AddStringToObject(row, "training", plan->name);
        number(row, "k", k);
        cJSON_AddBoolToObject(row, "feasible", feasible);
        number(row, "measured_hours", measured);
        number(row, "stretch", interruption_stretch(&curve->interruption, k));
        number(row, "hours", hours);
        number(row, "cost", cost_curve_cost(curve, k));
        number(row, "choice", feasible && in_time ? cost_curve_cost(curve, k) : NAN);
        count++;
    }
    return count;
}

static void add_answer(const struct forecast_history *history, const struct forecast_result *result, size_t i,
                       cJSON *row)
{
    const struct training_answer *answer = &result->answers[i];
    int leaf = (int)(result->leaf_count - result->scenario.training_count + i);
    double runs = fmax(result->scenario.trainings[i].runs, 1), whole = 0;
    for (int component = 0; component < FORECAST_COMPONENTS; component++) {
        minor(row, forecast_component_name((enum forecast_component)component),
              forecast_result_sum(result, -1, leaf, component));
        whole += result->trainings[i].parts[component];
    }
    minor(row, "total", forecast_result_sum(result, -1, leaf, -1));
    number(row, "whole", whole / history->minor_per_unit);
    number(row, "k", answer->k);
    number(row, "hours", answer->hours);
    number(row, "stretch_at_k", answer->stretch);
    number(row, "efficiency", answer->efficiency);
    number(row, "hardware", answer->ideal_k_hours * answer->node_price / answer->efficiency * runs);
}

void forecast_book_trainings(const struct forecast_history *history, const struct forecast_result *result,
                             const struct book_numbers *numbers, cJSON *book)
{
    cJSON *plans = cJSON_AddArrayToObject(book, "plans"), *sizes = cJSON_AddArrayToObject(book, "sizes");
    int training_no = 0, size = 0;
    for (size_t i = 0; i < result->scenario.training_count; i++) {
        struct cost_curve curve;
        if (result->answers[i].k == 0 || !planned_training_curve(&result->questions[i].asked, &curve))
            continue;
        cJSON *row = cJSON_CreateObject();
        cJSON_AddItemToArray(plans, row);
        number(row, "training_no", ++training_no);
        add_plan(result, i, &curve, numbers, row);
        number(row, "first_size", size + 1);
        size += add_sizes(result, i, training_no, &curve, sizes);
        number(row, "last_size", size);
        add_answer(history, result, i, row);
    }
}
