/* Hand-worked slots, and what must be true of any resource. */
#include "model/allocation/resource_merge.h"
#include "model/statistics/seeded_random.h"
#include "model_test.h"
#include "tests/unit/resource_sample.h"

#define HOUR   INT64_C(3600000000)
#define MINUTE INT64_C(60000000)

enum { LINES = 12, PARTS = 64 };

/* One part as people read it: amounts in 10^-8 (lines here are written with two digits), time in
 * seconds. */
struct seen_part {
    size_t line, attempt;
    enum part_target target;
    long billed, effective;
    double priced_seconds, share; /* of the line's weights */
    int64_t held_from, held_to;
};

struct page {
    struct resource resource;
    struct resource_line lines[LINES];
    struct resource_presence presences[2];
    struct resource_attempt attempts[4];
    struct resource_hold holds[8];
    struct seen_part parts[PARTS];
    size_t part_count;
    bool has_excess;
};

/* A node that is always there, with job records for ever. */
static int set_up(void **state)
{
    struct page *page = calloc(1, sizeof *page);
    page->resource = (struct resource){ .lines = page->lines,
                                        .presences = page->presences,
                                        .presence_count = 1,
                                        .attempts = page->attempts,
                                        .attempt_count = 4,
                                        .holds = page->holds };
    page->presences[0] =
        (struct resource_presence){ .from = INT64_MIN, .to = INT64_MAX, .recorded_to = INT64_MAX };
    for (size_t i = 0; i < 4; i++)
        page->attempts[i] = (struct resource_attempt){ .kept = 1 };
    *state = page;
    return 0;
}

static int tear_down(void **state)
{
    struct page *page = *state;
    for (size_t i = 0; i < page->resource.line_count; i++) {
        struct resource_line *line = &page->lines[i];
        mpz_clears(line->seconds.units, line->billed_cost.units, line->effective_cost.units,
                   line->corrected_seconds.units, NULL);
    }
    free(page);
    return 0;
}

/* A line of hardware, in cents both billed and effective, with `seconds`; 0: none. */
static struct resource_line *add_line(struct page *page, int64_t start, int64_t end, long cents,
                                      unsigned long seconds)
{
    struct resource_line *line = &page->lines[page->resource.line_count++];
    *line = (struct resource_line){ .start = start,
                                    .end = end,
                                    .sku = 1,
                                    .is_usage = true,
                                    .is_hardware = true,
                                    .states_time = seconds > 0 };
    mpz_init_set_ui(line->seconds.units, seconds);
    mpz_init_set_si(line->billed_cost.units, cents);
    mpz_init_set_si(line->effective_cost.units, cents);
    mpz_init(line->corrected_seconds.units);
    line->billed_cost.scale = line->effective_cost.scale = 2;
    return line;
}

static void add_hold(struct page *page, size_t attempt, int64_t start, int64_t end, uint64_t numerator,
                     uint64_t divisor)
{
    page->holds[page->resource.hold_count++] = (struct resource_hold){
        .start = start, .end = end, .attempt = attempt, .share_numerator = numerator, .share_divisor = divisor
    };
}

static long units_of(const struct resource_part *part, enum line_cost cost)
{
    mpz_t units;
    mpz_init(units);
    resource_part_units(part, cost, units);
    long value = mpz_get_si(units);
    mpz_clear(units);
    return value;
}

static void see(const struct resource_part *part, void *context)
{
    struct page *page = context;
    assert_true(page->part_count < PARTS);
    struct seen_part *seen = &page->parts[page->part_count++];
    *seen = (struct seen_part){ .line = part->line,
                                .attempt = part->attempt,
                                .target = part->target,
                                .billed = units_of(part, COST_BILLED),
                                .effective = units_of(part, COST_EFFECTIVE),
                                .share = mpz_get_d(part->weight) / mpz_get_d(part->weights),
                                .held_from = part->held_from,
                                .held_to = part->held_to };
    if (part->is_priced)
        seen->priced_seconds = (double)part->microseconds / 1e6;
    page->has_excess |= mpq_sgn(part->excess) > 0;
}

