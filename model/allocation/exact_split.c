/* model/allocation/exact_split.c: see exact_split.h. */
#define _GNU_SOURCE /* qsort_r */
#include "model/allocation/exact_split.h"

#include "model/allocation/number_array.h"

#include <stdlib.h>

void exact_split_open(struct exact_split *room)
{
    *room = (struct exact_split){ 0 };
    mpz_inits(room->total, room->magnitude, room->left, NULL);
}

void exact_split_close(struct exact_split *room)
{
    number_array_free(room->remainders, room->capacity);
    free(room->order);
    mpz_clears(room->total, room->magnitude, room->left, NULL);
}

static void make_room(struct exact_split *room, size_t count)
{
    if (count <= room->capacity)
        return;
    room->remainders = number_array_grow(room->remainders, room->capacity, count);
    room->order = realloc(room->order, count * sizeof *room->order);
    room->capacity = count;
}

/* Orders by larger remainder, then by position. */
static int by_remainder(const void *one, const void *other, void *context)
{
    const struct exact_split *room = context;
    size_t a = *(const size_t *)one;
    size_t b = *(const size_t *)other;
    int difference = mpz_cmp(room->remainders[b], room->remainders[a]);
    return difference != 0 ? difference : (a > b) - (a < b);
}

/* Adds one unit to each of the largest remainders until no units are left. */
static void hand_out(struct exact_split *room, size_t count, mpz_t *parts)
{
    if (mpz_sgn(room->left) == 0)
        return;
    for (size_t i = 0; i < count; i++)
        room->order[i] = i;
    qsort_r(room->order, count, sizeof *room->order, by_remainder, room);
    size_t left = mpz_get_ui(room->left);
    for (size_t i = 0; i < left; i++)
        mpz_add_ui(parts[room->order[i]], parts[room->order[i]], 1);
}

void exact_split(struct exact_split *room, const mpz_t amount, const mpz_t *weights, size_t count,
                 mpz_t *parts)
{
    make_room(room, count);
    mpz_set_ui(room->total, 0);
    for (size_t i = 0; i < count; i++)
        mpz_add(room->total, room->total, weights[i]);
    mpz_abs(room->magnitude, amount);
    mpz_set(room->left, room->magnitude);
    for (size_t i = 0; i < count; i++) {
        mpz_mul(parts[i], room->magnitude, weights[i]);
        mpz_fdiv_qr(parts[i], room->remainders[i], parts[i], room->total);
        mpz_sub(room->left, room->left, parts[i]);
    }
    hand_out(room, count, parts);
    for (size_t i = 0; mpz_sgn(amount) < 0 && i < count; i++)
        mpz_neg(parts[i], parts[i]);
}
