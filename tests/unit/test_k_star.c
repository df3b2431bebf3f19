/* K*, the fastest K and the deadline's K: published vectors, worked numbers, and exhaustive search
 * over random laws by formulas written out here. */
#include "model/cost/k_star.h"
#include "model/statistics/seeded_random.h"
#include "model_test.h"

static const struct scaling_law base = { .t1_hours = 1,
                                         .serial_fraction = 0.03,
                                         .communication_coefficient = 0.0015 };

static struct cost_curve curve_of(const struct scaling_law *law, double p, double f)
{
    return (struct cost_curve){ .law = law, .price = { .per_node_hour = p, .per_wall_hour = f } };
}

/* The cheapest and the fastest K. */
static void assert_found(const struct cost_curve *curve, const struct node_limits *limits, unsigned cheapest,
                         unsigned fastest)
{
    struct k_star_result result;
    assert_int_equal(k_star(curve, limits, &result), K_STAR_FOUND);
    assert_int_equal(result.k, cheapest);
    assert_int_equal(k_fastest(curve, limits, &result), K_STAR_FOUND);
    assert_int_equal(result.k, fastest);
}

/* docs/mathematics.md, section 3. */
static void test_the_worked_example_is_8_nodes_at_4_17315_and_25_at_6_4452(void **state)
{
    (void)state;
    struct cost_curve curve = curve_of(&base, 2.10, 9);
    struct node_limits limits = { 0 };
    struct k_star_result result;
    assert_int_equal(k_star(&curve, &limits, &result), K_STAR_FOUND);
    assert_int_equal(result.k, 8);
    assert_near(result.cost, 4.17315, 1e-13);
    assert_near(result.hours, 0.16175, 1e-13);
    assert_near(result.efficiency, 0.772797527048, 1e-11);
    assert_false(result.measured);
    assert_int_equal(k_fastest(&curve, &limits, &result), K_STAR_FOUND);
    assert_int_equal(result.k, 25);
    assert_near(result.cost, 6.4452, 1e-13);
}

static void test_the_cluster_rate_would_give_8_where_the_jobs_share_gives_3(void **state)
{
    (void)state;
    struct cost_curve curve = curve_of(&base, 2.10, 0.90);
    struct node_limits limits = { 0 };
    struct k_star_result result;
    k_star(&curve, &limits, &result);
    assert_int_equal(result.k, 3);
    assert_within(result.cost, 2.5656, 5e-5);
}

static size_t read_set(char *text, unsigned *set)
{
    size_t count = 0;
    for (char *item = strtok(text, "|"); item != NULL; item = strtok(NULL, "|")) {
        set[count++] = (unsigned)strtoul(item, NULL, 10);
    }
    return count;
}

static void test_every_published_vector_is_met(void **state)
{
    (void)state;
    FILE *file = open_shared("efficiency/kstar_vectors.csv");
    char line[512];
    char *v[32];
    int rows = 0;
    if (fgets(line, sizeof line, file) == NULL) {
        fail();
    }
    while (fgets(line, sizeof line, file) != NULL) {
        assert_int_equal(split_fields(line, v, 32), 22);
        struct scaling_law law = { .t1_hours = strtod(v[5], NULL),
                                   .serial_fraction = strtod(v[3], NULL),
                                   .communication_coefficient = strtod(v[4], NULL) };
        struct cost_curve curve = curve_of(&law, strtod(v[1], NULL), strtod(v[2], NULL));
        struct node_limits limits = { .largest = (unsigned)strtoul(v[7], NULL, 10) };
        struct k_star_result result;
        unsigned set[16];
        if (strchr(v[6], '|') != NULL) {
            limits.allowed_count = read_set(v[6], set);
            limits.allowed = set;
        } else {
            limits.smallest = (unsigned)strtoul(v[6], NULL, 10);
        }
        print_message("vector %s\n", v[0]);
        assert_int_equal(k_star(&curve, &limits, &result), K_STAR_FOUND);
        assert_int_equal(result.k, strtoul(v[9], NULL, 10));
        assert_near(result.cost, strtod(v[10], NULL), 1e-11);
        assert_near(result.hours, strtod(v[11], NULL), 1e-11);
        assert_near(result.efficiency, strtod(v[12], NULL), 1e-11);
        assert_int_equal(k_fastest(&curve, &limits, &result), K_STAR_FOUND);
        assert_int_equal(result.k, strtoul(v[14], NULL, 10));
        assert_near(result.hours, strtod(v[15], NULL), 1e-11);
        assert_near(result.cost, strtod(v[16], NULL), 1e-11);
        if (v[8][0] != '\0') {
            assert_int_equal(k_deadline(&curve, &limits, strtod(v[8], NULL), &result), K_STAR_FOUND);
            assert_int_equal(result.k, strtoul(v[18], NULL, 10));
            assert_near(result.hours, strtod(v[19], NULL), 1e-11);
            assert_near(result.cost, strtod(v[20], NULL), 1e-11);
        }
        double continuous = k_star_continuous(&law, curve.price.per_node_hour, curve.price.per_wall_hour);
        assert_within(continuous == strtod(v[21], NULL) ? 0 : continuous - strtod(v[21], NULL), 0, 1e-9 * 30);
        rows++;
    }
    fclose(file);
    assert_int_equal(rows, 12);
}

