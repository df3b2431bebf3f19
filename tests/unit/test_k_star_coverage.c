/* How often the interval on K* holds the true K*, by simulation.
 *
 * A simulated family has a known law; its runs are that law's times with normal noise. Coverage is
 * the share of families whose interval holds the true K*, found here by trying every K. 200
 * families: three standard errors below 95 % is 90.4 %, so 181; 150 families: 89.7 %, so 134. More
 * cases, and how often the estimate itself is the truth: tests/bench/interval_coverage.c. */
#include "interval_test.h"
#include "model/statistics/seeded_random.h"
#include "tests/unit/extent.h"

struct simulation {
    struct scaling_law truth;
    double p, f;
    double noise;
    size_t sizes; /* 1, 2, 4, ... */
    unsigned repeats;
    int families;
    unsigned one_again; /* more runs of one node */
    double one_noise;   /* of one node, where it has a noise of its own */
    double rack;        /* what 1/E grows by on leaving a rack of eight nodes */
};

/* At the example's price, six sizes. */
static struct simulation simulation_of(struct scaling_law truth, double f, double noise, unsigned repeats,
                                       int families)
{
    return (struct simulation){
        truth, .p = 2.10, .f = f, .noise = noise, .sizes = 6, .repeats = repeats, .families = families
    };
}

struct coverage {
    int held, delta, delta_held, resampled, resampled_held, sets;
};

static double true_hours(const struct simulation *simulation, unsigned k)
{
    const struct scaling_law *law = &simulation->truth;
    return (1 + (k > 1 ? law->step : 0) + (k > 8 ? simulation->rack : 0) + (k - 1) * law->serial_fraction +
            law->communication_coefficient * k * (k - 1)) /
           k;
}

static unsigned true_k_star(const struct simulation *simulation)
{
    unsigned best = 0;
    double lowest = INFINITY;
    for (unsigned k = 1; k <= 256; k++) {
        double cost = (simulation->p * k + simulation->f) * true_hours(simulation, k);
        if (cost < lowest) {
            lowest = cost;
            best = k;
        }
    }
    return best;
}

static size_t simulate(const struct simulation *simulation, struct seeded_random *random,
                       struct measurement *runs)
{
    size_t count = 0;
    for (size_t i = 0; i < simulation->sizes; i++) {
        unsigned k = 1u << i;
        unsigned repeats = simulation->repeats + (i == 0 ? simulation->one_again : 0);
        double noise = i == 0 && simulation->one_noise > 0 ? simulation->one_noise : simulation->noise;
        for (unsigned j = 0; j < repeats; j++) {
            runs[count++] = (struct measurement){ k, true_hours(simulation, k) *
                                                         (1 + noise * seeded_random_normal(random)) };
        }
    }
    return count;
}

static struct coverage cover(const struct simulation *simulation)
{
    struct coverage coverage = { 0 };
    struct seeded_random random;
    unsigned truth = true_k_star(simulation);
    seeded_random_start(&random, 7);
    for (int i = 0; i < simulation->families; i++) {
        struct measurement runs[64];
        struct k_interval interval;
        scaling_fit(runs, simulate(simulation, &random, runs), 0, &fit);
        struct cost_curve curve;
        verdict_curve(&fit,
                      &(struct job_price){ .per_node_hour = simulation->p, .per_wall_hour = simulation->f },
                      &curve);
        struct node_limits limits = { .largest = 256 };
        interval_on(&fit, &curve, &limits, &interval);
        int held = k_interval_contains(&interval, truth);
        coverage.held += held;
        coverage.delta += interval.method == K_INTERVAL_DELTA;
        coverage.delta_held += interval.method == K_INTERVAL_DELTA && held;
        coverage.resampled += interval.method == K_INTERVAL_BOOTSTRAP;
        coverage.resampled_held += interval.method == K_INTERVAL_BOOTSTRAP && held;
        coverage.sets += interval.range_count == 2;
    }
    print_message(
        "true K* %u: held in %d of %d (delta %d of %d, bootstrap %d of %d), %d sets of two ranges\n", truth,
        coverage.held, simulation->families, coverage.delta_held, coverage.delta, coverage.resampled_held,
        coverage.resampled, coverage.sets);
    return coverage;
}

static void test_interior_parameters_are_covered_by_the_delta_method(void **state)
{
    (void)state;
    struct simulation simulation = simulation_of(usl, 9, 0.02, 1, 200);
    struct coverage coverage = cover(&simulation);
    assert_true(coverage.held >= 181);
    /* In the others a step fits as well, and has to be drawn. */
    assert_true(coverage.delta >= 80 && coverage.delta + coverage.resampled == 200);
    if (!tried(0, 1))
        return;
    simulation.sizes = 5; /* two degrees of freedom; too few sizes for a step */
    assert_true(cover(&simulation).held >= 181);
    simulation.sizes = 6;
    simulation.repeats = 3;
    simulation.noise = 0.10;
    assert_true(cover(&simulation).held >= 181);
}

