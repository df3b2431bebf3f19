/* The laws that k_bootstrap draws: how far they spread, and which steps they have. */
#include "interval_test.h"

static struct k_bootstrap bootstrap;

static void draw_laws(const struct scaling_law *law, size_t sizes, double noise)
{
    struct measurement runs[8];
    scaling_fit(runs, exact(law, sizes, noise, runs), 0, &fit);
    k_bootstrap_draw(&fit, K_STAR_BOOTSTRAP_SEED, &bootstrap);
}

static int by_size(const void *one, const void *other)
{
    double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

/* With two degrees of freedom 95 % of the draws lie within 5.3 times what half of them do
 * (Student's t: 4.30 and 0.816); of a normal it would be 2.9 times. 999 draws show that to a tenth
 * or two. */
static void test_draws_of_few_runs_spread_as_students_t(void **state)
{
    (void)state;
    static double away[K_STAR_BOOTSTRAP_LAWS];
    struct scaling_law law = { .t1_hours = 1, .serial_fraction = 0.3, .communication_coefficient = 0.05 };
    draw_laws(&law, 5, 0.005);
    assert_int_equal(fit.freedom, 2);
    assert_int_equal(bootstrap.count, K_STAR_BOOTSTRAP_LAWS);
    for (size_t i = 0; i < bootstrap.count; i++) {
        away[i] = fabs(log(scaling_law_hours(&bootstrap.laws[i], 4) / scaling_law_hours(&fit.law, 4)));
    }
    qsort(away, bootstrap.count, sizeof away[0], by_size);
    assert_near(away[bootstrap.count * 95 / 100] / away[bootstrap.count / 2], 4.303 / 0.816, 0.25);
}

/* Which law is true is not known, and a step of 0 is the plain one. */
static void test_an_open_step_is_in_every_draw(void **state)
{
    (void)state;
    size_t stepped = 0;
    draw_laws(&usl, 6, -0.02);
    assert_true(k_bootstrap_step_is_open(&fit));
    for (size_t i = 0; i < bootstrap.count; i++) {
        stepped += bootstrap.laws[i].form == SCALING_STEPPED;
    }
    assert_int_equal(stepped, K_STAR_BOOTSTRAP_LAWS);
}

/* Leaving eight nodes costs 40 % of T1, and repeats differ by 20 %: the law stands by noise alone.
 * Every other draw has a second step, most often where it is. */
static void test_the_likeliest_hidden_step_is_drawn_most(void **state)
{
    (void)state;
    struct measurement runs[12];
    size_t behind[33] = { 0 };
    for (unsigned i = 0; i < 12; i++) {
        unsigned k = 1u << i / 2;
        double hours = scaling_law_hours(&usl, k) + (k > 8 ? 0.4 / k : 0);
        runs[i] = (struct measurement){ k, hours * (i % 2 ? 1.1 : 0.9) };
    }
    scaling_fit(runs, 12, 0, &fit);
    assert_true(fit.stands_by_noise);
    assert_int_equal(fit.confidence, SCALING_CONFIDENCE_LOW);
    assert_int_equal(fit.reason, SCALING_REASON_BY_NOISE);
    k_bootstrap_draw(&fit, K_STAR_BOOTSTRAP_SEED, &bootstrap);
    for (size_t i = 0; i < bootstrap.count; i++)
        behind[bootstrap.laws[i].behind]++;
    assert_int_equal(behind[0], 500);
    assert_int_equal(behind[2] + behind[4] + behind[8] + behind[16], 499);
    assert_true(behind[8] > behind[2] && behind[8] > behind[4] && behind[8] > behind[16]);
}

/* Six sizes once each, of which one lies 20 % off: nobody knows whether that is noise. Run twice,
 * it is not. */
static void test_a_law_that_only_single_runs_contradict_is_drawn(void **state)
{
    (void)state;
    struct measurement runs[7];
    struct k_interval interval;
    size_t hidden = 0;
    for (unsigned i = 0; i < 6; i++)
        runs[i] = (struct measurement){ 1u << i, scaling_law_hours(&usl, 1u << i) * (i == 3 ? 1.2 : 1) };
    runs[6] = runs[3];
    runs[6].hours *= 1.001;
    scaling_fit(runs, 6, 0, &fit);
    assert_int_equal(fit.outcome, SCALING_FIT_GROWTH);
    assert_true(fit.law_is_open);
    k_bootstrap_draw(&fit, K_STAR_BOOTSTRAP_SEED, &bootstrap);
    for (size_t i = 0; i < bootstrap.count; i++)
        hidden += bootstrap.laws[i].behind > 0;
    assert_int_equal(hidden, 499);
    struct cost_curve curve;
    verdict_curve(&fit, &price, &curve);
    interval_on(&fit, &curve, &open_limits, &interval);
    assert_int_equal(interval.reason, K_INTERVAL_GROWTH);
    scaling_fit(runs, 7, 0, &fit);
    assert_int_equal(fit.outcome, SCALING_FIT_GROWTH);
    assert_false(fit.law_is_open);
    scaling_fit(runs, 5, 0, &fit); /* a step behind one node would not be seen */
    assert_int_equal(fit.outcome, SCALING_FIT_GROWTH);
    assert_false(fit.law_is_open);
}

/* Five sizes do not test a step on leaving one node. If each was repeated and the law with a step
 * is close to all of them, it is drawn. Four nodes that take 40 % longer are not
 * close. */
static void test_a_step_that_five_repeated_sizes_leave_untested_is_drawn(void **state)
{
    (void)state;
    struct measurement runs[15];
    size_t stepped = 0;
    for (unsigned i = 0; i < 15; i++) {
        unsigned k = 1u << i / 3;
        runs[i] = (struct measurement){ k, scaling_law_hours(&large_step, k) * (0.99 + 0.01 * (i % 3)) };
    }
    scaling_fit(runs, 15, 0, &fit);
    assert_int_equal(fit.outcome, SCALING_FIT_GROWTH);
    assert_int_equal(fit.reason, SCALING_REASON_STEP_UNTESTED);
    assert_true(fit.law_is_open);
    k_bootstrap_draw(&fit, K_STAR_BOOTSTRAP_SEED, &bootstrap);
    for (size_t i = 0; i < bootstrap.count; i++)
        stepped += bootstrap.laws[i].step > 0;
    assert_int_equal(bootstrap.count, K_STAR_BOOTSTRAP_LAWS);
    assert_true(stepped > K_STAR_BOOTSTRAP_LAWS * 9 / 10);
    scaling_fit(runs, 13, 0, &fit); /* the largest size once */
    assert_false(fit.law_is_open);
    for (unsigned i = 6; i < 9; i++)
        runs[i].hours *= 1.4;
    scaling_fit(runs, 15, 0, &fit);
    assert_false(fit.law_is_open);
}

/* Single runs lie some 12 % off the law. Repeats of one node that differ by 14 % allow that; those
 * that differ by 1 % do not. */
static void test_single_runs_are_noisier_only_if_the_repeats_forbid_it(void **state)
{
    (void)state;
    static const double off[] = { 0.12, -0.12, 0.12, -0.12, 0.12 };
    struct measurement runs[9];
    for (unsigned i = 0; i < 5; i++)
        runs[i] = (struct measurement){ 2u << i, scaling_law_hours(&usl, 2u << i) * (1 + off[i]) };
    for (unsigned i = 0; i < 4; i++)
        runs[5 + i] = (struct measurement){ 1, scaling_law_hours(&usl, 1) * (i % 2 ? 1.07 : 0.93) };
    scaling_fit(runs, 9, 0, &fit);
    assert_int_equal(fit.outcome, SCALING_FIT_LAW);
    assert_false(k_bootstrap_noise_differs(&fit));
    for (unsigned i = 0; i < 4; i++)
        runs[5 + i].hours = scaling_law_hours(&usl, 1) * (i % 2 ? 1.005 : 0.995);
    scaling_fit(runs, 9, 0, &fit);
    assert_true(k_bootstrap_noise_differs(&fit));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_draws_of_few_runs_spread_as_students_t),
        cmocka_unit_test(test_an_open_step_is_in_every_draw),
        cmocka_unit_test(test_the_likeliest_hidden_step_is_drawn_most),
        cmocka_unit_test(test_a_law_that_only_single_runs_contradict_is_drawn),
        cmocka_unit_test(test_a_step_that_five_repeated_sizes_leave_untested_is_drawn),
        cmocka_unit_test(test_single_runs_are_noisier_only_if_the_repeats_forbid_it),
    };
    return cmocka_run_group_tests_name("k_bootstrap", tests, NULL, NULL);
}
