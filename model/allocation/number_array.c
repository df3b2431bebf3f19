/* model/allocation/number_array.c: see number_array.h. */
#include "model/allocation/number_array.h"

#include <stdlib.h>

mpz_t *number_array_grow(mpz_t *numbers, size_t had, size_t count)
{
    mpz_t *grown = realloc(numbers, count * sizeof *grown);
    for (size_t i = had; i < count; i++)
        mpz_init(grown[i]);
    return grown;
}

mpz_t *number_array_free(mpz_t *numbers, size_t had)
{
    for (size_t i = 0; i < had; i++)
        mpz_clear(numbers[i]);
    free(numbers);
    return NULL;
}
