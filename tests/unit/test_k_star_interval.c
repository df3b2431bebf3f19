/* The interval on K*: its derivatives, its sets, and what it says of particular fits. How often it
 * holds the true K*: test_k_star_coverage.c. */
#include "interval_test.h"

/* At s=.03, c=.0015, p=2.10, f=9. */
static void test_derivatives_are_the_published_ones(void **state)
{
    (void)state;
    struct k_sensitivity slope = k_star_sensitivity(&usl, 2.10, 9);
    assert_within(slope.serial_fraction, -61.068092, 5e-7);
    assert_within(slope.communication_coefficient, -1147.133149, 5e-7);
}

static void test_derivatives_agree_with_small_changes_of_the_root(void **state)
{
    (void)state;
    struct scaling_law law = { .form = SCALING_STEPPED,
                               .t1_hours = 3,
                               .serial_fraction = 0.05,
                               .step = 0.3,
                               .communication_coefficient = 0.002,
                               .smallest_k = 4,
                               .accelerators_per_node = 4 };
    struct k_sensitivity slope = k_star_sensitivity(&law, 2, 30);
    double h = 1e-6;
    struct scaling_law up = law;
    struct scaling_law down = law;
    up.serial_fraction += h;
    down.serial_fraction -= h;
    assert_near((k_star_continuous(&up, 2, 30) - k_star_continuous(&down, 2, 30)) / (2 * h),
                slope.serial_fraction, 1e-5);
    up = down = law;
    up.communication_coefficient += h;
    down.communication_coefficient -= h;
    assert_near((k_star_continuous(&up, 2, 30) - k_star_continuous(&down, 2, 30)) / (2 * h),
                slope.communication_coefficient, 1e-5);
    up = down = law;
    up.step += h;
    down.step -= h;
    assert_near((k_star_continuous(&up, 2, 30) - k_star_continuous(&down, 2, 30)) / (2 * h), slope.step,
                1e-5);
}

/* ---- Particular fits ---- */

/* K* is 11, and nobody measured between 4 and 16. Of 4 and 8 somebody did, and only beside the
 * largest two sizes is it unknown. */
static void test_across_a_fourfold_gap_there_is_no_interval(void **state)
{
    (void)state;
    static const struct {
        unsigned sizes[5], allowed[3];
        double f;
        bool has_interval;
    } rows[] = {
        { { 1, 4, 16 }, { 0 }, 8.3, false },       { { 1, 4, 16 }, { 0 }, 800, false },
        { { 1, 2, 4, 8, 32 }, { 0 }, 9, false },   { { 1, 2, 4, 8, 32 }, { 0 }, 1, true },
        { { 1, 4, 16 }, { 1, 4, 16 }, 8.3, true }, { { 1, 5, 16 }, { 0 }, 8.3, true },
    };
    struct scaling_law law = { .form = SCALING_STEPPED,
                               .t1_hours = 1,
                               .serial_fraction = 0.02,
                               .step = 0.4,
                               .communication_coefficient = 0.001 };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct measurement runs[10];
        size_t count = 0;
        for (const unsigned *k = rows[i].sizes; k < rows[i].sizes + 5 && *k > 0; k++) {
            runs[count++] = (struct measurement){ *k, scaling_law_hours(&law, *k) * 1.01 };
            runs[count++] = (struct measurement){ *k, scaling_law_hours(&law, *k) * 0.99 };
        }
        struct node_limits limits = { .largest = 256 };
        if (rows[i].allowed[0] > 0)
            limits = (struct node_limits){ .allowed = rows[i].allowed, .allowed_count = 3 };
        struct cost_curve curve;
        struct k_interval interval;
        scaling_fit(runs, count, 0, &fit);
        verdict_curve(&fit, &(struct job_price){ .per_node_hour = 2.10, .per_wall_hour = rows[i].f }, &curve);
        interval_on(&fit, &curve, &limits, &interval);
        assert_int_equal(interval.range_count > 0, rows[i].has_interval);
        assert_int_equal(interval.reason == K_INTERVAL_IN_GAP, !rows[i].has_interval);
    }
}