static void merge(struct page *page)
{
    struct resource_merge *merge = resource_merge_open();
    page->part_count = 0;
    page->has_excess = false;
    resource_merge(merge, &page->resource, see, page);
    resource_merge_close(merge);
    resource_merge_close(NULL);
}

/* What a target has of a line; 0 where it has no part. */
static long has(const struct page *page, size_t line, enum part_target target, size_t attempt)
{
    for (size_t i = 0; i < page->part_count; i++) {
        const struct seen_part *part = &page->parts[i];
        if (part->line == line && part->target == target && part->attempt == attempt)
            return part->billed;
    }
    return 0;
}

static double priced(const struct page *page, enum part_target target, size_t attempt)
{
    double seconds = 0;
    for (size_t i = 0; i < page->part_count; i++) {
        if (page->parts[i].target == target && page->parts[i].attempt == attempt)
            seconds += page->parts[i].priced_seconds;
    }
    return seconds;
}

#define CENT 1000000L

static void a_part_says_its_weight_and_when_the_node_was_held(void **state)
{
    struct page *page = *state;
    add_line(page, HOUR, 2 * HOUR, 300, 3600);
    add_line(page, 4 * HOUR, 5 * HOUR, 0, 0);
    page->lines[1].start = page->lines[1].end; /* a moment */
    add_hold(page, 0, 0, 70 * MINUTE, 1, 1);
    add_hold(page, 0, 80 * MINUTE, 90 * MINUTE, 1, 2);
    merge(page);
    assert_int_equal(page->part_count, 3);
    assert_near(page->parts[0].share, 0.25, 1e-12); /* 10 and half of 10 minutes of 60 */
    assert_int_equal(page->parts[0].held_from, HOUR);
    assert_int_equal(page->parts[0].held_to, 90 * MINUTE);
    assert_near(page->parts[1].share, 0.75, 1e-12);
    assert_int_equal(page->parts[1].held_to, 0);
    assert_near(page->parts[2].share, 1, 1e-12);
    add_hold(page, 0, 95 * MINUTE, 3 * HOUR, 1, 1);
    merge(page);
    assert_int_equal(page->parts[0].held_to, 2 * HOUR);
}

static void an_hour_is_divided_by_held_seconds_and_shares(void **state)
{
    struct page *page = *state;
    add_line(page, 0, HOUR, 300, 3600);
    add_hold(page, 0, 0, 30 * MINUTE, 1, 1);
    add_hold(page, 1, 30 * MINUTE, 50 * MINUTE, 4, 8);
    merge(page);
    assert_int_equal(has(page, 0, PART_ATTEMPT, 0), 150 * CENT);
    assert_int_equal(has(page, 0, PART_ATTEMPT, 1), 50 * CENT);
    assert_int_equal(has(page, 0, PART_IDLE, 0), 100 * CENT);
    assert_near(priced(page, PART_ATTEMPT, 1), 600, 1e-12);
}

static void a_day_is_of_the_hours_that_were_billed(void **state)
{
    struct page *page = *state;
    add_line(page, 0, 24 * HOUR, 1260, 6 * 3600UL);
    add_hold(page, 0, 2 * HOUR, 8 * HOUR, 1, 1);
    merge(page);
    assert_int_equal(page->part_count, 1);
    assert_int_equal(has(page, 0, PART_ATTEMPT, 0), 1260 * CENT);
}

static void held_time_above_the_billed_one_is_scaled_down(void **state)
{
    struct page *page = *state;
    add_line(page, 0, HOUR, 300, 3600);
    for (size_t i = 0; i < 3; i++)
        add_hold(page, i, 0, HOUR, 1, 2);
    merge(page);
    assert_int_equal(page->part_count, 3);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(has(page, 0, PART_ATTEMPT, i), 100 * CENT);
    assert_true(page->has_excess);
}

