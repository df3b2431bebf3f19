/* The damped trend follows what is known of a series, and says when it knows too little. */
#include "model/forecast/damped_trend.h"
#include "model_test.h"

static void test_a_constant_series_stays(void **state)
{
    (void)state;
    double values[] = { 70, 70, 70, 70, 70, 70, 70, 70 };
    struct damped_trend fit;
    damped_trend_fit(values, 8, &fit);
    assert_within(damped_trend_at(&fit, 1), 70, 1e-9);
    assert_within(damped_trend_at(&fit, 24), 70, 1e-9);
    assert_within(fit.residual, 0, 1e-9);
}

static void test_a_line_is_followed_and_damped(void **state)
{
    (void)state;
    double values[24];
    struct damped_trend fit;
    for (int i = 0; i < 24; i++) {
        values[i] = 100 + 10 * i;
    }
    damped_trend_fit(values, 12, &fit);
    assert_near(damped_trend_at(&fit, 1), 220, .01);
    assert_near(damped_trend_at(&fit, 3), 240, .02);
    for (unsigned ahead = 1; ahead < 60; ahead++) { /* rises for ever, by less each month */
        double step = damped_trend_at(&fit, ahead + 1) - damped_trend_at(&fit, ahead);
        assert_true(step > 0 && step < 10.01);
    }
}

static void test_fewer_than_four_months_have_no_trend(void **state)
{
    (void)state;
    double values[] = { 10, 20, 30 };
    struct damped_trend fit;
    damped_trend_fit(values, 3, &fit);
    assert_near(damped_trend_at(&fit, 5), 20, 1e-12);
    assert_near(fit.residual, 10, 1e-12);
    damped_trend_fit(values, 1, &fit);
    assert_near(damped_trend_at(&fit, 1), 10, 0);
    assert_true(isnan(fit.residual));
    damped_trend_fit(values, 0, &fit);
    assert_near(damped_trend_at(&fit, 1), 0, 0);
}

static void test_a_jump_becomes_the_new_level(void **state)
{
    (void)state;
    double values[] = { 50, 50, 50, 50, 50, 50, 90, 90, 90, 90, 90, 90 };
    struct damped_trend fit;
    damped_trend_fit(values, 12, &fit);
    assert_near(damped_trend_at(&fit, 1), 90, .05);
}

/* One price and then another, from whichever month on, dearer, cheaper or for nothing: an end is a
 * step, and so is what the last month alone has. With 24 months, one in the middle is no season and
 * trend that fall into one. */
static void test_a_step_is_a_new_level_from_any_month_on(void **state)
{
    (void)state;
    static const double after[] = { 240, 170, 0 };
    double values[30];
    struct damped_trend fit;
    for (size_t count = 4; count <= 30; count++) {
        for (size_t from = 1; from < count; from++) {
            for (int kind = 0; kind < 3; kind++) {
                for (size_t i = 0; i < count; i++)
                    values[i] = i < from ? 200 : after[kind];
                damped_trend_fit(values, count, &fit);
                assert_within(damped_trend_at(&fit, 1), after[kind], 1e-9);
                assert_within(damped_trend_at(&fit, 60), after[kind], 1e-9);
            }
        }
    }
}

/* Months of nothing before the first one say nothing of it. */
static void test_a_series_begins_with_its_first_month(void **state)
{
    (void)state;
    double one[] = { 0, 0, 0, 0, 0, 100 }, two[] = { 0, 0, 0, 0, 90, 110 }, values[30] = { 0 };
    struct damped_trend fit, same;
    damped_trend_fit(one, 6, &fit);
    assert_near(damped_trend_at(&fit, 12), 100, 1e-12);
    assert_true(isnan(fit.residual));
    damped_trend_fit(two, 6, &fit);
    assert_near(damped_trend_at(&fit, 12), 100, 1e-12);
    for (int i = 5; i < 30; i++)
        values[i] = (100 + i) * (i % 12 == 11 ? 2 : 1);
    damped_trend_fit(values, 30, &fit);
    damped_trend_fit(values + 5, 25, &same);
    assert_true(fit.seasonal && same.seasonal);
    assert_int_equal(fit.count, 25);
    for (unsigned ahead = 1; ahead <= 24; ahead++)
        assert_near(damped_trend_at(&fit, ahead), damped_trend_at(&same, ahead), 0);
    damped_trend_fit(values, 5, &fit); /* nothing at all */
    assert_near(damped_trend_at(&fit, 1), 0, 0);
}

