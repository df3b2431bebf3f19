/* model/cost/k_draws.c: see k_draws.h. */
#include "model/cost/k_draws.h"

#include "model/cost/cost_envelope.h"
#include "model/cost/k_interval.h"

#include <math.h>
#include <stdlib.h>

/* Appends the steps of one draw. */
static void keep_steps(struct k_draws *draws, const struct cost_step *steps, size_t count,
                       const double *hours, size_t *capacity)
{
    size_t used = draws->first[draws->count];
    if (used + count > *capacity) {
        *capacity = 2 * (*capacity + count);
        draws->steps = realloc(draws->steps, *capacity * sizeof *draws->steps);
    }
    for (size_t i = 0; i < count; i++) {
        /* the last K of an endless set represents all K above it */
        bool is_beyond = draws->goes_on && steps[i].at + 1 == draws->size_count;
        draws->steps[used + i] = (struct drawn_step){ .from = steps[i].from,
                                                      .place = steps[i].at + (is_beyond ? 1 : 0),
                                                      .k = draws->ks[steps[i].at],
                                                      .hours = hours[steps[i].at] };
    }
    draws->first[++draws->count] = used + count;
}

struct k_draws *k_draws_make(const struct scaling_fit *fit, const struct cost_curve *curve,
                             const struct node_limits *limits)
{
    struct k_draws *draws = calloc(1, sizeof *draws);
    size_t capacity = 0;
    draws->fit = fit;
    draws->curve = *curve;
    k_bootstrap_draw(fit, K_STAR_BOOTSTRAP_SEED, &draws->bootstrap);
    draws->ks = k_bootstrap_sizes(curve, limits, &draws->size_count, &draws->goes_on);
    draws->first = calloc(draws->bootstrap.count + 1, sizeof *draws->first);
    draws->values = calloc(2 * draws->bootstrap.count + 1, sizeof *draws->values);
    double *hours = calloc(draws->size_count + 1, sizeof *hours);
    struct cost_step *steps = calloc(draws->size_count + 1, sizeof *steps);
    for (size_t i = 0; i < draws->bootstrap.count && draws->size_count > 0; i++) {
        k_bootstrap_hours(fit, curve, &draws->bootstrap, i, draws->ks, draws->size_count, hours);
        size_t count = cost_envelope(draws->ks, hours, draws->size_count, steps);
        keep_steps(draws, steps, count, hours, &capacity);
    }
    free(steps);
    free(hours);
    return draws;
}

void k_draws_free(struct k_draws *draws)
{
    if (draws == NULL)
        return;
    for (size_t i = 0; i < draws->asked_count; i++)
        free(draws->asked[i].of_draw);
    free(draws->asked);
    free(draws->ks);
    free(draws->first);
    free(draws->steps);
    free(draws->values);
    free(draws);
}

/* T(k) of each draw, computed when a job first needs it. */
static const double *hours_at(struct k_draws *draws, unsigned k)
{
    for (size_t i = 0; i < draws->asked_count; i++) {
        if (draws->asked[i].k == k)
            return draws->asked[i].of_draw;
    }
    double *of_draw = calloc(draws->count, sizeof *of_draw);
    for (size_t i = 0; i < draws->count; i++)
        k_bootstrap_hours(draws->fit, &draws->curve, &draws->bootstrap, i, &k, 1, &of_draw[i]);
    draws->asked = realloc(draws->asked, (draws->asked_count + 1) * sizeof *draws->asked);
    draws->asked[draws->asked_count++] = (struct drawn_hours){ k, of_draw };
    return of_draw;
}

/* The step of draw i at this f/p. NULL if the draw has no feasible K. */
static const struct drawn_step *step_of(const struct k_draws *draws, size_t i, double ratio)
{
    const struct drawn_step *step = &draws->steps[draws->first[i]], *end = &draws->steps[draws->first[i + 1]];
    if (step == end)
        return NULL;
    while (step + 1 < end && step[1].from <= ratio)
        step++;
    return step;
}

/* The excess cost of the job over K*, as a share of its own cost; 0 if the job costs nothing. */
static double excess_of(double p, double f, const struct drawn_step *cheapest, double k, double hours,
                        double own_share)
{
    double cost = (p * k + f) * hours;
    double lowest = (p * cheapest->k + f) * cheapest->hours;
    double excess = cost > 0 ? 1 - own_share * lowest / cost : 0;
    return excess > 0 ? excess : 0;
}

/* The value with `tail` others below it, or with `from_above` above it. Only these outermost values
 * are sorted: nearly all others are skipped after one comparison. */
static double end_of(const double *values, size_t count, size_t tail, bool from_above)
{
    double outermost[K_STAR_BOOTSTRAP_LAWS];
    for (size_t i = 0; i <= tail; i++)
        outermost[i] = INFINITY;
    for (size_t i = 0; i < count; i++) {
        double value = from_above ? -values[i] : values[i];
        if (value >= outermost[tail])
            continue;
        size_t place = tail;
        for (; place > 0 && outermost[place - 1] > value; place--)
            outermost[place] = outermost[place - 1];
        outermost[place] = value;
    }
    return from_above ? -outermost[tail] : outermost[tail];
}

void k_draws_excess(struct k_draws *draws, const struct cost_curve *curve,
                    const struct excess_question *question, struct excess_interval *excess)
{
    *excess = (struct excess_interval){ 0, NAN, NAN, NAN, NAN };
    double p = cost_curve_node_price(curve), f = cost_curve_wall_price(curve);
    if (draws->count == 0 || !(p >= 0) || !(f >= 0))
        return;
    double own_share = question->own_share > 0 ? question->own_share : 1;
    double ratio = p > 0 ? f / p : INFINITY;
    double waiting = curve->price.waiting_per_hour;
    bool is_same = waiting == 0;
    const double *hours = hours_at(draws, question->k);
    double *counted = draws->values, *money = draws->values + draws->count;
    size_t count = 0;
    for (size_t i = 0; i < draws->count; i++) {
        const struct drawn_step *cheapest = step_of(draws, i, ratio);
        if (cheapest == NULL)
            continue;
        double k = question->k;
        bool is_beyond = cheapest->place == draws->size_count;
        bool is_above = k > cheapest->k, is_below = is_beyond || k < cheapest->k;
        bool counts = question->side == EXCESS_ABOVE ? is_above && !is_beyond : is_below;
        counted[count] = counts ? excess_of(p, f, cheapest, k, hours[i], own_share) : 0;
        if (!is_same)
            money[count] = counts ? excess_of(p, f - waiting, cheapest, k, hours[i], own_share) : 0;
        count++;
    }
    if (count == 0)
        return;
    size_t tail = (size_t)((1 - K_STAR_INTERVAL_LEVEL) / 2 * (double)count);
    excess->draws = count;
    excess->low = end_of(counted, count, tail, false);
    excess->high = end_of(counted, count, tail, true);
    excess->money_low = is_same ? excess->low : end_of(money, count, tail, false);
    excess->money_high = is_same ? excess->high : end_of(money, count, tail, true);
}
