/* model/allocation/resource_slots.c: see resource_slots.h. */
#define _GNU_SOURCE /* qsort_r */
#include "model/allocation/resource_slots.h"

#include <stdlib.h>

#define NO_SLOT SIZE_MAX

/* A slot among those that contain it, or that it contains. */
struct slot_nesting {
    size_t slot;
    size_t outer;  /* the place of the slot around it in this array, or NO_SLOT */
    bool is_taken; /* the slot, or one around it, counts its own time instead of the time inside */
    mpq_t inside;  /* what the slots directly inside add up to */
};

void resource_slots_open(struct resource_slots *slots)
{
    *slots = (struct resource_slots){ 0 };
    mpq_inits(slots->sum, slots->longest, slots->time, NULL);
}

void resource_slots_close(struct resource_slots *slots)
{
    for (size_t i = 0; i < slots->slot_capacity; i++) {
        mpq_clear(slots->slots[i].billed);
        mpq_clear(slots->nesting[i].inside);
    }
    free(slots->slots);
    free(slots->nesting);
    free(slots->order);
    mpq_clears(slots->sum, slots->longest, slots->time, NULL);
    *slots = (struct resource_slots){ 0 };
}

/* There are at most as many slots as lines. */
static void make_room(struct resource_slots *slots, size_t lines)
{
    if (lines <= slots->line_capacity)
        return;
    slots->order = realloc(slots->order, lines * sizeof *slots->order);
    slots->slots = realloc(slots->slots, lines * sizeof *slots->slots);
    slots->nesting = realloc(slots->nesting, lines * sizeof *slots->nesting);
    for (size_t i = slots->slot_capacity; i < lines; i++) {
        mpq_init(slots->slots[i].billed);
        mpq_init(slots->nesting[i].inside);
    }
    slots->line_capacity = slots->slot_capacity = lines;
}

static int compare_times(int64_t one, int64_t other)
{
    return (one > other) - (one < other);
}

/* By start, and of those that start together the longest first: a slot stands behind all that contain it. */
static int compare_periods(int64_t start, int64_t end, int64_t other_start, int64_t other_end)
{
    int difference = compare_times(start, other_start);
    return difference != 0 ? difference : -compare_times(end, other_end);
}

static int by_slot_and_sku(const void *one, const void *other, void *context)
{
    const struct resource_line *lines = context;
    size_t first = *(const size_t *)one;
    size_t second = *(const size_t *)other;
    const struct resource_line *a = &lines[first];
    const struct resource_line *b = &lines[second];
    int difference = (a->source > b->source) - (a->source < b->source);
    if (difference == 0)
        difference = compare_periods(a->start, a->end, b->start, b->end);
    if (difference == 0)
        difference = (a->sku > b->sku) - (a->sku < b->sku);
    return difference != 0 ? difference : (first > second) - (first < second);
}

static bool is_of_slot(const struct resource_slot *slot, const struct resource_line *line)
{
    return slot->source == line->source && slot->start == line->start && slot->end == line->end;
}

static void group_lines(struct resource_slots *slots, const struct resource *resource)
{
    struct resource_slot *slot = NULL;
    for (size_t i = 0; i < resource->line_count; i++)
        slots->order[i] = i;
    qsort_r(slots->order, resource->line_count, sizeof *slots->order, by_slot_and_sku,
            (void *)resource->lines);
    slots->count = 0;
    for (size_t i = 0; i < resource->line_count; i++) {
        const struct resource_line *line = &resource->lines[slots->order[i]];
        if (slot == NULL || !is_of_slot(slot, line)) {
            slot = &slots->slots[slots->count++];
            slot->start = line->start;
            slot->end = line->end;
            slot->source = line->source;
            slot->first = i;
            slot->count = 0;
            slot->is_priced = false;
            slot->present = resource_present(resource, slot->start, slot->end);
        }
        slot->count++;
    }
}

void resource_microseconds(const struct exact_decimal *decimal, mpq_t microseconds)
{
    mpz_mul_ui(mpq_numref(microseconds), decimal->units, 1000000);
    mpz_ui_pow_ui(mpq_denref(microseconds), 10, decimal->scale);
    mpq_canonicalize(microseconds);
}

static bool is_negative(const struct resource_line *line)
{
    return mpz_sgn(line->billed_cost.units) < 0 || mpz_sgn(line->effective_cost.units) < 0;
}

/* ---- Billed time ---- */

/* The microseconds that a line reports of its slot, into slots->time. False where it reports none that can be true. */
static bool reports_time(struct resource_slots *slots, const struct resource_slot *slot,
                         const struct resource_line *line)
{
    if (!line->is_usage || line->is_correction || !line->tells_time || is_negative(line))
        return false;
    resource_microseconds(&line->seconds, slots->time);
    return mpq_sgn(slots->time) > 0 &&
           mpq_cmp_ui(slots->time, (uint64_t)slot->end - (uint64_t)slot->start, 1) <= 0;
}

/* The end of a SKU: its sum, or its longest time where the lines repeat one another. */
static void end_sku(struct resource_slots *slots, struct resource_slot *slot)
{
    bool repeats = mpq_cmp_ui(slots->sum, (uint64_t)slot->end - (uint64_t)slot->start, 1) > 0;
    mpq_t *time = repeats ? &slots->longest : &slots->sum;
    if (mpq_cmp(*time, slot->billed) > 0)
        mpq_set(slot->billed, *time);
    mpq_set_ui(slots->sum, 0, 1);
    mpq_set_ui(slots->longest, 0, 1);
}

