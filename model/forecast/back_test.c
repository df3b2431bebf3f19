/* model/forecast/back_test.c: see back_test.h. */
#include "model/forecast/back_test.h"

#include <math.h>
#include <stdlib.h>

double forecast_facts_rest(const struct forecast_facts *facts)
{
    double rest = facts->fixed + facts->engineering;
    for (int i = 0; i < FORECAST_WITHOUT_JOB; i++)
        rest += facts->without_job[i];
    return rest;
}

double forecast_facts_total(const struct forecast_facts *facts)
{
    return facts->hardware + facts->fees + facts->failed + facts->cancelled + forecast_facts_rest(facts);
}

static unsigned held_back(size_t months)
{
    if (months < DAMPED_TREND_MONTHS + 1)
        return 0;
    size_t quarter = months / 4;
    size_t most =
        months - DAMPED_TREND_MONTHS < BACK_TEST_MONTHS ? months - DAMPED_TREND_MONTHS : BACK_TEST_MONTHS;
    return (unsigned)(quarter < most ? quarter : most);
}

static double actual_total(const struct forecast_cell *cells, size_t cell_count, size_t month)
{
    double total = 0;
    for (size_t i = 0; i < cell_count; i++)
        total += forecast_facts_total(&cells[i].months[month]);
    return total;
}

static void judge(struct back_test *result, double last)
{
    double off = 0, sum = 0, naive = 0, whole = 0;
    for (unsigned i = 0; i < result->held_back; i++) {
        off += fabs(result->forecast[i] - result->actual[i]);
        sum += result->forecast[i] - result->actual[i];
        naive += fabs(last - result->actual[i]);
        whole += fabs(result->actual[i]);
    }
    result->error = whole > 0 ? off / whole : NAN;
    result->bias = whole > 0 ? sum / whole : NAN;
    result->naive_error = whole > 0 ? naive / whole : NAN;
}

/* Forecasts all cells from their first `known` months, without levers. */
static void carry_on(struct forecast *forecast, size_t known, double *parts, struct back_test *result)
{
    size_t count = forecast_leaves(forecast) * FORECAST_COMPONENTS;
    for (size_t i = 0; i < forecast->cell_count; i++)
        forecast_fit_cell(&forecast->cells[i], known, &forecast->drivers[i]);
    for (unsigned i = 0; i < result->held_back; i++) {
        forecast_month(forecast, i + 1, NULL, parts);
        for (size_t part = 0; part < count; part++)
            result->forecast[i] += parts[part];
        result->actual[i] = actual_total(forecast->cells, forecast->cell_count, known + i);
    }
}

void back_test(const struct forecast_cell *cells, size_t cell_count, size_t months, struct back_test *result)
{
    struct scenario base;
    scenario_start(&base);
    *result = (struct back_test){ .held_back = held_back(months) };
    if (result->held_back == 0) {
        result->error = result->bias = result->naive_error = NAN;
        return;
    }
    struct forecast_cell *plain = malloc(cell_count * sizeof *plain + 1);
    struct forecast_drivers *drivers = malloc(cell_count * sizeof *drivers + 1);
    double *parts = malloc((cell_count + 1) * FORECAST_COMPONENTS * sizeof *parts);
    size_t known = months - result->held_back;
    for (size_t i = 0; i < cell_count; i++) {
        plain[i] = cells[i];
        plain[i].policy_hours = plain[i].policy_wall = plain[i].spot_stretch = 1;
    }
    struct forecast forecast = {
        .cells = plain, .drivers = drivers, .cell_count = cell_count, .scenario = &base, .minor_per_unit = 1
    };
    carry_on(&forecast, known, parts, result);
    judge(result, actual_total(cells, cell_count, known - 1));
    free(plain);
    free(drivers);
    free(parts);
}
