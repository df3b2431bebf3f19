/* The rate card of the worked example: s = 0.03, c = 0.0015, p = 2.10, f = 9, T1 = 1
 * (docs/mathematics.md, section 3). */
#include "model/cost/rate_card.h"
#include "model_test.h"

static const struct scaling_law law = { .t1_hours = 1,
                                        .serial_fraction = 0.03,
                                        .communication_coefficient = 0.0015 };
static const struct measured_size sizes[] = { { .k = 1, .hours = 1 },
                                              { .k = 3, .hours = 0.357 },
                                              { .k = 16, .hours = 0.113 } };

/* Twice the largest measured K. */
static const struct node_limits limits = { .largest = 32 };

static struct cost_curve example(void)
{
    return (struct cost_curve){
        .law = &law, .sizes = sizes, .size_count = 3, .price = { .per_node_hour = 2.10, .per_wall_hour = 9 }
    };
}

/* u(K), as rate_card.h has it. */
static double price_useful(const struct rate_tier *tier)
{
    return (tier->price_per_node_hour + tier->overhead_per_node_hour + tier->fixed_per_wall_hour / tier->k) /
           tier->efficiency * tier->stretch;
}

static void test_what_32_nodes_cost_relative_to_8_follows_the_law(void **state)
{
    (void)state;
    struct cost_curve curve = example();
    struct rate_tier tiers[32];
    const unsigned expected[] = { 1, 2, 3, 4, 8, 16, 32 };
    assert_int_equal(rate_card(&curve, &limits, 8, tiers, 32), 7);
    for (size_t i = 0; i < 7; i++)
        assert_int_equal(tiers[i].k, expected[i]);
    /* 1/E(8) = 1 + 7 * 0.03 + 0.0015 * 56 = 1.294; 1/E(32) = 1 + 31 * 0.03 + 0.0015 * 992 =
     * 3.418 */
    assert_near(price_useful(&tiers[4]), (2.10 + 9.0 / 8) * 1.294, 1e-12); /* 4.17315: K* of the example */
    assert_near(price_useful(&tiers[4]), 4.17315, 1e-12);
    assert_near(price_useful(&tiers[6]), (2.10 + 9.0 / 32) * 3.418, 1e-12);
    assert_near(price_useful(&tiers[6]) / price_useful(&tiers[4]), 8.1391125 / 4.17315, 1e-12);
    assert_near(tiers[6].hours / tiers[4].hours, (3.418 / 32) / (1.294 / 8), 1e-12);
    curve.price.overhead_per_node_hour = 0.80;
    rate_card(&curve, &limits, 8, tiers, 32);
    assert_near(tiers[4].price_per_node_hour, 2.10, 0);
    assert_near(price_useful(&tiers[4]), (2.90 + 9.0 / 8) * 1.294, 1e-12);
}

static void test_the_source_of_the_hours_is_given(void **state)
{
    (void)state;
    struct cost_curve curve = example();
    struct rate_tier tiers[32];
    rate_card(&curve, &limits, 8, tiers, 32);
    assert_int_equal(tiers[0].basis, SIZE_MEASURED); /* 1 */
    assert_int_equal(tiers[4].basis, SIZE_FITTED);   /* 8 */
    assert_int_equal(tiers[5].basis, SIZE_MEASURED); /* 16 */
    assert_int_equal(tiers[6].basis, SIZE_ABOVE);    /* 32 */
    assert_string_equal(size_basis_name(SIZE_ABOVE), "fitted, low confidence");
}

static void test_only_feasible_sizes_have_a_price_and_listed_ones_all_do(void **state)
{
    (void)state;
    struct cost_curve curve = example();
    const unsigned allowed[] = { 24, 6, 12, 40 };
    struct rate_tier tiers[32];
    assert_int_equal(rate_card(&curve,
                               &(struct node_limits){ .largest = 32, .allowed = allowed, .allowed_count = 4 },
                               6, tiers, 32),
                     3);
    assert_int_equal(tiers[0].k, 6);
    assert_int_equal(tiers[2].k, 24); /* 40 is beyond twice the largest measured */
    assert_int_equal(rate_card(&curve, &(struct node_limits){ .smallest = 4, .largest = 9 }, 9, tiers, 32),
                     3);
    assert_int_equal(tiers[2].k, 9); /* K* is on the card whatever it is */
}

static void test_interruptions_are_in_the_price_and_waiting_is_not(void **state)
{
    (void)state;
    struct cost_curve curve = example();
    struct rate_tier tiers[32];
    curve.price.waiting_per_hour = 100;
    curve.interruption =
        (struct interruption){ .rate = 0.01, .checkpoint_hours = 0.05, .restart_hours = 0.25 };
    rate_card(&curve, &limits, 8, tiers, 32);
    /* 1 + sqrt(2 * 0.05 * 8 * 0.01) + 8 * 0.01 * 0.25 = 1 + 0.0894427191 + 0.02 */
    assert_near(tiers[4].stretch, 1.1094427191, 1e-10);
    assert_near(price_useful(&tiers[4]), 4.17315 * 1.1094427191, 1e-10);
    assert_near(tiers[4].fixed_per_wall_hour, 9, 0);
    assert_near(tiers[4].hours, 0.16175 * 1.1094427191, 1e-10);
}

static void test_without_a_curve_only_measured_sizes_have_a_price(void **state)
{
    (void)state;
    struct cost_curve curve = example();
    struct rate_tier tiers[32];
    curve.law = NULL;
    assert_int_equal(rate_card(&curve, &limits, 16, tiers, 32), 3);
    assert_near(tiers[2].efficiency, 1 / (16 * 0.113), 1e-12);
    curve.sizes = NULL;
    curve.size_count = 0;
    assert_int_equal(rate_card(&curve, &limits, 16, tiers, 32), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_32_nodes_cost_relative_to_8_follows_the_law),
        cmocka_unit_test(test_the_source_of_the_hours_is_given),
        cmocka_unit_test(test_only_feasible_sizes_have_a_price_and_listed_ones_all_do),
        cmocka_unit_test(test_interruptions_are_in_the_price_and_waiting_is_not),
        cmocka_unit_test(test_without_a_curve_only_measured_sizes_have_a_price),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
