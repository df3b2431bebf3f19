/* base/decimal.h: exact decimals, from the text of a bill to PostgreSQL's numeric and back.
 *
 * Arithmetic on money is done by PostgreSQL's numeric; C only carries it. So a decimal here is the
 * wire form of numeric (base-10000 digits), read from text without ever passing through a double.
 * No library does this: libpgtypes parses the text but has no binary form for COPY.
 */
#ifndef KSTAR_BASE_DECIMAL_H
#define KSTAR_BASE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    /* before plus after the point; more is refused */
    DECIMAL_MAXIMUM_DIGITS = 128,
    DECIMAL_GROUPS = DECIMAL_MAXIMUM_DIGITS / 4 + 2, /* base-10000 digits */
    DECIMAL_WIRE_BYTES = 8 + 2 * DECIMAL_GROUPS,
    DECIMAL_TEXT_BYTES = DECIMAL_MAXIMUM_DIGITS + 8, /* sign, point, leading zero, NUL */
};

/* Value = sign · Σ groups[i] · 10000^(weight − i); `scale` decimal digits stand after the point. */
struct decimal {
    int16_t group_count; /* 0 for zero: no leading or trailing zero groups are kept */
    int16_t weight;
    bool negative; /* never set for zero */
    /* as written: "1.50" has scale 2; with an exponent, what the plain form would show */
    int16_t scale;
    int16_t groups[DECIMAL_GROUPS];
};

/* Reads [-+]digits[.digits][(e|E)[-+]digits] (also ".5" and "5.") filling the whole of text. False
 * if it is anything else (a space, a thousands separator, a decimal comma, NaN, infinity, empty) or
 * has too many digits. */
bool decimal_parse(const char *text, size_t length, struct decimal *value);

/* Writes plain notation with exactly `scale` digits after the point. Returns strlen. */
size_t decimal_format(const struct decimal *value, char text[DECIMAL_TEXT_BYTES]);

/* PostgreSQL's binary numeric. Returns the number of bytes written. */
size_t decimal_to_wire(const struct decimal *value, unsigned char wire[DECIMAL_WIRE_BYTES]);

/* Two bytes of a number on the wire; returns what is behind them. */
static inline unsigned char *wire_put_int2(unsigned char *wire, int value)
{
    wire[0] = (unsigned char)((unsigned)value >> 8 & 0xff);
    wire[1] = (unsigned char)((unsigned)value & 0xff);
    return wire + 2;
}

#endif
