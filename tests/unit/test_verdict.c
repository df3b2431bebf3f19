/* Each verdict, in the order in which they apply, on families made for it. */
#include "model/verdict.h"
#include "model_test.h"

static struct scaling_fit fit;
static struct cost_curve curve;
static struct k_interval interval;
static const struct job_price price = { .per_node_hour = 2.10, .per_wall_hour = 9 };
static const struct scaling_law usl = { .t1_hours = 1,
                                        .serial_fraction = 0.03,
                                        .communication_coefficient = 0.0015 };
static const double quiet[] = { 1, -1, 0.5, 1, -0.8, -0.4, 0.6 };

/* Fits exact times of a law at 1, 2, 4, ... with a small fixed disturbance. */
static void measure_family(const struct scaling_law *law, size_t sizes, double noise)
{
    struct measurement runs[8];
    for (size_t i = 0; i < sizes; i++) {
        runs[i] = (struct measurement){ 1u << i, scaling_law_hours(law, 1u << i) * (1 + noise * quiet[i]) };
    }
    scaling_fit(runs, sizes, 0, &fit);
    verdict_curve(&fit, &price, &curve);
}

static struct verdict_answer judge(unsigned k, const struct node_limits *limits,
                                   const struct k_interval *known)
{
    struct verdict_question question = {
        .fit = &fit, .curve = &curve, .limits = limits, .interval = known, .k = k, .hours = 10
    };
    struct verdict_answer answer;
    verdict_of(&question, &answer);
    return answer;
}

static const struct node_limits open_limits = { 0 };

static void assert_says(struct verdict_answer answer, enum verdict verdict, enum verdict_reason reason)
{
    assert_string_equal(verdict_name(answer.verdict), verdict_name(verdict));
    assert_string_equal(verdict_reason_text(answer.reason), verdict_reason_text(reason));
}

static void test_around_the_optimum_money_decides(void **state)
{
    (void)state;
    measure_family(&usl, 6, 1e-5);
    interval = (struct k_interval){ .method = K_INTERVAL_DELTA, .range_count = 1, .ranges = { { 8, 13 } } };
    assert_says(judge(8, &open_limits, &interval), VERDICT_AT_OR_BELOW, VERDICT_REASON_AT_OR_BELOW);
    assert_says(judge(2, &open_limits, &interval), VERDICT_AT_OR_BELOW, VERDICT_REASON_AT_OR_BELOW);
    /* K=10 costs 1.0 % more: near, inside the interval or not. */
    assert_says(judge(10, &open_limits, &interval), VERDICT_NEAR, VERDICT_REASON_SMALL_EXCESS);
    /* K=13: 36.3 x 1.594/13 = 4.45094, 6.2 % of it too much. */
    assert_says(judge(13, &open_limits, &interval), VERDICT_WITHIN_ERROR, VERDICT_REASON_INSIDE_INTERVAL);
    struct verdict_answer flagged = judge(16, &open_limits, &interval);
    assert_says(flagged, VERDICT_ABOVE, VERDICT_REASON_ABOVE);
    assert_false(flagged.low_confidence);
    assert_int_equal(flagged.k_star.k, 8);
    assert_within(flagged.cost_ratio, 1 / 1.155, 1e-3);
    assert_within(flagged.excess_share, 1 - 1 / 1.155, 1e-3);
    /* T(8)/T(16) = .16175/.113125 */
    assert_within(flagged.hours_at_k_star, 10 * 0.16175 / 0.113125, 1e-2);
    assert_within(flagged.efficiency, 1 / 1.81, 1e-3);
}

/* A set: either leaving the node does not pay, or 7 to 11 nodes do. On 4 a job is above the first and below the second. */
static void test_below_a_part_of_the_interval_is_not_surely_above(void **state)
{
    (void)state;
    struct scaling_law law = { .form = SCALING_STEPPED,
                               .t1_hours = 1,
                               .serial_fraction = 0.02,
                               .communication_coefficient = 0.001,
                               .step = 0.5 };
    measure_family(&law, 6, 1e-5);
    curve.price.per_wall_hour = 1.5;
    interval = (struct k_interval){ .method = K_INTERVAL_BOOTSTRAP,
                                    .range_count = 2,
                                    .ranges = { { 1, 1 }, { 7, 11 } } };
    struct verdict_answer answer = judge(3, &open_limits, &interval);
    assert_int_equal(answer.k_star.k, 1);
    assert_says(answer, VERDICT_WITHIN_ERROR, VERDICT_REASON_BELOW_INTERVAL);
    assert_says(judge(9, &open_limits, &interval), VERDICT_WITHIN_ERROR, VERDICT_REASON_INSIDE_INTERVAL);
    assert_says(judge(12, &open_limits, &interval), VERDICT_ABOVE, VERDICT_REASON_ABOVE);
    interval.ranges[1].to = K_STAR_NO_END; /* "1, 7 or more" */
    assert_says(judge(12, &open_limits, &interval), VERDICT_WITHIN_ERROR, VERDICT_REASON_INSIDE_INTERVAL);
}

