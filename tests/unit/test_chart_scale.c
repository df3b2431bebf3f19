/* report/page/chart_scale.h: where values stand in a picture, at the ends and beyond them as
 * well. */
#include "report/page/chart_scale.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_near(double expected, double actual)
{
    if (fabs(expected - actual) > 1e-9)
        fail_msg("expected %g, got %g", expected, actual);
}

static void ticks_are_round_and_cover_the_largest(void **state)
{
    (void)state;
    static const struct {
        double largest, step;
        int count;
    } cases[] = { { 666603.74, 200000, 5 }, { 1, 0.5, 3 }, { 4, 1, 5 }, { 100, 50, 3 }, { 0.03, 0.01, 4 } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double ticks[CHART_TICKS_MAXIMUM];
        int count = chart_ticks(cases[i].largest, ticks);
        assert_int_equal(cases[i].count, count);
        assert_near(cases[i].step, ticks[1]);
        assert_true(ticks[count - 1] >= cases[i].largest);
    }
}

static void nothing_has_one_tick(void **state)
{
    (void)state;
    double ticks[CHART_TICKS_MAXIMUM];
    assert_int_equal(1, chart_ticks(0, ticks));
    assert_int_equal(1, chart_ticks(-5, ticks));
    assert_int_equal(1, chart_ticks(NAN, ticks));
    assert_near(0, ticks[0]);
}

static void values_outside_stand_at_the_ends(void **state)
{
    (void)state;
    assert_near(50, chart_place(5, 10, 100));
    assert_near(0, chart_place(-5, 10, 100));
    assert_near(100, chart_place(50, 10, 100));
    assert_near(0, chart_place(5, 0, 100));
}

static void each_doubling_takes_the_same_room(void **state)
{
    (void)state;
    assert_near(0, chart_place_doubling(1, 1, 16, 100));
    assert_near(25, chart_place_doubling(2, 1, 16, 100));
    assert_near(75, chart_place_doubling(8, 1, 16, 100));
    assert_near(100, chart_place_doubling(64, 1, 16, 100));
    assert_near(0, chart_place_doubling(4, 4, 4, 100));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks_are_round_and_cover_the_largest),
        cmocka_unit_test(nothing_has_one_tick),
        cmocka_unit_test(values_outside_stand_at_the_ends),
        cmocka_unit_test(each_doubling_takes_the_same_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
