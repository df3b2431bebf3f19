/* C(K) = (p'K + f') T(K), by worked numbers. */
#include "model/cost/cost_curve.h"
#include "model_test.h"

static const struct scaling_law law = { .t1_hours = 1,
                                        .serial_fraction = 0.03,
                                        .communication_coefficient = 0.0015 };

static struct cost_curve base_curve(void)
{
    return (struct cost_curve){ .law = &law, .price = { .per_node_hour = 2.10, .per_wall_hour = 9 } };
}

static void test_cost_is_price_times_nodes_plus_overhead_times_hours(void **state)
{
    (void)state;
    struct cost_curve curve = base_curve();
    assert_near(cost_curve_hours(&curve, 8), 0.16175, 1e-14);
    assert_near(cost_curve_cost(&curve, 8), 4.17315, 1e-14);
    assert_near(cost_curve_cost(&curve, 1), 11.1, 1e-14);
    /* The bottom is flat: K=9 costs 0.14 % more, K=10 1.0 %, K=16 15.5 %. */
    assert_within(cost_curve_cost(&curve, 9) / 4.17315 - 1, 0.0014, 5e-5);
    assert_within(cost_curve_cost(&curve, 10) / 4.17315 - 1, 0.010, 5e-4);
    assert_within(cost_curve_cost(&curve, 16) / 4.17315 - 1, 0.155, 5e-4);
}

/* f = .90 makes K=3 2.5656, K=4 2.5761, K=8 2.8630. */
static void test_a_jobs_own_share_of_overhead_moves_the_cheapest_k(void **state)
{
    (void)state;
    struct cost_curve curve = base_curve();
    curve.price.per_wall_hour = 216.0 / 240;
    assert_within(cost_curve_cost(&curve, 3), 2.5656, 5e-5);
    assert_within(cost_curve_cost(&curve, 4), 2.5761, 5e-5);
    assert_within(cost_curve_cost(&curve, 8), 2.8630, 5e-5);
}

static void test_cost_of_waiting_is_added_to_overhead(void **state)
{
    (void)state;
    struct cost_curve a = base_curve();
    struct cost_curve b = base_curve();
    a.price.waiting_per_hour = 4;
    b.price.per_wall_hour = 13;
    assert_near(cost_curve_cost(&a, 5), cost_curve_cost(&b, 5), 1e-15);
}

/* T(7) = 1.243 / 7. Storage of .80 a node-hour moves with node-hours: it costs on 7 nodes what it
 * costs on any other, by the node-hour. */
static void test_overhead_by_node_hours_is_part_of_the_price_of_a_node(void **state)
{
    (void)state;
    struct cost_curve curve = base_curve();
    curve.price.overhead_per_node_hour = 0.80;
    assert_near(cost_curve_cost(&curve, 7), (2.90 * 7 + 9) * 1.243 / 7, 1e-14);
    curve.interruption = (struct interruption){ .spot = true, .price_share = 0.3 }; /* of the hardware */
    assert_near(cost_curve_hardware_price(&curve), 0.63, 1e-15);
    assert_near(cost_curve_cost(&curve, 7), (1.43 * 7 + 9) * 1.243 / 7, 1e-14);
    curve.price.overhead_per_node_hour = -0.62; /* a pool may be below zero, what a node-hour costs may not */
    assert_true(cost_curve_valid(&curve));
    curve.price.overhead_per_node_hour = -0.64;
    assert_false(cost_curve_valid(&curve));
}