static void lines_of_one_sku_are_parts_of_the_period_or_repeat_one_another(void **state)
{
    struct page *page = *state;
    add_line(page, 0, HOUR, 100, 20 * 60UL);
    add_line(page, 0, HOUR, 200, 40 * 60UL);
    add_line(page, HOUR, 2 * HOUR, 100, 40 * 60UL);
    add_line(page, HOUR, 2 * HOUR, 100, 40 * 60UL);
    add_hold(page, 0, 0, 2 * HOUR, 1, 4);
    merge(page);
    assert_int_equal(has(page, 0, PART_ATTEMPT, 0), 25 * CENT); /* 15 of 60 minutes */
    assert_int_equal(has(page, 1, PART_ATTEMPT, 0), 50 * CENT);
    assert_int_equal(has(page, 2, PART_ATTEMPT, 0), 37500000); /* 15 of 40 minutes */
    assert_near(priced(page, PART_ATTEMPT, 0), 1800, 1e-12);
    assert_near(priced(page, PART_IDLE, 0), 45 * 60 + 25 * 60, 1e-12);
}

static void of_several_skus_the_longest_time_counts(void **state)
{
    struct page *page = *state;
    add_line(page, 0, HOUR, 100, 30 * 60UL);
    add_line(page, 0, HOUR, 100, 45 * 60UL)->sku = 0;
    add_hold(page, 0, 0, 45 * MINUTE, 1, 1);
    merge(page);
    assert_int_equal(has(page, 0, PART_ATTEMPT, 0), 100 * CENT);
    assert_near(priced(page, PART_ATTEMPT, 0), 45 * 60, 1e-12);
}

static void a_credit_is_divided_as_its_slot_and_a_longer_one_as_the_slots_inside(void **state)
{
    struct page *page = *state;
    add_line(page, 0, HOUR, 100, 1800);
    add_line(page, 0, HOUR, -50, 0)->is_usage = false;
    add_line(page, 3 * HOUR, 4 * HOUR, 100, 3600);
    add_line(page, 0, 24 * HOUR, -90, 0)->is_usage = false;
    add_hold(page, 0, 0, 30 * MINUTE, 1, 1);
    merge(page);
    assert_int_equal(has(page, 1, PART_ATTEMPT, 0), -50 * CENT);
    assert_int_equal(has(page, 3, PART_ATTEMPT, 0), -30 * CENT); /* 30 of the day's 90 billed minutes */
    assert_int_equal(has(page, 3, PART_IDLE, 0), -60 * CENT);
}

static void a_days_licence_prices_no_hour_a_second_time(void **state)
{
    struct page *page = *state;
    for (int i = 0; i < 6; i++)
        add_line(page, i * HOUR, (i + 1) * HOUR, 100, 3600);
    add_line(page, 0, 24 * HOUR, 500, 6 * 3600UL)->sku = 2;
    add_hold(page, 0, 0, 24 * HOUR, 1, 1);
    merge(page);
    assert_near(priced(page, PART_ATTEMPT, 0), 6 * 3600, 1e-12);
    assert_int_equal(has(page, 6, PART_ATTEMPT, 0), 500 * CENT);
}

static void a_longer_slot_that_was_billed_for_longer_counts_instead_of_those_inside(void **state)
{
    struct page *page = *state;
    add_line(page, 0, HOUR, 100, 3600);
    add_line(page, 0, 24 * HOUR, 500, 8 * 3600UL)->sku = 2;
    add_hold(page, 0, 0, 24 * HOUR, 1, 3);
    merge(page);
    assert_near(priced(page, PART_ATTEMPT, 0), 8 * 3600, 1e-12);
}

static void three_equal_holders_get_back_what_they_paid(void **state)
{
    struct page *page = *state;
    add_line(page, 0, HOUR, 200, 3600);
    add_line(page, 0, HOUR, -200, 0)->is_usage = false;
    for (size_t i = 0; i < 3; i++)
        add_hold(page, i, 0, HOUR, 1, 3);
    merge(page);
    assert_int_equal(has(page, 0, PART_ATTEMPT, 0), 66666667);
    assert_int_equal(has(page, 0, PART_ATTEMPT, 2), 66666666);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(has(page, 0, PART_ATTEMPT, i) + has(page, 1, PART_ATTEMPT, i), 0);
}

/* What the first line's cents go to: the attempt, another target with that attempt, and idle. */
static void merges_into(struct page *page, size_t attempt, long kept, enum part_target other, long others,
                        long idle)
{
    merge(page);
    assert_int_equal(has(page, 0, PART_ATTEMPT, attempt), kept * CENT);
    assert_int_equal(has(page, 0, other, attempt), others * CENT);
    assert_int_equal(has(page, 0, PART_IDLE, 0), idle * CENT);
}

