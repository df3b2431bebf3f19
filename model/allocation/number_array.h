/* model/allocation/number_array.h: arrays of GMP numbers that grow. */
#ifndef KSTAR_MODEL_ALLOCATION_NUMBER_ARRAY_H
#define KSTAR_MODEL_ALLOCATION_NUMBER_ARRAY_H

#include <gmp.h>
#include <stddef.h>

/* `numbers` grown from `had` to `count`; the new ones are 0. The caller frees it. */
mpz_t *number_array_grow(mpz_t *numbers, size_t had, size_t count);

/* Frees them. Returns NULL. */
mpz_t *number_array_free(mpz_t *numbers, size_t had);

#endif
