/* model/cost/experiment_value.c: see experiment_value.h. */
#include "model/cost/experiment_value.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

void information_add(struct information_sums *sums, const double *costs, double today)
{
    double least = today, share = 1 / today;
    for (size_t i = 0; i < sums->choices; i++) {
        sums->sums[i] += costs[i] * share;
        least = costs[i] < least ? costs[i] : least;
    }
    sums->least += least * share;
    sums->draws++;
}

double information_value(const struct information_sums *sums)
{
    double best = (double)sums->draws; /* of today's K: 1 in each draw */
    for (size_t i = 0; i < sums->choices; i++)
        best = fmin(best, sums->sums[i]);
    return sums->draws > 0 ? fmax(0, best - sums->least) / (double)sums->draws : NAN;
}

/* Writes the K to compare, ascending, into `choices`: the K of the draws, above 64 in steps of 1/8.
 * Returns their number. */
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

/* Replaces T(K) of a draw at each of these K by C(K). */
static void cost_hours(double p, double f, const unsigned *ks, size_t count, double *hours)
{
    for (size_t i = 0; i < count; i++)
        hours[i] *= p * ks[i] + f;
}

static bool all_known(const double *costs, size_t count)
{
    bool known = true;
    for (size_t i = 0; i < count; i++)
        known = known && isfinite(costs[i]);
    return known;
}

/* Adds all draws to the sums of each of the `count` node counts. Each has its own room. */
static void add_draws(const struct k_draws *draws, double p, double f, const unsigned *ks, size_t count,
                      struct information_sums *sums)
{
    unsigned *choices = calloc(draws->size_count + 1, sizeof *choices);
    size_t choice_count = choose(draws, choices);
    double *costs = calloc(choice_count + 1, sizeof *costs), *today = calloc(count + 1, sizeof *today);
    for (size_t at = 0; at < count; at++)
        sums[at] = (struct information_sums){ calloc(choice_count + 1, sizeof(double)), choice_count, 0, 0 };
    for (size_t i = 0; i < draws->count; i++) {
        k_bootstrap_hours(draws->fit, &draws->curve, &draws->bootstrap, i, choices, choice_count, costs);
        k_bootstrap_hours(draws->fit, &draws->curve, &draws->bootstrap, i, ks, count, today);
        cost_hours(p, f, choices, choice_count, costs);
        cost_hours(p, f, ks, count, today);
        bool is_known = all_known(costs, choice_count);
        for (size_t at = 0; is_known && at < count; at++) {
            if (today[at] > 0 && isfinite(today[at]))
                information_add(&sums[at], costs, today[at]);
        }
    }
    free(today);
    free(costs);
    free(choices);
}

void experiment_values(const struct k_draws *draws, const struct cost_curve *curve, const unsigned *ks,
                       size_t count, double *values)
{
    struct information_sums *sums = calloc(count + 1, sizeof *sums);
    double p = cost_curve_node_price(curve), f = cost_curve_wall_price(curve);
    if (p >= 0 && f >= 0)
        add_draws(draws, p, f, ks, count, sums);
    for (size_t at = 0; at < count; at++) {
        values[at] = information_value(&sums[at]);
        free(sums[at].sums);
    }
    free(sums);
}
