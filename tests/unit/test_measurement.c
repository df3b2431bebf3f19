/* Measured values become the time of fixed work, and repeats become a mean and a noise. */
#include "model_test.h"

static void test_every_metric_becomes_the_time_of_fixed_work(void **state)
{
    (void)state;
    assert_near(measured_hours(SCALING_RUN_TIME, SCALING_STRONG, 4, 2.5), 2.5, 0);
    assert_near(measured_hours(SCALING_STEP_TIME, SCALING_STRONG, 4, 0.5), 0.5, 0);
    assert_near(measured_hours(SCALING_THROUGHPUT, SCALING_STRONG, 4, 200), 0.005, 1e-15);
    /* E = .8 on 4: speedup 3.2, so T = 1/3.2 of T1. */
    assert_near(measured_hours(SCALING_EFFICIENCY, SCALING_STRONG, 4, 0.8), 0.3125, 1e-15);
}

static void test_under_weak_scaling_a_step_on_k_nodes_did_k_times_the_work(void **state)
{
    (void)state;
    assert_near(measured_hours(SCALING_STEP_TIME, SCALING_WEAK, 4, 0.5), 0.125, 1e-15);
    assert_near(measured_hours(SCALING_THROUGHPUT, SCALING_WEAK, 4, 200), 0.005, 1e-15);
}

static void test_a_value_that_is_not_positive_and_finite_is_no_time(void **state)
{
    (void)state;
    static const double bad[] = { 0, -1, NAN, INFINITY, 1e-320 };
    for (size_t i = 0; i < 4; i++) {
        assert_true(isnan(measured_hours(SCALING_RUN_TIME, SCALING_STRONG, 1, bad[i])));
    }
    assert_true(isnan(measured_hours(SCALING_THROUGHPUT, SCALING_STRONG, 1, bad[4]))); /* 1/x overflows */
    assert_true(isnan(measured_hours(SCALING_RUN_TIME, SCALING_STRONG, 0, 1)));
}

static void test_repeats_are_grouped_by_k_in_ascending_order(void **state)
{
    (void)state;
    static const struct measurement runs[] = { { 8, 2 }, { 1, 10 }, { 8, 4 }, { 2, 6 }, { 8, 3 } };
    struct measured_size sizes[MEASURED_SIZES_MAX];
    assert_int_equal(measured_sizes(runs, 5, sizes), 3);
    assert_int_equal(sizes[0].k, 1);
    assert_int_equal(sizes[1].k, 2);
    assert_int_equal(sizes[2].k, 8);
    assert_int_equal(sizes[2].repeats, 3);
    assert_near(sizes[2].hours, 3, 1e-15);
    assert_near(sizes[2].square_spread, 2.0 / 9, 1e-14); /* (-1/3)^2 + (1/3)^2 */
    assert_true(isnan(sizes[0].law_hours));
    assert_ptr_equal(measured_at(sizes, 3, 2), &sizes[1]);
    assert_null(measured_at(sizes, 3, 4));
    assert_null(measured_at(sizes, 3, 9));
}

static void test_noise_is_pooled_over_repeated_sizes_and_unknown_without_repeats(void **state)
{
    (void)state;
    static const struct measurement runs[] = { { 1, 9 },   { 1, 11 },  { 2, 5 },
                                               { 4, 1.9 }, { 4, 2.0 }, { 4, 2.1 } };
    struct measured_size sizes[MEASURED_SIZES_MAX];
    unsigned freedom;
    size_t count = measured_sizes(runs, 6, sizes);
    /* K=1: 2 x .1^2 = .02 on 1; K=4: 2 x .05^2 = .005 on 2; pooled sqrt(.025/3). */
    assert_near(repeat_noise(sizes, count, &freedom), 0.09128709291752768, 1e-12);
    assert_int_equal(freedom, 3);
    count = measured_sizes(&runs[1], 2, sizes);
    assert_near(repeat_noise(sizes, count, &freedom), 0, 0);
    assert_int_equal(freedom, 0);
}

static void test_unusable_measurements_are_refused_whole(void **state)
{
    (void)state;
    struct measured_size sizes[MEASURED_SIZES_MAX];
    struct measurement many[MEASURED_SIZES_MAX + 1];
    static const struct measurement zero_k[] = { { 1, 1 }, { 0, 1 } };
    static const struct measurement no_time[] = { { 1, 1 }, { 2, 0 } };
    assert_int_equal(measured_sizes(zero_k, 2, sizes), 0);
    assert_int_equal(measured_sizes(no_time, 2, sizes), 0);
    assert_int_equal(measured_sizes(zero_k, 0, sizes), 0);
    for (unsigned i = 0; i <= MEASURED_SIZES_MAX; i++) {
        many[i] = (struct measurement){ i + 1, 1 };
    }
    assert_int_equal(measured_sizes(many, MEASURED_SIZES_MAX, sizes), MEASURED_SIZES_MAX);
    assert_int_equal(measured_sizes(many, MEASURED_SIZES_MAX + 1, sizes), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_metric_becomes_the_time_of_fixed_work),
        cmocka_unit_test(test_under_weak_scaling_a_step_on_k_nodes_did_k_times_the_work),
        cmocka_unit_test(test_a_value_that_is_not_positive_and_finite_is_no_time),
        cmocka_unit_test(test_repeats_are_grouped_by_k_in_ascending_order),
        cmocka_unit_test(test_noise_is_pooled_over_repeated_sizes_and_unknown_without_repeats),
        cmocka_unit_test(test_unusable_measurements_are_refused_whole),
    };
    return cmocka_run_group_tests_name("measurement", tests, NULL, NULL);
}