static void what_the_system_broke_goes_to_the_refund_at_once(void **state)
{
    struct page *page = *state;
    add_line(page, 0, HOUR, 400, 3600);
    page->attempts[1] = (struct resource_attempt){ .kept = 3, .refunded = 1 };
    add_hold(page, 1, 0, HOUR, 1, 2);
    merges_into(page, 1, 150, PART_REFUND, 50, 200);
}

static void time_after_the_horizon_awaits_records(void **state)
{
    struct page *page = *state;
    add_line(page, 0, 4 * HOUR, 400, 2 * 3600UL);
    page->presences[0].recorded_to = 3 * HOUR;
    add_hold(page, 0, 0, HOUR, 1, 1);
    merges_into(page, 0, 200, PART_WITHOUT_JOB_RECORDS, 100, 100);
}

static void a_microsecond_after_the_horizon_awaits_records_too(void **state)
{
    struct page *page = *state;
    add_line(page, 0, 4, 400, 0);
    page->presences[0].recorded_to = 3;
    add_hold(page, 0, 0, 1, 1, 1);
    merges_into(page, 0, 100, PART_WITHOUT_JOB_RECORDS, 100, 200);
}

static void count_cents(const struct resource_part *part, void *context)
{
    long *seen = context;
    assert_int_equal(part->target, PART_ATTEMPT);
    assert_int_equal(part->attempt, seen[0]++);
    assert_int_equal(units_of(part, COST_BILLED), 10 * CENT);
    seen[1] += units_of(part, COST_EFFECTIVE);
}

static void forty_attempts_share_an_hour(void **state)
{
    enum { MANY = 40 };
    struct page *page = *state;
    struct resource_hold holds[MANY];
    struct resource_attempt attempts[MANY];
    long seen[2] = { 0 };
    mpz_set_ui(add_line(page, 0, HOUR, 400, 3600)->effective_cost.units, 4);
    page->lines[0].effective_cost.scale = 0;
    for (size_t i = 0; i < MANY; i++) {
        holds[i] =
            (struct resource_hold){ .end = HOUR, .attempt = i, .share_numerator = 1, .share_divisor = MANY };
        attempts[i] = (struct resource_attempt){ .kept = 1 };
    }
    page->resource.holds = holds;
    page->resource.hold_count = MANY;
    page->resource.attempts = attempts;
    page->resource.attempt_count = MANY;
    struct resource_merge *merge = resource_merge_open();
    resource_merge(merge, &page->resource, count_cents, seen);
    resource_merge_close(merge);
    assert_int_equal(seen[0], MANY);
    assert_int_equal(seen[1], 4000000); /* 4, at scale 0 and six digits more */
}

static void within_an_hour_of_its_inventory_a_node_was_held_by_nobody(void **state)
{
    struct page *page = *state;
    add_line(page, 0, HOUR, 100, 3600);
    page->presences[0].from = HOUR + 30 * MINUTE;
    add_hold(page, 0, 0, 2 * HOUR, 1, 1);
    merge(page);
    assert_int_equal(page->part_count, 1);
    assert_int_equal(has(page, 0, PART_IDLE, 0), 100 * CENT);
}

static void a_row_of_the_inventory_an_hour_away_is_none_of_the_slots(void **state)
{
    struct page *page = *state;
    page->presences[0] =
        (struct resource_presence){ .from = 2 * HOUR, .to = 3 * HOUR, .recorded_to = 5 * HOUR };
    assert_false(resource_present(&page->resource, 0, HOUR).is_known);
    assert_true(resource_present(&page->resource, 0, HOUR + 1).is_known);
    assert_true(resource_present(&page->resource, 4 * HOUR - 1, 6 * HOUR).is_known);
    assert_false(resource_present(&page->resource, 4 * HOUR, 6 * HOUR).is_known);
    assert_int_equal(resource_present(&page->resource, 4 * HOUR - 1, 6 * HOUR).unrecorded, HOUR);
}

