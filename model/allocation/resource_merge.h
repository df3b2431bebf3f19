/* model/allocation/resource_merge.h: decides who pays for the lines of one resource.
 *
 * The billed time of a slot (resource_slots.h) is divided among these targets, and the slot's
 * lines in the same proportions:
 *
 *     attempt    seconds that it held the resource in the slot x its share of the resource x kept /
 *                (kept + refunded)
 *     refund     the rest of that time, if the system broke the attempt; the refund's pool pays
 *     without job records
 *                billed time x (time after the horizon / time for which the inventory knows the
 *                node); a later statement allocates it
 *     idle       the rest of the billed time
 *
 * If attempts and time without job records exceed the billed time, they are scaled down to it and
 * nothing is idle. `excess` is the time above it. If the billed time of a slot comes from shorter
 * slots, the excess belongs to those. A slot without length or billed time is idle. A slot outside
 * the inventory's rows, but within an hour of one, has no holder.
 *
 * A correction uses the billed time of its slot in the statement of the corrected line, if the
 * caller provides it.
 *
 * Each line is divided separately and exactly (exact_split.h); ties follow the order above.
 * Therefore
 *
 *     the parts of a line add up to the line, in billed and in effective cost;
 *     no weight is below 0;
 *     a line and its reversal in the same slot cancel for every target;
 *     the order of lines and holds has no effect.
 *
 * Example: an hour costs 3.00. A held all of the node for 30 minutes, B half of it for 20 minutes.
 * The weights are 1800, 600 and idle 1200 seconds: A pays 1.50, B 0.50, and 1.00 is idle.
 */
#ifndef KSTAR_MODEL_ALLOCATION_RESOURCE_MERGE_H
#define KSTAR_MODEL_ALLOCATION_RESOURCE_MERGE_H

#include "model/allocation/exact_split.h"
#include "model/allocation/resource_slots.h"

/* In the order that decides ties. */
enum part_target { PART_ATTEMPT, PART_REFUND, PART_IDLE, PART_WITHOUT_JOB_RECORDS };

/* Additional decimal places of an amount that is divided into several parts. */
#define PART_EXTRA_DIGITS 6

enum line_cost { COST_BILLED, COST_EFFECTIVE, COST_LIST, COST_CONTRACTED, COST_COUNT };

struct resource_part {
    size_t line; /* index of the line in the resource */
    const struct resource_slot *slot;
    enum part_target target;
    size_t attempt; /* for PART_ATTEMPT and PART_REFUND: index of the attempt */
    int64_t held_from,
        /* for the same: first and last time that the attempt held the resource in the slot */
        held_to;
    mpz_srcptr weight, weights;         /* this part has weight / weights of the line */
    uint64_t microseconds;              /* the same part of the billed time, rounded half up */
    mpz_srcptr units[COST_COUNT];       /* at the scale of the line's cost + extra_digits */
    unsigned extra_digits;              /* PART_EXTRA_DIGITS; 0 if the line has one part */
    bool is_priced;                     /* its microseconds count as priced time */
    mpz_srcptr weights_per_microsecond; /* 0 if no time was billed */
    /* of the slot, by its own billed time: microseconds held beyond it */
    mpq_srcptr excess;
};

/* Receives a part; its pointers are valid during the call only. */
typedef void resource_part_taker(const struct resource_part *part, void *context);

/* One struct serves any number of resources, one after the other. */
struct resource_merge;
struct resource_merge *resource_merge_open(void);
void resource_merge_close(struct resource_merge *merge);

/* Divides the lines of a resource. Parts are passed by slot, line, target. */
void resource_merge(struct resource_merge *merge, const struct resource *resource, resource_part_taker *take,
                    void *context);

#endif
