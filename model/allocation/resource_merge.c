/* model/allocation/resource_merge.c: see resource_merge.h. */
#include "model/allocation/resource_merge.h"

#include "model/allocation/number_array.h"

#include <stdlib.h>

/* A target of a slot. */
struct slot_target {
    enum part_target target;
    size_t attempt;
    int64_t from, to; /* range of its holds in the slot */
};

/* The weight of a hold for one target. */
struct hold_weight {
    struct slot_target target;
    mpz_t weight;
};

struct resource_merge {
    struct resource_slots slots;
    struct exact_split split;

    /* latest end of the holds up to each index; a binary search finds the first hold of a slot */
    int64_t *latest_end;
    size_t hold_capacity;
    struct hold_weight *hold_weights; /* of the current slot; at most two for each hold */
    size_t hold_weight_count, hold_weight_capacity;

    struct slot_target *targets; /* of the current slot; their weights are in a parallel array */
    mpz_t *weights, *parts[COST_COUNT];
    uint64_t *microseconds;
    size_t target_count, target_capacity;
    mpz_t total, unit, excess; /* sum of weights; weights of a microsecond */
    mpz_t divisor, factor, amount;
    mpq_t corrected, slot_excess;
};

struct resource_merge *resource_merge_open(void)
{
    struct resource_merge *merge = calloc(1, sizeof *merge);
    resource_slots_open(&merge->slots);
    exact_split_open(&merge->split);
    mpz_inits(merge->total, merge->unit, merge->excess, merge->divisor, merge->factor, merge->amount, NULL);
    mpq_inits(merge->corrected, merge->slot_excess, NULL);
    return merge;
}

void resource_merge_close(struct resource_merge *merge)
{
    if (merge == NULL)
        return;
    resource_slots_close(&merge->slots);
    exact_split_close(&merge->split);
    number_array_free(merge->weights, merge->target_capacity);
    for (int cost = 0; cost < COST_COUNT; cost++)
        number_array_free(merge->parts[cost], merge->target_capacity);
    free(merge->microseconds);
    mpz_clears(merge->total, merge->unit, merge->excess, merge->divisor, merge->factor, merge->amount, NULL);
    mpq_clears(merge->corrected, merge->slot_excess, NULL);
    for (size_t i = 0; i < merge->hold_weight_capacity; i++)
        mpz_clear(merge->hold_weights[i].weight);
    free(merge->hold_weights);
    free(merge->targets);
    free(merge->latest_end);
    free(merge);
}

/* ---- Holds of a slot ---- */

static void index_holds(struct resource_merge *merge, const struct resource *resource)
{
    if (resource->hold_count > merge->hold_capacity) {
        merge->latest_end = realloc(merge->latest_end, resource->hold_count * sizeof *merge->latest_end);
        merge->hold_capacity = resource->hold_count;
    }
    for (size_t i = 0; i < resource->hold_count; i++) {
        int64_t end = resource->holds[i].end;
        merge->latest_end[i] = i > 0 && merge->latest_end[i - 1] > end ? merge->latest_end[i - 1] : end;
    }
}