/* C and T written out, for either law in plain node units. */
static double hours_by_hand(const struct scaling_law *law, double k)
{
    double inefficiency = 1 + (k > 1 ? law->step : 0) + (k - 1) * law->serial_fraction +
                          law->communication_coefficient * k * (k - 1);
    return law->t1_hours * inefficiency / k;
}

static unsigned cheapest_by_hand(const struct scaling_law *law, double p, double f, unsigned end, int fastest)
{
    double lowest = INFINITY;
    for (unsigned k = 1; k <= end; k++) {
        lowest = fmin(lowest, (fastest ? 1 : p * k + f) * hours_by_hand(law, k));
    }
    for (unsigned k = 1;; k++) {
        if ((fastest ? 1 : p * k + f) * hours_by_hand(law, k) <= lowest * (1 + 1e-9)) {
            return k;
        }
    }
}

static struct scaling_law random_law(struct seeded_random *random)
{
    struct scaling_law law = { .t1_hours = exp(2 * seeded_random_normal(random)) };
    law.serial_fraction =
        seeded_random_uniform(random) < 0.1 ? 0 : pow(10, -3 * seeded_random_uniform(random));
    law.communication_coefficient = pow(10, -1 - 4 * seeded_random_uniform(random));
    if (seeded_random_uniform(random) < 0.5) {
        law.form = SCALING_STEPPED;
        law.step = 2 * seeded_random_uniform(random) * seeded_random_uniform(random);
    }
    return law;
}

static void test_the_cubic_agrees_with_looking_at_every_k(void **state)
{
    (void)state;
    struct seeded_random random;
    seeded_random_start(&random, 11);
    for (int i = 0; i < 3000; i++) {
        struct scaling_law law = random_law(&random);
        double p = seeded_random_uniform(&random) < 0.05 ? 0 : 5 * seeded_random_uniform(&random);
        double f =
            seeded_random_uniform(&random) < 0.05 ? 0 : pow(10, 4 * seeded_random_uniform(&random) - 1);
        struct cost_curve curve = curve_of(&law, p, f);
        struct node_limits open = { 0 };
        struct node_limits closed = { .largest = 1 + (unsigned)(200 * seeded_random_uniform(&random)) };
        struct k_star_result star;
        struct k_star_result fastest;
        assert_int_equal(k_star(&curve, &open, &star), K_STAR_FOUND);
        assert_int_equal(k_fastest(&curve, &open, &fastest), K_STAR_FOUND);
        assert_int_equal(star.k, cheapest_by_hand(&law, p, f, 4096, 0));
        assert_int_equal(fastest.k, cheapest_by_hand(&law, p, f, 4096, 1));
        assert_true(star.k <= fastest.k);
        assert_found(&curve, &closed, cheapest_by_hand(&law, p, f, closed.largest, 0),
                     cheapest_by_hand(&law, p, f, closed.largest, 1));
    }
}

static void test_a_rebased_law_gives_the_same_k_star_from_its_smallest_size_on(void **state)
{
    (void)state;
    struct scaling_law law = rebased_to(&base, 4);
    struct cost_curve curve = curve_of(&law, 2.10, 9);
    struct node_limits limits = { 0 };
    struct k_star_result result;
    assert_int_equal(k_star(&curve, &limits, &result), K_STAR_FOUND);
    assert_int_equal(result.k, 8);
    assert_near(result.cost, 4.17315, 1e-12);
    assert_near(k_star_continuous(&law, 2.10, 9), 8.32955162349, 1e-11);
    curve.price.per_wall_hour = 0.90; /* unrestricted K* is 3: below what was measured */
    for (limits.step = 0; limits.step <= 1; limits.step++) { /* a step of 1 is none */
        k_star(&curve, &limits, &result);
        assert_int_equal(result.k, 4);
    }
}

