/* base/decimal.h: exact decimals, from the text of a bill to PostgreSQL's numeric and back.
 *
 * PostgreSQL's numeric does the arithmetic of money; C only carries amounts. So a decimal here has
 * the wire form of numeric (base-10000 digits) and is read from text without any double. No library
 * does this: libpgtypes parses the text but has no binary form for COPY.
 */
#ifndef KSTAR_BASE_DECIMAL_H
#define KSTAR_BASE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    /* before and after the point together; more are refused */
    DECIMAL_MAXIMUM_DIGITS = 128,
    DECIMAL_GROUPS = DECIMAL_MAXIMUM_DIGITS / 4 + 2, /* base-10000 digits */
    DECIMAL_WIRE_BYTES = 8 + 2 * DECIMAL_GROUPS,
    DECIMAL_TEXT_BYTES = DECIMAL_MAXIMUM_DIGITS + 8, /* sign, point, leading zero, NUL */
};

/* Value = sign · Σ groups[i] · 10000^(weight − i), written with `scale` decimal digits after the
 * point. */
struct decimal {
    int16_t group_count; /* 0 for zero: no leading or trailing zero groups are kept */
    int16_t weight;
    bool negative; /* never set for zero */
    /* as written: "1.50" has scale 2; with an exponent, the scale of the plain form */
    int16_t scale;
    int16_t groups[DECIMAL_GROUPS];
};

/* Reads [-+]digits[.digits][(e|E)[-+]digits] (also ".5" and "5."), which must be the whole text.
 * False for anything else (a space, a thousands separator, a decimal comma, NaN, infinity, empty)
 * or too many digits. */
bool decimal_parse(const char *text, size_t length, struct decimal *value);

/* Writes plain notation with exactly `scale` digits after the point. Returns strlen. */
size_t decimal_format(const struct decimal *value, char text[DECIMAL_TEXT_BYTES]);

/* PostgreSQL's binary numeric. Returns the number of bytes written. */
size_t decimal_to_wire(const struct decimal *value, unsigned char wire[DECIMAL_WIRE_BYTES]);

/* Writes two bytes of a number; returns the place after them. */
static inline unsigned char *wire_put_int2(unsigned char *wire, int value)
{
    wire[0] = (unsigned char)((unsigned)value >> 8 & 0xff);
    wire[1] = (unsigned char)((unsigned)value & 0xff);
    return wire + 2;
}

#endif
