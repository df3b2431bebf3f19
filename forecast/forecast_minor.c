/* forecast/forecast_minor.c: see forecast_minor.h. */
#include "forecast/forecast_minor.h"

#include "base/most_cost.h"

#include <math.h>
#include <stdlib.h>

/* Rounds to whole minor units. An exact half, stored as a double, may be slightly too small; the
 * factor makes it round up as the exact value would. Means of two months have many halves, and
 * the workbook's formulas round differently from this code. */
static int64_t whole_units(double minor)
{
    return llround(minor * (1 + 1e-12));
}

static bool fits(const struct forecast_result *result, double minor)
{
    return fabs(minor) <= MOST_COST * result->forecast.minor_per_unit;
}

static bool refuse_cost(const struct forecast_result *result, unsigned ahead, struct error *error)
{
    char month[8];
    return error_set(error, ERROR_INPUT,
                     "scenario %s: the months to %s cost more than kstar can hold: are its growth and prices "
                     "right?",
                     result->scenario.name,
                     scenario_month_text(result->forecast.first + (int)ahead - 1, month));
}

/* Rounds the parts of a month. Fails if they and the earlier months (*sum) exceed the limit of
 * kstar. */
static bool round_parts(struct forecast_result *result, unsigned month, const double *parts, double *sum)
{
    size_t count = result->leaf_count * FORECAST_COMPONENTS;
    for (size_t i = 0; i < count; i++)
        *sum += fabs(parts[i]);
    if (!fits(result, *sum))
        return false;
    for (size_t i = 0; i < count; i++)
        result->minor[month * count + i] = whole_units(parts[i]);
    return true;
}

static void evaluate_cells(struct forecast_result *result, unsigned month, const double *parts)
{
    size_t cells = result->forecast.cell_count;
    for (size_t i = 0; i < cells; i++) {
        const double *cell = &parts[i * FORECAST_COMPONENTS];
        double paid = cell[FORECAST_USEFUL] + cell[FORECAST_UNMEASURED] + cell[FORECAST_COORDINATION];
        result->work[month * cells + i] = forecast_work(&result->forecast, i, month + 1);
        double hours = forecast_hours(&result->forecast, i, month + 1);
        result->hours[month * cells + i] = hours;
        result->price[month * cells + i] = hours > 0 ? paid / hours : 0;
    }
}

static bool draw_ranges(struct forecast_result *result, struct error *error)
{
    forecast_draw(&result->forecast, result->months, result->ranges);
    for (unsigned month = 0; month <= result->months; month++)
        if (!fits(result, result->ranges[month].p10) || !fits(result, result->ranges[month].p90))
            return refuse_cost(result, month < result->months ? month + 1 : month, error);
    return true;
}

static bool evaluate(struct forecast_result *result, struct error *error)
{
    double *parts = malloc(result->leaf_count * FORECAST_COMPONENTS * sizeof *parts);
    double sum = 0;
    bool ok = true;
    for (unsigned month = 0; ok && month < result->months; month++) {
        forecast_month(&result->forecast, month + 1, NULL, parts);
        ok = round_parts(result, month, parts, &sum) || refuse_cost(result, month + 1, error);
        evaluate_cells(result, month, parts);
    }
    free(parts);
    return ok && draw_ranges(result, error);
}

/* Fills the bridge from the base to the scenario. Leaves are rounded one by one; the rounding
 * difference is a separate step. */
static bool bridge_from_base(struct forecast_result *result, struct error *error)
{
    struct forecast_stage stages[FORECAST_LEVERS + 1];
    forecast_bridge(&result->forecast, result->months, stages);
    for (int lever = 0; lever <= FORECAST_LEVERS; lever++)
        if (!fits(result, stages[lever].total))
            return refuse_cost(result, result->months, error);
    result->bridge[0] = llround(stages[0].total);
    for (int lever = 0; lever < FORECAST_LEVERS; lever++) {
        result->bridge[lever + 1] = llround(stages[lever + 1].total) - llround(stages[lever].total);
        result->freed[lever] = llround(stages[lever + 1].freed) - llround(stages[lever].freed);
    }
    result->bridge[FORECAST_LEVERS + 1] =
        forecast_result_sum(result, -1, -1, -1) - llround(stages[FORECAST_LEVERS].total);
    return true;
}

bool forecast_minor(struct forecast_result *result, struct error *error)
{
    return evaluate(result, error) && bridge_from_base(result, error);
}
