/* What to measure next, most telling first, and that it stays within the sizes there are. */
#include "interval_on.h"
#include "verdict_test.h"

/* Halving goes on but for one size: .71 on 4 nodes where .25 was to come, which the two beside it
 * cannot both be blamed for. */
static void test_of_measurements_that_contradict_each_other_the_odd_one_is_to_be_repeated(void **state)
{
    (void)state;
    static const struct {
        struct measurement runs[13];
        size_t count;
        unsigned odd;
    } families[] = {
        { { { 1, 1 },
            { 1, 1.02 },
            { 2, .5 },
            { 2, .51 },
            { 4, .7 },
            { 4, .71 },
            { 8, .13 },
            { 8, .131 },
            { 16, .2 },
            { 16, .21 } },
          10,
          4 },
        { { { 4, 1 }, { 8, 3 }, { 16, .25 } }, 3, 8 }, /* it alone is between others */
        { { { 1, 1 }, { 2, .5 }, { 4, .9 }, { 8, .125 } },
          4,
          4 }, /* what lies beside one node says nothing */
        { { { 2, 9 }, { 4, .25 }, { 8, .125 }, { 16, .0625 }, { 32, .03125 } }, 5, 2 }, /* an end */
        { { { 1, 1 }, { 2, .5 }, { 4, .25 }, { 8, .03 }, { 8, .22 }, { 16, .07 } },
          6,
          8 },                                  /* its own runs differ */
        { { { 1, 6.2e6 }, { 2, 1.8 } }, 2, 1 }, /* what E is relative to */
        { { { 1, 100 }, { 2, 2 }, { 4, 1 }, { 8, .5 }, { 16, .25 } },
          5,
          1 }, /* and so, where the others agree */
        { { { 1, .499 },
            { 2, .266 },
            { 2, .999 },
            { 2, .266 },
            { 2, .999 },
            { 2, .266 },
            { 2, .999 },
            { 4, .122 },
            { 4, .609 },
            { 8, .077 },
            { 8, .296 },
            { 16, .055 },
            { 16, .15 } },
          13,
          4 }, /* ln (.609 / .122) = 1.61 is more than ln (.999 / .266) = 1.32, however often that was seen */
    };
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        char text[160], expected[160];
        fit_runs(families[i].runs, families[i].count, 0);
        struct verdict_answer answer = judge(16, &open_limits, NULL);
        assert_says(answer, VERDICT_NOT_MEASURED, VERDICT_REASON_MISFIT);
        snprintf(expected, sizeof expected,
                 "repeat K = %u: the measurements contradict each other most at this size", families[i].odd);
        assert_string_equal(verdict_next_text(&answer, text, sizeof text), expected);
    }
}

static void test_advice_stays_within_the_feasible_sizes(void **state)
{
    (void)state;
    struct node_limits to_8 = { .largest = 8, .powers_of_two = true };
    measure_family(&usl, 4, 1e-5); /* to 8, which is K* as well */
    struct verdict_answer answer = judge(8, &to_8, NULL);
    assert_int_equal(answer.next, MEASURE_REPEATS);
    assert_int_equal(answer.next_k, 8);
    static const struct measurement two[] = { { 4, 10 }, { 8, 9 } };
    fit_runs(two, 2, 0);
    struct node_limits from_4 = { .smallest = 4, .largest = 8 };
    answer = judge(8, &from_4, NULL);
    assert_int_equal(answer.next, MEASURE_REPEATS);
    assert_int_equal(answer.next_k, 4);
    /* Both were run twice: no noise is left to learn, but a size between them. */
    static const struct measurement twice[] = { { 4, 10 }, { 4, 10.1 }, { 8, 9 }, { 8, 9.1 } };
    fit_runs(twice, 4, 0);
    answer = judge(8, &from_4, NULL);
    assert_int_equal(answer.next, MEASURE_A_SIZE);
    assert_int_equal(answer.next_k, 6);
    from_4.powers_of_two = true;
    assert_int_equal(judge(8, &from_4, NULL).next, MEASURE_NO_SIZE);
    /* A size between the two is left. */
    static const struct measurement distant[] = { { 4, 10 }, { 16, 9 } };
    fit_runs(distant, 2, 0);
    answer = judge(16, &(struct node_limits){ .smallest = 4, .largest = 16 }, NULL);
    assert_int_equal(answer.next, MEASURE_A_SIZE);
    assert_int_equal(answer.next_k, 8);
}

