/* model/allocation/number_array.h: arrays of GMP numbers that grow. */
#ifndef KSTAR_MODEL_ALLOCATION_NUMBER_ARRAY_H
#define KSTAR_MODEL_ALLOCATION_NUMBER_ARRAY_H

#include <gmp.h>
#include <stddef.h>

/* Enlarges `numbers` from `had` to `count`; new numbers are 0. The caller frees the result. */
mpz_t *number_array_grow(mpz_t *numbers, size_t had, size_t count);

/* Frees the numbers. Returns NULL. */
mpz_t *number_array_free(mpz_t *numbers, size_t had);

#endif
