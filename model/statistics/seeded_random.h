/* model/statistics/seeded_random.h: pseudo-random numbers that are the same on every run and every
 * machine.
 *
 * Intervals found by resampling are published, so they must be repeatable. The seed is published,
 * too (k_star_interval.h), and the generator does not depend on a C library: xoshiro256** by
 * Blackman and Vigna, seeded by splitmix64. Not for secrets.
 */
#ifndef KSTAR_MODEL_STATISTICS_SEEDED_RANDOM_H
#define KSTAR_MODEL_STATISTICS_SEEDED_RANDOM_H

#include <stdint.h>

struct seeded_random {
    uint64_t state[4];
};

/* Starts a sequence. Any seed is allowed, 0 included. */
void seeded_random_start(struct seeded_random *random, uint64_t seed);

/* The next 64 bits. */
uint64_t seeded_random_bits(struct seeded_random *random);

/* Uniform, strictly between 0 and 1. */
double seeded_random_uniform(struct seeded_random *random);

/* Standard normal. */
double seeded_random_normal(struct seeded_random *random);

/* Chi-square with `freedom` > 0 degrees of freedom. */
double seeded_random_chi_square(struct seeded_random *random, double freedom);

#endif