static void test_near_is_configurable(void **state)
{
    (void)state;
    measure_family(&usl, 6, 1e-5);
    struct verdict_rules rules = VERDICT_RULES;
    rules.near_share = 0.2;
    struct verdict_question question = {
        .fit = &fit, .curve = &curve, .limits = &open_limits, .rules = &rules, .k = 16
    };
    struct verdict_answer answer;
    assert_int_equal(verdict_of(&question, &answer), VERDICT_NEAR);
    assert_true(isnan(answer.hours_at_k_star)); /* hours unknown */
    const double shares[] = { answer.excess_share, nextafter(answer.excess_share, 0) };
    for (size_t i = 0; i < 2; i++) { /* that much is near, and no more */
        rules.near_share = shares[i];
        assert_int_equal(verdict_of(&question, &answer), i == 0 ? VERDICT_NEAR : VERDICT_ABOVE);
    }
}

static void test_a_flag_without_an_interval_is_of_low_confidence(void **state)
{
    (void)state;
    measure_family(&usl, 3, 0.01);
    interval = (struct k_interval){ .reason = K_INTERVAL_NO_FREEDOM };
    curve.price.per_wall_hour = 0.9; /* K* 3 by the undisturbed law */
    struct verdict_answer answer = judge(8, &open_limits, &interval);
    assert_says(answer, VERDICT_ABOVE, VERDICT_REASON_ABOVE_NO_INTERVAL);
    assert_true(answer.low_confidence);
    assert_int_not_equal(answer.next, MEASURE_NOTHING);
    assert_int_equal(fit.confidence, SCALING_CONFIDENCE_LOW);
    interval = (struct k_interval){ .method = K_INTERVAL_DELTA, .range_count = 1, .ranges = { { 2, 4 } } };
    answer = judge(8, &open_limits, &interval); /* an interval mends nothing of that */
    assert_says(answer, VERDICT_ABOVE, VERDICT_REASON_ABOVE);
    assert_true(answer.low_confidence);
    measure_family(&usl, 6, 1e-5);
    assert_int_not_equal(fit.confidence, SCALING_CONFIDENCE_LOW);
    answer = judge(16, &open_limits, NULL);
    assert_says(answer, VERDICT_ABOVE, VERDICT_REASON_ABOVE_NO_INTERVAL);
    assert_true(answer.low_confidence);
}

static void test_beyond_twice_the_largest_measured_is_extrapolated(void **state)
{
    (void)state;
    measure_family(&usl, 5, 1e-5); /* to 16 */
    assert_says(judge(33, &open_limits, NULL), VERDICT_EXTRAPOLATED, VERDICT_REASON_K_BEYOND);
    assert_says(judge(32, &open_limits, NULL), VERDICT_ABOVE, VERDICT_REASON_ABOVE_NO_INTERVAL);
    curve.price.per_wall_hour = 9000; /* K* near the fastest, 25: within reach of 16 */
    assert_says(judge(4, &open_limits, NULL), VERDICT_AT_OR_BELOW, VERDICT_REASON_AT_OR_BELOW);
    measure_family(&usl, 4, 1e-5); /* to 8: 25 is beyond */
    curve.price.per_wall_hour = 9000;
    assert_says(judge(4, &open_limits, NULL), VERDICT_EXTRAPOLATED, VERDICT_REASON_K_STAR_BEYOND);
    struct verdict_answer at_16 =
        judge(4, &(struct node_limits){ .largest = 16 }, NULL); /* twice the largest */
    assert_int_equal(at_16.k_star.k, 16);
    assert_says(at_16, VERDICT_AT_OR_BELOW, VERDICT_REASON_AT_OR_BELOW);
    struct scaling_law perfect = { .t1_hours = 1 };
    measure_family(&perfect, 6, 0);
    struct verdict_answer answer = judge(4, &open_limits, NULL);
    assert_says(answer, VERDICT_EXTRAPOLATED, VERDICT_REASON_FALLS_FOR_EVER);
    assert_true(answer.unbounded);
    struct node_limits bounded = { .largest = 64 };
    assert_says(judge(4, &bounded, NULL), VERDICT_AT_OR_BELOW, VERDICT_REASON_AT_OR_BELOW);
}

static void test_what_was_not_measured_is_never_judged(void **state)
{
    (void)state;
    scaling_fit(NULL, 0, 0, &fit);
    verdict_curve(&fit, &price, &curve);
    struct verdict_answer answer = judge(4, &open_limits, NULL);
    assert_says(answer, VERDICT_NOT_MEASURED, VERDICT_REASON_NO_MEASUREMENT);
    assert_int_equal(answer.next, MEASURE_A_SIZE);
    assert_int_equal(answer.next_k, 1);
    assert_true(isnan(answer.cost_ratio) && isnan(answer.efficiency));
    assert_near(answer.own_share, 1, 0);

    struct measurement runs[5];
    for (unsigned i = 0; i < 5; i++) {
        runs[i] = (struct measurement){ 4u << i, scaling_law_hours(&usl, 4u << i) };
    }
    scaling_fit(runs, 5, 0, &fit); /* K0 = 4 */
    verdict_curve(&fit, &price, &curve);
    answer = judge(2, &open_limits, NULL);
    assert_says(answer, VERDICT_NOT_MEASURED, VERDICT_REASON_BELOW_SMALLEST);
    assert_int_equal(answer.next, MEASURE_ONE_NODE);
    assert_says(judge(8, &open_limits, NULL), VERDICT_AT_OR_BELOW, VERDICT_REASON_AT_OR_BELOW);
}