/* A fit of this law that is sure of it: no error in any parameter. */
static struct scaling_fit sure_of(const struct scaling_law *law)
{
    return (struct scaling_fit){
        .outcome = SCALING_FIT_LAW, .law = *law, .runs = 18, .freedom = 15, .quantile = 1
    };
}

/* f at which the root of the plain law is at k: the cubic of docs/mathematics.md, section 3, solved
 * for f. */
static double overhead_of_root(const struct scaling_law *law, double p, double k)
{
    double s = law->serial_fraction, c = law->communication_coefficient;
    return (2 * p * c * k * k * k + p * (s - c) * k * k) / (1 + law->step - s - c * k * k);
}

/* Between 8 and 16 the cheaper one changes somewhere from sqrt(8 x 16) = 11.3 to 12: there both
 * belong to the interval. */
static void test_a_root_between_two_sizes_means_those_that_may_be_cheaper(void **state)
{
    (void)state;
    static const struct {
        double root;
        unsigned from, to;
    } rows[] = { { 11.2, 8, 8 }, { 11.4, 8, 16 }, { 11.9, 8, 16 }, { 12.1, 16, 16 } };
    struct scaling_fit exactly = sure_of(&usl);
    struct node_limits limits = { .powers_of_two = true, .largest = 64 };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct cost_curve curve = { .law = &usl,
                                    .price = { 2.10, overhead_of_root(&usl, 2.10, rows[i].root), 0 } };
        struct k_interval interval;
        assert_int_equal(k_star_interval_delta(&exactly, &curve, &limits, &interval), K_INTERVAL_INTERIOR);
        assert_int_equal(interval.ranges[0].from, rows[i].from);
        assert_int_equal(interval.ranges[0].to, rows[i].to);
    }
}

/* A single node is much dearer, but the root may lie beside it all the same. */
static void test_an_interval_that_includes_the_step_is_resampled(void **state)
{
    (void)state;
    struct scaling_law law = { .form = SCALING_STEPPED,
                               .t1_hours = 1,
                               .serial_fraction = 0.01,
                               .step = 0.1,
                               .communication_coefficient = 0.1 };
    struct cost_curve curve = { .law = &law, .price = { 2.10, overhead_of_root(&law, 2.10, 3), 0 } };
    struct scaling_fit unsure = sure_of(&law);
    double along = k_star_sensitivity(&law, 2.10, curve.price.per_wall_hour).communication_coefficient;
    struct k_interval interval;
    unsure.covariance[SCALING_COMMUNICATION][SCALING_COMMUNICATION] = pow(0.9 / along, 2); /* 3 -/+ 0.9 */
    assert_int_equal(k_star_interval_delta(&unsure, &curve, &open_limits, &interval), K_INTERVAL_INTERIOR);
    unsure.covariance[SCALING_COMMUNICATION][SCALING_COMMUNICATION] = pow(1.1 / along, 2);
    assert_int_equal(k_star_interval_delta(&unsure, &curve, &open_limits, &interval),
                     K_INTERVAL_ONE_COMPETES);
}

static void test_without_freedom_there_is_no_interval(void **state)
{
    (void)state;
    struct k_interval interval;
    char text[64];
    interval_of(&usl, 3, 0.01, &open_limits, &interval);
    assert_int_equal(interval.method, K_INTERVAL_NONE);
    assert_int_equal(interval.reason, K_INTERVAL_NO_FREEDOM);
    assert_false(k_interval_contains(&interval, 8));
    assert_string_equal(k_interval_text(&interval, text, sizeof text), "");
    interval_of(&usl, 2, 0.01, &open_limits, &interval);
    assert_int_equal(interval.reason, K_INTERVAL_NO_LAW);
}

