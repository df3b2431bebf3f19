/* model/statistics/seeded_random.c: see seeded_random.h. */
#include "model/statistics/seeded_random.h"

#include <math.h>

static uint64_t splitmix64(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

void seeded_random_start(struct seeded_random *random, uint64_t seed)
{
    for (int i = 0; i < 4; i++)
        random->state[i] = splitmix64(&seed);
}

static uint64_t rotated(uint64_t x, int by)
{
    return (x << by) | (x >> (64 - by));
}

uint64_t seeded_random_bits(struct seeded_random *random)
{
    uint64_t *s = random->state;
    uint64_t bits = rotated(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotated(s[3], 45);
    return bits;
}

double seeded_random_uniform(struct seeded_random *random)
{
    return ((double)(seeded_random_bits(random) >> 11) + 0.5) * 0x1p-53;
}

/* Marsaglia's polar method. Its second number is dropped, so the state is complete. */
double seeded_random_normal(struct seeded_random *random)
{
    for (;;) {
        double u = 2 * seeded_random_uniform(random) - 1;
        double v = 2 * seeded_random_uniform(random) - 1;
        double square = u * u + v * v;
        if (square > 0 && square < 1)
            return u * sqrt(-2 * log(square) / square);
    }
}

/* Twice a gamma variate of shape freedom/2 (Marsaglia and Tsang 2000), boosted below 1. */
double seeded_random_chi_square(struct seeded_random *random, double freedom)
{
    double shape = freedom / 2;
    double boost = 1;
    if (shape < 1) {
        boost = pow(seeded_random_uniform(random), 1 / shape);
        shape += 1;
    }
    double d = shape - 1.0 / 3;
    double c = 1 / sqrt(9 * d);
    for (;;) {
        double z = seeded_random_normal(random);
        double v = 1 + c * z;
        if (v <= 0)
            continue;
        v = v * v * v;
        if (log(seeded_random_uniform(random)) < 0.5 * z * z + d - d * v + d * log(v))
            return 2 * d * v * boost;
    }
}