static void test_a_misfit_beyond_the_bound_is_not_a_measurement(void **state)
{
    (void)state;
    static const struct measurement wild[] = { { 1, 10 }, { 2, 1 },  { 4, 12 },
                                               { 8, 1 },  { 16, 9 }, { 32, 0.5 } };
    scaling_fit(wild, 6, 0, &fit);
    verdict_curve(&fit, &price, &curve);
    assert_says(judge(16, &open_limits, NULL), VERDICT_NOT_MEASURED, VERDICT_REASON_MISFIT);
}

/* Halving goes on but for one size: .71 on 4 nodes where .25 was to come, which the two beside it cannot both be blamed for. */
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
        scaling_fit(families[i].runs, families[i].count, 0, &fit);
        verdict_curve(&fit, &price, &curve);
        struct verdict_answer answer = judge(16, &open_limits, NULL);
        assert_says(answer, VERDICT_NOT_MEASURED, VERDICT_REASON_MISFIT);
        snprintf(expected, sizeof expected,
                 "repeat K = %u: the measurements contradict each other most at this size", families[i].odd);
        assert_string_equal(verdict_next_text(&answer, text, sizeof text), expected);
    }
}

/* 6,200,000 (of something else) and 1.8: E = 1.7 million. */
static void test_sizes_of_two_units_say_nothing(void **state)
{
    (void)state;
    static const struct measurement mixed[] = { { 1, 6.2e6 }, { 2, 1.8 } };
    scaling_fit(mixed, 2, 0, &fit);
    verdict_curve(&fit, &price, &curve);
    assert_false(verdict_law_usable(&fit, NULL));
    assert_says(judge(2, &open_limits, NULL), VERDICT_NOT_MEASURED, VERDICT_REASON_MISFIT);
    static const struct measurement steep[] = { { 1, 36 }, { 2, 1.8 } }; /* E = 10 */
    scaling_fit(steep, 2, 0, &fit);
    assert_true(verdict_law_usable(&fit, NULL));
    static const struct measurement steeper[] = { { 1, 37.8 }, { 2, 1.8 } }; /* E = 10.5 */
    scaling_fit(steeper, 2, 0, &fit);
    assert_false(verdict_law_usable(&fit, NULL));
}

/* Twice the 32 that were measured, or what the caller allows of them. */
static void test_limits_end_where_the_verdict_does(void **state)
{
    (void)state;
    measure_family(&usl, 6, 1e-5);
    assert_int_equal(verdict_limits(&fit, &(struct node_limits){ 0 }, NULL).largest, 64);
    assert_int_equal(verdict_limits(&fit, &(struct node_limits){ .largest = 1000 }, NULL).largest, 64);
    assert_int_equal(verdict_limits(&fit, &(struct node_limits){ .largest = 10 }, NULL).largest, 10);
}

static void test_why_a_family_has_no_k_star_is_said(void **state)
{
    (void)state;
    static const struct measurement one[] = { { 4, 10 } };
    static const struct k_star_result none;
    enum verdict_reason reason;
    scaling_fit(one, 1, 0, &fit);
    verdict_curve(&fit, &price, &curve);
    assert_true(verdict_against_k_star(&fit, &curve, K_STAR_NONE_FEASIBLE, &none, NULL, &reason));
    assert_int_equal(reason, VERDICT_REASON_ONE_SIZE);
    measure_family(&usl, 6, 1e-5);
    assert_true(verdict_against_k_star(&fit, &curve, K_STAR_UNBOUNDED, &none, NULL, &reason));
    assert_int_equal(reason, VERDICT_REASON_FALLS_FOR_EVER);
    curve.price.per_node_hour = 0; /* nothing is not below nothing */
    assert_true(verdict_against_k_star(&fit, &curve, K_STAR_NONE_FEASIBLE, &none, NULL, &reason));
    assert_int_equal(reason, VERDICT_REASON_NONE_FEASIBLE);
    const struct k_star_result within = { .k = 8 };
    assert_false(verdict_against_k_star(&fit, &curve, K_STAR_FOUND, &within, NULL, &reason));
    const struct k_star_result at_twice = { .k = 64 },
                               beyond = { .k = 65 }; /* of the 32 that were measured */
    assert_false(verdict_against_k_star(&fit, &curve, K_STAR_FOUND, &at_twice, NULL, &reason));
    assert_true(verdict_against_k_star(&fit, &curve, K_STAR_FOUND, &beyond, NULL, &reason));
    assert_int_equal(reason, VERDICT_REASON_K_STAR_BEYOND);
}