/* Twice the largest measured is not allowed, but one more is. */
static void test_advice_takes_what_there_is_beyond_the_largest_size(void **state)
{
    (void)state;
    struct node_limits to_12 = { .largest = 12 };
    measure_family(&usl, 4, 1e-5); /* to 8, which is K* as well */
    struct verdict_answer answer = judge(8, &to_12, NULL);
    assert_int_equal(answer.next, MEASURE_BEYOND_OPTIMUM);
    assert_int_equal(answer.next_k, 9);
    /* Twice as many is asked for up to half of what node_limits.h ends with. */
    static const struct {
        unsigned largest, next_k;
    } huge[] = { { 400000, 800000 }, { 524288, 524289 } };
    for (size_t i = 0; i < 2; i++) {
        const struct measurement two[] = { { 1, 10 }, { huge[i].largest, 9 } };
        fit_runs(two, 2, 0);
        answer = judge(1, &open_limits, NULL);
        assert_int_equal(answer.next, MEASURE_A_SIZE);
        assert_int_equal(answer.next_k, huge[i].next_k);
    }
}

/* At K* = the largest size measured, and where the interval on K* includes larger sizes. */
static void test_where_k_star_may_be_beyond_what_was_measured_one_size_beyond_is_asked_for(void **state)
{
    (void)state;
    struct node_limits powers = { .powers_of_two = true };
    measure_family(&usl, 4, 1e-5); /* to 8 */
    curve.price.per_wall_hour = 4;
    struct verdict_answer answer = judge(8, &powers, NULL);
    assert_int_equal(answer.k_star.k, 8);
    assert_int_equal(answer.next, MEASURE_BEYOND_OPTIMUM);
    assert_int_equal(answer.next_k, 16);
    measure_family(&usl, 6, 1e-5); /* to 32 */
    interval = (struct k_interval){ .method = K_INTERVAL_DELTA, .range_count = 1, .ranges = { { 8, 33 } } };
    answer = judge(8, &powers, &interval);
    assert_int_equal(answer.k_star.k, 8);
    assert_int_equal(answer.next, MEASURE_BEYOND_OPTIMUM);
    assert_int_equal(answer.next_k, 64);
    interval.ranges[0].to = 32;
    assert_int_equal(judge(8, &powers, &interval).next, MEASURE_REPEATS);
}

/* Three sizes are enough not to ask for a fourth at any price: K* of these lies between two of
 * them. */
static void test_of_three_sizes_the_gap_around_k_star_is_what_is_asked_for(void **state)
{
    (void)state;
    struct node_limits powers = { .powers_of_two = true };
    struct measurement runs[3];
    for (unsigned i = 0; i < 3; i++)
        runs[i] = (struct measurement){ 1u << 3 * i, scaling_law_hours(&usl, 1u << 3 * i) }; /* 1, 8, 64 */
    fit_runs(runs, 3, 0);
    struct verdict_answer answer = judge(64, &powers, NULL);
    assert_int_equal(answer.k_star.k, 8);
    assert_int_equal(answer.next, MEASURE_THE_GAP);
    assert_int_equal(answer.next_k, 4); /* of two gaps as wide, the first: sqrt(1 x 8) = 2.8 */
    /* The gap from 2 to 8 is beside K* as well, that from 8 to 64 is wider. */
    static const unsigned sizes[] = { 1, 2, 8, 64 };
    struct measurement four[4];
    for (size_t i = 0; i < 4; i++)
        four[i] = (struct measurement){ sizes[i], scaling_law_hours(&usl, sizes[i]) };
    fit_runs(four, 4, 0);
    answer = judge(64, &powers, NULL);
    assert_int_equal(answer.k_star.k, 8);
    assert_int_equal(answer.next, MEASURE_THE_GAP);
    assert_int_equal(answer.next_k, 32); /* sqrt(8 x 64) = 22.6 */
}

