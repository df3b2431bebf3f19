/* base/decimal_arithmetic.c: see decimal_arithmetic.h. */
#include "base/decimal_arithmetic.h"

#include <pgtypes_numeric.h>
#include <string.h>

typedef int operation(numeric *left, numeric *right, numeric *result);

/* Cannot fail to parse: the text of a decimal is always a number. */
static numeric *to_numeric(const struct decimal *value)
{
    char text[DECIMAL_TEXT_BYTES];
    decimal_format(value, text);
    return PGTYPESnumeric_from_asc(text, NULL);
}

static bool from_numeric(numeric *value, struct decimal *result)
{
    struct decimal parsed;
    char *text = PGTYPESnumeric_to_asc(value, -1);
    bool ok = decimal_parse(text, strlen(text), &parsed);
    PGTYPESchar_free(text);
    if (ok)
        *result = parsed;
    return ok;
}

static bool apply(operation *operate, const struct decimal *left, const struct decimal *right,
                  struct decimal *result)
{
    numeric *a = to_numeric(left), *b = to_numeric(right), *c = PGTYPESnumeric_new();
    bool ok = operate(a, b, c) == 0 && from_numeric(c, result);
    PGTYPESnumeric_free(a);
    PGTYPESnumeric_free(b);
    PGTYPESnumeric_free(c);
    return ok;
}

bool decimal_add(const struct decimal *left, const struct decimal *right, struct decimal *result)
{
    return apply(PGTYPESnumeric_add, left, right, result);
}

bool decimal_subtract(const struct decimal *left, const struct decimal *right, struct decimal *result)
{
    return apply(PGTYPESnumeric_sub, left, right, result);
}

bool decimal_multiply(const struct decimal *left, const struct decimal *right, struct decimal *result)
{
    return apply(PGTYPESnumeric_mul, left, right, result);
}

bool decimal_divide(const struct decimal *left, const struct decimal *right, struct decimal *result)
{
    return apply(PGTYPESnumeric_div, left, right, result);
}

struct decimal decimal_negated(const struct decimal *value)
{
    struct decimal negated = *value;
    negated.negative = value->group_count > 0 && !value->negative;
    return negated;
}
