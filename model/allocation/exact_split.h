/* model/allocation/exact_split.h: an amount divided by weights, with nothing lost.
 *
 * The amount is a whole number of its smallest unit (a line's amount at its own scale + 6 digits,
 * say). Each part is |amount| x weight / sum of weights, truncated. The units that truncation
 * leaves over go one each to the largest remainders; equal remainders go by position. The sign is
 * put back last, so a credit is divided like a charge, and an amount and its reversal cancel part
 * by part.
 *
 * Identity: the parts add up to the amount.
 *
 * Numbers are GMP's, so no amount and no weight is too large.
 */
#ifndef KSTAR_MODEL_ALLOCATION_EXACT_SPLIT_H
#define KSTAR_MODEL_ALLOCATION_EXACT_SPLIT_H

#include <gmp.h>
#include <stddef.h>

/* Memory that divisions share: a million of them allocate once. Starts with exact_split_open. */
struct exact_split {
    size_t capacity;
    mpz_t *remainders;
    size_t *order;
    mpz_t total, magnitude, left;
};

void exact_split_open(struct exact_split *room);
void exact_split_close(struct exact_split *room);

/* Divides `amount` by `count` > 0 weights, each at least 0 and one above 0, into `parts`, which the
 * caller has initialised. */
void exact_split(struct exact_split *room, const mpz_t amount, const mpz_t *weights, size_t count,
                 mpz_t *parts);

#endif