/* On a law that stands: K* is not measured, in a gap of 2.5 times or of 2.67. */
static void test_a_gap_is_wider_than_a_doubling_and_has_a_size_to_run(void **state)
{
    (void)state;
    static const struct {
        unsigned sizes[6];
        struct node_limits limits;
        unsigned k_star, next_k;
        enum measure_next next;
    } gaps[] = {
        { { 1, 2, 4, 10, 20, 40 }, { 0 }, 8, 6, MEASURE_THE_GAP }, /* sqrt(4 x 10) = 6.3 */
        /* No power of two lies between the middle of 3 and 8, which is 4.9, and 8. */
        { { 1, 2, 3, 8, 16, 32 }, { .powers_of_two = true }, 4, 4, MEASURE_REPEATS },
    };
    for (size_t i = 0; i < sizeof gaps / sizeof gaps[0]; i++) {
        struct measurement runs[6];
        for (size_t j = 0; j < 6; j++) {
            unsigned k = gaps[i].sizes[j];
            runs[j] = (struct measurement){ k, scaling_law_hours(&usl, k) * (1 + 1e-5 * quiet[j]) };
        }
        fit_runs(runs, 6, 0);
        curve.price.per_wall_hour = gaps[i].k_star == 4 ? 2 : 9;
        assert_int_equal(fit.outcome, SCALING_FIT_LAW);
        struct verdict_answer answer = judge(16, &gaps[i].limits, NULL);
        assert_int_equal(answer.k_star.k, gaps[i].k_star);
        assert_int_equal(answer.next, gaps[i].next);
        assert_int_equal(answer.next_k, gaps[i].next_k);
    }
}

/* If no gap is beside K*, the widest gap elsewhere is worth more than a size beyond them all. */
static void test_a_gap_elsewhere_is_filled_where_there_is_none_beside_k_star(void **state)
{
    (void)state;
    static const unsigned sizes[] = { 1, 2, 4, 32 };
    struct measurement runs[4];
    for (size_t i = 0; i < 4; i++)
        runs[i] = (struct measurement){ sizes[i], scaling_law_hours(&usl, sizes[i]) };
    fit_runs(runs, 4, 0);
    curve.price.per_wall_hour = 0;
    struct verdict_answer answer = judge(2, &open_limits, NULL);
    assert_int_equal(answer.k_star.k, 1);
    assert_int_equal(answer.next, MEASURE_A_SIZE);
    assert_int_equal(answer.next_k, 11); /* sqrt(4 x 32) = 11.3 */
    measure_family(&usl, 4, 1e-5);       /* 1, 2, 4, 8: no gap anywhere */
    curve.price.per_wall_hour = 0;
    answer = judge(2, &open_limits, NULL);
    assert_int_equal(answer.k_star.k, 1);
    assert_int_equal(answer.next, MEASURE_A_SIZE);
    assert_int_equal(answer.next_k, 16);
    fit_runs(runs, 4, 0);
    curve.price.per_node_hour = -0.5; /* and where there is no K* at all */
    answer = judge(2, &open_limits, NULL);
    assert_int_equal(answer.k_star.k, 0);
    assert_int_equal(answer.next, MEASURE_A_SIZE);
    assert_int_equal(answer.next_k, 11);
}

/* At a price below zero no K is the cheapest: what is to be repeated is the smallest size. */
static void test_without_k_star_the_smallest_size_is_repeated(void **state)
{
    (void)state;
    measure_family(&usl, 6, 1e-5);
    curve.price.per_node_hour = -0.5;
    struct verdict_answer answer = judge(16, &open_limits, NULL);
    assert_int_equal(answer.k_star.k, 0);
    assert_int_equal(answer.next, MEASURE_REPEATS);
    assert_int_equal(answer.next_k, 1);
}

/* K* is 8. Two runs of it leave the other sizes' noise unknown: of those run once 4 and 16 are as
 * near, and the smaller one is named. */
