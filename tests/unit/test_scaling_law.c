/* The two laws by hand-worked numbers, and their closure under re-basing. */
#include "model/scaling/scaling_law.h"
#include "model_test.h"

static const struct scaling_law base = { .t1_hours = 1,
                                         .serial_fraction = 0.03,
                                         .communication_coefficient = 0.0015 };

static void test_the_usl_gives_the_efficiencies_worked_by_hand(void **state)
{
    (void)state;
    /* K=8: 1 + 7 x .03 + .0015 x 56 = 1.294 */
    assert_near(scaling_law_inefficiency(&base, 8), 1.294, 1e-15);
    assert_near(scaling_law_efficiency(&base, 8), 0.772797527048, 1e-11);
    assert_near(scaling_law_hours(&base, 8), 0.16175, 1e-14);
    assert_near(scaling_law_efficiency(&base, 1), 1, 0);
}

static void test_the_step_is_paid_once_on_leaving_one_node(void **state)
{
    (void)state;
    struct scaling_law law = base;
    law.form = SCALING_STEPPED;
    law.step = 0.25;
    assert_near(scaling_law_inefficiency(&law, 1), 1, 0);
    assert_near(scaling_law_inefficiency(&law, 2), 1.25 + 0.03 + 0.003, 1e-15);
    assert_near(scaling_law_inefficiency(&law, 8), 1.25 + 0.294, 1e-15);
}

static void test_in_accelerator_units_the_step_falls_beyond_one_node(void **state)
{
    (void)state;
    struct scaling_law law = base;
    law.form = SCALING_STEPPED;
    law.step = 0.25;
    law.accelerators_per_node = 8;
    assert_near(scaling_law_inefficiency(&law, 8), 1.294, 1e-15);
    assert_near(scaling_law_inefficiency(&law, 16), 1.25 + 15 * 0.03 + 0.0015 * 240, 1e-15);
    assert_int_equal(scaling_law_one_node(&law), 8);
    law.accelerators_per_node = 2;
    assert_near(scaling_law_inefficiency(&law, 2), 1 + 0.03 + 0.0015 * 2, 1e-15);
}

static void test_a_law_relative_to_k0_says_nothing_below_it(void **state)
{
    (void)state;
    struct scaling_law law = base;
    law.smallest_k = 4;
    assert_true(isnan(scaling_law_hours(&law, 3)));
    assert_true(isnan(scaling_law_efficiency(&law, 3)));
    assert_near(scaling_law_efficiency(&law, 4), 1, 0);
}

static void test_rebasing_changes_the_coefficients_and_not_the_times(void **state)
{
    (void)state;
    struct scaling_law law = rebased_to(&base, 4);
    /* g = 1.108; c' = .0015 x 16 / g; 1 - s' = .97/g */
    assert_near(law.communication_coefficient, 0.024 / 1.108, 1e-14);
    assert_near(1 - law.serial_fraction, 0.97 / 1.108, 1e-14);
    for (unsigned k = 4; k <= 200; k++) {
        assert_near(scaling_law_hours(&law, k), scaling_law_hours(&base, k), 1e-14);
    }
}

static void test_rebasing_above_the_step_absorbs_it_and_below_keeps_it(void **state)
{
    (void)state;
    struct scaling_law stepped = base;
    stepped.form = SCALING_STEPPED;
    stepped.step = 0.4;
    struct scaling_law above = rebased_to(&stepped, 2);
    assert_int_equal(above.form, SCALING_USL);
    assert_near(above.step, 0, 0);
    stepped.accelerators_per_node = 8;
    struct scaling_law below = rebased_to(&stepped, 4);
    assert_int_equal(below.form, SCALING_STEPPED);
    stepped.accelerators_per_node = 0;
    for (unsigned k = 2; k <= 64; k++) {
        assert_near(scaling_law_hours(&above, k), scaling_law_hours(&stepped, k), 1e-14);
    }
    stepped.accelerators_per_node = 8;
    for (unsigned k = 4; k <= 64; k++) {
        assert_near(scaling_law_hours(&below, k), scaling_law_hours(&stepped, k), 1e-14);
    }
}

static void test_time_is_a_over_k_plus_b_plus_d_k_on_either_side_of_the_step(void **state)
{
    (void)state;
    struct scaling_law law = { .form = SCALING_STEPPED,
                               .t1_hours = 7,
                               .serial_fraction = 0.02,
                               .step = 0.3,
                               .communication_coefficient = 0.004,
                               .smallest_k = 2,
                               .accelerators_per_node = 4 };
    for (unsigned k = 2; k <= 40; k++) {
        struct scaling_shape t = scaling_law_shape(&law, k > 4);
        assert_near(t.over_k / k + t.constant + t.per_k * k, scaling_law_hours(&law, k), 1e-14);
    }
}

static void test_parameters_out_of_range_make_no_law(void **state)
{
    (void)state;
    struct scaling_law law = base;
    assert_true(scaling_law_valid(&law));
    law.t1_hours = 0;
    assert_false(scaling_law_valid(&law));
    law = base;
    law.serial_fraction = -1e-9;
    assert_false(scaling_law_valid(&law));
    law = base;
    law.communication_coefficient = NAN;
    assert_false(scaling_law_valid(&law));
    law = base;
    law.step = 0.1; /* a step in a law without one */
    assert_false(scaling_law_valid(&law));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_usl_gives_the_efficiencies_worked_by_hand),
        cmocka_unit_test(test_the_step_is_paid_once_on_leaving_one_node),
        cmocka_unit_test(test_in_accelerator_units_the_step_falls_beyond_one_node),
        cmocka_unit_test(test_a_law_relative_to_k0_says_nothing_below_it),
        cmocka_unit_test(test_rebasing_changes_the_coefficients_and_not_the_times),
        cmocka_unit_test(test_rebasing_above_the_step_absorbs_it_and_below_keeps_it),
        cmocka_unit_test(test_time_is_a_over_k_plus_b_plus_d_k_on_either_side_of_the_step),
        cmocka_unit_test(test_parameters_out_of_range_make_no_law),
    };
    return cmocka_run_group_tests_name("scaling_law", tests, NULL, NULL);
}
