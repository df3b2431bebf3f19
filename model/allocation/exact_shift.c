/* model/allocation/exact_shift.c: see exact_shift.h. A factor that fits a machine word is several
 * times as fast as a long number, and nearly all factors fit. */
#include "model/allocation/exact_shift.h"

enum { WORD_DIGITS = 19 }; /* 10^19 < 2^64 */
_Static_assert(sizeof(unsigned long) >= 8, "a word holds 10^19");

static unsigned long power_of_ten(int digits)
{
    unsigned long power = 1;
    for (; digits > 0; digits--)
        power *= 10;
    return power;
}

void exact_shift(mpz_t number, int digits)
{
    for (; digits > WORD_DIGITS; digits -= WORD_DIGITS)
        mpz_mul_ui(number, number, power_of_ten(WORD_DIGITS));
    for (; digits < -WORD_DIGITS; digits += WORD_DIGITS)
        mpz_tdiv_q_ui(number, number, power_of_ten(WORD_DIGITS));
    if (digits > 0)
        mpz_mul_ui(number, number, power_of_ten(digits));
    else if (digits < 0)
        mpz_tdiv_q_ui(number, number, power_of_ten(-digits));
}
