/* tests/unit/resource_sample.c: see resource_sample.h. */
#include "tests/unit/resource_sample.h"

#include <stdlib.h>
#include <string.h>

#define MINUTE INT64_C(60000000)
#define BEGIN  INT64_C(1788220800000000) /* 2026-09-01 */

/* ---- Bytes as a resource ---- */

struct byte_reader {
    const uint8_t *bytes;
    size_t left;
};

static unsigned take_below(struct byte_reader *reader, unsigned limit)
{
    unsigned value = 0;
    for (int i = 0; i < 2; i++) {
        value = value << 8 | (reader->left > 0 ? *reader->bytes : 0);
        if (reader->left > 0) {
            reader->bytes++;
            reader->left--;
        }
    }
    return limit > 0 ? value % limit : 0;
}

/* Mostly small amounts, some with many digits, some below 0. */
static void take_decimal(struct byte_reader *reader, bool may_be_negative, struct exact_decimal *decimal)
{
    unsigned kind = take_below(reader, 8);
    decimal->scale = take_below(reader, kind == 0 ? 40 : 5);
    mpz_set_ui(decimal->units, take_below(reader, 30000));
    if (kind == 0) {
        mpz_mul_2exp(decimal->units, decimal->units, take_below(reader, 300));
        mpz_add_ui(decimal->units, decimal->units, take_below(reader, 60000));
    }
    if (may_be_negative && kind == 1)
        mpz_neg(decimal->units, decimal->units);
}

/* Another price of the same line: often the same one. */
static void take_price(struct byte_reader *reader, const struct exact_decimal *next,
                       struct exact_decimal *price)
{
    if (take_below(reader, 3) > 0) {
        take_decimal(reader, true, price);
        return;
    }
    mpz_set(price->units, next->units);
    price->scale = next->scale;
}

/* Whole hours mostly, sometimes a day, sometimes anything. */
static void take_period(struct byte_reader *reader, int64_t *start, int64_t *end)
{
    unsigned kind = take_below(reader, 8);
    *start = BEGIN + (kind < 6    ? 60 * take_below(reader, 8)
                      : kind == 6 ? 0
                                  : take_below(reader, 1440)) *
                         MINUTE;
    *end = *start + (kind < 6 ? 60 : kind == 6 ? 1440 : take_below(reader, 400)) * MINUTE;
}

static void take_line(struct byte_reader *reader, struct resource_line *line)
{
    unsigned kind = take_below(reader, 16);
    take_period(reader, &line->start, &line->end);
    line->source = take_below(reader, 6) == 0;
    line->sku = take_below(reader, 3);
    line->is_usage = kind < 12;
    line->is_correction = kind % 8 == 7;
    line->is_hardware = line->is_usage && take_below(reader, 4) > 0;
    line->states_time = take_below(reader, 4) > 0;
    mpz_inits(line->seconds.units, line->billed_cost.units, line->effective_cost.units, line->list_cost.units,
              line->contracted_cost.units, line->corrected_seconds.units, NULL);
    if (take_below(reader, 3) > 0) {
        mpz_set_ui(line->seconds.units, take_below(reader, 3601));
        line->seconds.scale = 0;
    } else {
        take_decimal(reader, false, &line->seconds);
    }
    take_decimal(reader, true, &line->billed_cost);
    take_decimal(reader, true, &line->effective_cost);
    take_price(reader, &line->effective_cost, &line->contracted_cost);
    take_price(reader, &line->contracted_cost, &line->list_cost);
    take_decimal(reader, false, &line->corrected_seconds);
    line->has_corrected_seconds = line->is_correction && take_below(reader, 2) > 0;
}

static int by_start(const void *one, const void *other)
{
    const struct resource_hold *a = one;
    const struct resource_hold *b = other;
    return (a->start > b->start) - (a->start < b->start);
}

static void take_hold(struct byte_reader *reader, size_t attempts, struct resource_hold *hold)
{
    static const uint64_t divisors[] = { 1, 1, 8, 96, 7, 1000000 };
    hold->start = BEGIN + (int64_t)take_below(reader, 96) * 15 * MINUTE;
    hold->end = hold->start + (1 + take_below(reader, 300)) * MINUTE + take_below(reader, 2);
    hold->attempt = take_below(reader, (unsigned)attempts);
    hold->share_divisor = divisors[take_below(reader, sizeof divisors / sizeof divisors[0])];
    hold->share_numerator = take_below(reader, (unsigned)hold->share_divisor + 1);
}

static void take_presence(struct byte_reader *reader, struct resource_presence *presence)
{
    presence->from = take_below(reader, 2) == 0 ? INT64_MIN : BEGIN + take_below(reader, 700) * MINUTE;
    presence->to = take_below(reader, 2) == 0 ? INT64_MAX : BEGIN + (700 + take_below(reader, 900)) * MINUTE;
    presence->recorded_to =
        take_below(reader, 2) == 0 ? INT64_MAX : BEGIN + take_below(reader, 1600) * MINUTE;
}