/* s = .2, c = 0, p = 1, f = 3 costs exactly 2.8 at K=3 and at K=4. */
static void test_a_tie_goes_to_the_smaller_k(void **state)
{
    (void)state;
    struct scaling_law law = { .t1_hours = 1, .serial_fraction = 0.2 };
    struct cost_curve curve = curve_of(&law, 1, 3);
    struct node_limits open = { 0 };
    struct node_limits closed = { .largest = 100 };
    struct k_star_result result;
    assert_int_equal(k_star(&curve, &open, &result), K_STAR_FOUND);
    assert_int_equal(result.k, 3);
    assert_near(result.cost, 2.8, 1e-14);
    k_star(&curve, &closed, &result);
    assert_int_equal(result.k, 3);
}

static void test_a_tie_over_many_k_goes_to_the_smallest_of_them(void **state)
{
    (void)state;
    /* C = 1 + s K + (1-s)/K with s = 1e-10: so flat at 100,000 nodes that a thousand K tie. */
    for (int i = 0; i < 12; i++) {
        struct scaling_law law = { .t1_hours = 1, .serial_fraction = 1e-10 * (1 + i / 1000.) };
        struct cost_curve curve = curve_of(&law, 1, 1);
        struct node_limits limits = { 0 };
        struct k_star_result result;
        unsigned expected = cheapest_by_hand(&law, 1, 1, 200000, 0);
        assert_in_range(expected, 98000, 99500);
        assert_int_equal(k_star(&curve, &limits, &result), K_STAR_FOUND);
        assert_int_equal(result.k, expected);
    }
}

static void test_a_cost_that_never_changes_is_cheapest_on_one_node(void **state)
{
    (void)state;
    struct scaling_law law = { .t1_hours = 5 };
    struct cost_curve curve = curve_of(&law, 2, 0); /* s = c = f = 0 */
    struct node_limits limits = { 0 };
    struct k_star_result result;
    assert_int_equal(k_star(&curve, &limits, &result), K_STAR_FOUND);
    assert_int_equal(result.k, 1);
    limits.smallest = 4;
    assert_int_equal(k_star(&curve, &limits, &result), K_STAR_FOUND);
    assert_int_equal(result.k, 4);
}

/* Allowed {1, 2, 4, 16, 32} can make 16 cheaper than 4; rounding 7 would give 4. */
static void test_a_list_is_searched_and_never_rounded_to(void **state)
{
    (void)state;
    static const unsigned list[] = { 1, 2, 4, 16, 32 };
    struct scaling_law law = { .t1_hours = 1, .serial_fraction = 0.03, .communication_coefficient = 0.0005 };
    struct cost_curve curve = curve_of(&law, 2.10, 9);
    struct node_limits limits = { .allowed = list, .allowed_count = 5 };
    struct k_star_result result;
    k_star(&curve, &limits, &result);
    double lowest = INFINITY;
    unsigned best = 0;
    for (size_t i = 0; i < 5; i++) {
        double cost = (2.10 * list[i] + 9) * hours_by_hand(&law, list[i]);
        if (cost < lowest) {
            lowest = cost;
            best = list[i];
        }
    }
    assert_int_equal(best, 16);
    assert_int_equal(result.k, 16);
    assert_within(k_star_continuous(&law, 2.10, 9), 10, 0.5); /* and |10-4| < |16-10| */
}

static void test_cost_that_falls_for_ever_is_reported_without_a_maximum(void **state)
{
    (void)state;
    struct scaling_law perfect = { .t1_hours = 1 };
    struct scaling_law serial = { .t1_hours = 1, .serial_fraction = 0.05 };
    struct node_limits endless = { 0 };
    struct node_limits powers = { .powers_of_two = true };
    struct node_limits bounded = { .largest = 256 };
    struct k_star_result result;
    struct cost_curve curve = curve_of(&perfect, 2.1, 9);
    assert_int_equal(k_star(&curve, &endless, &result), K_STAR_UNBOUNDED);
    assert_int_equal(result.k, 0);
    assert_int_equal(k_star(&curve, &powers, &result), K_STAR_UNBOUNDED);
    assert_int_equal(k_star(&curve, &bounded, &result), K_STAR_FOUND);
    assert_int_equal(result.k, 256);
    assert_true(isinf(k_star_continuous(&perfect, 2.1, 9)));
    curve.law = &serial; /* c = 0: a cheapest K, no fastest */
    assert_int_equal(k_star(&curve, &endless, &result), K_STAR_FOUND);
    assert_int_equal(k_fastest(&curve, &endless, &result), K_STAR_UNBOUNDED);
    assert_int_equal(k_fastest(&curve, &powers, &result), K_STAR_UNBOUNDED);
    assert_int_equal(k_fastest(&curve, &bounded, &result), K_STAR_FOUND);
    assert_int_equal(result.k, 256);
    assert_true(isinf(k_fastest_continuous(&serial)));
    struct scaling_law stepped = { .t1_hours = 1, .form = SCALING_STEPPED, .step = 0.6 };
    curve = curve_of(&stepped, 2.1, 1); /* 3.1 on one node, above 3.36 on more */
    assert_int_equal(k_star(&curve, &endless, &result), K_STAR_FOUND);
    assert_int_equal(result.k, 1);
    assert_int_equal(k_star(&curve, &powers, &result), K_STAR_FOUND);
    assert_int_equal(result.k, 1);
    curve = curve_of(&stepped, 2.1, 1.3);
    assert_int_equal(k_star(&curve, &endless, &result), K_STAR_UNBOUNDED);
    struct scaling_law all_serial = { .t1_hours = 1, .serial_fraction = 1 };
    curve.law = &all_serial; /* an hour on every K */
    assert_int_equal(k_fastest(&curve, &endless, &result), K_STAR_FOUND);
    assert_int_equal(result.k, 1);
    assert_true(k_fastest_continuous(&all_serial) == 0);
}

