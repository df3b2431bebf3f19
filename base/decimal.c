/* base/decimal.c: see decimal.h.
 *
 * Reading numbers takes most time in every bill. One pass finds the digits, and a second turns each
 * four of them into a base-10000 group. Only a number with an exponent is first written out in
 * plain form.
 */
#include "base/decimal.h"

/* keeps sums of lengths far below overflow */
enum { LARGEST_EXPONENT = 10 * DECIMAL_MAXIMUM_DIGITS };

/* The digits of a number in plain form, still as text. */
struct plain {
    const char *whole, *fraction;
    size_t whole_length, fraction_length;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* One base-10000 digit from up to four characters; missing ones on the right count as zeros. */
static int16_t group_of(const char *digits, size_t count)
{
    int value = 0;
    for (size_t i = 0; i < 4; i++)
        value = value * 10 + (i < count ? digits[i] - '0' : 0);
    return (int16_t)value;
}

static int16_t full_group(const char *digits)
{
    return (int16_t)((digits[0] - '0') * 1000 + (digits[1] - '0') * 100 + (digits[2] - '0') * 10 +
                     (digits[3] - '0'));
}

/* Makes groups of plain digits. False if there are too many. */
static bool set_groups(struct decimal *value, struct plain plain, bool negative)
{
    while (plain.whole_length > 0 && plain.whole[0] == '0') {
        plain.whole++;
        plain.whole_length--;
    }
    if (plain.whole_length + plain.fraction_length > DECIMAL_MAXIMUM_DIGITS)
        return false;
    int count = 0;
    int weight = (int)((plain.whole_length + 3) / 4) - 1;
    size_t first = plain.whole_length % 4;
    if (first > 0) {
        int16_t group = 0;
        for (size_t i = 0; i < first; i++)
            group = (int16_t)(group * 10 + (plain.whole[i] - '0'));
        value->groups[count++] = group;
    }
    for (size_t i = first; i < plain.whole_length; i += 4)
        value->groups[count++] = full_group(plain.whole + i);
    for (size_t i = 0; i < plain.fraction_length; i += 4) {
        size_t left = plain.fraction_length - i;
        int16_t group =
            (int16_t)(left >= 4 ? full_group(plain.fraction + i) : group_of(plain.fraction + i, left));
        if (count == 0 && group == 0)
            weight--; /* a leading zero group is not kept */
        else
            value->groups[count++] = group;
    }
    while (count > 0 && value->groups[count - 1] == 0)
        count--;
    value->group_count = (int16_t)count;
    value->weight = (int16_t)(count > 0 ? weight : 0);
    value->negative = count > 0 && negative;
    value->scale = (int16_t)plain.fraction_length;
    return true;
}

/* Reads [-+]digits, which must fill the text up to `end`. */
static bool read_exponent(const char *text, const char *end, long *exponent)
{
    bool negative = text < end && *text == '-';
    if (text < end && (*text == '-' || *text == '+'))
        text++;
    if (text == end)
        return false;
    long value = 0;
    for (; text < end; text++) {
        if (!is_digit(*text))
            return false;
        if (value <= LARGEST_EXPONENT)
            value = value * 10 + (*text - '0');
    }
    if (value > LARGEST_EXPONENT)
        return false;
    *exponent = negative ? -value : value;
    return true;
}

/* Writes the number out without its exponent, then reads that. */
static bool set_groups_scaled(struct decimal *value, struct plain plain, long exponent, bool negative)
{
    char digits[2 * DECIMAL_MAXIMUM_DIGITS];
    size_t length = 0;
    long point = exponent; /* digits before the point, counted from the first non-zero digit */
    for (size_t i = 0; i < plain.whole_length + plain.fraction_length; i++) {
        bool in_whole = i < plain.whole_length;
        char digit = (char)(in_whole ? plain.whole[i] : plain.fraction[i - plain.whole_length]);
        if (length > 0 || digit != '0') {
            if (length == DECIMAL_MAXIMUM_DIGITS)
                return false;
            digits[length++] = digit;
            point += in_whole;
        } else if (!in_whole) {
            point--; /* 0.00d: the first digit is after the point */
        }
    }
    long scale = (long)plain.fraction_length - exponent;
    if (scale > DECIMAL_MAXIMUM_DIGITS || point > DECIMAL_MAXIMUM_DIGITS)
        return length == 0 && scale <= 0 && set_groups(value, (struct plain){ 0 }, negative);
    if (scale < 0)
        scale = 0;
    if (length == 0)
        point = 0;
    char written[2 * DECIMAL_MAXIMUM_DIGITS];
    long whole_length = point > 0 ? point : 0;
    for (long i = 0; i < whole_length + scale; i++) {
        long from = i - whole_length + point;
        written[i] = (char)(from >= 0 && from < (long)length ? digits[from] : '0');
    }
    return set_groups(value,
                      (struct plain){ written, written + whole_length, (size_t)whole_length, (size_t)scale },
                      negative);
}

bool decimal_parse(const char *text, size_t length, struct decimal *value)
{
    const char *end = text + length;
    bool negative = text < end && *text == '-';
    if (text < end && (*text == '-' || *text == '+'))
        text++;
    struct plain plain = { text, text, 0, 0 };
    while (text < end && is_digit(*text))
        text++;
    plain.whole_length = (size_t)(text - plain.whole);
    if (text < end && *text == '.') {
        plain.fraction = ++text;
        while (text < end && is_digit(*text))
            text++;
        plain.fraction_length = (size_t)(text - plain.fraction);
    }
    if (plain.whole_length + plain.fraction_length == 0)
        return false;
    if (text == end)
        return set_groups(value, plain, negative);
    long exponent = 0;
    if ((*text != 'e' && *text != 'E') || !read_exponent(text + 1, end, &exponent))
        return false;
    return set_groups_scaled(value, plain, exponent, negative);
}

/* The group of 10000^power; zero outside the stored groups. */
static int group_at(const struct decimal *value, int power)
{
    int index = value->weight - power;
    return index >= 0 && index < value->group_count ? value->groups[index] : 0;
}

size_t decimal_format(const struct decimal *value, char text[DECIMAL_TEXT_BYTES])
{
    static const int tens[4] = { 1000, 100, 10, 1 };
    size_t used = 0;
    if (value->negative)
        text[used++] = '-';
    size_t whole = used;
    for (int power = value->group_count > 0 ? value->weight : -1; power >= 0; power--) {
        for (int i = 0; i < 4; i++) {
            char digit = (char)('0' + group_at(value, power) / tens[i] % 10);
            if (used > whole || digit != '0')
                text[used++] = digit;
        }
    }
    if (used == whole)
        text[used++] = '0';
    if (value->scale > 0)
        text[used++] = '.';
    for (int i = 0; i < value->scale; i++)
        text[used++] = (char)('0' + group_at(value, -1 - i / 4) / tens[i % 4] % 10);
    text[used] = '\0';
    return used;
}

size_t decimal_to_wire(const struct decimal *value, unsigned char wire[DECIMAL_WIRE_BYTES])
{
    unsigned char *next = wire_put_int2(wire, value->group_count);
    next = wire_put_int2(next, value->weight);
    next = wire_put_int2(next, value->negative ? 0x4000 : 0);
    next = wire_put_int2(next, value->scale);
    for (int i = 0; i < value->group_count; i++)
        next = wire_put_int2(next, value->groups[i]);
    return (size_t)(next - wire);
}