/* Index of the first hold that may end after `start`: all earlier holds have ended by then. */
static size_t first_hold(const struct resource_merge *merge, size_t count, int64_t start)
{
    size_t low = 0;
    while (low < count) {
        size_t middle = low + (count - low) / 2;
        if (merge->latest_end[middle] > start)
            count = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* ---- Weights of holds ---- */

static struct hold_weight *add_hold_weight(struct resource_merge *merge, const struct slot_target *target)
{
    if (merge->hold_weight_count == merge->hold_weight_capacity) {
        size_t capacity = merge->hold_weight_capacity == 0 ? 16 : 2 * merge->hold_weight_capacity;
        merge->hold_weights = realloc(merge->hold_weights, capacity * sizeof *merge->hold_weights);
        for (size_t i = merge->hold_weight_capacity; i < capacity; i++)
            mpz_init(merge->hold_weights[i].weight);
        merge->hold_weight_capacity = capacity;
    }
    struct hold_weight *added = &merge->hold_weights[merge->hold_weight_count++];
    added->target = *target;
    return added;
}

/* Sets microseconds x share x part of run time, as a whole number of 1 / the slot's common
 * divisor. */
static void weigh(struct resource_merge *merge, const struct resource_hold *hold,
                  const struct slot_target *target, uint64_t run_part, uint64_t run_whole)
{
    if (run_part == 0 || hold->share_numerator == 0)
        return;
    struct hold_weight *added = add_hold_weight(merge, target);
    mpz_divexact_ui(added->weight, merge->divisor, hold->share_divisor);
    mpz_divexact_ui(added->weight, added->weight, run_whole);
    mpz_mul_ui(added->weight, added->weight, hold->share_numerator);
    mpz_mul_ui(added->weight, added->weight, run_part);
    mpz_mul_ui(added->weight, added->weight, (uint64_t)target->to - (uint64_t)target->from);
    mpz_mul(added->weight, added->weight, merge->factor);
}

/* Whether the hold has time in the slot. If so, sets the attempt and the range of that time. */
static bool held_in(const struct resource_hold *hold, const struct resource_slot *slot,
                    struct slot_target *held)
{
    *held = (struct slot_target){ .target = PART_ATTEMPT,
                                  .attempt = hold->attempt,
                                  .from = hold->start > slot->start ? hold->start : slot->start,
                                  .to = hold->end < slot->end ? hold->end : slot->end };
    return slot->present.is_named && held->from < held->to;
}

/* Finds a common multiple of the divisors of all shares and run-time parts of the slot. */
static void find_divisor(struct resource_merge *merge, const struct resource *resource,
                         const struct resource_slot *slot, size_t first)
{
    mpz_set_ui(merge->divisor, 1);
    for (size_t i = first; i < resource->hold_count && resource->holds[i].start < slot->end; i++) {
        const struct resource_hold *hold = &resource->holds[i];
        const struct resource_attempt *attempt = &resource->attempts[hold->attempt];
        struct slot_target held;
        if (!held_in(hold, slot, &held))
            continue;
        mpz_set_ui(merge->amount, hold->share_divisor);
        mpz_mul_ui(merge->amount, merge->amount, attempt->kept + attempt->refunded);
        mpz_lcm(merge->divisor, merge->divisor, merge->amount);
    }
}

static void weigh_holds(struct resource_merge *merge, const struct resource *resource,
                        const struct resource_slot *slot, size_t first)
{
    merge->hold_weight_count = 0;
    for (size_t i = first; i < resource->hold_count && resource->holds[i].start < slot->end; i++) {
        const struct resource_hold *hold = &resource->holds[i];
        const struct resource_attempt *attempt = &resource->attempts[hold->attempt];
        uint64_t run = attempt->kept + attempt->refunded;
        struct slot_target held;
        if (!held_in(hold, slot, &held))
            continue;
        weigh(merge, hold, &held, attempt->kept, run);
        held.target = PART_REFUND;
        weigh(merge, hold, &held, attempt->refunded, run);
    }
}

static int by_target(const void *one, const void *other)
{
    const struct slot_target *a = &((const struct hold_weight *)one)->target;
    const struct slot_target *b = &((const struct hold_weight *)other)->target;
    int difference = (a->target > b->target) - (a->target < b->target);
    return difference != 0 ? difference : (a->attempt > b->attempt) - (a->attempt < b->attempt);
}

/* ---- Weights of targets ---- */

/* Adds a target with weight 0. */
static mpz_t *add_target(struct resource_merge *merge, struct slot_target target)
{
    if (merge->target_count == merge->target_capacity) {
        size_t capacity = merge->target_capacity == 0 ? 16 : 2 * merge->target_capacity;
        merge->targets = realloc(merge->targets, capacity * sizeof *merge->targets);
        merge->weights = number_array_grow(merge->weights, merge->target_capacity, capacity);
        for (int cost = 0; cost < COST_COUNT; cost++)
            merge->parts[cost] = number_array_grow(merge->parts[cost], merge->target_capacity, capacity);
        merge->microseconds = realloc(merge->microseconds, capacity * sizeof *merge->microseconds);
        merge->target_capacity = capacity;
    }
    size_t place = merge->target_count++;
    merge->targets[place] = target;
    mpz_set_ui(merge->weights[place], 0);
    return &merge->weights[place];
}

/* Makes one target for all holds of an attempt. */
static void add_held_targets(struct resource_merge *merge)
{
    if (merge->hold_weight_count > 0)
        qsort(merge->hold_weights, merge->hold_weight_count, sizeof *merge->hold_weights, by_target);
    for (size_t i = 0; i < merge->hold_weight_count; i++) {
        const struct hold_weight *held = &merge->hold_weights[i];
        bool is_new = i == 0 || by_target(held, held - 1) != 0;
        mpz_t *weight = is_new ? add_target(merge, held->target) : &merge->weights[merge->target_count - 1];
        struct slot_target *target = &merge->targets[merge->target_count - 1];
        target->from = held->target.from < target->from ? held->target.from : target->from;
        target->to = held->target.to > target->to ? held->target.to : target->to;
        mpz_add(*weight, *weight, held->weight);
        mpz_add(merge->total, merge->total, held->weight);
    }
}

/* Adds the targets for billed time that is not held: idle, and time without job records yet.
 * merge->total is the weight of the holds. */
static void add_unheld_targets(struct resource_merge *merge, const struct resource_slot *slot,
                               mpq_srcptr billed)
{
    bool is_of_shorter = slot->time_source == SLOT_TIME_OF_SHORTER;
    mpz_mul(merge->amount, mpq_numref(billed),
            merge->divisor); /* the weight of the billed time; with unrecorded time, ÷ `present` */
    if (slot->present.unrecorded > 0) {
        mpz_mul_ui(merge->excess, merge->amount, slot->present.unrecorded);
        mpz_mul_ui(merge->amount, merge->amount, slot->present.present);
        mpz_sub(merge->amount, merge->amount, merge->excess);
    } else {
        mpz_set_ui(merge->excess, 0);
    }
    /* idle time; below 0: the time held in excess */
    mpz_sub(merge->amount, merge->amount, merge->total);
    mpz_add(merge->total, merge->total, merge->excess);
    if (mpz_sgn(merge->amount) > 0) {
        mpz_set(*add_target(merge, (struct slot_target){ .target = PART_IDLE }), merge->amount);
        mpz_add(merge->total, merge->total, merge->amount);
    }
    if (mpz_sgn(merge->excess) > 0)
        mpz_set(*add_target(merge, (struct slot_target){ .target = PART_WITHOUT_JOB_RECORDS }),
                merge->excess);
    mpz_set_ui(merge->excess, 0);
    if (mpz_sgn(merge->amount) < 0 && !is_of_shorter)
        mpz_neg(merge->excess, merge->amount);
}

/* Sets each target's part of the billed time, rounded half up. */
static void find_microseconds(struct resource_merge *merge, mpq_srcptr billed)
{
    mpz_mul(merge->factor, merge->total, mpq_denref(billed));
    for (size_t i = 0; i < merge->target_count; i++) {
        mpz_mul(merge->amount, merge->weights[i], mpq_numref(billed));
        mpz_mul_2exp(merge->amount, merge->amount, 1);
        mpz_add(merge->amount, merge->amount, merge->factor);
        mpz_fdiv_q(merge->amount, merge->amount, merge->factor);
        mpz_fdiv_q_2exp(merge->amount, merge->amount, 1);
        merge->microseconds[i] = mpz_get_ui(merge->amount);
    }
}

/* Finds the payers of a slot with this billed time. */
static void divide_time(struct resource_merge *merge, const struct resource *resource,
                        const struct resource_slot *slot, mpq_srcptr billed)
{
    size_t first = first_hold(merge, resource->hold_count, slot->start);
    merge->target_count = 0;
    mpz_set_ui(merge->total, 0);
    find_divisor(merge, resource, slot, first);
    mpz_set(merge->factor, mpq_denref(billed));
    if (slot->present.unrecorded > 0)
        mpz_mul_ui(merge->factor, merge->factor, slot->present.present);
    mpz_mul(merge->unit, merge->divisor, merge->factor);
    weigh_holds(merge, resource, slot, first);
    add_held_targets(merge);
    add_unheld_targets(merge, slot, billed);
    if (merge->target_count == 0) { /* no time at all was billed */
        mpz_set_ui(*add_target(merge, (struct slot_target){ .target = PART_IDLE }), 1);
        mpz_set_ui(merge->total, 1);
        mpz_set_ui(merge->unit, 0);
    }
    find_microseconds(merge, billed);
}

/* ---- Lines ---- */

/* Divides a cost among the targets. With one target, the cost is kept as it is written. */
static void split_cost(struct resource_merge *merge, const struct exact_decimal *cost, mpz_t *parts)
{
    if (merge->target_count == 1) {
        mpz_set(parts[0], cost->units);
        return;
    }
    mpz_ui_pow_ui(merge->amount, 10, PART_EXTRA_DIGITS);
    mpz_mul(merge->amount, merge->amount, cost->units);
    exact_split(&merge->split, merge->amount, (const mpz_t *)merge->weights, merge->target_count, parts);
}

/* The parts of a line's costs, each at its scale. Equal costs, the usual case, are divided once. */
static void split_costs(struct resource_merge *merge, const struct resource_line *line,
                        mpz_t *parts[COST_COUNT])
{
    const struct exact_decimal *costs[COST_COUNT] = { &line->billed_cost, &line->effective_cost,
                                                      &line->list_cost, &line->contracted_cost };
    for (int cost = 0; cost < COST_COUNT; cost++) {
        int equal = 0;
        while (mpz_cmp(costs[equal]->units, costs[cost]->units) != 0)
            equal++;
        parts[cost] = merge->parts[equal];
        if (equal == cost)
            split_cost(merge, costs[cost], parts[cost]);
    }
}

static void take_parts(struct resource_merge *merge, const struct resource *resource,
                       const struct resource_slot *slot, size_t line, resource_part_taker *take,
                       void *context)
{
    mpz_t *parts[COST_COUNT];
    split_costs(merge, &resource->lines[line], parts);
    for (size_t i = 0; i < merge->target_count; i++) {
        struct resource_part part = {
            .line = line,
            .slot = slot,
            .target = merge->targets[i].target,
            .attempt = merge->targets[i].attempt,
            .held_from = merge->targets[i].from,
            .held_to = merge->targets[i].to,
            .weight = merge->weights[i],
            .weights = merge->total,
            .microseconds = merge->microseconds[i],
            .extra_digits = merge->target_count > 1 ? PART_EXTRA_DIGITS : 0,
            .is_priced = slot->is_priced && slot->priced_line == line,
            .weights_per_microsecond = merge->unit,
            .excess = merge->slot_excess,
        };
        for (int cost = 0; cost < COST_COUNT; cost++)
            part.units[cost] = parts[cost][i];
        take(&part, context);
    }
}

/* Finds the excess: the time held beyond the slot's own billed time. */
static void find_excess(struct resource_merge *merge)
{
    mpq_set_ui(merge->slot_excess, 0, 1);
    if (mpz_sgn(merge->excess) == 0)
        return;
    mpq_set_num(merge->slot_excess, merge->excess);
    mpq_set_den(merge->slot_excess, merge->unit);
    mpq_canonicalize(merge->slot_excess);
}

static void merge_slot(struct resource_merge *merge, const struct resource *resource,
                       const struct resource_slot *slot, resource_part_taker *take, void *context)
{
    bool is_divided = true; /* divided by the slot's own billed time */
    divide_time(merge, resource, slot, slot->billed);
    find_excess(merge);
    for (size_t i = slot->first; i < slot->first + slot->count; i++) {
        size_t index = merge->slots.order[i];
        const struct resource_line *line = &resource->lines[index];
        bool has_own_time = line->is_correction && line->has_corrected_seconds;
        if (has_own_time) {
            resource_microseconds(&line->corrected_seconds, merge->corrected);
            divide_time(merge, resource, slot, merge->corrected);
        } else if (!is_divided) {
            divide_time(merge, resource, slot, slot->billed);
        }
        is_divided = !has_own_time;
        take_parts(merge, resource, slot, index, take, context);
    }
}

void resource_merge(struct resource_merge *merge, const struct resource *resource, resource_part_taker *take,
                    void *context)
{
    resource_slots_find(&merge->slots, resource);
    index_holds(merge, resource);
    for (size_t i = 0; i < merge->slots.count; i++)
        merge_slot(merge, resource, &merge->slots.slots[i], take, context);
}
