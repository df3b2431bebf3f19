/* The time that a line has, by hand: the first of its quantities that is a time and may be
 * true. */
#include "allocate/bill_line.h"
#include "model_test.h"

#define HOUR INT64_C(3600000000)

static struct line_class class;

/* A line of an hour. */
static void open_line(struct bill_line *line, int32_t consumed_unit, int32_t pricing_unit)
{
    class =
        (struct line_class){ .consumed_unit_seconds = consumed_unit, .pricing_unit_seconds = pricing_unit };
    bill_line_open(line);
    line->class = &class;
    line->line.start = HOUR;
    line->line.end = 2 * HOUR;
}

/* Tells units / 10^scale of its units; 0 and 0: nothing. */
static void set_quantities(struct bill_line *line, long consumed, unsigned consumed_scale, long pricing,
                           unsigned pricing_scale)
{
    struct exact_decimal one = { .scale = consumed_scale }, other = { .scale = pricing_scale };
    mpz_init_set_si(one.units, consumed);
    mpz_init_set_si(other.units, pricing);
    bill_line_set_time(line, &one, &other);
    mpz_clears(one.units, other.units, NULL);
}

static void assert_seconds(const struct exact_decimal *seconds, long units, unsigned scale)
{
    assert_int_equal(mpz_get_si(seconds->units), units);
    assert_int_equal(seconds->scale, scale);
}

static void what_was_consumed_comes_first(void **state)
{
    (void)state;
    struct bill_line line;
    open_line(&line, 3600, 60);
    set_quantities(&line, 25, 2, 30, 0); /* a quarter of an hour */
    assert_true(line.line.states_time);
    assert_seconds(&line.line.seconds, 90000, 2);
    assert_true(line.has_consumed_time);
    assert_seconds(&line.consumed_seconds, 90000, 2);
    bill_line_close(&line);
}

static void a_quantity_that_cannot_be_the_time_gives_way_to_the_next(void **state)
{
    (void)state;
    struct bill_line line;
    open_line(&line, 3600, 60);
    set_quantities(&line, 1, 0, 30, 0); /* all of the period */
    assert_seconds(&line.line.seconds, 3600, 0);
    set_quantities(&line, 100000001, 8, 30, 0); /* more than it */
    assert_true(line.line.states_time);
    assert_seconds(&line.line.seconds, 1800, 0);
    assert_seconds(&line.consumed_seconds, INT64_C(360000003600), 8); /* of several instances, perhaps */
    set_quantities(&line, 0, 3, 30, 0);
    assert_seconds(&line.line.seconds, 1800, 0);
    set_quantities(&line, 2, 0, 61, 0);
    assert_false(line.line.states_time);
    bill_line_close(&line);
}

static void a_unit_that_is_no_time_gives_none(void **state)
{
    (void)state;
    struct bill_line line;
    open_line(&line, 0, 60);
    set_quantities(&line, 1, 0, 30, 0);
    assert_false(line.has_consumed_time);
    assert_seconds(&line.line.seconds, 1800, 0);
    class.pricing_unit_seconds = 0;
    set_quantities(&line, 1, 0, 30, 0);
    assert_false(line.line.states_time);
    bill_line_close(&line);
}

static void a_quantity_has_no_sign(void **state)
{
    (void)state;
    struct bill_line line;
    open_line(&line, 3600, 60);
    set_quantities(&line, -5, 1, 0, 0);
    assert_true(line.line.states_time);
    assert_seconds(&line.line.seconds, 18000, 1);
    assert_seconds(&line.consumed_seconds, 18000, 1);
    bill_line_close(&line);
}

static void without_quantities_there_is_no_time_whatever_the_line_had_before(void **state)
{
    (void)state;
    struct bill_line line;
    open_line(&line, 3600, 60);
    set_quantities(&line, 1, 0, 30, 0);
    bill_line_set_time(&line, NULL, NULL);
    assert_false(line.line.states_time);
    assert_false(line.has_consumed_time);
    bill_line_close(&line);
}

static void a_period_without_length_has_no_time(void **state)
{
    (void)state;
    struct bill_line line;
    open_line(&line, 3600, 60);
    line.line.end = line.line.start;
    set_quantities(&line, 1, 6, 30, 0);
    assert_false(line.line.states_time);
    bill_line_close(&line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_consumed_comes_first),
        cmocka_unit_test(a_quantity_that_cannot_be_the_time_gives_way_to_the_next),
        cmocka_unit_test(a_unit_that_is_no_time_gives_none),
        cmocka_unit_test(a_quantity_has_no_sign),
        cmocka_unit_test(without_quantities_there_is_no_time_whatever_the_line_had_before),
        cmocka_unit_test(a_period_without_length_has_no_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
