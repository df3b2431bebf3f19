/* base/decimal_sum.h: exact sums of many decimals, such as the money of a chunk of a bill.
 *
 * An addition changes only the few base-10000 digits of the addend: carries are made when the sum
 * is read. So it takes almost no time per line of a bill, while decimal_arithmetic.h converts
 * through text. A sum is wider than a decimal: no sum of fewer than 2^40 decimals overflows.
 */
#ifndef KSTAR_BASE_DECIMAL_SUM_H
#define KSTAR_BASE_DECIMAL_SUM_H

#include "base/decimal.h"

enum {
    /* digits above those of any decimal */
    DECIMAL_SUM_CARRIES = 4,
    /* base-10000 digits before the point */
    DECIMAL_SUM_WHOLE = DECIMAL_SUM_CARRIES + DECIMAL_GROUPS - 1,
    DECIMAL_SUM_GROUPS = DECIMAL_SUM_WHOLE + DECIMAL_GROUPS - 1, /* and after it */
    DECIMAL_SUM_WIRE_BYTES = 8 + 2 * DECIMAL_SUM_GROUPS,
};

/* Zero when zeroed. */
struct decimal_sum {
    /* group i counts 10000^(DECIMAL_SUM_WHOLE − 1 − i); not carried */
    int64_t groups[DECIMAL_SUM_GROUPS];
    int16_t scale; /* the largest of the addends */
};

void decimal_sum_add(struct decimal_sum *sum, const struct decimal *value);

/* PostgreSQL's binary numeric. Returns the number of bytes written. */
size_t decimal_sum_to_wire(const struct decimal_sum *sum, unsigned char wire[DECIMAL_SUM_WIRE_BYTES]);

#endif
