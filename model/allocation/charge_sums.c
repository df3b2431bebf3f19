/* model/allocation/charge_sums.c: see charge_sums.h. */
#include "model/allocation/charge_sums.h"

#include "model/allocation/exact_shift.h"

#include <stdlib.h>
#include <string.h>

#define FREE_PLACE UINT32_MAX

struct charge_sums {
    struct charge *charges;
    size_t count, capacity;
    size_t initialised; /* charges with initialised numbers, in use or not */
    uint32_t *places;   /* hash table of charges; its size is a power of two, at most half full */
    size_t place_count;
};

enum { DECIMALS = COST_COUNT + 3 };

static void decimals_of(struct charge *charge, struct exact_decimal *decimals[static DECIMALS])
{
    for (int cost = 0; cost < COST_COUNT; cost++)
        decimals[cost] = &charge->costs[cost];
    decimals[COST_COUNT] = &charge->charged_cost;
    decimals[COST_COUNT + 1] = &charge->committed_cost;
    decimals[COST_COUNT + 2] = &charge->spot_cost;
}

struct charge_sums *charge_sums_open(void)
{
    return calloc(1, sizeof(struct charge_sums));
}

void charge_sums_close(struct charge_sums *sums)
{
    if (sums == NULL)
        return;
    for (size_t i = 0; i < sums->initialised; i++) {
        struct exact_decimal *decimals[DECIMALS];
        decimals_of(&sums->charges[i], decimals);
        for (int decimal = 0; decimal < DECIMALS; decimal++)
            mpz_clear(decimals[decimal]->units);
    }
    free(sums->charges);
    free(sums->places);
    free(sums);
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static size_t hash_of(const struct charge_key *key)
{
    uint64_t hash = mix(key->node, (uint64_t)key->group << 32 | key->payer);
    hash = mix(hash, (uint64_t)key->family << 32 | key->outcome);
    return (size_t)mix(hash, (uint64_t)key->target << 24 | (uint64_t)key->rule << 16 |
                                 (uint64_t)key->is_long << 8 | key->is_of_another_statement);
}

static bool is_same_key(const struct charge_key *one, const struct charge_key *other)
{
    return one->node == other->node && one->group == other->group && one->payer == other->payer &&
           one->target == other->target && one->rule == other->rule && one->is_long == other->is_long &&
           one->is_of_another_statement == other->is_of_another_statement && one->family == other->family &&
           one->outcome == other->outcome;
}

/* The place of the key, or the free place where it belongs. */
static uint32_t *place_of(const struct charge_sums *sums, const struct charge_key *key)
{
    size_t place = hash_of(key) & (sums->place_count - 1);
    while (sums->places[place] != FREE_PLACE && !is_same_key(&sums->charges[sums->places[place]].key, key))
        place = (place + 1) & (sums->place_count - 1);
    return &sums->places[place];
}

static void grow(struct charge_sums *sums)
{
    sums->capacity = sums->capacity == 0 ? 1024 : 2 * sums->capacity;
    sums->charges = realloc(sums->charges, sums->capacity * sizeof *sums->charges);
    sums->place_count = 2 * sums->capacity;
    sums->places = realloc(sums->places, sums->place_count * sizeof *sums->places);
    memset(sums->places, 0xff, sums->place_count * sizeof *sums->places);
    for (size_t i = 0; i < sums->count; i++)
        *place_of(sums, &sums->charges[i].key) = (uint32_t)i;
}

/* Sets the next charge to zero. It reuses its numbers, if it has any. */
static void reset(struct charge_sums *sums, const struct charge_key *key)
{
    struct charge *charge = &sums->charges[sums->count];
    struct exact_decimal *decimals[DECIMALS];
    decimals_of(charge, decimals);
    if (sums->count == sums->initialised) {
        for (int decimal = 0; decimal < DECIMALS; decimal++)
            mpz_init(decimals[decimal]->units);
        sums->initialised++;
    }
    charge->key = *key;
    charge->line_count = charge->unlisted_count = charge->priced = 0;
    for (int decimal = 0; decimal < DECIMALS; decimal++) {
        if (mpz_sgn(decimals[decimal]->units) != 0) /* so an unused number gets no memory */
            mpz_set_ui(decimals[decimal]->units, 0);
        decimals[decimal]->scale = 0;
    }
}

struct charge *charge_sums_find(struct charge_sums *sums, const struct charge_key *key)
{
    if (sums->count == sums->capacity)
        grow(sums);
    uint32_t *place = place_of(sums, key);
    if (*place == FREE_PLACE) {
        *place = (uint32_t)sums->count;
        reset(sums, key);
        sums->count++;
    }
    return &sums->charges[*place];
}

size_t charge_sums_count(const struct charge_sums *sums)
{
    return sums->count;
}

const struct charge *charge_sums_at(const struct charge_sums *sums, size_t index)
{
    return &sums->charges[index];
}

void charge_sums_empty(struct charge_sums *sums)
{
    sums->count = 0;
    if (sums->places != NULL)
        memset(sums->places, 0xff, sums->place_count * sizeof *sums->places);
}

void exact_decimal_add(struct exact_decimal *sum, mpz_srcptr units, unsigned scale)
{
    if (scale > sum->scale) {
        exact_shift(sum->units, (int)(scale - sum->scale));
        sum->scale = scale;
    }
    if (scale == sum->scale) {
        mpz_add(sum->units, sum->units, units);
        return;
    }
    mpz_t shifted;
    mpz_init_set(shifted, units);
    exact_shift(shifted, (int)(sum->scale - scale));
    mpz_add(sum->units, sum->units, shifted);
    mpz_clear(shifted);
}