/* T = 1/2K: C = p/2 + f/2K comes nearer to 1 with every K, and is 1.0078125 on 64. */
static void test_what_falls_up_to_a_maximum_is_cheapest_there(void **state)
{
    (void)state;
    struct scaling_law law = { .t1_hours = 0.5 };
    struct cost_curve curve = curve_of(&law, 2, 1);
    struct node_limits limits = { .largest = 64 };
    struct k_star_result result;
    assert_found(&curve, &limits, 64, 64);
    k_star(&curve, &limits, &result);
    assert_near(result.cost, 1.0078125, 1e-15);
}

/* Perfect growth behind two measured sizes: T = 4/K, C = 4p + 4f/K. Nothing but the maximum ends
 * it, however far away that is, and a tie within 1e-9 goes to the smallest K: 1/K <= 1/last + 1e-9
 * (p/f + 1/last). */
static void test_where_growth_only_falls_a_far_maximum_is_the_end(void **state)
{
    (void)state;
    const struct measured_size sizes[] = { { .k = 1, .repeats = 1, .hours = 4 },
                                           { .k = 4, .repeats = 1, .hours = 1 } };
    const struct growth_rule growth = growth_rule_of(sizes, 2, 0);
    struct cost_curve curve = { .growth = &growth,
                                .sizes = sizes,
                                .size_count = 2,
                                .price = { .per_node_hour = 2, .per_wall_hour = 9 } };
    static const unsigned maxima[] = { 5, 6, 100, 4097, 50000, 1000000, 100000000 };
    for (size_t i = 0; i < sizeof maxima / sizeof maxima[0]; i++) {
        struct node_limits limits = { .largest = maxima[i] };
        double last = maxima[i] < NODE_LIMITS_LARGEST ? maxima[i] : NODE_LIMITS_LARGEST;
        unsigned cheapest = (unsigned)ceil(1 / (1 / last + 1e-9 * (2 / 9. + 1 / last)));
        unsigned fastest = (unsigned)ceil(last / (1 + 1e-9));
        struct k_star_result result;
        assert_found(&curve, &limits, cheapest, fastest);
        assert_int_equal(k_deadline(&curve, &limits, 4.5 / last, &result), K_STAR_FOUND);
        assert_int_equal(result.k, cheapest);
        assert_int_equal(k_deadline(&curve, &limits, 3.5 / last, &result), K_STAR_DEADLINE_NOT_MET);
        assert_int_equal(result.k, fastest);
    }
    struct node_limits eights = { .smallest = 8, .step = 8, .largest = 1004 };
    assert_found(&curve, &eights, 1000, 1000);
}