static void test_interruptions_stretch_time_by_young_and_daly(void **state)
{
    (void)state;
    /* lambda = .01, delta = .05, R = .1, K = 8: 1 + sqrt(2 x .05 x .08) + .08 x .1 =
     * 1.09744271910... */
    struct interruption interruption = { .rate = 0.01, .checkpoint_hours = 0.05, .restart_hours = 0.1 };
    assert_near(interruption_stretch(&interruption, 8), 1.0974427190999916, 1e-14);
    /* sqrt(2 x .05 / .08) = 1.118033988...: half of the square root's term goes into checkpoints */
    assert_near(interruption_checkpoint_hours(&interruption, 8), 1.118033988749895, 1e-14);
    assert_true(isnan(interruption_checkpoint_hours(&(struct interruption){ .rate = 0.01 }, 8)));
    assert_true(isnan(interruption_checkpoint_hours(&(struct interruption){ .checkpoint_hours = 0.05 }, 8)));
    struct cost_curve curve = base_curve();
    curve.interruption = interruption;
    assert_near(cost_curve_hours(&curve, 8), 0.16175 * 1.0974427190999916, 1e-13);
    assert_near(cost_curve_efficiency(&curve, 8), 1 / 1.294, 1e-13); /* useful time alone */
}

static void test_spot_pays_its_share_of_the_price(void **state)
{
    (void)state;
    struct cost_curve curve = base_curve();
    curve.interruption = (struct interruption){ .spot = true, .price_share = 0.3 };
    assert_near(cost_curve_cost(&curve, 8), (0.63 * 8 + 9) * 0.16175, 1e-14);
    curve.interruption.spot = false;
    assert_near(cost_curve_cost(&curve, 8), 4.17315, 1e-14);
}

static void test_a_missed_size_is_judged_by_its_measurement(void **state)
{
    (void)state;
    static const struct measured_size sizes[] = {
        { .k = 4, .repeats = 3, .hours = 0.3, .law_misses = false },
        { .k = 8, .repeats = 3, .hours = 0.2, .law_misses = true },
    };
    struct cost_curve curve = base_curve();
    curve.sizes = sizes;
    curve.size_count = 2;
    assert_near(cost_curve_hours(&curve, 4), 0.277, 1e-14);
    assert_near(cost_curve_hours(&curve, 8), 0.2, 0);
    assert_near(cost_curve_efficiency(&curve, 8), 1 / (8 * 0.2), 1e-14);
    assert_ptr_equal(cost_curve_override(&curve, 8), &sizes[1]);
    assert_null(cost_curve_override(&curve, 4));
    curve.law = NULL;
    assert_near(cost_curve_hours(&curve, 4), 0.3, 0);
    assert_true(isnan(cost_curve_hours(&curve, 6)));
    assert_near(cost_curve_efficiency(&curve, 8), 0.3 * 4 / (8 * 0.2), 1e-14);
    assert_true(isnan(cost_curve_efficiency(&(struct cost_curve){ .sizes = NULL }, 8)));
}

static void test_work_scales_the_curve_to_an_actual_run(void **state)
{
    (void)state;
    struct cost_curve curve = base_curve();
    curve.work = cost_curve_work_of(&curve, 16, 5.0);
    assert_near(cost_curve_hours(&curve, 16), 5, 1e-14);
    assert_near(cost_curve_work_of(&curve, 16, 10), 2 * curve.work, 1e-14);
}

static void test_prices_and_rates_out_of_range_are_invalid(void **state)
{
    (void)state;
    struct cost_curve curve = base_curve();
    assert_true(cost_curve_valid(&curve));
    curve.price.per_node_hour = -1;
    assert_false(cost_curve_valid(&curve));
    curve = base_curve();
    curve.price.per_wall_hour = NAN;
    assert_false(cost_curve_valid(&curve));
    curve = base_curve();
    curve.interruption.spot = true; /* without a price share */
    assert_false(cost_curve_valid(&curve));
    curve = base_curve();
    curve.interruption.rate = INFINITY;
    assert_false(cost_curve_valid(&curve));
}

static void test_the_smallest_and_the_largest_measured_size_are_known_and_0_where_nothing_is(void **state)
{
    (void)state;
    const struct measured_size more[] = { { .k = 1, .hours = 5 }, /* not the curve's */
                                          { .k = 2, .hours = 3 },
                                          { .k = 5, .hours = 2 },
                                          { .k = 9, .hours = 1.5 } };
    struct cost_curve curve = base_curve();
    assert_int_equal(cost_curve_smallest_k(&curve), 0);
    assert_int_equal(cost_curve_largest_k(&curve), 0);
    curve.sizes = &more[1];
    assert_int_equal(cost_curve_smallest_k(&curve), 0);
    assert_int_equal(cost_curve_largest_k(&curve), 0);
    curve.size_count = 1;
    assert_int_equal(cost_curve_smallest_k(&curve), 2);
    assert_int_equal(cost_curve_largest_k(&curve), 2);
    curve.size_count = 3;
    assert_int_equal(cost_curve_smallest_k(&curve), 2);
    assert_int_equal(cost_curve_largest_k(&curve), 9);
}

