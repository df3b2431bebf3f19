/* model/k_table.c: see k_table.h. */
#include "model/k_table.h"

#include "model/k_star_interval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* K* itself is looked up among so many feasible K; beyond them k_star() is asked. */
enum { TABLE_SIZES = 4096 };

/* From this f/p on, ks[at] is cheapest. */
struct step {
    double from;
    unsigned at;
};

/* From this f/p on, these ranges hold the central 95 % of the draws. */
struct interval_step {
    double from;
    size_t range_count;
    struct k_range ranges[2];
};

struct k_table {
    const struct scaling_fit *fit;
    struct node_limits limits; /* k_star_limits()'s */
    unsigned *ks;
    struct step *steps;
    size_t step_count;
    size_t size_count;
    bool goes_on; /* there are feasible K beyond ks */
    enum k_star_outcome fastest_outcome;
    unsigned fastest;
    bool has_draws; /* intervals is made */
    struct interval_step *intervals;
    size_t interval_count, interval_capacity;
};

/* ---- the lower envelope ---- */

/* f/p at which K of place b begins to be cheaper than K of place a < b, whose T is longer: by more than a tie where tie is. */
static double crossing(const unsigned *ks, const double *hours, unsigned a, unsigned b, double tie)
{
    double later = hours[b] * (1 + tie);
    return hours[a] > later ? (ks[b] * later - ks[a] * hours[a]) / (hours[a] - later) : INFINITY;
}

/* The steps of K* over f/p >= 0, ascending; returns how many (at most count). Only a larger K with a shorter T can ever be
 * cheaper, and of those only the corners of the envelope. */
static size_t envelope(const unsigned *ks, const double *hours, size_t count, struct step *steps)
{
    size_t used = 0;
    for (unsigned i = 0; i < count; i++) {
        if (isnan(hours[i]) || (used > 0 && hours[i] >= hours[steps[used - 1].at]))
            continue;
        while (used > 0) {
            /* One that costs the same where only node-hours cost keeps f/p = 0: the smaller K of a tie. */
            double from = crossing(ks, hours, steps[used - 1].at, i, used > 1 ? 0 : K_STAR_TIE);
            if (from > (used > 1 ? steps[used - 1].from : 0))
                break;
            used--;
        }
        steps[used].from = used > 0 ? crossing(ks, hours, steps[used - 1].at, i, 0) : 0;
        steps[used++].at = i;
    }
    size_t kept = used > 0 ? 1 : 0;
    for (size_t i = 1; i < used; i++) { /* the smaller K of a tie */
        double from = crossing(ks, hours, steps[kept - 1].at, steps[i].at, K_STAR_TIE);
        if (isfinite(from)) {
            steps[kept].from = from;
            steps[kept++].at = steps[i].at;
        }
    }
    return kept;
}

