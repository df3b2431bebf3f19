/* model/allocation/exact_shift.h: moves the decimal point of a whole number. */
#ifndef KSTAR_MODEL_ALLOCATION_EXACT_SHIFT_H
#define KSTAR_MODEL_ALLOCATION_EXACT_SHIFT_H

#include <gmp.h>

/* Multiplies `number` by 10^digits. If `digits` is negative, divides it, and the decimal places are
 * cut off. */
void exact_shift(mpz_t number, int digits);

#endif
