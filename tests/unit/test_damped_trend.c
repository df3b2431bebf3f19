/* The damped trend follows what is known of a series, and says when it knows too little. */
#include "model/damped_trend.h"
#include "model_test.h"

static void test_a_constant_series_stays(void **state)
{
    (void)state;
    double values[] = { 70, 70, 70, 70, 70, 70, 70, 70 };
    struct damped_trend fit;
    damped_trend_fit(values, 8, &fit);
    assert_false(fit.flat);
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
    assert_true(fit.flat);
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
        cmocka_unit_test(test_a_season_needs_two_years),
        cmocka_unit_test(test_no_season_is_seen_where_there_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