/* f at which K = 8 and K = 9 cost the same, from the law alone: there an interval of 95 % has no
 * slack, while elsewhere a set of whole K holds the truth more often. A little less, so that 8 is
 * the cheaper one. */
static void test_at_a_tie_of_two_sizes_coverage_is_between_93_and_99_percent(void **state)
{
    (void)state;
    struct simulation simulation = simulation_of(usl, 0, 0, 3, 400);
    double eight = (1 + 7 * 0.03 + 0.0015 * 8 * 7) / 8;
    double nine = (1 + 8 * 0.03 + 0.0015 * 9 * 8) / 9;
    simulation.f = 2.10 * (9 * nine - 8 * eight) / (eight - nine) * (1 - 1e-9);
    assert_int_equal(true_k_star(&simulation), 8);
    static const double noises[] = { 0.03, 0.01, 0.10 };
    for (int i = 0; i < tried(1, 3); i++) {
        simulation.noise = noises[i];
        struct coverage coverage = cover(&simulation);
        assert_in_range(coverage.held, 372, 396);
    }
}

static void test_a_step_that_is_neither_seen_nor_excluded_counts(void **state)
{
    (void)state;
    /* the plain law predicts better as often as not */
    struct simulation simulation = simulation_of(small_step, 1.2, 0.10, 3, 150);
    assert_true(cover(&simulation).held >= 134); /* by the chosen law alone: 124 */
}

/* K* = 37 where nothing beyond 16 was measured. */
static void test_beyond_the_largest_size_growth_may_fall(void **state)
{
    (void)state;
    struct scaling_law flat = { .t1_hours = 1,
                                .serial_fraction = 0.005,
                                .communication_coefficient = 0.0001 };
    struct simulation simulation = simulation_of(flat, 42, 0.10, 1, 150);
    simulation.sizes = 5;
    assert_true(cover(&simulation).held >= 134); /* with growth as it was so far: 90 */
}

static void test_an_interior_step_is_covered(void **state)
{
    (void)state;
    /* the step is often not seen at all */
    struct simulation simulation = simulation_of(large_step, 9, 0.10, 3, 200);
    assert_true(cover(&simulation).held >= 181);
    simulation.noise = 0.02;
    assert_true(tried(0, 1) == 0 || cover(&simulation).held >= 181);
}

static void test_parameters_on_a_bound_are_covered_by_the_bootstrap(void **state)
{
    (void)state;
    struct scaling_law no_talk = { .t1_hours = 1, .serial_fraction = 0.05 }; /* c = 0 */
    struct simulation simulation = simulation_of(no_talk, 9, 0.05, 2, 150);
    struct coverage coverage = cover(&simulation);
    assert_true(coverage.held >= 134);
    assert_true(coverage.resampled >= 30);
    assert_true(coverage.resampled_held >= 0.9 * coverage.resampled);
    simulation.truth = (struct scaling_law){ .t1_hours = 1, .communication_coefficient = 0.004 }; /* s = 0 */
    coverage = cover(&simulation);
    assert_true(coverage.held >= 134);
    assert_true(coverage.resampled >= 30);
    assert_true(coverage.resampled_held >= 0.9 * coverage.resampled);
}

/* Each size once, but a quiet single node more often: that says nothing of the noise of the
 * others. */
static void test_repeats_of_one_node_say_nothing_of_single_runs(void **state)
{
    (void)state;
    struct simulation simulation = simulation_of(usl, 9, 0.10, 1, 150);
    simulation.one_noise = 0.10 / 30;
    simulation.one_again = 3;
    assert_true(cover(&simulation).held >= 134); /* with the noise of one node for all: 92 */
}

/* How many of the intervals on the excess of a job on 2 K* nodes hold it, and how many are above a
 * twentieth. */
static int cover_excess(const struct simulation *simulation, int *flagged)
{
    int held = 0;
    *flagged = 0;
    struct seeded_random random;
    unsigned k_star = true_k_star(simulation);
    double truth =
        1 - (simulation->p * k_star + simulation->f) * true_hours(simulation, k_star) /
                ((simulation->p * 2 * k_star + simulation->f) * true_hours(simulation, 2 * k_star));
    seeded_random_start(&random, 7);
    for (int i = 0; i < simulation->families; i++) {
        struct measurement runs[64];
        struct cost_curve curve;
        struct excess_interval excess;
        scaling_fit(runs, simulate(simulation, &random, runs), 0, &fit);
        verdict_curve(&fit,
                      &(struct job_price){ .per_node_hour = simulation->p, .per_wall_hour = simulation->f },
                      &curve);
        struct k_table *table = k_table_make(&fit, &curve, &(struct node_limits){ .largest = 64 });
        k_table_excess(table, &curve, &(struct excess_question){ .k = 2 * k_star }, &excess);
        held += excess.low <= truth && truth <= excess.high;
        *flagged += excess.low > VERDICT_RULES.near_share;
        k_table_free(table);
    }
    print_message("true excess %.3f: held in %d of %d, flagged in %d\n", truth, held, simulation->families,
                  *flagged);
    return held;
}

