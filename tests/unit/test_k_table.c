/* The table answers what k_star(), k_fastest() and loops over draws find by examining every K. */
#include "model/cost/k_star_interval.h"
#include "model/cost/k_table.h"
#include "model/cost/verdict_fit.h"
#include "model/statistics/seeded_random.h"
#include "model_test.h"

static struct seeded_random dice;
static struct scaling_fit fit;
static struct k_bootstrap bootstrap;

static double between(double low, double high)
{
    return low + (high - low) * seeded_random_uniform(&dice);
}

static unsigned one_of(unsigned count)
{
    return (unsigned)(count * seeded_random_uniform(&dice));
}

/* A family of any kind: laws inside and on their bounds, a step, kinks that no law follows, missing
 * single nodes. */
static void any_fit(unsigned accelerators_per_node)
{
    struct measurement runs[64];
    size_t count = 0;
    struct scaling_law law = { .form = SCALING_STEPPED,
                               .t1_hours = between(0.1, 10),
                               .serial_fraction = one_of(3) == 0 ? 0 : between(0, 0.08),
                               .communication_coefficient = one_of(3) == 0 ? 0 : between(0, 0.003),
                               .step = one_of(2) == 0 ? 0 : between(0, 0.5) };
    unsigned first = one_of(4) == 0 ? 2 : 0, sizes = 3 + one_of(5), repeats = 1 + one_of(3);
    double noise = between(0, 0.05), kink = one_of(2) == 0 ? 1 : between(0.6, 1.5);
    for (unsigned i = 0; i < sizes; i++) {
        for (unsigned j = 0; j < repeats; j++) {
            unsigned k = 1u << (first + i);
            double hours =
                scaling_law_hours(&law, k) * (k > 8 ? kink : 1) * exp(noise * seeded_random_normal(&dice));
            runs[count++] = (struct measurement){ k, hours };
        }
    }
    scaling_fit(runs, count, accelerators_per_node, &fit);
}

static const unsigned listed[] = { 1, 3, 4, 12, 16, 40, 64, 100 };

static struct node_limits any_limits(unsigned accelerators_per_node)
{
    struct node_limits limits = { .accelerators_per_node = accelerators_per_node };
    switch (one_of(5)) {
    case 0:
        break; /* every K, without end */
    case 1:
        limits.largest = 16 + one_of(500);
        break;
    case 2:
        limits.powers_of_two = true;
        break;
    case 3:
        limits.allowed = listed;
        limits.allowed_count = sizeof listed / sizeof listed[0];
        break;
    default:
        limits.smallest = 1 + one_of(6);
        limits.largest = 128;
    }
    return limits;
}

/* ---- the interval by every K of every draw ---- */

/* Index of the cheapest K, the smallest within a tie. */
static size_t cheapest(const struct cost_curve *curve, const unsigned *ks, const double *hours, size_t count)
{
    double p = cost_curve_node_price(curve), f = cost_curve_wall_price(curve), lowest = INFINITY;
    size_t best = 0;
    for (size_t i = 0; i < count; i++)
        lowest = fmin(lowest, (p * ks[i] + f) * hours[i]);
    while (best + 1 < count && !((p * ks[best] + f) * hours[best] <= lowest * (1 + K_STAR_TIE)))
        best++;
    return best;
}

static void by_bootstrap(const struct cost_curve *curve, const struct node_limits *limits, unsigned estimate,
                         struct k_interval *interval)
{
    size_t count;
    bool goes_on;
    unsigned *ks = k_bootstrap_sizes(curve, limits, &count, &goes_on);
    unsigned *counts = calloc(count + 1, sizeof *counts);
    double *hours = calloc(count + 1, sizeof *hours);
    if (count > 0 && bootstrap.count > 0) {
        for (size_t i = 0; i < bootstrap.count; i++) {
            k_bootstrap_hours(&fit, curve, &bootstrap, i, ks, count, hours);
            size_t best = cheapest(curve, ks, hours, count);
            counts[best + 1 == count && goes_on ? count : best]++;
        }
        k_interval_of_counts(ks, counts, count + goes_on, k_star_interval_step(&fit), interval);
        k_star_interval_complete(&fit, limits, estimate, interval);
    }
    free(hours);
    free(counts);
    free(ks);
}

static void interval_by_every_k(const struct cost_curve *curve, const struct node_limits *limits,
                                struct k_interval *interval)
{
    *interval = (struct k_interval){ .reason = K_INTERVAL_NO_LAW };
    struct k_star_result estimate;
    enum k_star_outcome outcome = k_star(curve, limits, &estimate);
    bool has_curve = fit.outcome == SCALING_FIT_LAW || fit.outcome == SCALING_FIT_GROWTH;
    if (!has_curve || (outcome != K_STAR_FOUND && outcome != K_STAR_UNBOUNDED))
        return;
    if (fit.freedom == 0) {
        interval->reason = K_INTERVAL_NO_FREEDOM;
        return;
    }
    struct node_limits effective = k_star_limits(curve, limits);
    if (k_star_in_gap(&fit, &effective, estimate.k)) {
        interval->reason = K_INTERVAL_IN_GAP;
        return;
    }
    interval->reason = k_star_interval_delta(&fit, curve, &effective, interval);
    if (interval->reason == K_INTERVAL_INTERIOR) {
        k_star_interval_complete(&fit, &effective, estimate.k, interval);
    } else {
        by_bootstrap(curve, &effective, estimate.k, interval);
        interval->method = interval->range_count > 0 ? K_INTERVAL_BOOTSTRAP : K_INTERVAL_NONE;
    }
}

