/* The stretch of model/cost/cost_curve.h against runs that are interrupted here: work in chunks, a
 * checkpoint after each, exponential times between interruptions, a restart that loses what was not
 * checkpointed.
 *
 * What the simulation knows and the formula does not: with x = sqrt(2 delta / M) and r = R / M, M
 * the mean time between interruptions, Daly's expectation e^r (e^(x + x^2/2) - 1) / x is 1 + x + r
 * + (2/3 x^2 + x r + r^2/2) + ... The formula is the first three terms, so it may be short by the
 * bracket, the terms of the third order (a fifth of the bracket at the rates below) and what is
 * left to chance.
 */
#include "model/cost/cost_curve.h"
#include "model/statistics/seeded_random.h"
#include "model_test.h"

/* Hours without interruption. Long against a chunk, so that the last one, which may be short, does
 * not count.
 */
enum { WORK_HOURS = 20000 };

struct simulated {
    double stretch;
    double error; /* one standard error */
};

static double hours_until_interruption(struct seeded_random *random, double mean)
{
    return -mean * log(seeded_random_uniform(random));
}

/* Hours from an interruption to running again; a restart can be interrupted as well. */
static double restarted(struct seeded_random *random, double mean, double restart_hours, double *until_next)
{
    double hours = 0;
    for (;;) {
        *until_next = hours_until_interruption(random, mean);
        if (*until_next >= restart_hours) {
            *until_next -= restart_hours;
            return hours + restart_hours;
        }
        hours += *until_next;
    }
}

/* One run: how long it takes when it writes a checkpoint after every `chunk` hours of work. */
static double run_once(struct seeded_random *random, double mean, const struct interruption *interruption,
                       double chunk)
{
    double clock = 0, done = 0, until_next = hours_until_interruption(random, mean);
    while (done < WORK_HOURS) {
        double work = fmin(chunk, WORK_HOURS - done);
        double wanted = work + interruption->checkpoint_hours;
        if (until_next >= wanted) {
            clock += wanted;
            until_next -= wanted;
            done += work;
        } else {
            clock += until_next;
            clock += restarted(random, mean, interruption->restart_hours, &until_next);
        }
    }
    return clock / WORK_HOURS;
}

static struct simulated simulate(const struct interruption *interruption, unsigned k, double chunk)
{
    enum { RUNS = 40 };
    struct seeded_random random;
    double mean = 1 / (k * interruption->rate), sum = 0, squares = 0;
    seeded_random_start(&random, k);
    for (int run = 0; run < RUNS; run++) {
        double stretch = run_once(&random, mean, interruption, chunk);
        sum += stretch;
        squares += stretch * stretch;
    }
    double average = sum / RUNS;
    return (struct simulated){ .stretch = average,
                               .error = sqrt((squares / RUNS - average * average) / (RUNS - 1)) };
}

/* Young's interval between checkpoints. */
static double best_chunk(const struct interruption *interruption, unsigned k)
{
    return sqrt(2 * interruption->checkpoint_hours / (k * interruption->rate));
}

static const struct interruption interruptions[] = {
    { .rate = 0.00027, .checkpoint_hours = 0.05, .restart_hours = 0.25 }, /* failing nodes */
    { .rate = 0.0001, .checkpoint_hours = 0.01, .restart_hours = 1 },
    { .rate = 0.002, .checkpoint_hours = 0.02, .restart_hours = 0.1 }, /* spot */
    { .rate = 0.01, .checkpoint_hours = 0.005, .restart_hours = 0.05 },
};
static const unsigned node_counts[] = { 1, 2, 8, 32, 64 };
enum {
    INTERRUPTIONS = sizeof interruptions / sizeof interruptions[0],
    NODE_COUNTS = sizeof node_counts / sizeof node_counts[0]
};

static void test_interrupted_runs_take_as_long_as_the_stretch_says(void **state)
{
    (void)state;
    for (int i = 0; i < INTERRUPTIONS; i++) {
        for (int j = 0; j < NODE_COUNTS; j++) {
            const struct interruption *interruption = &interruptions[i];
            unsigned k = node_counts[j];
            double rate = k * interruption->rate;
            double x = sqrt(2 * interruption->checkpoint_hours * rate),
                   r = interruption->restart_hours * rate;
            double second_order = 2 * x * x / 3 + x * r + r * r / 2;
            double expected = exp(r) * expm1(x + x * x / 2) / x;
            struct simulated seen = simulate(interruption, k, best_chunk(interruption, k));
            double stretch = interruption_stretch(interruption, k);
            /* the simulation itself, by Daly's expectation without any approximation */
            assert_within(seen.stretch, expected, 4 * seen.error);
            assert_true(seen.stretch >= stretch - 4 * seen.error);
            assert_within(seen.stretch, stretch, 1.2 * second_order + 4 * seen.error);
        }
    }
}

/* The rarer interruptions are, the nearer is the formula to Daly's expectation, as a share of the
 * time lost.
 */
static void test_the_formula_is_right_to_first_order(void **state)
{
    (void)state;
    struct interruption interruption = { .checkpoint_hours = 0.05, .restart_hours = 0.25 };
    double before = INFINITY;
    for (double rate = 1e-2; rate > 1e-9; rate /= 10) {
        interruption.rate = rate;
        double x = sqrt(2 * 0.05 * rate), r = 0.25 * rate;
        double lost = exp(r) * expm1(x + x * x / 2) / x - 1;
        double share = fabs(interruption_stretch(&interruption, 1) - 1 - lost) / lost;
        assert_true(share < before);
        before = share;
    }
    assert_true(before < 1e-4);
}

static void test_checkpoints_twice_or_half_as_often_take_longer(void **state)
{
    (void)state;
    for (int i = 0; i < INTERRUPTIONS; i++) {
        const struct interruption *interruption = &interruptions[i];
        double chunk = best_chunk(interruption, 32);
        struct simulated best = simulate(interruption, 32, chunk);
        struct simulated often = simulate(interruption, 32, chunk / 2),
                         seldom = simulate(interruption, 32, 2 * chunk);
        assert_true(often.stretch > best.stretch + 2 * (best.error + often.error));
        assert_true(seldom.stretch > best.stretch + 2 * (best.error + seldom.error));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interrupted_runs_take_as_long_as_the_stretch_says),
        cmocka_unit_test(test_the_formula_is_right_to_first_order),
        cmocka_unit_test(test_checkpoints_twice_or_half_as_often_take_longer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