/* Nor do they make the excess surer. */
static void test_quiet_repeats_of_one_node_leave_the_interval_of_the_excess_wide(void **state)
{
    (void)state;
    struct simulation simulation = simulation_of(large_step, 9, 0.03, 1, 100);
    simulation.one_noise = 0.03 / 30;
    simulation.one_again = 3;
    int flagged;
    assert_true(cover_excess(&simulation, &flagged) >= 89); /* with the noise pooled over all runs: 80 */
}

/* With 10 % of noise single runs lie too far from any law for it to stand. */
static void test_single_runs_that_scatter_still_show_an_excess(void **state)
{
    (void)state;
    struct simulation simulation = simulation_of(usl, 9, 0.10, 1, 100);
    simulation.one_noise = 0.10 / 30;
    simulation.one_again = 3;
    int flagged;
    assert_true(cover_excess(&simulation, &flagged) >= 89);
    assert_true(flagged >= 33); /* of the growth rule: 15 */
}

static void test_where_one_node_competes_the_interval_is_a_set(void **state)
{
    (void)state;
    struct simulation simulation = simulation_of(small_step, 1.2, 0.03, 3, 150);
    struct coverage coverage = cover(&simulation);
    assert_true(coverage.held >= 134);
    assert_true(coverage.sets >= 15);
}

static const struct scaling_law racked = { .form = SCALING_STEPPED,
                                           .t1_hours = 1,
                                           .serial_fraction = 0.02,
                                           .step = 0.2,
                                           .communication_coefficient = 0.0005 };

/* A rack of eight nodes costs 17 % to leave, which no law knows, and noise of 10 % hides. */
static void test_where_only_the_noise_lets_a_law_stand_a_step_behind_another_size_is_drawn(void **state)
{
    (void)state;
    struct simulation simulation = simulation_of(racked, 9, 0.10, 3, 80);
    simulation.rack = 0.25;
    assert_int_equal(true_k_star(&simulation), 8);
    assert_true(cover(&simulation).held >= 69); /* by the law alone: 38 */
}

/* No law knows a rack. Yet one family in ten of six single runs lies near a law, which then is sure
 * of a K* that is wrong. */
static void test_a_law_that_stands_by_chance_is_not_trusted(void **state)
{
    (void)state;
    struct simulation simulation = simulation_of(racked, 9, 0.10, 1, 400);
    struct seeded_random random;
    int standing = 0, trusted = 0;
    simulation.rack = 0.25;
    seeded_random_start(&random, 7);
    for (int i = 0; i < simulation.families; i++) {
        struct measurement runs[64];
        scaling_fit(runs, simulate(&simulation, &random, runs), 0, &fit);
        standing += fit.outcome == SCALING_FIT_LAW;
        trusted += fit.outcome == SCALING_FIT_LAW && fit.confidence == SCALING_CONFIDENCE_NORMAL;
    }
    print_message("a law stands in %d of %d families, and is trusted in %d\n", standing, simulation.families,
                  trusted);
    assert_true(standing >= 20);
    assert_true(trusted <= 4); /* 1 % */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interior_parameters_are_covered_by_the_delta_method),
        cmocka_unit_test(test_at_a_tie_of_two_sizes_coverage_is_between_93_and_99_percent),
        cmocka_unit_test(test_a_step_that_is_neither_seen_nor_excluded_counts),
        cmocka_unit_test(test_beyond_the_largest_size_growth_may_fall),
        cmocka_unit_test(test_an_interior_step_is_covered),
        cmocka_unit_test(test_parameters_on_a_bound_are_covered_by_the_bootstrap),
        cmocka_unit_test(test_quiet_repeats_of_one_node_leave_the_interval_of_the_excess_wide),
        cmocka_unit_test(test_single_runs_that_scatter_still_show_an_excess),
        cmocka_unit_test(test_where_one_node_competes_the_interval_is_a_set),
        cmocka_unit_test(test_repeats_of_one_node_say_nothing_of_single_runs),
        cmocka_unit_test(test_where_only_the_noise_lets_a_law_stand_a_step_behind_another_size_is_drawn),
        cmocka_unit_test(test_a_law_that_stands_by_chance_is_not_trusted),
    };
    return cmocka_run_group_tests_name("k_star_coverage", tests, NULL, NULL);
}