static void add_times_of_lines(struct resource_slots *slots, const struct resource *resource,
                               struct resource_slot *slot)
{
    uint64_t sku = 0;
    mpq_set_ui(slot->billed, 0, 1);
    mpq_set_ui(slots->sum, 0, 1);
    mpq_set_ui(slots->longest, 0, 1);
    for (size_t i = 0; i < slot->count; i++) {
        const struct resource_line *line = &resource->lines[slots->order[slot->first + i]];
        if (line->sku != sku)
            end_sku(slots, slot);
        sku = line->sku;
        if (reports_time(slots, slot, line)) {
            mpq_add(slots->sum, slots->sum, slots->time);
            if (mpq_cmp(slots->time, slots->longest) > 0)
                mpq_set(slots->longest, slots->time);
        }
    }
    end_sku(slots, slot);
    slot->time_source = mpq_sgn(slot->billed) > 0 ? SLOT_TIME_OF_LINES : SLOT_TIME_OF_INVENTORY;
}

/* ---- Nesting ---- */

/* Finds for each of nesting[0] to nesting[count - 1], in the order of compare_periods(), the innermost slot around it. */
static void nest(struct resource_slots *slots, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct slot_nesting *inner = &slots->nesting[i];
        const struct resource_slot *slot = &slots->slots[inner->slot];
        size_t outer = i > 0 ? i - 1 : NO_SLOT;
        while (outer != NO_SLOT && (slots->slots[slots->nesting[outer].slot].end < slot->end ||
                                    slots->slots[slots->nesting[outer].slot].end <= slot->start))
            outer = slots->nesting[outer].outer;
        inner->outer = outer;
        inner->is_taken = false;
        mpq_set_ui(inner->inside, 0, 1);
    }
}

static void add_to_outer(struct resource_slots *slots, const struct slot_nesting *inner, mpq_srcptr time)
{
    if (inner->outer != NO_SLOT)
        mpq_add(slots->nesting[inner->outer].inside, slots->nesting[inner->outer].inside, time);
}

/* Slots without a time of their own take that of the shorter ones inside, or of the inventory. Slots of one source, first to
 * first + count - 1, are in their order already. */
static void complete_times(struct resource_slots *slots, size_t first, size_t count)
{
    for (size_t i = 0; i < count; i++)
        slots->nesting[i].slot = first + i;
    nest(slots, count);
    for (size_t i = count; i-- > 0;) {
        struct slot_nesting *inner = &slots->nesting[i];
        struct resource_slot *slot = &slots->slots[inner->slot];
        uint64_t period = (uint64_t)slot->end - (uint64_t)slot->start;
        if (slot->time_source != SLOT_TIME_OF_LINES && mpq_sgn(inner->inside) > 0) {
            slot->time_source = SLOT_TIME_OF_SHORTER;
            mpq_set(slot->billed, inner->inside);
            if (mpq_cmp_ui(slot->billed, period, 1) > 0)
                mpq_set_ui(slot->billed, period, 1);
        }
        if (slot->time_source == SLOT_TIME_OF_INVENTORY)
            mpq_set_ui(slot->billed, slot->present.present, 1);
        else
            add_to_outer(slots, inner, slot->billed);
    }
}

/* ---- Priced time ---- */

static bool has_priced_time(const struct resource_line *line)
{
    return line->is_hardware && !line->is_correction && !is_negative(line);
}

static void find_priced_lines(struct resource_slots *slots, const struct resource *resource)
{
    for (size_t i = 0; i < slots->count; i++) {
        struct resource_slot *slot = &slots->slots[i];
        for (size_t j = slot->first; j < slot->first + slot->count; j++) {
            size_t line = slots->order[j];
            if (has_priced_time(&resource->lines[line]) && (!slot->is_priced || line < slot->priced_line)) {
                slot->is_priced = true;
                slot->priced_line = line;
            }
        }
    }
}

static int by_period(const void *one, const void *other, void *context)
{
    const struct resource_slot *slots = context;
    const struct slot_nesting *first = one;
    const struct slot_nesting *second = other;
    const struct resource_slot *a = &slots[first->slot];
    const struct resource_slot *b = &slots[second->slot];
    int difference = compare_periods(a->start, a->end, b->start, b->end);
    return difference != 0 ? difference : (first->slot > second->slot) - (first->slot < second->slot);
}

/* Slots of all sources: which of nested ones count. */
static void count_once(struct resource_slots *slots)
{
    for (size_t i = 0; i < slots->count; i++)
        slots->nesting[i].slot = i;
    qsort_r(slots->nesting, slots->count, sizeof *slots->nesting, by_period, slots->slots);
    nest(slots, slots->count);
    for (size_t i = slots->count; i-- > 0;) {
        struct slot_nesting *inner = &slots->nesting[i];
        struct resource_slot *slot = &slots->slots[inner->slot];
        inner->is_taken = slot->is_priced && mpq_cmp(slot->billed, inner->inside) > 0;
        add_to_outer(slots, inner, inner->is_taken ? slot->billed : inner->inside);
    }
    for (size_t i = 0; i < slots->count; i++) {
        struct slot_nesting *inner = &slots->nesting[i];
        bool is_inside_taken = inner->outer != NO_SLOT && slots->nesting[inner->outer].is_taken;
        slots->slots[inner->slot].is_priced = inner->is_taken && !is_inside_taken;
        inner->is_taken = inner->is_taken || is_inside_taken;
    }
}

void resource_slots_find(struct resource_slots *slots, const struct resource *resource)
{
    make_room(slots, resource->line_count);
    group_lines(slots, resource);
    for (size_t i = 0; i < slots->count; i++)
        add_times_of_lines(slots, resource, &slots->slots[i]);
    for (size_t first = 0, count; first < slots->count; first += count) {
        for (count = 1; first + count < slots->count &&
                        slots->slots[first + count].source == slots->slots[first].source;)
            count++;
        complete_times(slots, first, count);
    }
    find_priced_lines(slots, resource);
    count_once(slots);
}