static void test_one_more_size_narrows_the_interval(void **state)
{
    (void)state;
    struct k_interval four;
    struct k_interval five;
    struct k_interval six;
    interval_of(&usl, 4, 0.02, &open_limits, &four);
    interval_of(&usl, 5, 0.02, &open_limits, &five);
    interval_of(&usl, 6, 0.02, &open_limits, &six);
    assert_true(four.ranges[0].to - four.ranges[0].from >= five.ranges[0].to - five.ranges[0].from);
    assert_true(five.ranges[0].to - five.ranges[0].from >= six.ranges[0].to - six.ranges[0].from);
}

static void test_the_interval_holds_only_feasible_ends(void **state)
{
    (void)state;
    struct k_interval interval;
    struct node_limits limits = { .powers_of_two = true, .largest = 64 };
    interval_of(&usl, 6, 0.03, &limits, &interval);
    assert_int_equal(interval.method, K_INTERVAL_DELTA);
    assert_int_equal(interval.ranges[0].from & (interval.ranges[0].from - 1), 0);
    assert_int_equal(interval.ranges[0].to & (interval.ranges[0].to - 1), 0);
    assert_true(k_interval_contains(&interval, 8));
}

static void test_cost_that_may_fall_for_ever_has_no_upper_end(void **state)
{
    (void)state;
    struct k_interval interval;
    struct scaling_law perfect = { .t1_hours = 1 };
    char text[64];
    interval_of(&perfect, 6, 0.01, &open_limits, &interval);
    assert_int_equal(interval.method, K_INTERVAL_BOOTSTRAP);
    assert_int_equal(interval.reason, K_INTERVAL_ON_BOUND);
    assert_true(interval.ranges[interval.range_count - 1].to == K_STAR_NO_END);
    assert_non_null(strstr(k_interval_text(&interval, text, sizeof text), "or more"));
}

/* E = 1 at each size measured: of nearly all draws cost falls to four times the largest of them,
 * 128, and further. */
static void test_a_set_without_an_end_begins_where_it_is_known_to(void **state)
{
    (void)state;
    struct scaling_law perfect = { .t1_hours = 1 };
    struct k_interval interval;
    struct node_limits from_200 = { .smallest = 200 };
    char text[64];
    interval_of(&perfect, 6, 0, &open_limits, &interval);
    assert_string_equal(k_interval_text(&interval, text, sizeof text), "128 or more");
    interval_of(&perfect, 6, 0, &(struct node_limits){ .step = 50 }, &interval);
    assert_string_equal(k_interval_text(&interval, text, sizeof text), "100 or more");
    interval_of(&perfect, 6, 0, &from_200, &interval); /* no draw is that large */
    assert_string_equal(k_interval_text(&interval, text, sizeof text), "");
}

/* Leaving the node costs 60 %. By all K the root is near 9 and a single node is dearer than that;
 * but where 2 or 3 nodes are the most, C(1) = 2p is cheapest: C(2) = 3p x 1.6202/2 = 2.43p, C(3) =
 * 4p x 1.6406/3 = 2.19p, C(4) = 5p x 1.6612/4 = 2.08p. */
static void test_the_interval_knows_which_sizes_may_be_used(void **state)
{
    (void)state;
    static const unsigned one_or_three[] = { 1, 3 };
    static const struct {
        struct node_limits limits;
        const char *interval;
    } rows[] = {
        { { .largest = 2 }, "1" },
        { { .largest = 3 }, "1" },
        { { .allowed = one_or_three, .allowed_count = 2 }, "1" },
        { { .smallest = 2, .largest = 4 }, "4" },
        { { .largest = 1 }, "1" },
    };
    struct scaling_law law = { .form = SCALING_STEPPED,
                               .t1_hours = 1,
                               .serial_fraction = 0.02,
                               .step = 0.6,
                               .communication_coefficient = 0.0001 };
    struct measurement runs[12];
    struct cost_curve curve;
    for (unsigned i = 0; i < 12; i++) {
        runs[i] = (struct measurement){ 1u << i / 2,
                                        scaling_law_hours(&law, 1u << i / 2) * (i % 2 ? 1.001 : 0.999) };
    }
    scaling_fit(runs, 12, 0, &fit);
    verdict_curve(&fit, &(struct job_price){ .per_node_hour = 2.10, .per_wall_hour = 2.10 }, &curve);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct k_interval interval;
        char text[64];
        interval_on(&fit, &curve, &rows[i].limits, &interval);
        assert_string_equal(k_interval_text(&interval, text, sizeof text), rows[i].interval);
    }
}

