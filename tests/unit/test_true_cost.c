/* The forecast formula (model/cost/true_cost.h), by examples worked out by hand. */
#include "model/cost/true_cost.h"
#include "model_test.h"

static void test_ideal_100_with_half_waste_and_20_of_fees_is_170_before_failures(void **state)
{
    (void)state;
    struct forecast_input input = { .ideal_hardware = 100, .inefficiency_factor = 0.5, .cloud_fees = 20 };
    struct forecast_parts parts;
    assert_true(true_cost_forecast(&input, &parts));
    assert_near(parts.total, 170, 1e-15);
    assert_near(parts.coordination_waste, 50, 1e-15);
}

static void test_a_stretch_takes_preemption_out_of_the_failed_run_factor(void **state)
{
    (void)state;
    struct forecast_input input = { .ideal_hardware = 100,
                                    .inefficiency_factor = 0.5,
                                    .cloud_fees = 20,
                                    .stretch = 1.10,
                                    .failed_run_factor = 0.25,
                                    .modelled_by_stretch = 0.10 };
    struct forecast_parts parts;
    assert_near(effective_failed_run_factor(&input), 0.15, 1e-15);
    assert_true(true_cost_forecast(&input, &parts));
    assert_near(parts.interruption, 15, 1e-13);
    assert_near(parts.failed_runs, 27.75, 1e-13); /* (165 + 20) x .15 */
    assert_near(parts.total, 212.75, 1e-14);
    input.stretch = 0; /* not applied: the whole factor counts */
    assert_near(effective_failed_run_factor(&input), 0.25, 0);
    assert_true(true_cost_forecast(&input, &parts));
    assert_near(parts.total, 212.5, 1e-14); /* 170 x 1.25 */
    input.stretch = 1;                      /* nor is this one */
    assert_true(true_cost_forecast(&input, &parts));
    assert_near(parts.total, 212.5, 1e-14);
}

static void test_overheads_are_added_after_failures(void **state)
{
    (void)state;
    struct forecast_input input = {
        .ideal_hardware = 100, .failed_run_factor = 0.25, .fixed_overhead = 30, .engineering_overhead = 40
    };
    struct forecast_parts parts;
    assert_true(true_cost_forecast(&input, &parts));
    assert_near(parts.total, 195, 1e-15);
}

static void test_the_parts_add_up_to_the_total(void **state)
{
    (void)state;
    struct forecast_input input = { 80, 1 / 0.77 - 1, 13, 1.07, 0.3, 0.1, 11, 7 };
    struct forecast_parts p;
    assert_true(true_cost_forecast(&input, &p));
    assert_near(p.useful_compute + p.coordination_waste + p.interruption + p.cloud_fees + p.failed_runs +
                    p.fixed_overhead + p.engineering_overhead,
                p.total, 1e-15);
    assert_near(p.total, (80 / 0.77 * 1.07 + 13) * 1.2 + 18, 1e-13);
}

static void test_the_inefficiency_factor_is_one_over_e_minus_one(void **state)
{
    (void)state;
    assert_near(coordination_inefficiency_factor(0.8), 0.25, 1e-15);
    assert_near(coordination_inefficiency_factor(1.25), -0.2, 1e-15);
    assert_true(isnan(coordination_inefficiency_factor(0)));
}

static void test_what_needs_no_hardware_costs_its_fees(void **state)
{
    (void)state;
    struct forecast_input input = { .cloud_fees = 20, .failed_run_factor = 0.1 };
    struct forecast_parts parts;
    assert_true(true_cost_forecast(&input, &parts));
    assert_near(parts.total, 22, 1e-14);
}

static void test_numbers_out_of_range_make_no_forecast(void **state)
{
    (void)state;
    struct forecast_input good = { .ideal_hardware = 100, .failed_run_factor = 0.2 };
    struct forecast_parts parts;
    struct forecast_input bad = good;
    bad.inefficiency_factor = -1;
    assert_false(true_cost_forecast(&bad, &parts));
    assert_near(parts.total, 0, 0);
    bad = good;
    bad.stretch = 0.9;
    assert_false(true_cost_forecast(&bad, &parts));
    bad = good;
    bad.modelled_by_stretch = 0.3; /* more than the factor itself */
    assert_false(true_cost_forecast(&bad, &parts));
    bad = good;
    bad.cloud_fees = NAN;
    assert_false(true_cost_forecast(&bad, &parts));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ideal_100_with_half_waste_and_20_of_fees_is_170_before_failures),
        cmocka_unit_test(test_a_stretch_takes_preemption_out_of_the_failed_run_factor),
        cmocka_unit_test(test_overheads_are_added_after_failures),
        cmocka_unit_test(test_the_parts_add_up_to_the_total),
        cmocka_unit_test(test_the_inefficiency_factor_is_one_over_e_minus_one),
        cmocka_unit_test(test_what_needs_no_hardware_costs_its_fees),
        cmocka_unit_test(test_numbers_out_of_range_make_no_forecast),
    };
    return cmocka_run_group_tests_name("true_cost", tests, NULL, NULL);
}
