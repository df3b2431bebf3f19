/* model/cost/experiment_value.c: see experiment_value.h. */
#include "model/cost/experiment_value.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

void information_add(struct information_sums *sums, const double *costs)
{
    double least = INFINITY;
    for (size_t i = 0; i < sums->choices; i++) {
        sums->sums[i] += costs[i];
        least = fmin(least, costs[i]);
    }
    sums->least += least;
    sums->draws++;
}

double information_value(const struct information_sums *sums)
{
    double best = INFINITY;
    for (size_t i = 0; i < sums->choices; i++)
        best = fmin(best, sums->sums[i]);
    return sums->draws > 0 ? fmax(0, best - sums->least) / (double)sums->draws : NAN;
}

/* The K that are compared, ascending, into `choices`: those of the draws, above 64 an eighth apart.
 * Returns how many. */
static size_t choose(const struct k_draws *draws, unsigned *choices)
{
    size_t count = 0;
    double next = 0;
    for (size_t i = 0; i < draws->size_count; i++) {
        unsigned k = draws->ks[i];
        if (k < next)
            continue;
        choices[count++] = k;
        next = k < 64 ? 0 : k * 1.125;
    }
    return count;
}

/* One draw at the prices of a curve. */
struct draw_costs {
    double p, f;
    const unsigned *ks; /* the choices */
    size_t choices;
    const double *hours; /* T at each of them */
    double *costs;       /* room for one more */
};

/* Adds the draw to the sums of a node count, which is itself the last choice. A draw without T
 * there is not added. */
static void add_draw(const struct draw_costs *draw, unsigned k, double hours, struct information_sums *sums)
{
    double today = (draw->p * k + draw->f) * hours;
    if (!(today > 0) || !isfinite(today))
        return;
    for (size_t i = 0; i < draw->choices; i++) {
        double cost = (draw->p * draw->ks[i] + draw->f) * draw->hours[i];
        draw->costs[i] = isfinite(cost) ? cost / today : 1;
    }
    draw->costs[draw->choices] = 1;
    information_add(sums, draw->costs);
}

void experiment_values(const struct k_draws *draws, const struct cost_curve *curve, const unsigned *ks,
                       size_t count, double *values)
{
    unsigned *choices = calloc(draws->size_count + 1, sizeof *choices);
    size_t choice_count = choose(draws, choices), columns = choice_count + 1;
    double *hours = calloc(columns, sizeof *hours), *costs = calloc(columns, sizeof *costs);
    double *today = calloc(count + 1, sizeof *today), *numbers = calloc(count * columns + 1, sizeof *numbers);
    struct information_sums *sums = calloc(count + 1, sizeof *sums);
    struct draw_costs draw = { .p = cost_curve_node_price(curve),
                               .f = cost_curve_wall_price(curve),
                               .ks = choices,
                               .choices = choice_count,
                               .hours = hours,
                               .costs = costs };
    bool is_priced = draw.p >= 0 && draw.f >= 0;
    for (size_t at = 0; at < count; at++)
        sums[at] = (struct information_sums){ .sums = numbers + at * columns, .choices = columns };
    for (size_t i = 0; is_priced && i < draws->count; i++) {
        k_bootstrap_hours(draws->fit, &draws->curve, &draws->bootstrap, i, choices, choice_count, hours);
        k_bootstrap_hours(draws->fit, &draws->curve, &draws->bootstrap, i, ks, count, today);
        for (size_t at = 0; at < count; at++)
            add_draw(&draw, ks[at], today[at], &sums[at]);
    }
    for (size_t at = 0; at < count; at++)
        values[at] = information_value(&sums[at]);
    free(sums);
    free(numbers);
    free(today);
    free(costs);
    free(hours);
    free(choices);
}