static void test_where_a_law_may_stand_by_chance_another_size_is_repeated(void **state)
{
    (void)state;
    static const double off[] = { 0.02, -0.02, 0.01, 0.02, -0.016, -0.008 };
    struct measurement runs[7];
    for (unsigned i = 0; i < 6; i++)
        runs[i] = (struct measurement){ 1u << i, scaling_law_hours(&usl, 1u << i) * (1 + off[i]) };
    runs[6] = runs[3];
    fit_runs(runs, 7, 0);
    assert_int_equal(fit.reason, SCALING_REASON_BY_CHANCE);
    struct verdict_answer answer = judge(8, &(struct node_limits){ .powers_of_two = true }, NULL);
    assert_int_equal(answer.k_star.k, 8);
    assert_true(answer.low_confidence);
    assert_int_equal(answer.next, MEASURE_REPEATS);
    assert_int_equal(answer.next_k, 4);
}

static void test_advice_for_accelerators_begins_at_a_whole_node(void **state)
{
    (void)state;
    struct measurement runs[5];
    struct node_limits whole_nodes = { .step = 8 };
    for (unsigned i = 0; i < 5; i++)
        runs[i] = (struct measurement){ 8u << i, scaling_law_hours(&usl, 1u << i) };
    fit_runs(runs, 5, 8);
    assert_int_not_equal(judge(32, &open_limits, NULL).next, MEASURE_ONE_NODE);
    fit_runs(runs + 1, 4, 8);
    struct verdict_answer answer = judge(32, &whole_nodes, NULL);
    assert_int_equal(answer.next, MEASURE_ONE_NODE);
    assert_int_equal(answer.next_k, 8);
    /* Two sizes make no law, but eight accelerators are one node all the same: the next size is
     * asked for. */
    fit_runs(runs, 2, 8);
    assert_int_equal(fit.outcome, SCALING_FIT_MEASURED_ONLY);
    answer = judge(16, &open_limits, NULL);
    assert_int_equal(answer.next, MEASURE_A_SIZE);
    assert_int_equal(answer.next_k, 32);
    assert_int_equal(judge(16, &whole_nodes, NULL).next, MEASURE_A_SIZE);
}

static void test_where_the_noise_is_known_only_an_unmeasured_size_is_left_to_measure(void **state)
{
    (void)state;
    struct measurement runs[12];
    for (unsigned i = 0; i < 12; i++)
        runs[i] =
            (struct measurement){ 1u << i / 2, scaling_law_hours(&usl, 1u << i / 2) * (i % 2 ? 1.04 : 0.96) };
    fit_runs(runs, 12, 0);
    interval = (struct k_interval){ 0 };
    struct verdict_answer answer = judge(13, &open_limits, &interval);
    assert_says(answer, VERDICT_WITHIN_ERROR, VERDICT_REASON_NOT_SURE);
    assert_int_equal(answer.next, MEASURE_THIS_SIZE);
    assert_int_equal(answer.next_k, 13);
    assert_int_equal(judge(16, &open_limits, &interval).next, MEASURE_NOTHING);
    answer = judge(5, &open_limits, &interval);
    assert_says(answer, VERDICT_BELOW_WITHIN_ERROR, VERDICT_REASON_NOT_SURE);
    assert_int_equal(answer.next, MEASURE_THIS_SIZE);
    assert_int_equal(answer.next_k, 5);
}

/* Each size three times, 10 % about the law; 8 nodes 6 % off it. The law stands, since that may be
 * noise; and so may K* = 9 be. */
