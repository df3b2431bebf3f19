/* model/forecast/forecast_draws.c: see forecast_draws.h. */
#include "model/forecast/forecast_draws.h"

#include "model/statistics/quantile.h"
#include "model/statistics/seeded_random.h"

#include <math.h>
#include <stdlib.h>

static double relative(const struct damped_trend *fit)
{
    double deviation = fit->level > 0 ? fit->residual / fit->level : NAN;
    return isfinite(deviation) ? fmin(deviation, FORECAST_LARGEST_DEVIATION) : FORECAST_PRIOR_DEVIATION;
}

static double stated(double given, double measured)
{
    return isnan(given) ? measured : given;
}

/* Standard deviation of the price of all hardware. */
static double hardware_price_deviation(const struct forecast *forecast)
{
    double weights = 0, sum = 0;
    for (size_t i = 0; i < forecast->cell_count; i++) {
        const struct forecast_drivers *drivers = &forecast->drivers[i];
        double hardware = drivers->recent_work / drivers->efficiency * drivers->price.level;
        if (hardware > 0) {
            weights += hardware;
            sum += hardware * relative(&drivers->price);
        }
    }
    return weights > 0 ? sum / weights : 0;
}

/* The logarithm of a factor exp(normal) with mean 1. */
static double step(struct seeded_random *random, double deviation)
{
    return deviation * seeded_random_normal(random) - deviation * deviation / 2;
}

/* The values of a draw that are constant over its months, and the positions of its random walks. */
struct draw {
    struct seeded_random *random;
    double *walks;    /* the work of the cells, as logarithms */
    double *failures; /* one per cell */
    double *fits;     /* one per cell and training */
    double price;
};

static void start_draw(const struct forecast *forecast, struct draw *draw)
{
    const struct scenario_uncertainty *uncertainty = &forecast->scenario->uncertainty;
    draw->price = 0;
    for (size_t i = 0; i < forecast->cell_count; i++) {
        double attempts = fmax(forecast->drivers[i].failed_attempts, 1);
        draw->walks[i] = 0;
        draw->failures[i] = exp(step(draw->random, stated(uncertainty->failures, 1 / sqrt(attempts))));
        double changed = forecast->cells[i].policy_hours != 1;
        double noise = step(draw->random, stated(uncertainty->fit, 0.05));
        draw->fits[i] = changed ? exp(noise) : 1;
    }
    for (size_t i = 0; i < forecast->training_count; i++)
        draw->fits[forecast->cell_count + i] =
            exp(step(draw->random, stated(uncertainty->fit, forecast->trainings[i].fit_noise)));
}

/* Moves a draw to the next month. */
static void step_draw(const struct forecast *forecast, double price_deviation, struct draw *draw,
                      struct forecast_shock *shocks)
{
    const struct scenario_uncertainty *uncertainty = &forecast->scenario->uncertainty;
    size_t cells = forecast->cell_count;
    draw->price += step(draw->random, price_deviation);
    for (size_t i = 0; i < cells; i++) {
        double deviation = stated(uncertainty->growth, relative(&forecast->drivers[i].work));
        draw->walks[i] += step(draw->random, deviation);
        shocks[i] = (struct forecast_shock){ .work = exp(draw->walks[i]),
                                             .price = exp(draw->price),
                                             .failures = draw->failures[i],
                                             .hours = draw->fits[i] };
    }
    for (size_t i = 0; i < forecast->training_count; i++) {
        shocks[cells + i] = (struct forecast_shock){
            .work = 1, .price = exp(draw->price), .failures = 1, .hours = draw->fits[cells + i]
        };
    }
}

static double sum_of(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

static void range_of(double *totals, size_t draws, struct forecast_range *range)
{
    sort_ascending(totals, draws);
    *range = (struct forecast_range){ quantile(totals, draws, .1), quantile(totals, draws, .5),
                                      quantile(totals, draws, .9) };
}

void forecast_draw(const struct forecast *forecast, unsigned months, struct forecast_range *ranges)
{
    size_t leaves = forecast_leaves(forecast), parts_count = leaves * FORECAST_COMPONENTS;
    size_t draws = (size_t)forecast->scenario->uncertainty.draws;
    double price_deviation =
        stated(forecast->scenario->uncertainty.price, hardware_price_deviation(forecast));
    struct seeded_random random;
    struct forecast_shock *shocks = calloc(leaves, sizeof *shocks);
    double *memory = calloc(parts_count + 3 * leaves + draws * (months + 1), sizeof *memory);
    double *parts = memory, *totals = memory + parts_count + 3 * leaves;
    struct draw draw = { &random, parts + parts_count, parts + parts_count + leaves,
                         parts + parts_count + 2 * leaves, 0 };
    seeded_random_start(&random, (uint64_t)forecast->scenario->uncertainty.seed);
    for (size_t i = 0; i < draws; i++) {
        start_draw(forecast, &draw);
        for (unsigned month = 0; month < months; month++) {
            step_draw(forecast, price_deviation, &draw, shocks);
            forecast_month(forecast, month + 1, shocks, parts);
            double total = sum_of(parts, parts_count);
            totals[month * draws + i] = total;
            totals[months * draws + i] += total;
        }
    }
    for (unsigned month = 0; month <= months; month++)
        range_of(&totals[month * draws], draws, &ranges[month]);
    free(shocks);
    free(memory);
}