static void test_a_deadline_takes_the_cheapest_k_that_meets_it_or_says_none_does(void **state)
{
    (void)state;
    struct cost_curve curve = curve_of(&base, 2.10, 9);
    struct node_limits limits = { 0 };
    struct k_star_result result;
    assert_int_equal(k_deadline(&curve, &limits, 0.15, &result), K_STAR_FOUND);
    assert_int_equal(result.k, 9);
    assert_near(result.cost, 4.1788, 1e-13);
    assert_int_equal(k_deadline(&curve, &limits, 0.2, &result), K_STAR_FOUND); /* K* itself meets it */
    assert_int_equal(result.k, 8);
    assert_int_equal(k_deadline(&curve, &limits, 0.10, &result), K_STAR_DEADLINE_NOT_MET);
    assert_int_equal(result.k, 25); /* the fastest there is */
    assert_int_equal(k_deadline(&curve, &limits, 0, &result), K_STAR_INVALID);
    assert_int_equal(k_deadline(&curve, &limits, NAN, &result), K_STAR_INVALID);
    struct scaling_law serial = { .t1_hours = 1, .serial_fraction = 0.05 };
    curve.law = &serial; /* T never falls to .05 */
    assert_int_equal(k_deadline(&curve, &limits, 0.05, &result), K_STAR_DEADLINE_NOT_MET);
    assert_int_equal(k_deadline(&curve, &limits, 0.06, &result), K_STAR_FOUND);
    assert_int_equal(result.k, 95); /* .95/K + .05 <= .06 */
    /* It falls for ever, but the money does not last: 0.105 K² - 7.555 K + 8.55 <= 0. */
    assert_int_equal(k_budget(&curve, &limits, 10, &result), K_STAR_FOUND);
    assert_int_equal(result.k, 70);
    assert_int_equal(k_budget(&curve, &limits, 0, &result), K_STAR_INVALID);
    result.k = 70;
    assert_int_equal(k_budget(&curve, &limits, INFINITY, &result), K_STAR_INVALID);
    assert_int_equal(result.k, 0);
    /* Exactly what K costs is enough for it, and may be a thousandth of a unit of money. */
    curve = curve_of(&base, 2.10e-3, 9e-3);
    assert_int_equal(k_budget(&curve, &limits, 6.4452e-3, &result), K_STAR_FOUND);
    assert_int_equal(result.k, 25);
    assert_int_equal(k_budget(&curve, &limits, cost_curve_cost(&curve, 12), &result), K_STAR_FOUND);
    assert_int_equal(result.k, 12);
}

static void test_accelerators_beyond_one_node_are_compared_in_whole_nodes(void **state)
{
    (void)state;
    /* Eight to a node; leaving it costs 60 %. Compare by hand over 1..8, 16, 24, ... */
    struct scaling_law law = { .form = SCALING_STEPPED,
                               .t1_hours = 1,
                               .serial_fraction = 0.002,
                               .step = 0.6,
                               .communication_coefficient = 0.00002,
                               .accelerators_per_node = 8 };
    for (double f = 1; f < 2000; f *= 1.5) {
        struct cost_curve curve = curve_of(&law, 1, f);
        struct node_limits limits = { 0 };
        struct k_star_result result;
        double lowest = INFINITY;
        unsigned best = 0;
        for (unsigned k = 1; k <= 4096; k += k < 8 ? 1 : 8) {
            double inefficiency = 1 + (k > 8 ? 0.6 : 0) + (k - 1) * 0.002 + 0.00002 * k * (k - 1);
            double cost = (k + f) * inefficiency / k;
            if (cost < lowest * (1 - 1e-9)) {
                lowest = cost;
                best = k;
            }
        }
        assert_int_equal(k_star(&curve, &limits, &result), K_STAR_FOUND);
        assert_int_equal(result.k, best);
    }
}

static void test_with_stretch_the_search_agrees_with_looking_at_every_k(void **state)
{
    (void)state;
    struct seeded_random random;
    seeded_random_start(&random, 12);
    for (int i = 0; i < 1000; i++) {
        struct scaling_law law = random_law(&random);
        double f = pow(10, 3 * seeded_random_uniform(&random) - 1);
        struct cost_curve curve = curve_of(&law, 2, f);
        curve.interruption = (struct interruption){ .spot = true,
                                                    .price_share = 0.2 + 0.5 * seeded_random_uniform(&random),
                                                    .rate = pow(10, -1 - 4 * seeded_random_uniform(&random)),
                                                    .checkpoint_hours = 0.1 * seeded_random_uniform(&random),
                                                    .restart_hours = 0.3 * seeded_random_uniform(&random) };
        struct node_limits limits = { 0 };
        struct k_star_result star;
        struct k_star_result fastest;
        double lowest[2] = { INFINITY, INFINITY };
        unsigned best[2] = { 0, 0 };
        for (unsigned k = 1; k <= 4096; k++) {
            double rate = k * curve.interruption.rate;
            double hours =
                hours_by_hand(&law, k) * (1 + sqrt(2 * curve.interruption.checkpoint_hours * rate) +
                                          rate * curve.interruption.restart_hours);
            const double value[2] = { (2 * curve.interruption.price_share * k + f) * hours, hours };
            for (int j = 0; j < 2; j++) {
                if (value[j] < lowest[j] * (1 - 1e-9)) {
                    lowest[j] = value[j];
                    best[j] = k;
                }
            }
        }
        assert_int_equal(k_star(&curve, &limits, &star), K_STAR_FOUND);
        assert_int_equal(k_fastest(&curve, &limits, &fastest), K_STAR_FOUND);
        assert_near(star.cost, lowest[0], 2e-9);
        assert_near(fastest.hours, lowest[1], 2e-9);
        assert_true(star.k <= best[0] && fastest.k <= best[1] && star.k <= fastest.k);
        curve.work = 0.25; /* a quarter of it takes a quarter of the time, whatever K */
        assert_found(&curve, &limits, star.k, fastest.k);
    }
}