static void test_where_only_the_noise_lets_a_law_stand_k_star_is_to_be_measured(void **state)
{
    (void)state;
    struct measurement runs[18];
    curve.price = price;
    for (size_t shift = 0; shift < 2; shift++) {
        double noise = shift == 0 ? 0.02 : 0.1;
        for (unsigned i = 0; i < 18; i++) {
            static const double around[] = { 1, -1, 0 };
            runs[i] = (struct measurement){ 1u << i / 3, scaling_law_hours(&usl, 1u << i / 3) *
                                                             (1 + noise * around[i % 3]) };
        }
        fit_runs(runs, 18, 0);
        curve.price.per_wall_hour = 13; /* K* 9 or 10 */
        assert_int_equal(fit.outcome, SCALING_FIT_LAW);
        assert_int_equal(fit.stands_by_noise, shift == 1);
        struct verdict_answer answer = judge(16, &open_limits, NULL);
        assert_in_range(answer.k_star.k, 9, 11);
        assert_int_equal(answer.next, shift == 1 ? MEASURE_K_STAR : MEASURE_NOTHING);
        answer = judge(16, &(struct node_limits){ .powers_of_two = true }, NULL); /* K* is measured */
        assert_int_equal(answer.next, shift == 1 ? MEASURE_MORE : MEASURE_NOTHING);
        assert_int_equal(answer.next_k, shift == 1 ? answer.k_star.k : 0);
    }
    curve.price.per_wall_hour = 0; /* one node is the cheapest */
    struct verdict_answer answer = judge(16, &open_limits, NULL);
    assert_int_equal(answer.k_star.k, 1);
    assert_int_equal(answer.next, MEASURE_MORE);
    assert_int_equal(answer.next_k, 1);
    curve.price.per_node_hour = -0.5; /* no size is */
    answer = judge(16, &open_limits, NULL);
    assert_int_equal(answer.k_star.k, 0);
    assert_int_equal(answer.next, MEASURE_NOTHING);
}

static void test_advice_names_the_size_that_narrows_the_interval_most(void **state)
{
    (void)state;
    char text[160];
    /* Measured to 8 and K* is 8: one size beyond. */
    measure_family(&usl, 4, 0.005);
    struct verdict_answer answer = judge(8, &open_limits, NULL);
    assert_int_equal(answer.next, MEASURE_BEYOND_OPTIMUM);
    assert_int_equal(answer.next_k, 16);
    assert_string_equal(verdict_next_text(&answer, text, sizeof text),
                        "measure K = 16: one size beyond the suspected optimum pins K* down best");
    /* Measured well past it, once each: repeat. */
    measure_family(&usl, 6, 0.005);
    answer = judge(16, &open_limits, NULL);
    assert_int_equal(answer.next, MEASURE_REPEATS);
    assert_int_equal(answer.next_k, 8);
    /* A wide gap around K*. */
    static const struct measurement gap[] = { { 1, 1 }, { 2, 0.5165 }, { 32, 0.106813 }, { 64, 0.139 } };
    fit_runs(gap, 4, 0);
    answer = judge(32, &open_limits, NULL);
    assert_int_equal(answer.next, MEASURE_A_SIZE);
    assert_int_equal(answer.next_k, 8);
    struct node_limits powers = { .powers_of_two = true };
    assert_int_equal(judge(32, &powers, NULL).next_k, 8);
}

static void test_a_gap_beside_k_star_is_named_before_repeats(void **state)
{
    (void)state;
    struct node_limits powers = { .powers_of_two = true };
    /* A law stands, and K* of it lies between 4 and 32. */
    struct measurement lawful[6];
    static const unsigned sizes[] = { 1, 2, 4, 32, 64, 128 };
    for (size_t i = 0; i < 6; i++)
        lawful[i] =
            (struct measurement){ sizes[i], scaling_law_hours(&usl, sizes[i]) * (1 + 1e-5 * quiet[i]) };
    fit_runs(lawful, 6, 0);
    assert_int_equal(fit.outcome, SCALING_FIT_LAW);
    struct verdict_answer answer = judge(64, &open_limits, NULL);
    assert_int_equal(answer.k_star.k, 8);
    assert_int_equal(answer.next, MEASURE_THE_GAP);
    assert_int_equal(answer.next_k, 11); /* sqrt(4 x 32) = 11.3 */
    /* Of four sizes none stands; K* was measured, at the gap's lower end. */
    fit_runs(lawful, 4, 0);
    curve.price.per_wall_hour = 2;
    assert_int_equal(fit.outcome, SCALING_FIT_GROWTH);
    answer = judge(32, &powers, NULL);
    assert_int_equal(answer.k_star.k, 4);
    assert_int_equal(answer.next, MEASURE_THE_GAP);
    assert_int_equal(answer.next_k, 16);
    /* Where every K is allowed K* is between two of them, and is what to measure. */
    curve.price.per_wall_hour = 6;
    answer = judge(32, &open_limits, NULL);
    assert_in_range(answer.k_star.k, 5, 7);
    assert_int_equal(answer.next, MEASURE_K_STAR);
    assert_int_equal(answer.next_k, answer.k_star.k);
}