static void a_slot_without_length_is_idle(void **state)
{
    struct page *page = *state;
    add_line(page, HOUR, HOUR, 100, 0);
    add_hold(page, 0, 0, 2 * HOUR, 1, 1);
    merge(page);
    assert_int_equal(page->part_count, 1);
    assert_int_equal(has(page, 0, PART_IDLE, 0), 100 * CENT);
    assert_near(priced(page, PART_IDLE, 0), 0, 0);
}

static void without_any_reported_time_the_inventory_says_it(void **state)
{
    struct page *page = *state;
    add_line(page, 0, 4 * HOUR, 400, 0);
    page->presences[0].to = 2 * HOUR;
    add_hold(page, 0, 0, HOUR, 1, 1);
    merge(page);
    assert_int_equal(has(page, 0, PART_ATTEMPT, 0), 200 * CENT);
}

static void a_correction_takes_the_time_of_the_line_that_it_corrects(void **state)
{
    struct page *page = *state;
    struct resource_line *line = add_line(page, 0, HOUR, -100, 0);
    line->is_correction = line->has_corrected_seconds = true;
    mpz_set_ui(line->corrected_seconds.units, 1800);
    add_line(page, 0, HOUR, -100, 0)->is_correction = true;
    add_hold(page, 0, 0, 15 * MINUTE, 1, 1);
    merge(page);
    assert_int_equal(has(page, 0, PART_ATTEMPT, 0), -50 * CENT);
    assert_int_equal(has(page, 1, PART_ATTEMPT, 0), -25 * CENT);
    assert_near(priced(page, PART_ATTEMPT, 0), 0, 0);
}

static void slots_are_kept_by_source_and_seconds_are_priced_once(void **state)
{
    struct page *page = *state;
    add_line(page, 0, HOUR, 100, 3600);
    add_line(page, 0, HOUR, 100, 1800)->source = 1;
    add_hold(page, 0, 0, 30 * MINUTE, 1, 1);
    merge(page);
    assert_int_equal(has(page, 0, PART_ATTEMPT, 0), 50 * CENT);
    assert_int_equal(has(page, 1, PART_ATTEMPT, 0), 100 * CENT);
    assert_near(priced(page, PART_ATTEMPT, 0) + priced(page, PART_IDLE, 0), 3600, 1e-12);
}

/* Shorter slots that overlap report 120 minutes of 90: the credit is for all 90. */
static void the_time_of_shorter_slots_is_at_most_the_period(void **state)
{
    struct page *page = *state;
    add_line(page, 60 * MINUTE, 120 * MINUTE, 100, 3600);
    add_line(page, 90 * MINUTE, 150 * MINUTE, 100, 3600);
    add_line(page, 60 * MINUTE, 150 * MINUTE, -90, 0)->is_usage = false;
    add_hold(page, 0, 60 * MINUTE, 90 * MINUTE, 1, 1);
    merge(page);
    assert_int_equal(has(page, 2, PART_ATTEMPT, 0), -30 * CENT);
}

static void of_shorter_slots_inside_one_another_the_longest_counts(void **state)
{
    struct page *page = *state;
    add_line(page, 0, 120 * MINUTE, -100, 0)->is_usage = false;
    add_line(page, 0, 60 * MINUTE, 100, 3600);
    add_line(page, 0, 30 * MINUTE, 100, 1800);
    add_line(page, 30 * MINUTE, 60 * MINUTE, 100, 1800);
    add_hold(page, 0, 0, 30 * MINUTE, 1, 1);
    merge(page);
    assert_int_equal(has(page, 0, PART_ATTEMPT, 0), -50 * CENT);
}

/* A longer credit is for what was reported, too, not for what the shorter credit inside it comes
 * to. */
static void a_credit_inside_a_credit_is_no_shorter_slot_that_reports(void **state)
{
    struct page *page = *state;
    add_line(page, 0, 60 * MINUTE, 100, 3600);
    add_line(page, 30 * MINUTE, 90 * MINUTE, 100, 3600);
    add_line(page, 0, 90 * MINUTE, -90, 0)->is_usage = false;
    add_line(page, 0, 10 * HOUR, -100, 0)->is_usage = false;
    add_hold(page, 0, 0, 30 * MINUTE, 1, 1);
    merge(page);
    assert_int_equal(has(page, 3, PART_ATTEMPT, 0), -25 * CENT); /* 30 of 120 minutes */
}