/* One size is cheapest of itself, and E = 1 of itself: neither says anything of K*, nor of E above one node. */
static void test_one_size_is_compared_with_nothing(void **state)
{
    (void)state;
    static const struct {
        unsigned k, accelerators_per_node, first, next_k;
        bool has_efficiency;
        enum measure_next next;
    } alone[] = {
        { 16, 0, 1, 1, false, MEASURE_ONE_NODE }, { 1, 0, 1, 2, true, MEASURE_A_SIZE },
        { 16, 8, 8, 8, false, MEASURE_ONE_NODE }, { 8, 8, 8, 16, true, MEASURE_A_SIZE },
        { 16, 0, 16, 32, false, MEASURE_A_SIZE },
    };
    for (size_t i = 0; i < sizeof alone / sizeof alone[0]; i++) {
        unsigned k = alone[i].k;
        struct measurement runs[] = { { k, 10 }, { k, 10.1 } };
        struct node_limits limits = { .smallest = alone[i].first,
                                      .accelerators_per_node = alone[i].accelerators_per_node };
        scaling_fit(runs, 2, alone[i].accelerators_per_node, &fit);
        verdict_curve(&fit, &price, &curve);
        assert_int_equal(verdict_law_usable(&fit, NULL), alone[i].has_efficiency);
        enum verdict_reason reason;
        assert_false(verdict_gives_k_star(&fit, NULL, &reason));
        assert_int_equal(reason, VERDICT_REASON_ONE_SIZE);
        for (unsigned of_job = k / 2 > 0 ? k / 2 : 1; of_job <= 2 * k; of_job *= 2) {
            struct verdict_answer answer = judge(of_job, &limits, NULL);
            assert_says(answer, VERDICT_NOT_MEASURED, VERDICT_REASON_ONE_SIZE);
            assert_int_equal(answer.k_star.k, 0);
            assert_true(isnan(answer.cost_ratio) && isnan(answer.hours_at_k_star));
            assert_int_equal(answer.next, alone[i].next);
            assert_int_equal(answer.next_k, alone[i].next_k);
        }
    }
    assert_string_equal(verdict_reason_text(VERDICT_REASON_ONE_SIZE), scaling_reason_text(fit.reason));
}

static void test_two_sizes_compare_their_measured_costs_alone(void **state)
{
    (void)state;
    static const struct measurement runs[] = { { 4, 10 }, { 16, 9 } };
    scaling_fit(runs, 2, 0, &fit);
    verdict_curve(&fit, &price, &curve);
    /* (8.4 + 9) x 10 = 174 against (33.6 + 9) x 9 = 383.4 */
    struct verdict_answer answer = judge(16, &open_limits, NULL);
    assert_says(answer, VERDICT_ABOVE, VERDICT_REASON_ABOVE_MEASURED_ONLY);
    assert_true(answer.low_confidence);
    assert_near(answer.cost_ratio, 174 / 383.4, 1e-14);
    assert_says(judge(4, &open_limits, NULL), VERDICT_AT_OR_BELOW, VERDICT_REASON_AT_OR_BELOW);
    assert_says(judge(8, &open_limits, NULL), VERDICT_NOT_MEASURED, VERDICT_REASON_NOT_AT_THIS_SIZE);
    assert_says(judge(2, &open_limits, NULL), VERDICT_NOT_MEASURED, VERDICT_REASON_BELOW_SMALLEST);
}