/* An hour costs the same however many nodes share it, and no two nodes wait for each other: only
 * interruptions speak against more. By hand over every K; a larger one costs at least the last of
 * them, since half the work is serial. */
static void test_where_only_hours_cost_interruptions_end_the_search(void **state)
{
    (void)state;
    struct scaling_law law = { .t1_hours = 1, .serial_fraction = 0.5 };
    struct cost_curve curve = curve_of(&law, 0, 9);
    static const struct interruption often[] = {
        { .rate = 1e-4, .checkpoint_hours = 0.05, .restart_hours = 1 },
        { .rate = 1, .checkpoint_hours = 1e-6, .restart_hours = 0.01 }
    };
    struct node_limits limits = { 0 };
    struct k_star_result result;
    for (size_t i = 0; i < 2; i++) {
        double rate = often[i].rate, checkpoint = often[i].checkpoint_hours, restart = often[i].restart_hours;
        unsigned best = 0;
        double lowest = INFINITY;
        for (unsigned k = 1; k <= 40000; k++) {
            double cost =
                9 * hours_by_hand(&law, k) * (1 + sqrt(2 * checkpoint * k * rate) + k * rate * restart);
            if (cost < lowest * (1 - 1e-9)) {
                lowest = cost;
                best = k;
            }
        }
        curve.interruption = often[i];
        assert_true(best > 2);
        assert_int_equal(k_star(&curve, &limits, &result), K_STAR_FOUND);
        assert_int_equal(result.k, best);
        assert_near(result.cost, lowest, 2e-9);
    }
}

/* docs/energy.md. By hand: K T(K) of the published law is 1 + 0.03 (K-1) + 0.0015 K (K-1). */
static void test_the_least_energy_asks_neither_for_prices_nor_for_hours(void **state)
{
    (void)state;
    static const struct measured_size sizes[] = { { .k = 1, .repeats = 1, .hours = 10 },
                                                  { .k = 2, .repeats = 1, .hours = 4.5 },
                                                  { .k = 4, .repeats = 1, .hours = 3 } };
    struct cost_curve curve = curve_of(&base, 2.10, 9);
    struct node_limits limits = { 0 };
    struct k_star_result result;
    assert_int_equal(k_carbon(&curve, &limits, &result), K_STAR_FOUND);
    assert_int_equal(result.k, 1); /* K* is 8 */
    assert_near(result.cost, 1, 1e-14);
    limits.smallest = 4;
    assert_int_equal(k_carbon(&curve, &limits, &result), K_STAR_FOUND);
    assert_int_equal(result.k, 4);
    assert_near(result.cost, 1.108, 1e-13);
    curve = (struct cost_curve){ .sizes = sizes,
                                 .size_count = 3,
                                 .price = { .per_node_hour = 1, .per_wall_hour = 90 } };
    limits.smallest = 0;
    assert_int_equal(k_star(&curve, &limits, &result), K_STAR_FOUND);
    assert_int_equal(result.k, 4);
    assert_int_equal(k_carbon(&curve, &limits, &result), K_STAR_FOUND);
    assert_int_equal(result.k, 2); /* 9 node-hours against 10 and 12: the model fits into the memory of two */
    assert_near(result.cost, 9, 1e-14);
}

static void test_the_least_energy_agrees_with_looking_at_every_k_and_is_never_above_k_star(void **state)
{
    (void)state;
    struct seeded_random random;
    seeded_random_start(&random, 13);
    for (int i = 0; i < 1000; i++) {
        struct scaling_law law = random_law(&random);
        struct cost_curve curve = curve_of(&law, 2, pow(10, 3 * seeded_random_uniform(&random) - 1));
        curve.interruption = (struct interruption){ .spot = true,
                                                    .price_share = 0.3,
                                                    .rate = pow(10, -1 - 4 * seeded_random_uniform(&random)),
                                                    .checkpoint_hours = 0.1 * seeded_random_uniform(&random),
                                                    .restart_hours = 0.3 * seeded_random_uniform(&random) };
        struct node_limits limits = { .smallest = 1 + (unsigned)(8 * seeded_random_uniform(&random)),
                                      .largest = 512 };
        struct k_star_result carbon, star;
        unsigned best = 0;
        double lowest = INFINITY;
        for (unsigned k = limits.smallest; k <= limits.largest; k++) {
            double rate = k * curve.interruption.rate;
            double energy = k * hours_by_hand(&law, k) *
                            (1 + sqrt(2 * curve.interruption.checkpoint_hours * rate) +
                             rate * curve.interruption.restart_hours);
            if (energy < lowest * (1 - 1e-9)) {
                lowest = energy;
                best = k;
            }
        }
        assert_int_equal(k_carbon(&curve, &limits, &carbon), K_STAR_FOUND);
        assert_int_equal(carbon.k, best);
        assert_near(carbon.cost / lowest, 1, 1e-12);
        assert_int_equal(k_star(&curve, &limits, &star), K_STAR_FOUND);
        assert_true(carbon.k <= star.k);
    }
}

