/* model/allocation/resource_slots.h: the slots of one resource, and how long each was billed.
 *
 * A slot is one source and one charge period of the resource, with all the lines that name it:
 * usage, credit, discount, correction, licence.
 *
 * Billed time. The usage lines of the slot report it; free ones do, too, negative lines and
 * corrections do not. Times of one SKU are added up. A sum above the period means that the lines
 * repeat one another; then the longest of them counts. Of several SKUs the longest time counts. If
 * no line reports a time, the times of the slots inside it count that report one, at most its
 * period; one inside another is left out. If there are none, it is the time that the inventory
 * knows the node for.
 *
 *     Two lines of one SKU report 20 and 40 minutes of an hour: the slot has 60 minutes.
 *     Two lines of one SKU report 40 and 40 minutes of an hour: the slot has 40 minutes.
 *     A month's credit reports no time, and hours inside it report 600 hours: it has 600 hours.
 *
 * Priced time counts each second of the resource once. Slots with a hardware line that is no
 * correction and not negative have priced time: their billed time. Of these, a slot that contains
 * others counts its own time or the sum of theirs, whichever is more; where the two are equal,
 * theirs. One inside several belongs to the one that begins last, then to the shortest.
 *
 *     A day's licence reports 6 hours, and so do six hourly slots of that day: the hourly slots are
 *     priced, 6 hours.
 */
#ifndef KSTAR_MODEL_ALLOCATION_RESOURCE_SLOTS_H
#define KSTAR_MODEL_ALLOCATION_RESOURCE_SLOTS_H

#include "model/allocation/resource.h"

enum slot_time_source {
    SLOT_TIME_OF_LINES,    /* its usage lines report it */
    SLOT_TIME_OF_SHORTER,  /* the slots inside it do */
    SLOT_TIME_OF_INVENTORY /* nothing on the bill does */
};

struct resource_slot {
    int64_t start, end;
    uint32_t source;
    size_t first, count; /* its lines are order[first] to order[first + count - 1] */
    struct resource_present present;
    enum slot_time_source time_source;
    mpq_t billed; /* microseconds */
    bool is_priced;
    size_t priced_line; /* where is_priced: the first line that has priced time, which stands for it */
};

/* Start with resource_slots_open; one serves any number of resources, one after the other. */
struct resource_slots {
    size_t count;
    struct resource_slot *slots; /* by source, start, and longest first */
    size_t *order;               /* indexes of lines, by slot, SKU and index */

    size_t slot_capacity, line_capacity; /* the rest is of resource_slots.c */
    struct slot_nesting *nesting;
    mpq_t sum, longest, time;
};

void resource_slots_open(struct resource_slots *slots);
void resource_slots_close(struct resource_slots *slots);

/* Finds the slots of a resource. They are valid until the next call. */
void resource_slots_find(struct resource_slots *slots, const struct resource *resource);

/* `decimal` seconds as microseconds. */
void resource_microseconds(const struct exact_decimal *decimal, mpq_t microseconds);

#endif