void resource_sample_make(struct resource_sample *sample, const uint8_t *bytes, size_t size)
{
    struct byte_reader reader = { .bytes = bytes, .left = size };
    struct resource *resource = &sample->resource;
    memset(sample, 0, sizeof *sample);
    resource->lines = sample->lines;
    resource->presences = sample->presences;
    resource->attempts = sample->attempts;
    resource->holds = sample->holds;
    resource->line_count = 1 + take_below(&reader, SAMPLE_LINES);
    resource->presence_count = 1 + take_below(&reader, SAMPLE_PRESENCES);
    resource->attempt_count = 1 + take_below(&reader, SAMPLE_ATTEMPTS);
    resource->hold_count = take_below(&reader, SAMPLE_HOLDS + 1);
    for (size_t i = 0; i < resource->line_count; i++)
        take_line(&reader, &sample->lines[i]);
    for (size_t i = 0; i < resource->presence_count; i++)
        take_presence(&reader, &sample->presences[i]);
    for (size_t i = 0; i < resource->attempt_count; i++) {
        sample->attempts[i].refunded = take_below(&reader, 3) == 0 ? take_below(&reader, 5000) : 0;
        sample->attempts[i].kept = sample->attempts[i].refunded == 0 ? 1 : take_below(&reader, 5000);
    }
    for (size_t i = 0; i < resource->hold_count; i++)
        take_hold(&reader, resource->attempt_count, &sample->holds[i]);
    qsort(sample->holds, resource->hold_count, sizeof sample->holds[0], by_start);
    resource->is_job = take_below(&reader, 4) == 3;
}

void resource_part_units(const struct resource_part *part, enum line_cost cost, mpz_t units)
{
    mpz_ui_pow_ui(units, 10, PART_EXTRA_DIGITS - part->extra_digits);
    mpz_mul(units, units, part->units[cost]);
}

void resource_sample_clear(struct resource_sample *sample)
{
    for (size_t i = 0; i < sample->resource.line_count; i++) {
        struct resource_line *line = &sample->lines[i];
        mpz_clears(line->seconds.units, line->billed_cost.units, line->effective_cost.units,
                   line->list_cost.units, line->contracted_cost.units, line->corrected_seconds.units, NULL);
    }
}

/* ---- What must be true of any resource ---- */

enum { SLOT_TARGETS = 4 * SAMPLE_ATTEMPTS, LINE_PARTS = COST_COUNT * SLOT_TARGETS };

/* What each target has of each line, by the line's place in the unshuffled sample: all targets of a
 * cost together. */
struct sums {
    mpz_t parts[SAMPLE_LINES + 1][LINE_PARTS];
    const size_t *places;
    bool has_weight_below_zero;
};

static void add_part(const struct resource_part *part, void *context)
{
    struct sums *sums = context;
    mpz_t *parts = sums->parts[sums->places[part->line]];
    size_t target = (size_t)part->target * SAMPLE_ATTEMPTS + part->attempt;
    mpz_t units;
    mpz_init(units);
    for (int cost = 0; cost < COST_COUNT; cost++) {
        size_t place = (size_t)cost * SLOT_TARGETS + target;
        resource_part_units(part, cost, units);
        mpz_add(parts[place], parts[place], units);
    }
    mpz_clear(units);
    sums->has_weight_below_zero |= mpz_sgn(part->weight) < 0;
}

static struct sums *sums_of(const struct resource *resource, const size_t *places)
{
    struct sums *sums = calloc(1, sizeof *sums);
    struct resource_merge *merge = resource_merge_open();
    sums->places = places;
    for (size_t i = 0; i <= SAMPLE_LINES; i++) {
        for (size_t j = 0; j < LINE_PARTS; j++)
            mpz_init(sums->parts[i][j]);
    }
    resource_merge(merge, resource, add_part, sums);
    resource_merge_close(merge);
    return sums;
}

static void free_sums(struct sums *sums)
{
    for (size_t i = 0; i <= SAMPLE_LINES; i++) {
        for (size_t j = 0; j < LINE_PARTS; j++)
            mpz_clear(sums->parts[i][j]);
    }
    free(sums);
}

static bool cost_adds_up(mpz_t *parts, const struct exact_decimal *amount)
{
    mpz_t left;
    mpz_init(left);
    mpz_ui_pow_ui(left, 10, PART_EXTRA_DIGITS);
    mpz_mul(left, left, amount->units);
    for (size_t i = 0; i < SLOT_TARGETS; i++)
        mpz_sub(left, left, parts[i]);
    bool is_nothing = mpz_sgn(left) == 0;
    mpz_clear(left);
    return is_nothing;
}

