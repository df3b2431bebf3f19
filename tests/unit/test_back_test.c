/* Months that were held back are forecast as well as is possible, and not better. */
#include "model/forecast/back_test.h"
#include "model_test.h"

enum { MONTHS = 24 };

static struct forecast_cell cell_of(struct forecast_facts *months, double (*work)(int month))
{
    for (int i = 0; i < MONTHS; i++) {
        months[i] = (struct forecast_facts){ .ideal_node_hours = work(i), .node_hours = work(i) / .8 };
        months[i].hardware = 250 * months[i].node_hours;
        months[i].failed = .1 * months[i].hardware;
    }
    return (struct forecast_cell){ .cost_centre = "lab", .family = "llm", .months = months };
}

static double line(int month)
{
    return 1000 + 50 * month;
}

/* Work doubles in the last held-back month, which nobody could know. */
static double shock(int month)
{
    return month == MONTHS - 1 ? 2000 : 1000;
}

static void test_a_known_trend_is_forecast(void **state)
{
    (void)state;
    struct forecast_facts months[MONTHS];
    struct forecast_cell cell = cell_of(months, line);
    struct back_test result;
    back_test(&cell, 1, MONTHS, &result);
    assert_int_equal(result.held_back, 3);
    assert_near(result.actual[2], 2150 / .8 * 250 * 1.1, 1e-12);
    assert_true(result.error < .01);
    assert_near(result.naive_error, (50.0 + 100 + 150) / (2050 + 2100 + 2150),
                1e-9); /* had each been like month 21 */
    assert_true(result.error < result.naive_error / 3);
    assert_true(result.bias < 0); /* damped: below a trend that goes on */
}

static void test_a_shock_shows_as_the_error_that_it_is(void **state)
{
    (void)state;
    struct forecast_facts months[MONTHS];
    struct forecast_cell cell = cell_of(months, shock);
    struct back_test result;
    back_test(&cell, 1, MONTHS, &result);
    assert_near(result.error, 1000.0 / 4000, 1e-9);
    assert_near(result.bias, -1000.0 / 4000, 1e-9);
}

static void test_too_little_history_has_no_back_test(void **state)
{
    (void)state;
    struct forecast_facts months[MONTHS];
    struct forecast_cell cell = cell_of(months, line);
    struct back_test result;
    back_test(&cell, 1, 4, &result);
    assert_int_equal(result.held_back, 0);
    assert_true(isnan(result.error));
    back_test(&cell, 1, 5, &result);
    assert_int_equal(result.held_back, 1);
    back_test(&cell, 1, 7, &result); /* a quarter, rounded down */
    assert_int_equal(result.held_back, 1);
    back_test(&cell, 1, 8, &result);
    assert_int_equal(result.held_back, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_known_trend_is_forecast),
        cmocka_unit_test(test_a_shock_shows_as_the_error_that_it_is),
        cmocka_unit_test(test_too_little_history_has_no_back_test),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
