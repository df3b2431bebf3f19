/* model/allocation/charge_sums.h: charges, what the parts of many lines add up to.
 *
 * Parts are added up twice. A charge says who pays: an attempt, a pool, a cost centre. A class
 * charge says what was bought (the provider, the SKU, the commitment), and knows an attempt by its
 * cost centre, family and outcome alone. So there are few of either. All sums are exact. A table is
 * emptied whenever it is full enough to be written away, so memory does not grow with the bill;
 * charges of one key that were written at different times are added up by their reader.
 */
#ifndef KSTAR_MODEL_ALLOCATION_CHARGE_SUMS_H
#define KSTAR_MODEL_ALLOCATION_CHARGE_SUMS_H

#include "model/allocation/resource_merge.h"

enum charge_target {
    CHARGE_JOB, /* `payer` is an attempt */
    CHARGE_REFUND, /* what an attempt does not pay because the system broke it: `payer` is the attempt, its pool pays */
    CHARGE_POOL,        /* `payer` is a name: the pool */
    CHARGE_COST_CENTRE, /* `payer` is a name */
    CHARGE_UNALLOCATED, /* `payer` is an enum charge_reason */
    CHARGE_PREPAID,
    CHARGE_TAX
};

/* Payers of CHARGE_UNALLOCATED. */
enum charge_reason { REASON_NO_RULE, REASON_SEVERAL_CLUSTERS, REASON_IDLE_WITHOUT_POOL, REASON_AWAITING };

struct charge_key {
    uint32_t group; /* the line group */
    uint32_t
        payer; /* of a class charge of CHARGE_JOB a name: the cost centre; CHARGE_REFUND is CHARGE_POOL there */
    uint8_t target; /* enum charge_target */
    /* of charges; 0 in class charges */
    uint8_t rule;                 /* 0 to 5 */
    bool is_of_another_statement; /* corrections of hours that another statement priced */
    uint64_t node;                /* of idle time, and of what waits for job records: the resource; else 0 */
    /* of class charges; 0 in charges */
    bool is_long;             /* charge periods of more than 7 days */
    uint32_t family, outcome; /* names: of CHARGE_JOB */
};

struct charge {
    struct charge_key key;
    uint64_t line_count; /* parts of lines */
    /* of class charges: list and contracted cost, and parts of lines without a list cost */
    struct exact_decimal costs[COST_COUNT];
    uint64_t unlisted_count;
    /* of charges */
    uint64_t priced; /* microseconds */
    /* the sum of effective costs above 0: committed lines of it; spot lines, all of it */
    struct exact_decimal charged_cost, committed_cost, spot_cost;
};

struct charge_sums;
struct charge_sums *charge_sums_open(void);
void charge_sums_close(struct charge_sums *sums);

/* The charge of that key, made where there is none. Valid until the next call. */
struct charge *charge_sums_find(struct charge_sums *sums, const struct charge_key *key);

size_t charge_sums_count(const struct charge_sums *sums);
const struct charge *charge_sums_at(const struct charge_sums *sums, size_t index);
void charge_sums_empty(struct charge_sums *sums);

/* sum += units / 10^scale */
void exact_decimal_add(struct exact_decimal *sum, mpz_srcptr units, unsigned scale);

#endif