/* A tenth up and down around 1,000: no trend, and no farther from it in five years than a month
 * was. */
static void test_a_trend_has_to_pay_for_its_parameters(void **state)
{
    (void)state;
    static const double noise[] = { 44, -126, 21, 93, -57, -12, 130, -88, 35, -70, 112, -31 };
    double values[12];
    struct damped_trend fit;
    for (size_t count = 4; count <= 12; count++) {
        for (size_t i = 0; i < count; i++)
            values[i] = 1000 + noise[i];
        damped_trend_fit(values, count, &fit);
        assert_false(fit.trending);
        assert_within(damped_trend_at(&fit, 60), damped_trend_at(&fit, 1), 1e-9);
        assert_within(damped_trend_at(&fit, 1), 1000, 131);
    }
    for (size_t i = 0; i < 12; i++)
        values[i] = 1000 + 60 * (double)i + noise[i] / 4; /* a line, and noise of a fortieth */
    damped_trend_fit(values, 12, &fit);
    assert_true(fit.trending);
    assert_within(damped_trend_at(&fit, 3), 1000 + 60 * 14, 60);
}

/* A fall ends at nothing; below it goes only what was there before. */
static void test_nothing_goes_below_0_that_never_was(void **state)
{
    (void)state;
    double fall[] = { 100, 80, 60, 40, 20, 0 }, debt[] = { 60, 40, 20, 0, -20, -40 };
    struct damped_trend fit;
    damped_trend_fit(fall, 6, &fit);
    for (unsigned ahead = 1; ahead <= 60; ahead++)
        assert_true(damped_trend_at(&fit, ahead) >= 0);
    assert_near(damped_trend_at(&fit, 60), 0, 0);
    damped_trend_fit(debt, 6, &fit);
    assert_true(damped_trend_at(&fit, 12) < -40);
}

/* One error in the five months that have one: the first month is the start, and is not off by
 * anything. */
static void test_the_residual_is_of_the_months_that_were_expected(void **state)
{
    (void)state;
    double values[] = { 200, 200, 200, 200, 240, 240 };
    struct damped_trend fit;
    damped_trend_fit(values, 6, &fit);
    assert_near(fit.residual, sqrt(40.0 * 40 / 5), 1e-9);
}

/* Twice the work in December, every year: known from 24 months on, and not from 23. */
static void test_a_season_needs_two_years(void **state)
{
    (void)state;
    double values[36];
    struct damped_trend fit;
    for (int i = 0; i < 36; i++) {
        values[i] = (100 + i) * (i % 12 == 11 ? 2 : 1);
    }
    damped_trend_fit(values, 23, &fit);
    assert_false(fit.seasonal);
    damped_trend_fit(values, 36, &fit);
    assert_true(fit.seasonal);
    assert_near(damped_trend_at(&fit, 1), 136, .03);
    assert_near(damped_trend_at(&fit, 12), 2 * 147, .05);
    damped_trend_fit(values, 26, &fit); /* the series ends in February: its season goes on with March */
    assert_near(damped_trend_at(&fit, 10), 2 * 135, .06);
}

static void test_no_season_is_seen_where_there_is_none(void **state)
{
    (void)state;
    double values[36];
    struct damped_trend fit;
    for (int i = 0; i < 36; i++) {
        values[i] = 100 + (i * 7919 % 13);
    }
    damped_trend_fit(values, 36, &fit);
    assert_false(fit.seasonal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_constant_series_stays),
        cmocka_unit_test(test_a_line_is_followed_and_damped),
        cmocka_unit_test(test_fewer_than_four_months_have_no_trend),
        cmocka_unit_test(test_a_jump_becomes_the_new_level),
        cmocka_unit_test(test_a_step_is_a_new_level_from_any_month_on),
        cmocka_unit_test(test_a_series_begins_with_its_first_month),
        cmocka_unit_test(test_a_trend_has_to_pay_for_its_parameters),
        cmocka_unit_test(test_nothing_goes_below_0_that_never_was),
        cmocka_unit_test(test_the_residual_is_of_the_months_that_were_expected),
        cmocka_unit_test(test_a_season_needs_two_years),
        cmocka_unit_test(test_no_season_is_seen_where_there_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