static bool adds_up(mpz_t *parts, const struct resource_line *line)
{
    const struct exact_decimal *costs[COST_COUNT] = { &line->billed_cost, &line->effective_cost,
                                                      &line->list_cost, &line->contracted_cost };
    bool all = true;
    for (size_t cost = 0; cost < COST_COUNT; cost++)
        all = all && cost_adds_up(&parts[cost * SLOT_TARGETS], costs[cost]);
    return all;
}

static bool equal_sums(struct sums *one, struct sums *other, size_t lines)
{
    for (size_t i = 0; i < lines; i++) {
        for (size_t j = 0; j < LINE_PARTS; j++) {
            if (mpz_cmp(one->parts[i][j], other->parts[i][j]) != 0)
                return false;
        }
    }
    return true;
}

/* Holds are in the order of their starts; those that start together come in any order. */
static void reverse_equal_starts(const struct resource_sample *sample, struct resource_hold *holds)
{
    size_t count = sample->resource.hold_count;
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && sample->holds[next].start == sample->holds[i].start;)
            next++;
        for (size_t j = i; j < next; j++)
            holds[j] = sample->holds[i + next - 1 - j];
    }
}

/* The same lines in reverse order, and the same holds. */
static bool depends_on_order(const struct resource_sample *sample, struct sums *sums)
{
    size_t count = sample->resource.line_count, places[SAMPLE_LINES] = { 0 };
    struct resource_line lines[SAMPLE_LINES];
    struct resource_hold holds[SAMPLE_HOLDS];
    reverse_equal_starts(sample, holds);
    for (size_t i = 0; i < count; i++) {
        places[i] = count - 1 - i;
        lines[i] = sample->lines[places[i]];
    }
    struct resource reversed = sample->resource;
    reversed.lines = lines;
    reversed.holds = holds;
    struct sums *of_reversed = sums_of(&reversed, places);
    bool is_equal = equal_sums(sums, of_reversed, count);
    free_sums(of_reversed);
    return !is_equal;
}

/* A line that takes the first one back, in the first one's slot, added at the end. */
static bool reversal_stays(const struct resource_sample *sample)
{
    size_t count = sample->resource.line_count, places[SAMPLE_LINES + 1];
    struct resource_line lines[SAMPLE_LINES + 1];
    memcpy(lines, sample->lines, count * sizeof lines[0]);
    struct resource_line *reversal = &lines[count];
    *reversal = lines[0];
    mpz_inits(reversal->billed_cost.units, reversal->effective_cost.units, reversal->list_cost.units,
              reversal->contracted_cost.units, NULL);
    mpz_neg(reversal->billed_cost.units, lines[0].billed_cost.units);
    mpz_neg(reversal->effective_cost.units, lines[0].effective_cost.units);
    mpz_neg(reversal->list_cost.units, lines[0].list_cost.units);
    mpz_neg(reversal->contracted_cost.units, lines[0].contracted_cost.units);
    reversal->is_usage = false;
    for (size_t i = 0; i <= count; i++)
        places[i] = i < count ? i : SAMPLE_LINES;
    struct resource with_reversal = sample->resource;
    with_reversal.lines = lines;
    with_reversal.line_count = count + 1;
    struct sums *sums = sums_of(&with_reversal, places);
    bool stays = false;
    for (size_t j = 0; j < LINE_PARTS; j++) {
        mpz_add(sums->parts[0][j], sums->parts[0][j], sums->parts[SAMPLE_LINES][j]);
        stays |= mpz_sgn(sums->parts[0][j]) != 0;
    }
    mpz_clears(reversal->billed_cost.units, reversal->effective_cost.units, reversal->list_cost.units,
               reversal->contracted_cost.units, NULL);
    free_sums(sums);
    return stays;
}

const char *resource_sample_broken(struct resource_sample *sample)
{
    size_t places[SAMPLE_LINES];
    const char *broken = NULL;
    for (size_t i = 0; i < SAMPLE_LINES; i++)
        places[i] = i;
    struct sums *sums = sums_of(&sample->resource, places);
    for (size_t i = 0; broken == NULL && i < sample->resource.line_count; i++) {
        if (!adds_up(sums->parts[i], &sample->lines[i]))
            broken = "the parts of a line do not add up to the line";
    }
    if (broken == NULL && sums->has_weight_below_zero)
        broken = "a weight is below zero";
    if (broken == NULL && depends_on_order(sample, sums))
        broken = "parts depend on the order of lines or holds";
    if (broken == NULL && reversal_stays(sample))
        broken = "a line and its reversal do not cancel";
    free_sums(sums);
    return broken;
}
