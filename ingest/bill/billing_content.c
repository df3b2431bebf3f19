/* ingest/bill/billing_content.c: see billing_content.h.
 *
 * The fields of a line are written into a buffer, each after its length, and the buffer is hashed.
 * Long texts are hashed first, so that the buffer has a fixed size.
 */
#include "ingest/bill/billing_content.h"

#include <string.h>

enum {
    SHORT_TEXT = 64,    /* longer ones are hashed */
    NUMBER = INT32_MIN, /* a bit in the length: a decimal follows, not a text */
    NUMBER_BYTES = 3 * (int)sizeof(int16_t) + DECIMAL_GROUPS * (int)sizeof(int16_t),
    LENGTH_BYTES = sizeof(int32_t),
    LINE_BYTES = TEXT_COUNT * (LENGTH_BYTES + NUMBER_BYTES) + AMOUNT_COUNT * (LENGTH_BYTES + NUMBER_BYTES) +
                 4 * (int)sizeof(int64_t),
};

struct line {
    size_t used;
    unsigned char bytes[LINE_BYTES];
};

static void put(struct line *line, const void *bytes, size_t size)
{
    memcpy(line->bytes + line->used, bytes, size);
    line->used += size;
}

static void put_length(struct line *line, int32_t length)
{
    put(line, &length, sizeof length);
}

static void put_text(struct line *line, const struct csv_field *text)
{
    put_length(line, text->text != NULL ? (int32_t)text->length : -1);
    if (text->text == NULL)
        return;
    if (text->length <= SHORT_TEXT) {
        put(line, text->text, text->length);
    } else {
        XXH128_hash_t hash = XXH3_128bits(text->text, text->length);
        put(line, &hash, sizeof hash);
    }
}

/* The digits of a value without trailing zeros: 1.50 is 1.5. */
static void put_number(struct line *line, const struct decimal *value)
{
    const int16_t head[] = { value->weight, value->negative };
    put_length(line, NUMBER | value->group_count);
    put(line, head, sizeof head);
    put(line, value->groups, (size_t)value->group_count * sizeof *value->groups);
}

/* Unit prices are kept as text. */
static bool is_price(int text)
{
    return text == TEXT_LIST_UNIT_PRICE || text == TEXT_CONTRACTED_UNIT_PRICE;
}

XXH128_hash_t billing_content_of(const struct billing_row *row, time_us period, uint64_t custom)
{
    struct line line;
    struct decimal price;
    const int64_t fixed[] = { period, row->times[TIME_CHARGE_PERIOD_START],
                              row->times[TIME_CHARGE_PERIOD_END], (int64_t)custom };
    line.used = 0; /* the rest is written before it is read */
    put(&line, fixed, sizeof fixed);
    for (int amount = 0; amount < AMOUNT_COUNT; amount++) {
        if (row->amount_known[amount])
            put_number(&line, &row->amounts[amount]);
        else
            put_length(&line, -1);
    }
    for (int text = 0; text < TEXT_COUNT; text++) {
        const struct csv_field *field = &row->texts[text];
        if (is_price(text) && field->text != NULL && decimal_parse(field->text, field->length, &price))
            put_number(&line, &price);
        else
            put_text(&line, field);
    }
    return XXH3_128bits(line.bytes, line.used);
}

void billing_content_add(XXH128_hash_t *sum, XXH128_hash_t hash)
{
    sum->low64 += hash.low64;
    sum->high64 += hash.high64 + (sum->low64 < hash.low64);
}

/* Divides by `divisor`, which has 32 bits at most, and returns the remainder. */
static uint32_t divide(XXH128_hash_t *number, uint32_t divisor)
{
    uint64_t rest = 0, *const halves[] = { &number->high64, &number->low64 };
    for (int i = 0; i < 2; i++) {
        uint64_t upper = rest << 32 | *halves[i] >> 32;
        uint64_t lower = upper % divisor << 32 | (*halves[i] & UINT32_MAX);
        *halves[i] = upper / divisor << 32 | lower / divisor;
        rest = lower % divisor;
    }
    return (uint32_t)rest;
}

void billing_content_number(XXH128_hash_t sum, struct decimal_sum *number)
{
    *number = (struct decimal_sum){ 0 };
    for (int group = DECIMAL_SUM_WHOLE - 1; sum.high64 != 0 || sum.low64 != 0; group--)
        number->groups[group] = divide(&sum, 10000);
}