/* At 2.10 and 9: 17.4 x T(4) against 25.8 x T(8). */
static void test_two_sizes_differ_by_more_than_their_repeats_or_there_is_no_flag(void **state)
{
    (void)state;
    static const struct measurement noisy[] = {
        { 4, 8 }, { 4, 10 }, { 4, 12 }, { 8, 6 }, { 8, 7.5 }, { 8, 9 }
    };
    scaling_fit(noisy, 6, 0, &fit);
    verdict_curve(&fit, &price, &curve);
    /* 174 against 193.5: 10 % of it too much, ln 0.106; noise 20 % of a run on 4 degrees, 2.776 x 0.2 x sqrt(2/3) = 0.45 */
    struct verdict_answer answer = judge(8, &open_limits, NULL);
    assert_near(answer.excess_share, 1 - 174 / 193.5, 1e-12);
    assert_says(answer, VERDICT_WITHIN_ERROR, VERDICT_REASON_INSIDE_NOISE);
    static const struct measurement quieter[] = { { 4, 9.8 },  { 4, 10 },  { 4, 10.2 },
                                                  { 8, 7.35 }, { 8, 7.5 }, { 8, 7.65 } };
    scaling_fit(quieter, 6, 0, &fit);
    verdict_curve(&fit, &price, &curve);
    answer = judge(8, &open_limits, NULL); /* 2 %: 0.045 */
    assert_says(answer, VERDICT_ABOVE, VERDICT_REASON_ABOVE_MEASURED_ONLY);
    assert_true(answer.low_confidence);
    /* Each run 3.1 % off, four of one size and two of the other: 2.776 x sqrt(6 x 0.031^2 / 4) x sqrt(1/4 + 1/2) = 0.091 */
    const double off = exp(0.031);
    const struct measurement uneven[] = { { 4, 10 * off }, { 4, 10 / off },  { 4, 10 * off },
                                          { 4, 10 / off }, { 8, 7.5 * off }, { 8, 7.5 / off } };
    scaling_fit(uneven, 6, 0, &fit);
    verdict_curve(&fit, &price, &curve);
    assert_says(judge(8, &open_limits, NULL), VERDICT_ABOVE, VERDICT_REASON_ABOVE_MEASURED_ONLY);
    /* One repeat in all, 3.1 % off: 12.706 x sqrt(2 x 0.031^2) x sqrt(1/2 + 1) = 0.68 */
    const struct measurement once_more[] = { uneven[0], uneven[1], { 8, 7.5 } };
    scaling_fit(once_more, 3, 0, &fit);
    verdict_curve(&fit, &price, &curve);
    assert_says(judge(8, &open_limits, NULL), VERDICT_WITHIN_ERROR, VERDICT_REASON_INSIDE_NOISE);
}

static void test_the_ratio_does_not_depend_on_the_length_of_the_job(void **state)
{
    (void)state;
    measure_family(&usl, 6, 0.01);
    double ratio = judge(32, &open_limits, NULL).cost_ratio;
    curve.work = 1234.5;
    assert_near(judge(32, &open_limits, NULL).cost_ratio, ratio, 1e-12);
    curve.work = 1e-4; /* a cost of less than one unit of money, and a job of less than an hour */
    assert_near(judge(32, &open_limits, NULL).cost_ratio, ratio, 1e-12);
    struct verdict_question question = {
        .fit = &fit, .curve = &curve, .limits = &open_limits, .k = 32, .hours = 0.25
    };
    struct verdict_answer answer;
    verdict_of(&question, &answer);
    assert_near(answer.hours_at_k_star, judge(32, &open_limits, NULL).hours_at_k_star / 40, 1e-12);
}

/* A step of 0.4, s = .02, c = .001 on 1 to 16: throughput bends so much that the neighbours' line passes above the largest size. */
static void test_fewer_nodes_are_not_said_to_be_faster_than_the_largest_size_measured(void **state)
{
    (void)state;
    struct scaling_law law = { .form = SCALING_STEPPED,
                               .t1_hours = 1,
                               .serial_fraction = 0.02,
                               .communication_coefficient = 0.001,
                               .step = 0.4 };
    measure_family(&law, 5, 0);
    assert_int_equal(fit.outcome, SCALING_FIT_GROWTH);
    for (unsigned k = 9; k < 16; k++) {
        assert_true(cost_curve_hours(&curve, k) >= cost_curve_hours(&curve, 16));
    }
    struct verdict_answer answer = judge(16, &open_limits, NULL);
    assert_true(answer.k_star.k < 16);
    assert_true(answer.hours_at_k_star > 10);
}

static void test_a_job_that_costs_nothing_has_no_excess(void **state)
{
    (void)state;
    measure_family(&usl, 6, 1e-5);
    curve.price = (struct job_price){ 0 };
    struct verdict_answer answer = judge(16, &open_limits, NULL);
    assert_says(answer, VERDICT_NEAR, VERDICT_REASON_SMALL_EXCESS);
    assert_near(answer.cost_ratio, 1, 0);
    assert_near(answer.excess_share, 0, 0);
}

/* A discount may be larger than what it is given for. */
static void test_a_price_below_zero_is_said_to_be(void **state)
{
    (void)state;
    measure_family(&usl, 6, 1e-5);
    curve.price.per_node_hour = -0.5;
    assert_says(judge(16, &open_limits, NULL), VERDICT_NOT_MEASURED, VERDICT_REASON_BELOW_ZERO);
    curve.price = price;
    curve.price.overhead_per_node_hour = -2.5; /* with a node at 2.10 */
    assert_says(judge(16, &open_limits, NULL), VERDICT_NOT_MEASURED, VERDICT_REASON_BELOW_ZERO);
    curve.price = price;
    struct node_limits none = { .smallest = 64, .largest = 32 };
    assert_says(judge(16, &none, NULL), VERDICT_NOT_MEASURED, VERDICT_REASON_NONE_FEASIBLE);
    curve.price.per_wall_hour = 0; /* nothing is not below nothing */
    assert_says(judge(16, &none, NULL), VERDICT_NOT_MEASURED, VERDICT_REASON_NONE_FEASIBLE);
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
    scaling_fit(two, 2, 0, &fit);
    verdict_curve(&fit, &price, &curve);
    struct node_limits from_4 = { .smallest = 4, .largest = 8 };
    answer = judge(8, &from_4, NULL);
    assert_int_equal(answer.next, MEASURE_REPEATS);
    assert_int_equal(answer.next_k, 4);
    /* Both were run twice: no size is left, and no noise to learn. */
    static const struct measurement twice[] = { { 4, 10 }, { 4, 10.1 }, { 8, 9 }, { 8, 9.1 } };
    scaling_fit(twice, 4, 0, &fit);
    verdict_curve(&fit, &price, &curve);
    answer = judge(8, &from_4, NULL);
    assert_int_equal(answer.next, MEASURE_NOTHING);
    assert_int_equal(answer.next_k, 0);
    /* A size between the two is left. */
    static const struct measurement apart[] = { { 4, 10 }, { 16, 9 } };
    scaling_fit(apart, 2, 0, &fit);
    verdict_curve(&fit, &price, &curve);
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
        scaling_fit(two, 2, 0, &fit);
        verdict_curve(&fit, &price, &curve);
        answer = judge(1, &open_limits, NULL);
        assert_int_equal(answer.next, MEASURE_A_SIZE);
        assert_int_equal(answer.next_k, huge[i].next_k);
    }
}