/* ---- as the table has it ---- */

static void assert_same_interval(const struct k_interval *actual, const struct k_interval *expected)
{
    char left[64], right[64];
    assert_int_equal(actual->method, expected->method);
    assert_int_equal(actual->reason, expected->reason);
    assert_string_equal(k_interval_text(actual, left, sizeof left),
                        k_interval_text(expected, right, sizeof right));
}

static int by_size(const void *one, const void *other)
{
    double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

static double priced(const struct cost_curve *curve, unsigned k, double hours, double waiting)
{
    return (cost_curve_node_price(curve) * k + cost_curve_wall_price(curve) - waiting) * hours;
}

/* The excess at k, of each draw by itself: K* is looked for among all that the draw may choose.
 * Where its cost goes on falling at the last of them and more are allowed, K* is beyond. */
static struct excess_interval excess_by_looking(const struct cost_curve *curve,
                                                const struct node_limits *limits, unsigned k,
                                                enum excess_side side)
{
    static double counted[K_STAR_BOOTSTRAP_LAWS], money[K_STAR_BOOTSTRAP_LAWS];
    struct node_limits effective = k_star_limits(curve, limits);
    double waiting = curve->price.waiting_per_hour;
    struct excess_interval excess = { 0 };
    size_t count;
    bool goes_on;
    unsigned *ks = k_bootstrap_sizes(curve, &effective, &count, &goes_on);
    double *hours = calloc(count + 1, sizeof *hours), here;
    for (size_t i = 0; i < bootstrap.count && count > 0; i++) {
        size_t best = 0;
        k_bootstrap_hours(&fit, curve, &bootstrap, i, ks, count, hours);
        k_bootstrap_hours(&fit, curve, &bootstrap, i, &k, 1, &here);
        for (size_t j = 1; j < count; j++) {
            if (priced(curve, ks[j], hours[j], 0) <
                priced(curve, ks[best], hours[best], 0) * (1 - K_STAR_TIE))
                best = j;
        }
        bool is_beyond = goes_on && best + 1 == count;
        bool counts = side == EXCESS_ABOVE ? k > ks[best] && !is_beyond : k < ks[best] || is_beyond;
        double ratio = priced(curve, ks[best], hours[best], 0) / priced(curve, k, here, 0);
        double of_money = priced(curve, ks[best], hours[best], waiting) / priced(curve, k, here, waiting);
        counted[excess.draws] = counts ? fmax(0, 1 - ratio) : 0;
        money[excess.draws] = counts ? fmax(0, 1 - of_money) : 0;
        excess.draws++;
    }
    if (excess.draws > 0) {
        qsort(counted, excess.draws, sizeof counted[0], by_size);
        qsort(money, excess.draws, sizeof money[0], by_size);
        size_t tail = excess.draws / 40; /* 2.5 % */
        excess.low = counted[tail];
        excess.high = counted[excess.draws - 1 - tail];
        excess.money_low = money[tail];
        excess.money_high = money[excess.draws - 1 - tail];
    }
    free(hours);
    free(ks);
    return excess;
}

static bool is_same_excess(struct k_table *table, const struct cost_curve *curve,
                           const struct node_limits *limits, unsigned k, enum excess_side side)
{
    struct excess_interval excess, wanted = excess_by_looking(curve, limits, k, side);
    k_table_excess(table, curve, &(struct excess_question){ .k = k, .side = side }, &excess);
    assert_int_equal(excess.draws, wanted.draws);
    if (excess.draws == 0)
        return false;
    assert_near(excess.low, wanted.low, 1e-9);
    assert_near(excess.high, wanted.high, 1e-9);
    assert_near(excess.money_low, wanted.money_low, 1e-9);
    assert_near(excess.money_high, wanted.money_high, 1e-9);
    return excess.high > 0;
}

static void test_the_table_says_what_looking_at_every_k_says(void **state)
{
    (void)state;
    int kinds[4] = { 0 }, intervals = 0, excesses = 0;
    seeded_random_start(&dice, 5);
    for (int i = 0; i < 30; i++) {
        unsigned accelerators = one_of(5) == 0 ? 4 : 0;
        struct cost_curve curve;
        any_fit(accelerators);
        struct node_limits limits = any_limits(accelerators);
        verdict_curve(&fit, &(struct job_price){ .per_node_hour = 1 }, &curve);
        if (one_of(4) == 0) {
            curve.interruption = (struct interruption){ .spot = true,
                                                        .price_share = 0.3,
                                                        .rate = between(0, 0.02),
                                                        .checkpoint_hours = between(0, 0.1),
                                                        .restart_hours = between(0, 0.2) };
        }
        struct k_table *table = k_table_make(&fit, &curve, &limits);
        assert_non_null(table);
        k_bootstrap_draw(&fit, K_STAR_BOOTSTRAP_SEED, &bootstrap);
        kinds[fit.outcome]++;
        for (int j = 0; j < 12; j++) {
            struct k_star_result found, expected;
            struct k_interval interval, wanted;
            curve.price = (struct job_price){ .per_node_hour = between(0.1, 4),
                                              .per_wall_hour = exp(between(-3, 5)),
                                              .waiting_per_hour = one_of(2) * between(0, 3),
                                              .overhead_per_node_hour = one_of(2) * between(-0.1, 1) };
            assert_int_equal(k_table_star(table, &curve, &found), k_star(&curve, &limits, &expected));
            assert_int_equal(found.k, expected.k);
            assert_near(found.cost, expected.cost, 0);
            assert_int_equal(found.measured, expected.measured);
            assert_int_equal(k_table_fastest(table, &curve, &found), k_fastest(&curve, &limits, &expected));
            assert_int_equal(found.k, expected.k);
            if (j < 2) {
                k_table_interval(table, &curve, &interval);
                interval_by_every_k(&curve, &limits, &wanted);
                assert_same_interval(&interval, &wanted);
                intervals += interval.method == K_INTERVAL_BOOTSTRAP;
                excesses += is_same_excess(table, &curve, &limits, expected.k + 1 + (unsigned)(5 * i) % 20,
                                           EXCESS_ABOVE);
                excesses += is_same_excess(table, &curve, &limits, 4 + expected.k / 3, EXCESS_BELOW);
            }
        }
        k_table_free(table);
    }
    print_message("%d laws, %d by growth; %d intervals by bootstrap, %d excesses\n", kinds[SCALING_FIT_LAW],
                  kinds[SCALING_FIT_GROWTH], intervals, excesses);
    assert_true(kinds[SCALING_FIT_LAW] >= 5 && kinds[SCALING_FIT_GROWTH] >= 5 && intervals >= 25);
}

/* s = .2, c = 0, p = 1, f = 3: K = 3 and K = 4 both cost 2.8; a price a little off tips it. */
static void test_a_tie_goes_to_the_smaller_k(void **state)
{
    (void)state;
    struct scaling_law law = { .t1_hours = 1, .serial_fraction = 0.2 };
    struct scaling_fit given = { .outcome = SCALING_FIT_LAW, .law = law };
    struct node_limits limits = { .largest = 64 };
    struct cost_curve curve = { .law = &law, .price = { .per_node_hour = 1, .per_wall_hour = 3 } };
    struct k_table *table = k_table_make(&given, &curve, &limits);
    struct k_star_result result;
    assert_int_equal(k_table_star(table, &curve, &result), K_STAR_FOUND);
    assert_int_equal(result.k, 3);
    curve.price.per_wall_hour = 3 * (1 + 1e-6);
    k_table_star(table, &curve, &result);
    assert_int_equal(result.k, 4);
    curve.price.per_wall_hour = 3 * (1 - 1e-6);
    k_table_star(table, &curve, &result);
    assert_int_equal(result.k, 3);
    curve.price = (struct job_price){ .per_node_hour = -1, .per_wall_hour = 3 };
    assert_int_equal(k_table_star(table, &curve, &result), K_STAR_INVALID);
    curve.price.per_node_hour = 0; /* nodes cost nothing: the fastest is the cheapest */
    assert_int_equal(k_table_star(table, &curve, &result), K_STAR_FOUND);
    assert_int_equal(result.k, 64);
    k_table_free(table);
}

/* s = c = 0 and f = 0: every K costs the same, and the smallest is K*, as k_star() says; with any f
 * the largest is. */
static void test_where_all_k_cost_the_same_the_smallest_is_cheapest(void **state)
{
    (void)state;
    struct scaling_law law = { .t1_hours = 6 };
    struct scaling_fit given = { .outcome = SCALING_FIT_LAW, .law = law };
    struct node_limits limits = { .largest = 16 };
    struct cost_curve curve = { .law = &law, .price = { 10, 0, 0 } };
    struct k_table *table = k_table_make(&given, &curve, &limits);
    struct k_star_result result, searched;
    assert_int_equal(k_table_star(table, &curve, &result), K_STAR_FOUND);
    assert_int_equal(k_star(&curve, &limits, &searched), K_STAR_FOUND);
    assert_int_equal(searched.k, 1);
    assert_int_equal(result.k, 1);
    curve.price.per_wall_hour = 0.001;
    assert_int_equal(k_table_star(table, &curve, &result), K_STAR_FOUND);
    assert_int_equal(result.k, 16);
    k_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_table_says_what_looking_at_every_k_says),
        cmocka_unit_test(test_a_tie_goes_to_the_smaller_k),
        cmocka_unit_test(test_where_all_k_cost_the_same_the_smallest_is_cheapest),
    };
    return cmocka_run_group_tests_name("k_table", tests, NULL, NULL);
}
