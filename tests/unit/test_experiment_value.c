/* What knowing K* would save: by hand for a few draws, and for a family by a loop that shares only
 * the draws with the code under test. */
#include "model/cost/experiment_value.h"
#include "model/cost/k_table.h"
#include "verdict_test.h"

/* The first cost of each draw is today's. */
static double value_of(const double *costs, size_t draws, size_t choices)
{
    double sums[4] = { 0 };
    struct information_sums information = { .sums = sums, .choices = choices };
    for (size_t i = 0; i < draws; i++)
        information_add(&information, costs + i * (choices + 1) + 1, costs[i * (choices + 1)]);
    return information_value(&information);
}

/* By today's cost: 0.8 and 0.9, then 1.1 and 0.7. On average the second choice costs least, 0.8.
 * Who knew the draw would pay 0.8 or 0.7, on average 0.75. */
static void test_the_value_is_the_least_mean_less_the_mean_of_the_least(void **state)
{
    (void)state;
    static const double two[] = { 1, 0.8, 0.9, 100, 110, 70 };
    assert_near(value_of(two, 2, 2), 0.05, 1e-12);
    /* The least mean, 0.8, is of a choice that is cheapest in no draw. */
    static const double three[] = { 1, 0.7, 0.75, 1.3, 1, 1.3, 0.85, 0.8, 1, 1.2, 0.8, 0.6 };
    assert_near(value_of(three, 3, 3), 0.8 - (0.7 + 0.8 + 0.6) / 3, 1e-12);
}

static void test_where_all_draws_agree_there_is_nothing_to_know(void **state)
{
    (void)state;
    static const double today[] = { 1, 1.2, 1, 1.5, 1, 1.01 }, other[] = { 1, 0.6, 2, 1.6, 1, 0.99 };
    assert_true(value_of(today, 3, 1) == 0);
    assert_within(value_of(other, 3, 1), 0, 1e-15);
    assert_true(isnan(value_of(today, 0, 1)));
}

/* The cheapest single K, and the cheapest K of each draw, by examining every K of every draw. */
struct by_hand {
    double value, saving;
};

static struct by_hand examine(const struct node_limits *limits, unsigned today)
{
    static struct k_bootstrap bootstrap;
    struct by_hand answer = { 0, 0 };
    bool goes_on;
    size_t count;
    unsigned *ks = k_bootstrap_sizes(&curve, limits, &count, &goes_on);
    double *means = calloc(count + 1, sizeof *means), *hours = calloc(count + 1, sizeof *hours),
           least_mean = 1;
    k_bootstrap_draw(&fit, K_STAR_BOOTSTRAP_SEED, &bootstrap);
    for (size_t i = 0; i < bootstrap.count; i++) {
        double here, least = 1, draws = (double)bootstrap.count;
        k_bootstrap_hours(&fit, &curve, &bootstrap, i, &today, 1, &here);
        k_bootstrap_hours(&fit, &curve, &bootstrap, i, ks, count, hours);
        for (size_t at = 0; at < count; at++) {
            double ratio = (2.10 * ks[at] + 9) * hours[at] / ((2.10 * today + 9) * here);
            means[at] += ratio / draws;
            least = fmin(least, ratio);
        }
        answer.saving += (1 - least) / draws;
    }
    for (size_t at = 0; at < count; at++)
        least_mean = fmin(least_mean, means[at]);
    answer.value = least_mean - (1 - answer.saving);
    free(ks);
    free(means);
    free(hours);
    return answer;
}

static void test_of_a_family_it_is_what_examining_every_k_of_every_draw_says(void **state)
{
    (void)state;
    static const unsigned ks[] = { 1, 2, 5, 8, 16, 24, 32 };
    enum { COUNT = sizeof ks / sizeof ks[0] };
    double values[COUNT], again[COUNT];
    for (unsigned noise = 1; noise <= 3; noise++) {
        measure_family(&usl, noise == 3 ? 4 : 6, 0.02 * noise); /* four sizes: the growth rule */
        struct node_limits limits = { .powers_of_two = noise == 2, .largest = 48 };
        struct node_limits feasible = k_star_limits(&curve, &limits);
        struct k_table *table = k_table_make(&fit, &curve, &limits);
        k_table_values(table, &curve, ks, COUNT, values);
        k_table_values(table, &curve, ks, COUNT, again);
        assert_memory_equal(values, again, sizeof values);
        double most = 0;
        for (size_t i = 0; i < COUNT; i++) {
            struct by_hand expected = examine(&feasible, ks[i]);
            assert_within(values[i], expected.value, 1e-12);
            assert_true(values[i] >= 0 && values[i] <= expected.saving + 1e-12);
            most = fmax(most, values[i]);
        }
        assert_true(most > 1e-4);
        k_table_free(table);
    }
}

/* Of 1 to 4,000 nodes the choices above 64 are in steps of 1/8, where the cost is flat. */
static void test_of_a_wide_range_a_part_of_the_choices_is_enough(void **state)
{
    (void)state;
    const struct scaling_law wide = { .t1_hours = 1,
                                      .serial_fraction = 0.0003,
                                      .communication_coefficient = 0.000002 };
    struct measurement runs[16];
    for (unsigned i = 0; i < 16; i++)
        runs[i] = (struct measurement){ 1u << i / 2,
                                        scaling_law_hours(&wide, 1u << i / 2) * (i % 2 ? 1.02 : 0.98) };
    fit_runs(runs, 16, 0);
    struct node_limits limits = k_star_limits(&curve, &open_limits);
    struct k_table *table = k_table_make(&fit, &curve, &limits);
    unsigned today = 100;
    double value;
    k_table_values(table, &curve, &today, 1, &value);
    struct by_hand expected = examine(&limits, today);
    assert_true(expected.value > 1e-5);
    assert_within(value, expected.value, 1e-3);
    k_table_free(table);
}

static void test_without_an_interval_or_a_time_the_value_is_unknown(void **state)
{
    (void)state;
    static const struct measurement gap[] = { { 1, 1 }, { 2, 0.5165 }, { 32, 0.106813 }, { 64, 0.139 } };
    static const struct measurement late[] = { { 4, 0.277 }, { 8, 0.162 }, { 16, 0.113 }, { 32, 0.107 } };
    static const unsigned ks[] = { 2, 8 };
    double values[2];
    fit_runs(gap, 4, 0);
    struct k_table *table = k_table_make(&fit, &curve, &open_limits);
    k_table_interval(table, &curve, &interval);
    k_table_values(table, &curve, ks, 2, values);
    assert_int_equal(interval.range_count, 0);
    assert_true(isnan(values[0]) && isnan(values[1]));
    k_table_free(table);
    fit_runs(late, 4, 0);
    table = k_table_make(&fit, &curve, &(struct node_limits){ .largest = 64 });
    k_table_values(table, &curve, ks, 2, values);
    assert_true(isnan(values[0]) && values[1] >= 0);
    k_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_value_is_the_least_mean_less_the_mean_of_the_least),
        cmocka_unit_test(test_where_all_draws_agree_there_is_nothing_to_know),
        cmocka_unit_test(test_of_a_family_it_is_what_examining_every_k_of_every_draw_says),
        cmocka_unit_test(test_of_a_wide_range_a_part_of_the_choices_is_enough),
        cmocka_unit_test(test_without_an_interval_or_a_time_the_value_is_unknown),
    };
    return cmocka_run_group_tests_name("experiment_value", tests, NULL, NULL);
}