/* Eight nodes were run once, 15 % too fast for the others; a second run of one node changes nothing
 * about that. In truth K* is 12: C = (20 x 12 + 80) x 11.44 h = 3,660.80, and on 16 (20 x 16 + 80)
 * x 9.35 h = 3,740.00, 2.2 % more. */
static void test_a_repeat_elsewhere_makes_no_flag_of_a_single_run(void **state)
{
    (void)state;
    struct scaling_law law = { .form = SCALING_STEPPED,
                               .t1_hours = 100,
                               .serial_fraction = 0.02,
                               .communication_coefficient = 0.0004,
                               .step = 0.1 };
    struct measurement runs[7];
    char text[160];
    for (unsigned i = 0; i < 6; i++)
        runs[i] = (struct measurement){ 1u << i, scaling_law_hours(&law, 1u << i) * (i == 3 ? 0.85 : 1) };
    runs[6] = (struct measurement){ 1, 100.1 };
    for (size_t count = 6; count <= 7; count++) {
        scaling_fit(runs, count, 0, &fit);
        verdict_curve(&fit, &(struct job_price){ .per_node_hour = 20, .per_wall_hour = 80 }, &curve);
        interval_on(&fit, &curve, &open_limits, &interval);
        assert_true(k_interval_contains(&interval, 12));
        struct verdict_answer answer = judge(16, &open_limits, &interval);
        assert_int_equal(answer.verdict, VERDICT_WITHIN_ERROR);
        assert_int_equal(answer.k_star.k, 8);
        assert_string_equal(verdict_next_text(&answer, text, sizeof text),
                            count == 6 ? "repeat K = 8: without repeats the noise is unknown"
                                       : "repeat K = 8: K* rests on a single run of this size");
    }
    /* K* was run twice as well: nothing is left to ask for. */
    struct measurement more[8];
    memcpy(more, runs, sizeof runs);
    more[7] = (struct measurement){ 8, runs[3].hours * 1.001 };
    scaling_fit(more, 8, 0, &fit);
    verdict_curve(&fit, &(struct job_price){ .per_node_hour = 20, .per_wall_hour = 80 }, &curve);
    assert_int_equal(judge(16, &open_limits, NULL).next, MEASURE_NOTHING);
}

/* 1, 2, 4 and 8 nodes, each run twice, are too few for a sure flag: another size between them
 * would help, and where the family allows none, nothing does. */
static void test_of_four_repeated_sizes_a_size_between_them_is_left(void **state)
{
    (void)state;
    static const unsigned powers[] = { 1, 2, 4, 8 };
    const struct node_limits eight = { .largest = 8 };
    const struct node_limits only = { .allowed = powers, .allowed_count = 4 };
    struct measurement runs[8];
    for (unsigned i = 0; i < 8; i++)
        runs[i] = (struct measurement){ powers[i / 2], scaling_law_hours(&usl, powers[i / 2]) *
                                                           exp(i % 2 ? 0.001 : -0.001) };
    fit_runs(runs, 8, 0);
    curve.price.per_wall_hour = 0; /* K* 1 */
    assert_int_equal(fit.confidence, SCALING_CONFIDENCE_LOW);
    struct verdict_answer answer = judge(4, &eight, &interval);
    assert_true(answer.low_confidence);
    assert_int_equal(answer.k_star.k, 1);
    assert_int_equal(answer.next, MEASURE_A_SIZE);
    assert_int_equal(answer.next_k, 3);
    answer = judge(4, &only, &interval);
    assert_int_equal(answer.next, MEASURE_NO_SIZE);
    assert_int_equal(answer.next_k, 0);
    char text[128];
    assert_string_equal(verdict_next_text(&answer, text, sizeof text),
                        "nothing more can be measured: the family allows no other size");
}

/* Measured to 32 nodes. Without waiting K* is 8, and at 91 an hour of waiting the band is 8 to 17
 * (test_verdict.c). Below the band the interval on its lower end counts, elsewhere that on its
 * upper end. */