/* The last step at or below f/p. */
static size_t step_at(const struct step *steps, size_t count, double ratio)
{
    size_t low = 0, high = count; /* steps[low].from <= ratio < steps[high].from */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (steps[middle].from <= ratio)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* ---- the draws ---- */

struct event {
    double from;
    unsigned before, after; /* places */
};

static int by_ratio(const void *a, const void *b)
{
    const struct event *left = a, *right = b;
    return (left->from > right->from) - (left->from < right->from);
}

/* What the draws are made with, and the changes of their K* over f/p. */
struct draws {
    struct k_bootstrap bootstrap;
    unsigned *ks;
    size_t count;
    bool goes_on;
    double *hours;
    struct step *steps;
    unsigned *counts; /* draws whose K* is ks[i]; one more for those beyond */
    struct event *events;
    size_t event_count, event_capacity;
};

static void free_draws(struct draws *draws)
{
    if (draws == NULL)
        return;
    free(draws->ks);
    free(draws->hours);
    free(draws->steps);
    free(draws->counts);
    free(draws->events);
    free(draws);
}

/* The last K of a set that goes on stands for those beyond. */
static unsigned place_of_step(const struct draws *draws, const struct step *step)
{
    return draws->goes_on && step->at + 1 == draws->count ? step->at + 1 : step->at;
}

/* Counts one draw at f/p = 0 and notes where it changes. */
static void add_draw(struct draws *draws, size_t step_count)
{
    if (step_count == 0)
        return;
    if (draws->event_count + step_count > draws->event_capacity) {
        draws->event_capacity = 2 * (draws->event_capacity + step_count);
        draws->events = realloc(draws->events, draws->event_capacity * sizeof *draws->events);
    }
    draws->counts[place_of_step(draws, &draws->steps[0])]++;
    for (size_t i = 1; i < step_count; i++)
        draws->events[draws->event_count++] =
            (struct event){ .from = draws->steps[i].from,
                            .before = place_of_step(draws, &draws->steps[i - 1]),
                            .after = place_of_step(draws, &draws->steps[i]) };
}

static void draw_all(const struct k_table *table, const struct cost_curve *curve, struct draws *draws)
{
    k_bootstrap_draw(table->fit, K_STAR_BOOTSTRAP_SEED, &draws->bootstrap);
    draws->ks = k_bootstrap_sizes(curve, &table->limits, &draws->count, &draws->goes_on);
    draws->hours = calloc(draws->count + 1, sizeof *draws->hours);
    draws->steps = calloc(draws->count + 1, sizeof *draws->steps);
    draws->counts = calloc(draws->count + 1, sizeof *draws->counts);
    for (size_t i = 0; i < draws->bootstrap.count && draws->count > 0; i++) {
        k_bootstrap_hours(table->fit, curve, &draws->bootstrap, i, draws->ks, draws->count, draws->hours);
        add_draw(draws, envelope(draws->ks, draws->hours, draws->count, draws->steps));
    }
    if (draws->event_count > 0)
        qsort(draws->events, draws->event_count, sizeof *draws->events, by_ratio);
}

/* Notes the ranges from this f/p on, unless they are the last ones. */
static void add_interval(struct k_table *table, const struct draws *draws, double from)
{
    struct k_interval now = { 0 };
    k_interval_of_counts(draws->ks, draws->counts, draws->count + draws->goes_on,
                         k_star_interval_step(table->fit), &now);
    if (table->interval_count > 0) {
        const struct interval_step *last = &table->intervals[table->interval_count - 1];
        if (last->range_count == now.range_count &&
            memcmp(last->ranges, now.ranges, now.range_count * sizeof *now.ranges) == 0) {
            return;
        }
    }
    if (table->interval_count == table->interval_capacity) {
        table->interval_capacity = table->interval_capacity > 0 ? 2 * table->interval_capacity : 64;
        table->intervals = realloc(table->intervals, table->interval_capacity * sizeof *table->intervals);
    }
    struct interval_step *step = &table->intervals[table->interval_count++];
    *step = (struct interval_step){ .from = from, .range_count = now.range_count };
    memcpy(step->ranges, now.ranges, sizeof step->ranges);
}

static void make_intervals(struct k_table *table, const struct cost_curve *curve)
{
    struct draws *draws = calloc(1, sizeof *draws);
    draw_all(table, curve, draws);
    bool any = draws->bootstrap.count > 0 && draws->count > 0;
    if (any)
        add_interval(table, draws, 0);
    for (size_t i = 0; any && i < draws->event_count; i++) {
        const struct event *event = &draws->events[i];
        draws->counts[event->before]--;
        draws->counts[event->after]++;
        if (i + 1 == draws->event_count || draws->events[i + 1].from > event->from)
            add_interval(table, draws, event->from);
    }
    free_draws(draws);
}

/* ---- the table ---- */

static void make_steps(struct k_table *table, const struct cost_curve *curve)
{
    table->ks = calloc(TABLE_SIZES, sizeof *table->ks);
    table->steps = calloc(TABLE_SIZES, sizeof *table->steps);
    double *hours = calloc(TABLE_SIZES, sizeof *hours);
    unsigned k = 0;
    while (table->size_count < TABLE_SIZES && (k = node_limits_next(&table->limits, k)) != 0) {
        hours[table->size_count] = cost_curve_hours(curve, k);
        table->ks[table->size_count++] = k;
    }
    table->goes_on =
        node_limits_endless(&table->limits) || (k != 0 && node_limits_next(&table->limits, k) != 0);
    table->step_count = envelope(table->ks, hours, table->size_count, table->steps);
    free(hours);
}

struct k_table *k_table_make(const struct scaling_fit *fit, const struct cost_curve *curve,
                             const struct node_limits *limits)
{
    struct k_table *table = calloc(1, sizeof *table);
    struct cost_curve any_price = *curve;
    any_price.price = (struct job_price){ .per_node_hour = 1 };
    any_price.work = 1;
    table->fit = fit;
    table->limits = k_star_limits(curve, limits);
    struct k_star_result fastest;
    table->fastest_outcome = k_fastest(&any_price, limits, &fastest);
    table->fastest = fastest.k;
    make_steps(table, &any_price);
    return table;
}

void k_table_free(struct k_table *table)
{
    if (table == NULL)
        return;
    free(table->ks);
    free(table->steps);
    free(table->intervals);
    free(table);
}

static enum k_star_outcome fill(const struct cost_curve *curve, unsigned k, struct k_star_result *result)
{
    *result = (struct k_star_result){
        .k = k,
        .hours = cost_curve_hours(curve, k),
        .cost = cost_curve_cost(curve, k),
        .efficiency = cost_curve_efficiency(curve, k),
        .measured = cost_curve_override(curve, k) != NULL,
    };
    return K_STAR_FOUND;
}

/* f/p; NaN where k_star() has to say what is wrong, or there is no price by the node. */
static double ratio_of(const struct cost_curve *curve)
{
    double p = cost_curve_node_price(curve), f = cost_curve_wall_price(curve);
    return cost_curve_valid(curve) && p > 0 ? f / p : NAN;
}

enum k_star_outcome k_table_star(const struct k_table *table, const struct cost_curve *curve,
                                 struct k_star_result *result)
{
    double ratio = ratio_of(curve);
    if (isfinite(ratio) && table->step_count > 0) {
        unsigned at = table->steps[step_at(table->steps, table->step_count, ratio)].at;
        if (!table->goes_on || at + 1 < table->size_count)
            return fill(curve, table->ks[at], result);
    }
    return k_star(curve, &table->limits, result);
}

enum k_star_outcome k_table_fastest(const struct k_table *table, const struct cost_curve *curve,
                                    struct k_star_result *result)
{
    if (cost_curve_valid(curve) && table->fastest_outcome == K_STAR_FOUND)
        return fill(curve, table->fastest, result);
    return k_fastest(curve, &table->limits, result);
}

/* The ranges at f/p: those of the last step at or below it. */
static const struct interval_step *interval_at(const struct k_table *table, double ratio)
{
    size_t low = 0, high = table->interval_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (table->intervals[middle].from <= ratio)
            low = middle;
        else
            high = middle;
    }
    return &table->intervals[low];
}