/* At K* = the largest size measured, and where the interval on K* reaches beyond that. */
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

/* Three sizes are enough not to ask for a fourth at any price: K* of these lies between two of them. */
static void test_of_three_sizes_the_gap_around_k_star_is_what_is_asked_for(void **state)
{
    (void)state;
    struct node_limits powers = { .powers_of_two = true };
    struct measurement runs[3];
    for (unsigned i = 0; i < 3; i++)
        runs[i] = (struct measurement){ 1u << 3 * i, scaling_law_hours(&usl, 1u << 3 * i) }; /* 1, 8, 64 */
    scaling_fit(runs, 3, 0, &fit);
    verdict_curve(&fit, &price, &curve);
    struct verdict_answer answer = judge(64, &powers, NULL);
    assert_int_equal(answer.k_star.k, 8);
    assert_int_equal(answer.next, MEASURE_THE_GAP);
    assert_int_equal(answer.next_k, 4); /* of two gaps as wide, the first: sqrt(1 x 8) = 2.8 */
    /* The gap from 2 to 8 is beside K* as well, that from 8 to 64 is wider. */
    static const unsigned sizes[] = { 1, 2, 8, 64 };
    struct measurement four[4];
    for (size_t i = 0; i < 4; i++)
        four[i] = (struct measurement){ sizes[i], scaling_law_hours(&usl, sizes[i]) };
    scaling_fit(four, 4, 0, &fit);
    verdict_curve(&fit, &price, &curve);
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
        scaling_fit(runs, 6, 0, &fit);
        verdict_curve(&fit, &price, &curve);
        curve.price.per_wall_hour = gaps[i].k_star == 4 ? 2 : 9;
        assert_int_equal(fit.outcome, SCALING_FIT_LAW);
        struct verdict_answer answer = judge(16, &gaps[i].limits, NULL);
        assert_int_equal(answer.k_star.k, gaps[i].k_star);
        assert_int_equal(answer.next, gaps[i].next);
        assert_int_equal(answer.next_k, gaps[i].next_k);
    }
}