static void test_a_measured_cost_overrides_the_law_where_the_law_misses(void **state)
{
    (void)state;
    /* At K = 12 the measurement is 20 % faster than the law says, beyond noise; at K = 500 twice as
     * fast. */
    struct measured_size sizes[] = {
        { .k = 12, .repeats = 3, .hours = 0.8 * hours_by_hand(&base, 12), .law_misses = true },
        { .k = 500, .repeats = 3, .hours = 0.5 * hours_by_hand(&base, 500), .law_misses = true },
    };
    struct cost_curve curve = curve_of(&base, 2.10, 9);
    curve.sizes = sizes;
    curve.size_count = 2;
    struct node_limits limits = { 0 };
    struct k_star_result result;
    assert_int_equal(k_star(&curve, &limits, &result), K_STAR_FOUND);
    assert_int_equal(result.k, 12);
    assert_true(result.measured);
    assert_near(result.cost, (2.10 * 12 + 9) * 0.8 * hours_by_hand(&base, 12), 1e-13);
    sizes[1].hours = 0.001; /* far beyond where the law's search stops */
    k_star(&curve, &limits, &result);
    assert_int_equal(result.k, 500);
    limits.largest = 256;
    k_star(&curve, &limits, &result);
    assert_int_equal(result.k, 12);
    sizes[0].hours = 2 * hours_by_hand(&base, 12);
    sizes[0].k = 8; /* now K* itself is worse than the law says */
    k_star(&curve, &limits, &result);
    assert_int_equal(result.k, 9);
    assert_false(result.measured);
    limits.largest = 0;
    sizes[0] = (struct measured_size){
        .k = 12, .repeats = 3, .hours = 0.8 * hours_by_hand(&base, 12), .law_misses = true
    };
    sizes[1].law_misses = false; /* the first alone is missed */
    k_star(&curve, &limits, &result);
    assert_int_equal(result.k, 12);
}

static void test_without_a_law_measured_costs_alone_are_compared(void **state)
{
    (void)state;
    static const struct measured_size sizes[] = { { .k = 4, .repeats = 1, .hours = 10 },
                                                  { .k = 8, .repeats = 1, .hours = 7 } };
    struct cost_curve curve = { .sizes = sizes, .size_count = 2, .price = { .per_node_hour = 2 } };
    struct node_limits limits = { 0 };
    struct k_star_result result;
    assert_int_equal(k_star(&curve, &limits, &result), K_STAR_FOUND);
    assert_int_equal(result.k, 4); /* 80 against 112 */
    assert_true(result.measured);
    assert_int_equal(k_fastest(&curve, &limits, &result), K_STAR_FOUND);
    assert_int_equal(result.k, 8);
    limits.smallest = 6;
    k_star(&curve, &limits, &result);
    assert_int_equal(result.k, 8);
    limits.smallest = 9;
    assert_int_equal(k_star(&curve, &limits, &result), K_STAR_NONE_FEASIBLE);
}

static void test_a_serial_fraction_beyond_one_never_leaves_the_smallest_k(void **state)
{
    (void)state;
    struct scaling_law law = { .t1_hours = 1, .serial_fraction = 1.5, .communication_coefficient = 0.01 };
    struct cost_curve curve = curve_of(&law, 1, 100);
    struct node_limits limits = { 0 };
    struct k_star_result result;
    assert_int_equal(k_star(&curve, &limits, &result), K_STAR_FOUND);
    assert_int_equal(result.k, 1);
    limits.smallest = 5;
    k_star(&curve, &limits, &result);
    assert_int_equal(result.k, 5);
    assert_int_equal(k_fastest(&curve, &limits, &result), K_STAR_FOUND);
    assert_int_equal(result.k, 5);
}

