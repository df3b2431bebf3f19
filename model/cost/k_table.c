/* model/cost/k_table.c: see k_table.h. */
#include "model/cost/k_table.h"

#include "model/cost/cost_envelope.h"
#include "model/cost/experiment_value.h"
#include "model/cost/k_draws.h"
#include "model/cost/k_star_interval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The table holds this many feasible K; above them k_star() is called. */
enum { TABLE_SIZES = 4096 };

/* Ranges that hold the central 95 % of the draws from this f/p on. */
struct interval_step {
    double from;
    size_t range_count;
    struct k_range ranges[2];
};

struct k_table {
    const struct scaling_fit *fit;
    struct node_limits limits; /* from k_star_limits() */
    unsigned *ks;
    struct cost_step *steps;
    size_t step_count;
    size_t size_count;
    bool goes_on; /* there are feasible K above ks */
    enum k_star_outcome fastest_outcome;
    unsigned fastest;
    struct k_draws *draws; /* NULL until they are needed */
    bool has_intervals;    /* intervals is made */
    struct interval_step *intervals;
    size_t interval_count, interval_capacity;
};

/* ---- the draws ---- */

/* The f/p at which K* of a draw changes. */
struct event {
    double from;
    size_t before, after; /* indexes of K */
};

static int by_ratio(const void *a, const void *b)
{
    const struct event *left = a, *right = b;
    return (left->from > right->from) - (left->from < right->from);
}

/* All changes of the draws, ascending; the caller frees them. counts[] becomes the number of
 * draws with their K* at each index at f/p = 0. */
static struct event *events_of(const struct k_draws *draws, unsigned *counts, size_t *count)
{
    struct event *events = calloc(draws->first[draws->count] + 1, sizeof *events);
    *count = 0;
    for (size_t i = 0; i < draws->count; i++) {
        for (size_t at = draws->first[i]; at < draws->first[i + 1]; at++) {
            const struct drawn_step *step = &draws->steps[at];
            if (at == draws->first[i])
                counts[step->place]++;
            else
                events[(*count)++] = (struct event){ step->from, step[-1].place, step->place };
        }
    }
    if (*count > 0)
        qsort(events, *count, sizeof *events, by_ratio);
    return events;
}

/* Records the ranges from this f/p on, unless they equal the last ones. */
static void add_interval(struct k_table *table, const unsigned *counts, double from)
{
    const struct k_draws *draws = table->draws;
    struct k_interval now = { 0 };
    k_interval_of_counts(draws->ks, counts, draws->size_count + draws->goes_on,
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

static void make_intervals(struct k_table *table)
{
    const struct k_draws *draws = table->draws;
    unsigned *counts = calloc(draws->size_count + 1, sizeof *counts);
    size_t count;
    struct event *events = events_of(draws, counts, &count);
    if (draws->count > 0)
        add_interval(table, counts, 0);
    for (size_t i = 0; i < count; i++) {
        counts[events[i].before]--;
        counts[events[i].after]++;
        if (i + 1 == count || events[i + 1].from > events[i].from)
            add_interval(table, counts, events[i].from);
    }
    free(events);
    free(counts);
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
    table->step_count = cost_envelope(table->ks, hours, table->size_count, table->steps);
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
    k_draws_free(table->draws);
    free(table);
}

/* f/p. NaN if there is no price by the node, or if k_star() must report what is wrong. */
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
        unsigned at = table->steps[cost_step_at(table->steps, table->step_count, ratio)].at;
        if (!table->goes_on || at + 1 < table->size_count) {
            *result = k_star_at(curve, table->ks[at]);
            return K_STAR_FOUND;
        }
    }
    return k_star(curve, &table->limits, result);
}

enum k_star_outcome k_table_fastest(const struct k_table *table, const struct cost_curve *curve,
                                    struct k_star_result *result)
{
    if (!cost_curve_valid(curve) || table->fastest_outcome != K_STAR_FOUND)
        return k_fastest(curve, &table->limits, result);
    *result = k_star_at(curve, table->fastest);
    return K_STAR_FOUND;
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

/* The draws, made when a job of the family first needs them. */
static struct k_draws *draws_of(struct k_table *table, const struct cost_curve *curve)
{
    if (table->draws == NULL)
        table->draws = k_draws_make(table->fit, curve, &table->limits);
    return table->draws;
}

static void by_draws(struct k_table *table, const struct cost_curve *curve, unsigned estimate,
                     struct k_interval *interval)
{
    draws_of(table, curve);
    if (!table->has_intervals)
        make_intervals(table);
    table->has_intervals = true;
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
    if (fit->freedom == 0)
        interval->reason = K_INTERVAL_NO_FREEDOM;
    else if (k_star_in_gap(fit, &table->limits, estimate.k))
        interval->reason = K_INTERVAL_IN_GAP;
    else
        interval->reason = k_star_interval_delta(fit, curve, &table->limits, interval);
    if (interval->reason == K_INTERVAL_INTERIOR)
        k_star_interval_complete(fit, &table->limits, estimate.k, interval);
    else if (interval->reason != K_INTERVAL_NO_FREEDOM && interval->reason != K_INTERVAL_IN_GAP)
        by_draws(table, curve, estimate.k, interval);
}

void k_table_excess(struct k_table *table, const struct cost_curve *curve,
                    const struct excess_question *question, struct excess_interval *excess)
{
    k_draws_excess(draws_of(table, curve), curve, question, excess);
}

void k_table_values(struct k_table *table, const struct cost_curve *curve, const unsigned *ks, size_t count,
                    double *values)
{
    struct k_interval interval;
    k_table_interval(table, curve, &interval);
    if (interval.range_count > 0) {
        experiment_values(draws_of(table, curve), curve, ks, count, values);
        return;
    }
    for (size_t i = 0; i < count; i++)
        values[i] = NAN;
}
