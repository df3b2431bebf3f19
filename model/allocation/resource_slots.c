/* model/allocation/resource_slots.c: see resource_slots.h. */
#define _GNU_SOURCE /* qsort_r */
#include "model/allocation/resource_slots.h"

#include <stdlib.h>

#define NO_SLOT SIZE_MAX

/* The nesting of a slot: slots around it and inside it. */
struct slot_nesting {
    size_t slot;
    size_t outer;  /* index of the slot around it in this array, or NO_SLOT */
    bool is_taken; /* the slot, or one around it, counts its own time, not the time inside */
    mpq_t inside;  /* sum of the times of the slots directly inside */
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
}

/* Makes room for as many slots as lines, which is the maximum. */
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

/* Orders by start, and longest first among equal starts, so a slot follows all slots that
 * contain it. */
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

static bool is_above_period(const struct resource_slot *slot, mpq_srcptr time)
{
    return mpq_cmp_ui(time, (uint64_t)slot->end - (uint64_t)slot->start, 1) > 0;
}

/* Sets slots->time to the microseconds that a line reports for its slot. False if it reports no
 * plausible time. */
static bool reports_time(struct resource_slots *slots, const struct resource *resource,
                         const struct resource_slot *slot, const struct resource_line *line)
{
    if (!line->is_usage || line->is_correction || !line->states_time || is_negative(line))
        return false;
    resource_microseconds(&line->seconds, slots->time);
    return mpq_sgn(slots->time) > 0 && (resource->is_job || !is_above_period(slot, slots->time));
}

/* Ends a SKU: its time is the sum, or the longest time if the lines repeat one another. */
static void end_sku(struct resource_slots *slots, const struct resource *resource, struct resource_slot *slot)
{
    bool repeats = !resource->is_job && is_above_period(slot, slots->sum);
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
            end_sku(slots, resource, slot);
        sku = line->sku;
        if (reports_time(slots, resource, slot, line)) {
            mpq_add(slots->sum, slots->sum, slots->time);
            if (mpq_cmp(slots->time, slots->longest) > 0)
                mpq_set(slots->longest, slots->time);
        }
    }
    end_sku(slots, resource, slot);
    slot->time_source = mpq_sgn(slot->billed) > 0 ? SLOT_TIME_OF_LINES : SLOT_TIME_OF_INVENTORY;
}

/* Adds the times of the outermost slots inside slots[outer] that report a time, into slots->sum.
 * These slots follow slots[outer]. */
static void add_times_inside(struct resource_slots *slots, size_t outer)
{
    const struct resource_slot *slot = &slots->slots[outer];
    int64_t counted_to = slot->start;
    mpq_set_ui(slots->sum, 0, 1);
    for (size_t i = outer + 1; i < slots->count; i++) {
        const struct resource_slot *other = &slots->slots[i];
        if (other->source != slot->source || other->start >= slot->end)
            return;
        if (other->time_source != SLOT_TIME_OF_LINES || other->end > slot->end || other->end <= counted_to)
            continue;
        mpq_add(slots->sum, slots->sum, other->billed);
        counted_to = other->end;
    }
}

/* A slot without its own time takes the time of the shorter slots inside it, or else of the
 * inventory. */
static void complete_times(struct resource_slots *slots)
{
    for (size_t i = 0; i < slots->count; i++) {
        struct resource_slot *slot = &slots->slots[i];
        if (slot->time_source == SLOT_TIME_OF_LINES)
            continue;
        add_times_inside(slots, i);
        bool has_shorter = mpq_sgn(slots->sum) > 0;
        slot->time_source = has_shorter ? SLOT_TIME_OF_SHORTER : SLOT_TIME_OF_INVENTORY;
        if (!has_shorter)
            mpq_set_ui(slot->billed, slot->present.present, 1);
        else if (is_above_period(slot, slots->sum))
            mpq_set_ui(slot->billed, (uint64_t)slot->end - (uint64_t)slot->start, 1);
        else
            mpq_set(slot->billed, slots->sum);
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

/* Lists the slots of all sources that have priced time, ordered by period. Returns their number. */
static size_t order_priced(struct resource_slots *slots)
{
    size_t count = 0;
    for (size_t i = 0; i < slots->count; i++) {
        if (slots->slots[i].is_priced)
            slots->nesting[count++].slot = i;
    }
    qsort_r(slots->nesting, count, sizeof *slots->nesting, by_period, slots->slots);
    return count;
}

/* Whether the slot lies inside the slot of `outer`. It does not begin before that slot. */
static bool is_inside(const struct resource_slots *slots, const struct resource_slot *slot, size_t outer)
{
    const struct resource_slot *around = &slots->slots[slots->nesting[outer].slot];
    return slot->end <= around->end && slot->start < around->end;
}

/* Finds for each of the `count` slots in nesting[] the innermost one around it. */
static void nest(struct resource_slots *slots, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct slot_nesting *inner = &slots->nesting[i];
        size_t outer = i > 0 ? i - 1 : NO_SLOT;
        while (outer != NO_SLOT && !is_inside(slots, &slots->slots[inner->slot], outer))
            outer = slots->nesting[outer].outer;
        inner->outer = outer;
        mpq_set_ui(inner->inside, 0, 1);
    }
}

/* Decides which of nested slots count. */
static void count_once(struct resource_slots *slots)
{
    size_t count = order_priced(slots);
    nest(slots, count);
    for (size_t i = count; i-- > 0;) {
        struct slot_nesting *inner = &slots->nesting[i];
        mpq_srcptr billed = slots->slots[inner->slot].billed;
        inner->is_taken = mpq_cmp(billed, inner->inside) > 0;
        if (inner->outer != NO_SLOT) {
            mpq_t *inside = &slots->nesting[inner->outer].inside;
            mpq_add(*inside, *inside, inner->is_taken ? billed : inner->inside);
        }
    }
    for (size_t i = 0; i < count; i++) {
        struct slot_nesting *inner = &slots->nesting[i];
        bool is_inside_taken = inner->outer != NO_SLOT && slots->nesting[inner->outer].is_taken;
        slots->slots[inner->slot].is_priced = inner->is_taken && !is_inside_taken;
        inner->is_taken = inner->is_taken || is_inside_taken;
    }
}

void resource_slots_find(struct resource_slots *slots, const struct resource *resource)
{
    slots->count = 0;
    if (resource->line_count == 0)
        return; /* and there may be no arrays */
    make_room(slots, resource->line_count);
    group_lines(slots, resource);
    for (size_t i = 0; i < slots->count; i++)
        add_times_of_lines(slots, resource, &slots->slots[i]);
    if (!resource->is_job)
        complete_times(slots);
    find_priced_lines(slots, resource);
    count_once(slots);
}
