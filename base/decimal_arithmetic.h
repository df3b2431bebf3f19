/* base/decimal_arithmetic.h: sums and products of decimals, for values made of several columns.
 *
 * libpgtypes, PostgreSQL's own client-side numeric, does the arithmetic, so results are those of
 * the server. Values are converted through text, so it is for the few columns that need it, not for
 * every field of a bill.
 *
 * `result` may be one of the operands. Every function returns false if the result has more digits
 * than a decimal; `result` is then unchanged.
 */
#ifndef KSTAR_BASE_DECIMAL_ARITHMETIC_H
#define KSTAR_BASE_DECIMAL_ARITHMETIC_H

#include "base/decimal.h"

/* Exact. Sum and difference have the larger scale, a product the sum of the scales. */
bool decimal_add(const struct decimal *left, const struct decimal *right, struct decimal *result);
bool decimal_subtract(const struct decimal *left, const struct decimal *right, struct decimal *result);
bool decimal_multiply(const struct decimal *left, const struct decimal *right, struct decimal *result);

/* Rounded to 16 significant digits or more, as PostgreSQL divides. False for a division by zero. */
bool decimal_divide(const struct decimal *left, const struct decimal *right, struct decimal *result);

struct decimal decimal_negated(const struct decimal *value);

#endif