/* Of 4 nodes at 2 h and 8 at 1.25 h: 8 node-hours of 10. On a law that begins with 4, as on the
 * sizes alone. */
static void test_efficiency_is_relative_to_the_smallest_size(void **state)
{
    (void)state;
    const struct measured_size sizes[] = { { .k = 4, .hours = 2 }, { .k = 8, .hours = 1.25 } };
    struct cost_curve measured = { .sizes = sizes, .size_count = 2 };
    assert_near(cost_curve_efficiency(&measured, 4), 1, 1e-15);
    assert_near(cost_curve_efficiency(&measured, 8), 0.8, 1e-15);
    measured.size_count = 1;
    assert_near(cost_curve_efficiency(&measured, 4), 1, 1e-15);
    const struct scaling_law from_4 = { .t1_hours = 2,
                                        .serial_fraction = 0.25,
                                        .smallest_k = 4 }; /* T(8) = 2 (1 + .25) / 2 */
    struct cost_curve on_law = { .law = &from_4 };
    assert_near(cost_curve_efficiency(&on_law, 4), 1, 1e-15);
    assert_near(cost_curve_efficiency(&on_law, 8), 0.8, 1e-15);
}

static void test_a_part_of_the_work_takes_that_part_of_the_time(void **state)
{
    (void)state;
    struct cost_curve curve = base_curve();
    curve.work = 0.5;
    assert_near(cost_curve_hours(&curve, 8), 0.5 * 0.16175, 1e-14);
    assert_near(cost_curve_cost(&curve, 8), 0.5 * 4.17315, 1e-14);
    assert_near(cost_curve_work_of(&curve, 8, 0.3235), 2, 1e-14); /* 0.3235 = 2 x 0.16175 */
}

static void test_a_law_and_a_growth_rule_exclude_each_other(void **state)
{
    (void)state;
    const struct measured_size sizes[] = { { .k = 1, .hours = 3 }, { .k = 2, .hours = 2 } };
    const struct growth_rule growth = growth_rule_of(sizes, 2, 0);
    struct cost_curve curve = base_curve();
    curve.sizes = sizes;
    curve.size_count = 2;
    curve.growth = &growth;
    assert_false(cost_curve_valid(&curve));
    curve.law = NULL;
    assert_true(cost_curve_valid(&curve));
    curve.size_count = 1;
    assert_false(cost_curve_valid(&curve));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cost_is_price_times_nodes_plus_overhead_times_hours),
        cmocka_unit_test(test_a_jobs_own_share_of_overhead_moves_the_cheapest_k),
        cmocka_unit_test(test_cost_of_waiting_is_added_to_overhead),
        cmocka_unit_test(test_overhead_by_node_hours_is_part_of_the_price_of_a_node),
        cmocka_unit_test(test_interruptions_stretch_time_by_young_and_daly),
        cmocka_unit_test(test_spot_pays_its_share_of_the_price),
        cmocka_unit_test(test_a_missed_size_is_judged_by_its_measurement),
        cmocka_unit_test(test_work_scales_the_curve_to_an_actual_run),
        cmocka_unit_test(test_prices_and_rates_out_of_range_are_invalid),
        cmocka_unit_test(test_the_smallest_and_the_largest_measured_size_are_known_and_0_where_nothing_is),
        cmocka_unit_test(test_efficiency_is_relative_to_the_smallest_size),
        cmocka_unit_test(test_a_part_of_the_work_takes_that_part_of_the_time),
        cmocka_unit_test(test_a_law_and_a_growth_rule_exclude_each_other),
    };
    return cmocka_run_group_tests_name("cost_curve", tests, NULL, NULL);
}