static void test_the_interval_on_the_nearer_end_of_the_band_is_what_counts(void **state)
{
    (void)state;
    static const struct {
        double rate;
        unsigned k;
        bool money_counts;
    } jobs[] = { { 91, 5, true },   { 91, 8, false }, { 91, 9, false },
                 { 91, 32, false }, { 0, 5, false },  { 0.5, 5, true } };
    const struct k_interval beyond = { .method = K_INTERVAL_DELTA,
                                       .range_count = 1,
                                       .ranges = { { 4, 33 } } };
    const struct k_interval within = { .method = K_INTERVAL_DELTA,
                                       .range_count = 1,
                                       .ranges = { { 4, 20 } } };
    for (size_t i = 0; i < 2 * sizeof jobs / sizeof jobs[0]; i++) {
        bool money_is_beyond = i % 2 == 0;
        measure_family(&usl, 6, 1e-5);
        curve.price.waiting_per_hour = jobs[i / 2].rate;
        struct verdict_answer answer =
            ask((struct verdict_question){ .fit = &fit,
                                           .curve = &curve,
                                           .limits = &open_limits,
                                           .interval = money_is_beyond ? &within : &beyond,
                                           .money_interval = money_is_beyond ? &beyond : &within,
                                           .k = jobs[i / 2].k });
        assert_int_equal(answer.least_money.k, 8);
        assert_int_equal(answer.next, jobs[i / 2].money_counts == money_is_beyond ? MEASURE_BEYOND_OPTIMUM
                                                                                  : MEASURE_REPEATS);
    }
}

/* The same family, measured to 16 nodes: the upper end of the band is beyond them. The job on 8
 * nodes is in the band, and that on 5 is not. */
static void test_in_the_band_its_upper_end_is_what_is_measured(void **state)
{
    (void)state;
    measure_family(&usl, 5, 1e-5);
    curve.price.waiting_per_hour = 91;
    struct verdict_answer answer = judge(8, &open_limits, NULL);
    assert_int_equal(answer.least_money.k, 8);
    assert_in_range(answer.with_waiting.k, 17, 18);
    assert_int_equal(answer.next, MEASURE_BEYOND_OPTIMUM);
    assert_int_equal(answer.next_k, 32);
    assert_int_equal(judge(5, &open_limits, NULL).next, MEASURE_A_SIZE); /* for the law */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_of_measurements_that_contradict_each_other_the_odd_one_is_to_be_repeated),
        cmocka_unit_test(test_advice_stays_within_the_feasible_sizes),
        cmocka_unit_test(test_advice_takes_what_there_is_beyond_the_largest_size),
        cmocka_unit_test(test_where_k_star_may_be_beyond_what_was_measured_one_size_beyond_is_asked_for),
        cmocka_unit_test(test_of_three_sizes_the_gap_around_k_star_is_what_is_asked_for),
        cmocka_unit_test(test_a_gap_is_wider_than_a_doubling_and_has_a_size_to_run),
        cmocka_unit_test(test_a_gap_elsewhere_is_filled_where_there_is_none_beside_k_star),
        cmocka_unit_test(test_without_k_star_the_smallest_size_is_repeated),
        cmocka_unit_test(test_where_a_law_may_stand_by_chance_another_size_is_repeated),
        cmocka_unit_test(test_advice_for_accelerators_begins_at_a_whole_node),
        cmocka_unit_test(test_where_the_noise_is_known_only_an_unmeasured_size_is_left_to_measure),
        cmocka_unit_test(test_where_only_the_noise_lets_a_law_stand_k_star_is_to_be_measured),
        cmocka_unit_test(test_advice_names_the_size_that_narrows_the_interval_most),
        cmocka_unit_test(test_a_gap_beside_k_star_is_named_before_repeats),
        cmocka_unit_test(test_a_repeat_elsewhere_makes_no_flag_of_a_single_run),
        cmocka_unit_test(test_of_four_repeated_sizes_a_size_between_them_is_left),
        cmocka_unit_test(test_the_interval_on_the_nearer_end_of_the_band_is_what_counts),
        cmocka_unit_test(test_in_the_band_its_upper_end_is_what_is_measured),
    };
    return cmocka_run_group_tests_name("next_measurement", tests, NULL, NULL);
}