static void test_the_same_fit_and_prices_give_the_same_interval(void **state)
{
    (void)state;
    struct scaling_law law = { .t1_hours = 1, .serial_fraction = 0.05 };
    struct k_interval first;
    struct k_interval second;
    interval_of(&law, 6, -0.05, &open_limits, &first);
    interval_of(&law, 6, -0.05, &open_limits, &second);
    assert_memory_equal(&first.ranges, &second.ranges, first.range_count * sizeof first.ranges[0]);
    assert_int_equal(first.range_count, second.range_count);
}

static void test_stretch_and_measured_costs_are_resampled(void **state)
{
    (void)state;
    struct measurement runs[8];
    struct k_interval interval;
    struct k_star_result result;
    scaling_fit(runs, exact(&usl, 6, 0.01, runs), 0, &fit);
    struct cost_curve curve = { .law = &fit.law,
                                .sizes = fit.sizes,
                                .size_count = fit.size_count,
                                .price = price,
                                .interruption = {
                                    .rate = 0.01, .checkpoint_hours = 0.1, .restart_hours = 0.2 } };
    interval_on(&fit, &curve, &open_limits, &interval);
    assert_int_equal(interval.method, K_INTERVAL_BOOTSTRAP);
    assert_int_equal(interval.reason, K_INTERVAL_NO_CUBIC);
    k_star(&curve, &open_limits, &result);
    assert_true(k_interval_contains(&interval, result.k));
}

static void test_a_set_is_written_as_its_ranges(void **state)
{
    (void)state;
    char text[64];
    struct k_interval set = { .range_count = 2, .ranges = { { 1, 1 }, { 5, 9 } } };
    struct k_interval open = { .range_count = 1, .ranges = { { 8, K_STAR_NO_END } } };
    assert_string_equal(k_interval_text(&set, text, sizeof text), "1, 5-9");
    assert_string_equal(k_interval_text(&open, text, sizeof text), "8 or more");
    assert_true(k_interval_contains(&set, 1) && k_interval_contains(&set, 7) &&
                !k_interval_contains(&set, 3));
    assert_true(k_interval_contains(&open, 1000000));
    assert_string_equal(k_interval_text(&set, text, 4), "1, ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives_are_the_published_ones),
        cmocka_unit_test(test_derivatives_agree_with_small_changes_of_the_root),
        cmocka_unit_test(test_across_a_fourfold_gap_there_is_no_interval),
        cmocka_unit_test(test_a_root_between_two_sizes_means_those_that_may_be_cheaper),
        cmocka_unit_test(test_an_interval_that_includes_the_step_is_resampled),
        cmocka_unit_test(test_without_freedom_there_is_no_interval),
        cmocka_unit_test(test_one_more_size_narrows_the_interval),
        cmocka_unit_test(test_the_interval_holds_only_feasible_ends),
        cmocka_unit_test(test_cost_that_may_fall_for_ever_has_no_upper_end),
        cmocka_unit_test(test_a_set_without_an_end_begins_where_it_is_known_to),
        cmocka_unit_test(test_the_interval_knows_which_sizes_may_be_used),
        cmocka_unit_test(test_the_same_fit_and_prices_give_the_same_interval),
        cmocka_unit_test(test_stretch_and_measured_costs_are_resampled),
        cmocka_unit_test(test_a_set_is_written_as_its_ranges),
    };
    return cmocka_run_group_tests_name("k_star_interval", tests, NULL, NULL);
}