/* Where no gap is beside K*, the widest one elsewhere tells more than a size beyond them all. */
static void test_a_gap_elsewhere_is_filled_where_there_is_none_beside_k_star(void **state)
{
    (void)state;
    static const unsigned sizes[] = { 1, 2, 4, 32 };
    struct measurement runs[4];
    for (size_t i = 0; i < 4; i++)
        runs[i] = (struct measurement){ sizes[i], scaling_law_hours(&usl, sizes[i]) };
    scaling_fit(runs, 4, 0, &fit);
    verdict_curve(&fit, &price, &curve);
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
    scaling_fit(runs, 4, 0, &fit);
    verdict_curve(&fit, &price, &curve);
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

static void test_advice_for_accelerators_begins_at_a_whole_node(void **state)
{
    (void)state;
    struct measurement runs[5];
    struct node_limits whole_nodes = { .step = 8 };
    for (unsigned i = 0; i < 5; i++)
        runs[i] = (struct measurement){ 8u << i, scaling_law_hours(&usl, 1u << i) };
    scaling_fit(runs, 5, 8, &fit);
    verdict_curve(&fit, &price, &curve);
    assert_int_not_equal(judge(32, &open_limits, NULL).next, MEASURE_ONE_NODE);
    scaling_fit(runs + 1, 4, 8, &fit);
    verdict_curve(&fit, &price, &curve);
    struct verdict_answer answer = judge(32, &whole_nodes, NULL);
    assert_int_equal(answer.next, MEASURE_ONE_NODE);
    assert_int_equal(answer.next_k, 8);
    /* Two sizes make no law, but eight accelerators are one node all the same: the next size is asked for. */
    scaling_fit(runs, 2, 8, &fit);
    verdict_curve(&fit, &price, &curve);
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
        runs[i] = (struct measurement){ 1u << i / 2,
                                        scaling_law_hours(&usl, 1u << i / 2) * (i % 2 ? 1.001 : 0.999) };
    scaling_fit(runs, 12, 0, &fit);
    verdict_curve(&fit, &price, &curve);
    interval = (struct k_interval){ .method = K_INTERVAL_DELTA, .range_count = 1, .ranges = { { 8, 13 } } };
    struct verdict_answer answer = judge(13, &open_limits, &interval);
    assert_says(answer, VERDICT_WITHIN_ERROR, VERDICT_REASON_INSIDE_INTERVAL);
    assert_int_equal(answer.next, MEASURE_THIS_SIZE);
    assert_int_equal(answer.next_k, 13);
    assert_int_equal(judge(16, &open_limits, &interval).next, MEASURE_NOTHING);
}

static void test_advice_names_the_size_that_tells_most(void **state)
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
    scaling_fit(gap, 4, 0, &fit);
    verdict_curve(&fit, &price, &curve);
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
    scaling_fit(lawful, 6, 0, &fit);
    verdict_curve(&fit, &price, &curve);
    assert_int_equal(fit.outcome, SCALING_FIT_LAW);
    struct verdict_answer answer = judge(64, &open_limits, NULL);
    assert_int_equal(answer.k_star.k, 8);
    assert_int_equal(answer.next, MEASURE_THE_GAP);
    assert_int_equal(answer.next_k, 11); /* sqrt(4 x 32) = 11.3 */
    /* Of four sizes none stands; K* was measured, at the gap's lower end. */
    scaling_fit(lawful, 4, 0, &fit);
    verdict_curve(&fit, &price, &curve);
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

/* Eight nodes were run once, 15 % too fast for the others; a second run of one node changes nothing about
 * that. In truth K* is 12: C = (20 x 12 + 80) x 11.44 h = 3,660.80, and on 16 (20 x 16 + 80) x 9.35 h =
 * 3,740.00, 2.2 % more. */
static void test_a_repeat_elsewhere_makes_no_flag_of_a_single_run(void **state)
{
    (void)state;
    static struct k_bootstrap bootstrap;
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
        k_bootstrap_draw(&fit, K_STAR_BOOTSTRAP_SEED, &bootstrap);
        k_star_interval(&fit, &curve, &open_limits, &bootstrap, &interval);
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

static struct verdict_answer judge_own(unsigned k, double own_efficiency, const struct k_interval *known)
{
    struct verdict_question question = { .fit = &fit,
                                         .curve = &curve,
                                         .limits = &open_limits,
                                         .interval = known,
                                         .k = k,
                                         .hours = 10,
                                         .own_efficiency = own_efficiency };
    struct verdict_answer answer;
    verdict_of(&question, &answer);
    return answer;
}

/* E(16) of the family is 1/1.81 = 55.2 %; C(16) is 15.5 % above C(8), so C(8)/C(16) = 0.866. */
static void test_what_was_measured_on_a_job_judges_it(void **state)
{
    (void)state;
    measure_family(&usl, 6, 1e-5);
    interval = (struct k_interval){ .method = K_INTERVAL_DELTA, .range_count = 1, .ranges = { { 8, 9 } } };
    struct verdict_answer answer = judge_own(16, 0.62, &interval); /* 0.866 x 0.62 x 1.81 = 0.972: 2.8 % */
    assert_says(answer, VERDICT_NEAR, VERDICT_REASON_OWN_NEAR);
    assert_within(answer.cost_ratio, 0.972, 2e-3);
    assert_within(answer.hours_at_k_star, 10 * 0.16175 / 0.113125 * 0.62 * 1.81, 2e-2);
    answer = judge_own(16, 0.5, &interval); /* 0.784 */
    assert_says(answer, VERDICT_ABOVE, VERDICT_REASON_ABOVE);
    assert_false(answer.low_confidence);
    assert_within(answer.excess_share, 1 - 0.784, 2e-3);
    /* K = 10 costs 1.0 % more by the family. E(10) = 1/1.405; of 0.6 the ratio is 0.990 x 0.6 x 1.405 =
     * 0.835. */
    answer = judge_own(10, 0.6, &interval);
    assert_says(answer, VERDICT_ABOVE, VERDICT_REASON_OWN_ABOVE);
    assert_true(answer.low_confidence);
    assert_within(answer.cost_ratio, 0.835, 2e-3);
    assert_says(judge_own(10, 0.7, &interval), VERDICT_NEAR, VERDICT_REASON_SMALL_EXCESS);
}

/* Without one node E of the family is relative to four, and that of the job to one: they are not compared. */
static void test_an_efficiency_of_another_base_judges_nothing(void **state)
{
    (void)state;
    struct measurement runs[5];
    for (unsigned i = 0; i < 5; i++)
        runs[i] = (struct measurement){ 4u << i, scaling_law_hours(&usl, 4u << i) };
    scaling_fit(runs, 5, 0, &fit);
    verdict_curve(&fit, &price, &curve);
    struct verdict_answer answer = judge_own(16, 0.95, NULL);
    assert_near(answer.own_share, 1, 0);
    assert_within(answer.cost_ratio, 1 / 1.155, 1e-3);
}

/* Two runs of each size, 10 % above the law and below it: each size by itself could be any other, all together are a law. C(16) is 15.5 %
 * above C(8), and the interval, not the noise of the two sizes, says what of that is sure. */
static void test_on_a_law_the_interval_decides_and_not_the_noise_of_two_sizes(void **state)
{
    (void)state;
    struct measurement runs[12];
    for (unsigned i = 0; i < 12; i++)
        runs[i] = (struct measurement){ 1u << i / 2,
                                        scaling_law_hours(&usl, 1u << i / 2) * exp(i % 2 ? 0.1 : -0.1) };
    scaling_fit(runs, 12, 0, &fit);
    verdict_curve(&fit, &price, &curve);
    assert_int_equal(fit.outcome, SCALING_FIT_LAW);
    interval = (struct k_interval){ .method = K_INTERVAL_DELTA, .range_count = 1, .ranges = { { 8, 9 } } };
    assert_says(judge(16, &open_limits, &interval), VERDICT_ABOVE, VERDICT_REASON_ABOVE);
}

static void test_every_word_is_there(void **state)
{
    (void)state;
    assert_string_equal(verdict_name(VERDICT_NOT_MEASURED), "not measured");
    assert_string_equal(verdict_name(VERDICT_WITHIN_ERROR), "above, within measurement error");
    assert_string_equal(verdict_name(VERDICT_ABOVE), "above K*");
    for (int i = 0; i < VERDICT_REASONS; i++) {
        assert_true(strlen(verdict_reason_text((enum verdict_reason)i)) > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_around_the_optimum_money_decides),
        cmocka_unit_test(test_below_a_part_of_the_interval_is_not_surely_above),
        cmocka_unit_test(test_near_is_configurable),
        cmocka_unit_test(test_a_flag_without_an_interval_is_of_low_confidence),
        cmocka_unit_test(test_beyond_twice_the_largest_measured_is_extrapolated),
        cmocka_unit_test(test_what_was_not_measured_is_never_judged),
        cmocka_unit_test(test_a_misfit_beyond_the_bound_is_not_a_measurement),
        cmocka_unit_test(test_of_measurements_that_contradict_each_other_the_odd_one_is_to_be_repeated),
        cmocka_unit_test(test_sizes_of_two_units_say_nothing),
        cmocka_unit_test(test_limits_end_where_the_verdict_does),
        cmocka_unit_test(test_why_a_family_has_no_k_star_is_said),
        cmocka_unit_test(test_one_size_is_compared_with_nothing),
        cmocka_unit_test(test_two_sizes_compare_their_measured_costs_alone),
        cmocka_unit_test(test_two_sizes_differ_by_more_than_their_repeats_or_there_is_no_flag),
        cmocka_unit_test(test_the_ratio_does_not_depend_on_the_length_of_the_job),
        cmocka_unit_test(test_fewer_nodes_are_not_said_to_be_faster_than_the_largest_size_measured),
        cmocka_unit_test(test_a_job_that_costs_nothing_has_no_excess),
        cmocka_unit_test(test_a_price_below_zero_is_said_to_be),
        cmocka_unit_test(test_advice_stays_within_the_feasible_sizes),
        cmocka_unit_test(test_advice_takes_what_there_is_beyond_the_largest_size),
        cmocka_unit_test(test_where_k_star_may_be_beyond_what_was_measured_one_size_beyond_is_asked_for),
        cmocka_unit_test(test_a_gap_is_wider_than_a_doubling_and_has_a_size_to_run),
        cmocka_unit_test(test_of_three_sizes_the_gap_around_k_star_is_what_is_asked_for),
        cmocka_unit_test(test_a_gap_elsewhere_is_filled_where_there_is_none_beside_k_star),
        cmocka_unit_test(test_without_k_star_the_smallest_size_is_repeated),
        cmocka_unit_test(test_advice_for_accelerators_begins_at_a_whole_node),
        cmocka_unit_test(test_where_the_noise_is_known_only_an_unmeasured_size_is_left_to_measure),
        cmocka_unit_test(test_advice_names_the_size_that_tells_most),
        cmocka_unit_test(test_a_gap_beside_k_star_is_named_before_repeats),
        cmocka_unit_test(test_a_repeat_elsewhere_makes_no_flag_of_a_single_run),
        cmocka_unit_test(test_what_was_measured_on_a_job_judges_it),
        cmocka_unit_test(test_an_efficiency_of_another_base_judges_nothing),
        cmocka_unit_test(test_on_a_law_the_interval_decides_and_not_the_noise_of_two_sizes),
        cmocka_unit_test(test_every_word_is_there),
    };
    return cmocka_run_group_tests_name("verdict", tests, NULL, NULL);
}