/* The ranges at these prices, made now if no job of the family asked before. */
static void by_draws(struct k_table *table, const struct cost_curve *curve, unsigned estimate,
                     struct k_interval *interval)
{
    struct cost_curve any_price = *curve;
    any_price.work = 1;
    if (!table->has_draws)
        make_intervals(table, &any_price);
    table->has_draws = true;
    if (table->interval_count == 0)
        return;
    double ratio = ratio_of(curve);
    const struct interval_step *step = interval_at(table, isnan(ratio) ? INFINITY : ratio);
    interval->method = K_INTERVAL_BOOTSTRAP;
    interval->range_count = step->range_count;
    memcpy(interval->ranges, step->ranges, sizeof interval->ranges);
    k_star_interval_complete(table->fit, &table->limits, estimate, interval);
}

void k_table_interval(struct k_table *table, const struct cost_curve *curve, struct k_interval *interval)
{
    const struct scaling_fit *fit = table->fit;
    struct k_star_result estimate;
    enum k_star_outcome outcome = k_table_star(table, curve, &estimate);
    *interval = (struct k_interval){ .reason = K_INTERVAL_NO_LAW };
    if ((fit->outcome != SCALING_FIT_LAW && fit->outcome != SCALING_FIT_GROWTH) ||
        (outcome != K_STAR_FOUND && outcome != K_STAR_UNBOUNDED)) {
        return;
    }
    interval->reason = fit->freedom > 0 ? k_star_interval_delta(fit, curve, &table->limits, interval)
                                        : K_INTERVAL_NO_FREEDOM;
    if (interval->reason == K_INTERVAL_INTERIOR)
        k_star_interval_complete(fit, &table->limits, estimate.k, interval);
    else if (interval->reason != K_INTERVAL_NO_FREEDOM)
        by_draws(table, curve, estimate.k, interval);
}
