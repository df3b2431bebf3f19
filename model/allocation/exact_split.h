/* model/allocation/exact_split.h: divides an amount by weights without losing any of it.
 *
 * The amount is a whole number of its smallest unit, for example a line's amount at its own scale
 * + 6 digits. Each part is |amount| x weight / sum of weights, truncated. The units left by
 * truncation go one each to the largest remainders; among equal remainders, the earlier position
 * comes first. The sign is applied last. So a credit is divided like a charge, and an amount and
 * its reversal cancel part by part.
 *
 * Identity: the parts add up to the amount.
 *
 * Numbers are GMP's, so no amount or weight is too large.
 */
#ifndef KSTAR_MODEL_ALLOCATION_EXACT_SPLIT_H
#define KSTAR_MODEL_ALLOCATION_EXACT_SPLIT_H

#include <gmp.h>
#include <stddef.h>

/* Memory that is reused by many divisions. Start it with exact_split_open. */
struct exact_split {
    size_t capacity;
    mpz_t *remainders;
    size_t *order;
    mpz_t total, magnitude, left;
};

void exact_split_open(struct exact_split *room);
void exact_split_close(struct exact_split *room);

/* Divides `amount` by `count` > 0 weights into `parts`. Weights are at least 0, and one is above
 * 0. The caller has initialised the parts. */
void exact_split(struct exact_split *room, const mpz_t amount, const mpz_t *weights, size_t count,
                 mpz_t *parts);

#endif
