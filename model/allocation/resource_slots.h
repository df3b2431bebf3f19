/* model/allocation/resource_slots.h: the slots of one resource, and the billed time of each.
 *
 * A slot is one source and one charge period of the resource. It has all lines of that source and
 * period: usage, credit, discount, correction, licence.
 *
 * Billed time. The usage lines of the slot report it. Free lines count, too; negative lines and
 * corrections do not. The rules are:
 *
 *   1. The times of one SKU are added up. If the sum exceeds the period, the lines repeat one
 *      another, and the longest time counts.
 *
 *   2. Of several SKUs, the longest time counts.
 *
 *   3. If no line reports a time, the reported times of the slots inside are added up, at most the
 *      length of the period. A slot inside another of these is not counted again.
 *
 *   4. If there are no such slots, it is the time for which the inventory knows the node.
 *
 * Examples:
 *
 *     Two lines of one SKU report 20 and 40 minutes of an hour: the slot has 60 minutes.
 *     Two lines of one SKU report 40 and 40 minutes of an hour: the slot has 40 minutes.
 *     A month's credit reports no time; hours inside the month report 600 hours: it has 600 hours.
 *
 * Priced time counts each second of the resource once. A slot has priced time, equal to its billed
 * time, if it has a hardware line that is neither a correction nor negative. If such slots are
 * nested, the outer slot counts the larger of its own time and the sum of the times inside; if
 * both are equal, the inner slots count. A slot inside several slots belongs to the one that
 * begins last, then to the shortest.
 *
 *     A day's licence reports 6 hours, and six hourly slots of that day report 1 hour each: the
 *     hourly slots are priced, 6 hours.
 */
#ifndef KSTAR_MODEL_ALLOCATION_RESOURCE_SLOTS_H
#define KSTAR_MODEL_ALLOCATION_RESOURCE_SLOTS_H

#include "model/allocation/resource.h"

enum slot_time_source {
    SLOT_TIME_OF_LINES,    /* reported by its usage lines */
    SLOT_TIME_OF_SHORTER,  /* reported by the slots inside it */
    SLOT_TIME_OF_INVENTORY /* from the inventory; the bill reports none */
};

struct resource_slot {
    int64_t start, end;
    uint32_t source;
    size_t first, count; /* its lines are order[first] to order[first + count - 1] */
    struct resource_present present;
    enum slot_time_source time_source;
    mpq_t billed; /* microseconds */
    bool is_priced;
    /* if is_priced: the first line with priced time, which represents the slot */
    size_t priced_line;
};

/* Start it with resource_slots_open. One struct serves any number of resources, one after the
 * other. */
struct resource_slots {
    size_t count;
    struct resource_slot *slots; /* sorted by source, start, and longest first */
    size_t *order;               /* indexes of lines, sorted by slot, SKU and index */

    size_t slot_capacity, line_capacity; /* the fields from here on belong to resource_slots.c */
    struct slot_nesting *nesting;
    mpq_t sum, longest, time;
};

void resource_slots_open(struct resource_slots *slots);
void resource_slots_close(struct resource_slots *slots);

/* Finds the slots of a resource. The result is valid until the next call. */
void resource_slots_find(struct resource_slots *slots, const struct resource *resource);

/* Converts `decimal` seconds to microseconds. */
void resource_microseconds(const struct exact_decimal *decimal, mpq_t microseconds);

#endif
