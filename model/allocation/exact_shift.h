/* model/allocation/exact_shift.h: moves the decimal point of a whole number. */
#ifndef KSTAR_MODEL_ALLOCATION_EXACT_SHIFT_H
#define KSTAR_MODEL_ALLOCATION_EXACT_SHIFT_H

#include <gmp.h>

/* Multiplies `number` by 10^digits. Negative `digits` divide by it, and what is behind the point
 * is cut off. */
void exact_shift(mpz_t number, int digits);

#endif
