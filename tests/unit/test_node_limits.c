/* The feasible set, walked both ways. */
#include "model/cost/node_limits.h"
#include "model_test.h"

static void assert_walk(const struct node_limits *limits, const unsigned *expected, size_t count)
{
    unsigned k = 0;
    for (size_t i = 0; i < count; i++) {
        k = node_limits_next(limits, k);
        assert_int_equal(k, expected[i]);
        assert_true(node_limits_allow(limits, k));
    }
    for (size_t i = count - 1; i-- > 0;) {
        k = node_limits_previous(limits, k);
        assert_int_equal(k, expected[i]);
    }
}

static void test_without_limits_every_k_from_one_is_feasible(void **state)
{
    (void)state;
    static const unsigned expected[] = { 1, 2, 3, 4, 5 };
    struct node_limits limits = { 0 };
    assert_walk(&limits, expected, 5);
    assert_true(node_limits_unbroken(&limits));
    limits.largest = 5;
    assert_true(node_limits_unbroken(&limits));
    limits.largest = 0;
    assert_int_equal(node_limits_previous(&limits, 1), 0);
    assert_int_equal(node_limits_next(&limits, NODE_LIMITS_LARGEST), 0);
    assert_false(node_limits_allow(&limits, 0));
}

static void test_minimum_maximum_and_step_count_from_the_minimum(void **state)
{
    (void)state;
    static const unsigned expected[] = { 4, 7, 10 };
    struct node_limits limits = { .smallest = 4, .largest = 12, .step = 3 };
    assert_walk(&limits, expected, 3);
    assert_int_equal(node_limits_next(&limits, 10), 0);
    assert_false(node_limits_endless(&limits));
}

static void test_a_step_without_a_minimum_gives_its_multiples(void **state)
{
    (void)state;
    static const unsigned expected[] = { 8, 16, 24, 32 };
    struct node_limits limits = { .step = 8 };
    assert_walk(&limits, expected, 4);
    assert_true(node_limits_endless(&limits));
    assert_false(node_limits_unbroken(&limits));
}

static void test_powers_of_two_respect_minimum_and_maximum(void **state)
{
    (void)state;
    static const unsigned expected[] = { 4, 8, 16, 32 };
    struct node_limits limits = { .smallest = 3, .largest = 63, .powers_of_two = true };
    assert_walk(&limits, expected, 4);
    assert_int_equal(node_limits_next(&limits, 32), 0);
}

static void test_a_list_may_come_in_any_order_and_repeat_itself(void **state)
{
    (void)state;
    static const unsigned list[] = { 32, 4, 1, 4, 16, 0 };
    static const unsigned expected[] = { 1, 4, 16, 32 };
    struct node_limits limits = { .allowed = list, .allowed_count = 6 };
    assert_walk(&limits, expected, 4);
    assert_int_equal(node_limits_next(&limits, 32), 0);
    assert_int_equal(node_limits_previous(&limits, 0xffffffffu), 32);
    limits.allowed_count = 0; /* an empty list allows nothing */
    assert_int_equal(node_limits_next(&limits, 0), 0);
}

static void test_accelerators_beyond_one_node_move_in_whole_nodes(void **state)
{
    (void)state;
    static const unsigned expected[] = { 1, 2, 3, 4, 8, 12, 16 };
    struct node_limits limits = { .accelerators_per_node = 4 };
    assert_walk(&limits, expected, 7);
    assert_false(node_limits_allow(&limits, 6));
}

static void test_a_maximum_beyond_the_largest_means_the_largest(void **state)
{
    (void)state;
    struct node_limits limits = { .largest = 0xffffffffu };
    assert_int_equal(node_limits_next(&limits, NODE_LIMITS_LARGEST - 1), NODE_LIMITS_LARGEST);
    assert_int_equal(node_limits_next(&limits, NODE_LIMITS_LARGEST), 0);
    assert_int_equal(node_limits_previous(&limits, 0xffffffffu), NODE_LIMITS_LARGEST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_limits_every_k_from_one_is_feasible),
        cmocka_unit_test(test_minimum_maximum_and_step_count_from_the_minimum),
        cmocka_unit_test(test_a_step_without_a_minimum_gives_its_multiples),
        cmocka_unit_test(test_powers_of_two_respect_minimum_and_maximum),
        cmocka_unit_test(test_a_list_may_come_in_any_order_and_repeat_itself),
        cmocka_unit_test(test_accelerators_beyond_one_node_move_in_whole_nodes),
        cmocka_unit_test(test_a_maximum_beyond_the_largest_means_the_largest),
    };
    return cmocka_run_group_tests_name("node_limits", tests, NULL, NULL);
}