/* Half an hour lies inside the credit's period and inside a longer line's, which does not lie
 * inside the credit's. */
static void a_shorter_slot_counts_whatever_else_it_lies_inside(void **state)
{
    struct page *page = *state;
    add_line(page, 0, 100 * MINUTE, -100, 0)->is_usage = false;
    add_line(page, 50 * MINUTE, 150 * MINUTE, 100, 6000);
    add_line(page, 60 * MINUTE, 90 * MINUTE, 100, 1800);
    add_hold(page, 0, 60 * MINUTE, 75 * MINUTE, 1, 1);
    merge(page);
    assert_int_equal(has(page, 0, PART_ATTEMPT, 0), -50 * CENT);
}

static void only_slots_of_machine_time_have_others_inside_that_are_priced(void **state)
{
    struct page *page = *state;
    add_line(page, 0, 100 * MINUTE, 100, 6000);
    add_line(page, 50 * MINUTE, 150 * MINUTE, 100, 6000)->is_hardware = false;
    add_line(page, 60 * MINUTE, 90 * MINUTE, 100, 1800);
    merge(page);
    assert_near(priced(page, PART_IDLE, 0), 6000, 1e-12);
}

static void any_resource_keeps_the_identities(void **state)
{
    struct seeded_random random;
    uint8_t bytes[SAMPLE_BYTES];
    (void)state;
    seeded_random_start(&random, 20261123);
    for (int i = 0; i < 3000; i++) {
        struct resource_sample sample;
        for (size_t j = 0; j < sizeof bytes; j++)
            bytes[j] = (uint8_t)(seeded_random_bits(&random) >> 32);
        resource_sample_make(&sample, bytes, sizeof bytes);
        const char *broken = resource_sample_broken(&sample);
        if (broken != NULL)
            fail_msg("sample %d: %s", i, broken);
        resource_sample_clear(&sample);
    }
}

#define PAGE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        PAGE(a_part_says_its_weight_and_when_the_node_was_held),
        PAGE(an_hour_is_divided_by_held_seconds_and_shares),
        PAGE(a_day_is_of_the_hours_that_were_billed),
        PAGE(held_time_above_the_billed_one_is_scaled_down),
        PAGE(lines_of_one_sku_are_parts_of_the_period_or_repeat_one_another),
        PAGE(of_several_skus_the_longest_time_counts),
        PAGE(a_credit_is_divided_as_its_slot_and_a_longer_one_as_the_slots_inside),
        PAGE(a_days_licence_prices_no_hour_a_second_time),
        PAGE(a_longer_slot_that_was_billed_for_longer_counts_instead_of_those_inside),
        PAGE(three_equal_holders_get_back_what_they_paid),
        PAGE(what_the_system_broke_goes_to_the_refund_at_once),
        PAGE(time_after_the_horizon_awaits_records),
        PAGE(a_microsecond_after_the_horizon_awaits_records_too),
        PAGE(forty_attempts_share_an_hour),
        PAGE(within_an_hour_of_its_inventory_a_node_was_held_by_nobody),
        PAGE(a_row_of_the_inventory_an_hour_away_is_none_of_the_slots),
        PAGE(a_slot_without_length_is_idle),
        PAGE(without_any_reported_time_the_inventory_says_it),
        PAGE(a_correction_takes_the_time_of_the_line_that_it_corrects),
        PAGE(slots_are_kept_by_source_and_seconds_are_priced_once),
        PAGE(the_time_of_shorter_slots_is_at_most_the_period),
        PAGE(of_shorter_slots_inside_one_another_the_longest_counts),
        PAGE(a_credit_inside_a_credit_is_no_shorter_slot_that_reports),
        PAGE(a_shorter_slot_counts_whatever_else_it_lies_inside),
        PAGE(only_slots_of_machine_time_have_others_inside_that_are_priced),
        cmocka_unit_test(any_resource_keeps_the_identities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
