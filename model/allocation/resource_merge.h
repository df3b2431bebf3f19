/* model/allocation/resource_merge.h: who pays for the lines of one resource.
 *
 * The lines of a slot (resource_slots.h) are divided in the proportions of the slot's billed time.
 *
 *     attempt    the seconds that it held the resource in the slot x its share of it x kept / (kept
 *                + refunded)
 *     refund     of an attempt that the system broke, what is left of that: it goes to the refund's
 *                pool
 *     awaiting   billed time x (time after the horizon / time that the inventory knows the node
 *                for): it waits for job records
 *     idle       the billed time that is left
 *
 * If attempts and awaiting add up to more than the billed time, they are scaled down to it, nothing
 * is idle, and `excess` is what was too much; where shorter slots gave the billed time, it is
 * theirs. A slot without length, or with no time at all, is idle. A slot outside the inventory's
 * rows, but within an hour of one, was held by nobody.
 *
 * A correction takes the billed time that its slot had in the statement of the line that it
 * corrects, where the caller gives one.
 *
 * Each line is divided alone and exactly (exact_split.h), with ties in the order above, so
 *
 *     the parts of a line add up to the line, in billed and in effective cost;
 *     no weight is below 0;
 *     a line and its reversal in the same slot cancel for every target;
 *     the order of lines and holds has no effect.
 *
 * Example: an hour at 3.00. A held 30 minutes of it whole, B 20 minutes of it half: weights 1800,
 * 600 and idle 1200 seconds, so A pays 1.50, B 0.50, and 1.00 is idle.
 */
#ifndef KSTAR_MODEL_ALLOCATION_RESOURCE_MERGE_H
#define KSTAR_MODEL_ALLOCATION_RESOURCE_MERGE_H

#include "model/allocation/exact_split.h"
#include "model/allocation/resource_slots.h"

/* In the order by which ties go. */
enum part_target { PART_ATTEMPT, PART_REFUND, PART_IDLE, PART_AWAITING };

/* How much further an amount with several parts is divided than it is written. */
#define PART_EXTRA_DIGITS 6

enum line_cost { COST_BILLED, COST_EFFECTIVE, COST_LIST, COST_CONTRACTED, COST_COUNT };

struct resource_part {
    size_t line; /* its index in the resource */
    const struct resource_slot *slot;
    enum part_target target;
    size_t attempt; /* of PART_ATTEMPT and PART_REFUND: its index */
    int64_t held_from,
        held_to; /* of them: from the first to the last time that the attempt held it in the slot */
    mpz_srcptr weight, weights;         /* of the line, this part has weight / the weights of all its parts */
    uint64_t microseconds;              /* that part of the billed time, rounded half up */
    mpz_srcptr units[COST_COUNT];       /* at the scale of the line's cost + extra_digits */
    unsigned extra_digits;              /* PART_EXTRA_DIGITS, or 0 where the line has one part */
    bool is_priced;                     /* its microseconds are priced time */
    mpz_srcptr weights_per_microsecond; /* 0 where no time at all was billed */
    mpq_srcptr excess; /* of the slot by its own billed time: microseconds that were held beyond it */
};

/* Takes a part; what it points to is gone with the call. Returns false to stop. */
typedef bool resource_part_taker(const struct resource_part *part, void *context);

/* One serves any number of resources, one after the other. */
struct resource_merge;
struct resource_merge *resource_merge_open(void);
void resource_merge_close(struct resource_merge *merge);

/* Divides the lines of a resource. Parts come by slot, line, target. False if the taker stopped. */
bool resource_merge(struct resource_merge *merge, const struct resource *resource, resource_part_taker *take,
                    void *context);

#endif