static void test_each_doubling_says_what_an_hour_costs(void **state)
{
    (void)state;
    struct cost_curve curve = curve_of(&base, 2.10, 9);
    struct node_limits limits = { .largest = 64 };
    struct k_doubling rows[20];
    size_t count = k_star_doublings(&curve, &limits, 1, rows, 20);
    assert_int_equal(count, 6);
    assert_near(rows[0].hours_saved, 1 - 1.033 / 2, 1e-14);
    assert_near(rows[0].extra_cost, 13.2 * 0.5165 - 11.1, 1e-13);
    assert_true(isnan(rows[0].hours_per_unit)); /* cheaper and faster: no price to pay */
    assert_false(rows[2].unfavourable);         /* 4 -> 8 */
    const struct k_doubling *first = k_star_first_unfavourable(rows, count);
    assert_int_equal(first->from, 8);
    assert_int_equal(first->to, 16);
    double hours16 = hours_by_hand(&base, 16);
    double extra = (2.10 * 16 + 9) * hours16 - 4.17315;
    assert_near(first->extra_cost, extra, 1e-12);
    assert_near(first->hours_per_unit, (0.16175 - hours16) / extra, 1e-12);
    assert_int_equal(rows[5].from, 32); /* saves no time: the last row */
    assert_true(rows[5].hours_saved < 0);
    assert_null(k_star_first_unfavourable(rows, 3));
    limits.largest = 8; /* twice 8 is not feasible */
    assert_int_equal(k_star_doublings(&curve, &limits, 1, rows, 20), 3);
    assert_int_equal(k_star_doublings(&curve, &limits, 1, rows, 2), 2); /* no room for more */
    assert_int_equal(k_star_doublings(&curve, &limits, 8, rows, 20), 0);
    limits.largest = 0;
    assert_int_equal(k_star_doublings(&curve, &limits, NODE_LIMITS_LARGEST / 2, rows, 20), 1);
}

static void test_invalid_numbers_and_empty_sets_have_their_outcomes(void **state)
{
    (void)state;
    struct cost_curve curve = curve_of(&base, -1, 9);
    struct node_limits limits = { 0 };
    struct k_star_result result;
    assert_int_equal(k_star(&curve, &limits, &result), K_STAR_INVALID);
    curve = curve_of(&base, 1, 9);
    limits = (struct node_limits){ .smallest = 10, .largest = 5 };
    assert_int_equal(k_star(&curve, &limits, &result), K_STAR_NONE_FEASIBLE);
    limits = (struct node_limits){ .largest = 1 };
    assert_int_equal(k_star(&curve, &limits, &result), K_STAR_FOUND);
    assert_int_equal(result.k, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_worked_example_is_8_nodes_at_4_17315_and_25_at_6_4452),
        cmocka_unit_test(test_the_cluster_rate_would_give_8_where_the_jobs_share_gives_3),
        cmocka_unit_test(test_every_published_vector_is_met),
        cmocka_unit_test(test_the_cubic_agrees_with_looking_at_every_k),
        cmocka_unit_test(test_a_rebased_law_gives_the_same_k_star_from_its_smallest_size_on),
        cmocka_unit_test(test_a_tie_goes_to_the_smaller_k),
        cmocka_unit_test(test_a_tie_over_many_k_goes_to_the_smallest_of_them),
        cmocka_unit_test(test_a_cost_that_never_changes_is_cheapest_on_one_node),
        cmocka_unit_test(test_a_list_is_searched_and_never_rounded_to),
        cmocka_unit_test(test_cost_that_falls_for_ever_is_reported_without_a_maximum),
        cmocka_unit_test(test_what_falls_up_to_a_maximum_is_cheapest_there),
        cmocka_unit_test(test_where_growth_only_falls_a_far_maximum_is_the_end),
        cmocka_unit_test(test_a_deadline_takes_the_cheapest_k_that_meets_it_or_says_none_does),
        cmocka_unit_test(test_accelerators_beyond_one_node_are_compared_in_whole_nodes),
        cmocka_unit_test(test_with_stretch_the_search_agrees_with_looking_at_every_k),
        cmocka_unit_test(test_where_only_hours_cost_interruptions_end_the_search),
        cmocka_unit_test(test_the_least_energy_asks_neither_for_prices_nor_for_hours),
        cmocka_unit_test(test_the_least_energy_agrees_with_looking_at_every_k_and_is_never_above_k_star),
        cmocka_unit_test(test_a_measured_cost_overrides_the_law_where_the_law_misses),
        cmocka_unit_test(test_without_a_law_measured_costs_alone_are_compared),
        cmocka_unit_test(test_a_serial_fraction_beyond_one_never_leaves_the_smallest_k),
        cmocka_unit_test(test_each_doubling_says_what_an_hour_costs),
        cmocka_unit_test(test_invalid_numbers_and_empty_sets_have_their_outcomes),
    };
    return cmocka_run_group_tests_name("k_star", tests, NULL, NULL);
}
