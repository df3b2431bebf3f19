/* base/decimal_sum.c: see decimal_sum.h. */
#include "base/decimal_sum.h"

void decimal_sum_add(struct decimal_sum *sum, const struct decimal *value)
{
    int64_t *groups = &sum->groups[DECIMAL_SUM_WHOLE - 1 - value->weight];
    for (int i = 0; i < value->group_count; i++)
        groups[i] += value->negative ? -value->groups[i] : value->groups[i];
    if (value->scale > sum->scale)
        sum->scale = value->scale;
}

/* Turns sign · sum into digits of 0 to 9999. False if it is negative, so that a borrow remains. */
static bool carry(const struct decimal_sum *sum, int sign, int16_t digits[DECIMAL_SUM_GROUPS])
{
    int64_t over = 0;
    for (int i = DECIMAL_SUM_GROUPS - 1; i >= 0; i--) {
        int64_t value = sign * sum->groups[i] + over;
        over = value / 10000 - (value % 10000 < 0);
        digits[i] = (int16_t)(value - over * 10000);
    }
    return over >= 0;
}

size_t decimal_sum_to_wire(const struct decimal_sum *sum, unsigned char wire[DECIMAL_SUM_WIRE_BYTES])
{
    int16_t digits[DECIMAL_SUM_GROUPS];
    bool negative = !carry(sum, 1, digits);
    if (negative)
        carry(sum, -1, digits);
    int first = 0, last = DECIMAL_SUM_GROUPS;
    while (first < last && digits[first] == 0)
        first++;
    while (last > first && digits[last - 1] == 0)
        last--;
    unsigned char *next = wire_put_int2(wire, last - first);
    next = wire_put_int2(next, last > first ? DECIMAL_SUM_WHOLE - 1 - first : 0);
    next = wire_put_int2(next, negative ? 0x4000 : 0);
    next = wire_put_int2(next, sum->scale);
    for (int i = first; i < last; i++)
        next = wire_put_int2(next, digits[i]);
    return (size_t)(next - wire);
}
