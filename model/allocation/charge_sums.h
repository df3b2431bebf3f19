/* model/allocation/charge_sums.h: charges: exact sums of the parts of many lines.
 *
 * Parts are added up twice. A charge states who pays: an attempt, a pool, a cost centre. A class
 * charge states what was bought (provider, SKU, commitment); of an attempt it keeps only cost
 * centre, family and outcome. So there are few of either.
 *
 * A full table is written and emptied, so memory does not grow with the bill. The reader of the
 * written rows adds up charges with the same key.
 */
#ifndef KSTAR_MODEL_ALLOCATION_CHARGE_SUMS_H
#define KSTAR_MODEL_ALLOCATION_CHARGE_SUMS_H

#include "model/allocation/resource_merge.h"

enum charge_target {
    CHARGE_JOB, /* `payer` is an attempt */
    /* the refunded part of an attempt that the system broke: `payer` is the attempt, its pool
     * pays */
    CHARGE_REFUND,
    CHARGE_POOL,        /* `payer` is a name: the pool */
    CHARGE_COST_CENTRE, /* `payer` is a name */
    CHARGE_UNALLOCATED, /* `payer` is an enum charge_reason */
    CHARGE_PREPAID,
    CHARGE_TAX
};

/* Payers of CHARGE_UNALLOCATED. */
enum charge_reason {
    REASON_NO_RULE,
    REASON_SEVERAL_CLUSTERS,
    REASON_IDLE_WITHOUT_POOL,
    REASON_WITHOUT_JOB_RECORDS
};

struct charge_key {
    uint32_t group; /* the line group */
    uint32_t
        /* in a class charge of CHARGE_JOB a name: the cost centre; CHARGE_REFUND becomes
         * CHARGE_POOL there */
        payer;
    uint8_t target; /* enum charge_target */
    /* only in charges; 0 in class charges */
    uint8_t rule;                 /* 0 to 5 */
    bool is_of_another_statement; /* corrections of hours that another statement priced */
    uint64_t node; /* the resource, for idle time and time that waits for job records; else 0 */
    /* only in class charges; 0 in charges */
    bool is_long;             /* charge periods of more than 7 days */
    uint32_t family, outcome; /* names, for CHARGE_JOB */
};

struct charge {
    struct charge_key key;
    uint64_t line_count; /* parts of lines */
    /* in class charges also list and contracted cost, and parts of lines without a list cost */
    struct exact_decimal costs[COST_COUNT];
    uint64_t unlisted_count;
    /* only in charges */
    uint64_t priced; /* microseconds */
    /* sums of effective costs above 0: all; of committed lines; of spot lines */
    struct exact_decimal charged_cost, committed_cost, spot_cost;
};

struct charge_sums;
struct charge_sums *charge_sums_open(void);
void charge_sums_close(struct charge_sums *sums);

/* Finds or makes the charge with this key. Valid until the next call. */
struct charge *charge_sums_find(struct charge_sums *sums, const struct charge_key *key);

size_t charge_sums_count(const struct charge_sums *sums);
const struct charge *charge_sums_at(const struct charge_sums *sums, size_t index);
void charge_sums_empty(struct charge_sums *sums);

/* sum += units / 10^scale */
void exact_decimal_add(struct exact_decimal *sum, mpz_srcptr units, unsigned scale);

#endif
