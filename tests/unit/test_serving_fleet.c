/* The cheapest measured number of replicas: p = 2.10 and f = 9 an hour; by hand from (p n + f) /
 * (3600 r) * 10^6. */
#include "model/cost/serving_fleet.h"
#include "model_test.h"

static const struct serving_price price = { .per_replica_hour = 2.10, .per_hour = 9 };
static const struct serving_size sizes[] = { { 16, 3900, 430 }, { 4, 1500, 380 }, { 8, 2600, 310 } };

static void test_a_million_tokens_cost_the_hour_over_its_tokens(void **state)
{
    (void)state;
    assert_near(serving_cost(&sizes[1], &price), 17.40 / 5.4, 1e-12);   /* 3.2222 */
    assert_near(serving_cost(&sizes[2], &price), 25.80 / 9.36, 1e-12);  /* 2.7564 */
    assert_near(serving_cost(&sizes[0], &price), 42.60 / 14.04, 1e-12); /* 3.0342 */
}

static void test_the_cheapest_is_not_the_one_with_the_highest_throughput(void **state)
{
    (void)state;
    struct serving_choice choice;
    assert_int_equal(serving_choose(sizes, 3, &price, INFINITY, &choice), SERVING_FOUND);
    assert_int_equal(choice.cheapest, 8);
    assert_int_equal(choice.highest_throughput, 16);
    assert_int_equal(choice.quickest, 8);
}

static void test_a_latency_limit_leaves_out_what_is_slower_and_keeps_what_meets_it_exactly(void **state)
{
    (void)state;
    const struct serving_size slow_and_cheap[] = { { 1, 900, 400 }, { 2, 1000, 200 }, { 4, 1100, 150 } };
    struct serving_choice choice;
    assert_int_equal(serving_choose(slow_and_cheap, 3, &price, 400, &choice), SERVING_FOUND);
    assert_int_equal(choice.cheapest, 1);
    serving_choose(slow_and_cheap, 3, &price, 399.999, &choice);
    assert_int_equal(choice.cheapest, 2);
    assert_int_equal(serving_choose(slow_and_cheap, 3, &price, 149, &choice), SERVING_LIMIT_NOT_MET);
    assert_int_equal(choice.cheapest, 0);
    assert_int_equal(choice.quickest, 4);
    assert_int_equal(choice.highest_throughput, 4);
}

static void test_ties_go_to_the_smallest_count(void **state)
{
    (void)state;
    const struct serving_price by_replica = { .per_replica_hour = 1 };
    const struct serving_size even[] = {
        { 8, 800, 100 }, { 2, 200, 100 }, { 4, 400, 100 }, { 16, 800, 100 }
    };
    struct serving_choice choice;
    assert_int_equal(serving_choose(even, 4, &by_replica, INFINITY, &choice), SERVING_FOUND);
    assert_int_equal(choice.cheapest, 2);
    assert_int_equal(choice.quickest, 2);
    assert_int_equal(choice.highest_throughput, 8);
}

static void test_what_cannot_be_is_refused_and_nothing_is_not_compared(void **state)
{
    (void)state;
    struct serving_choice choice;
    const struct serving_size still = { 2, 0, 100 }, none = { 0, 100, 100 }, odd = { 2, 100, NAN };
    assert_int_equal(serving_choose(NULL, 0, &price, 100, &choice), SERVING_NOT_MEASURED);
    assert_int_equal(serving_choose(&still, 1, &price, 100, &choice), SERVING_INVALID);
    assert_int_equal(serving_choose(&none, 1, &price, 100, &choice), SERVING_INVALID);
    assert_int_equal(serving_choose(&odd, 1, &price, 100, &choice), SERVING_INVALID);
    assert_int_equal(serving_choose(sizes, 3, &price, 0, &choice), SERVING_INVALID);
    assert_int_equal(serving_choose(sizes, 3, &(struct serving_price){ -1, 0 }, 100, &choice),
                     SERVING_INVALID);
    assert_int_equal(choice.highest_throughput, 0);
    assert_string_equal(serving_outcome_name(SERVING_LIMIT_NOT_MET), "limit not met");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_million_tokens_cost_the_hour_over_its_tokens),
        cmocka_unit_test(test_the_cheapest_is_not_the_one_with_the_highest_throughput),
        cmocka_unit_test(test_a_latency_limit_leaves_out_what_is_slower_and_keeps_what_meets_it_exactly),
        cmocka_unit_test(test_ties_go_to_the_smallest_count),
        cmocka_unit_test(test_what_cannot_be_is_refused_and_nothing_is_not_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
