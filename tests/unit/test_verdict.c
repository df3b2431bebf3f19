/* Each verdict, in the order in which they apply, on families made for it. */
#include "verdict_test.h"

static void test_around_the_optimum_money_decides(void **state)
{
    (void)state;
    measure_family(&usl, 6, 1e-5);
    assert_says(judge(8, &open_limits, &interval), VERDICT_AT, VERDICT_REASON_AT);
    assert_says(judge(2, &open_limits, &interval), VERDICT_BELOW, VERDICT_REASON_ABOVE);
    /* K=10 costs 1.0 % more. */
    assert_says(judge(10, &open_limits, &interval), VERDICT_NEAR, VERDICT_REASON_SMALL_EXCESS);
    /* K=13: 36.3 x 1.594/13 = 4.45094, 6.2 % of it too much: sure where the noise is nil, and not
     * where it is 2 %. */
    struct verdict_answer barely = judge(13, &open_limits, &interval);
    assert_says(barely, VERDICT_ABOVE, VERDICT_REASON_ABOVE);
    assert_within(barely.excess.low, 0.0624, 1e-3);
    assert_within(barely.excess.high, 0.0624, 1e-3);
    measure_family(&usl, 6, 0.02);
    barely = judge(13, &open_limits, &interval);
    assert_says(barely, VERDICT_WITHIN_ERROR, VERDICT_REASON_NOT_SURE);
    assert_true(barely.excess.low < 0.05 && barely.excess.high > barely.excess_share);
    measure_family(&usl, 6, 1e-5);
    struct verdict_answer flagged = judge(16, &open_limits, &interval);
    assert_says(flagged, VERDICT_ABOVE, VERDICT_REASON_ABOVE);
    assert_false(flagged.low_confidence);
    assert_int_equal(flagged.k_star.k, 8);
    assert_within(flagged.cost_ratio, 1 / 1.155, 1e-3);
    assert_within(flagged.excess_share, 1 - 1 / 1.155, 1e-3);
    /* T(8)/T(16) = .16175/.113125 */
    assert_within(flagged.hours_ratio, 0.16175 / 0.113125, 1e-3);
}

/* At 2.10 and 1.50 C(1) = 3.60, C(3) = 7.8 x 1.546/3 = 4.02, C(7) = 16.2 x 1.662/7 = 3.85: a single
 * node is cheapest, and 3 nodes cost a tenth more. By measurements this noisy 7 nodes may be
 * cheapest as well, and then 3 are not too many, but too few. */
static void test_too_few_nodes_are_no_excess_of_too_many(void **state)
{
    (void)state;
    struct scaling_law law = { .form = SCALING_STEPPED,
                               .t1_hours = 1,
                               .serial_fraction = 0.02,
                               .communication_coefficient = 0.001,
                               .step = 0.5 };
    measure_family(&law, 6, 0.03);
    curve.price.per_wall_hour = 1.5;
    struct verdict_answer answer = judge(3, &open_limits, &interval);
    assert_int_equal(answer.k_star.k, 1);
    assert_says(answer, VERDICT_WITHIN_ERROR, VERDICT_REASON_NOT_SURE);
    assert_near(answer.excess.low, 0, 0);
    measure_family(&law, 6, 1e-4);
    curve.price.per_wall_hour = 1.5;
    assert_says(judge(3, &open_limits, &interval), VERDICT_ABOVE, VERDICT_REASON_ABOVE);
}

/* At 2.10 and 9 the cheapest K is 8, for 4.17315. With an hour of waiting at 91 it is 17: (35.7 +
 * 100) x 1.888/17 = 15.0707, where 16 and 18 nodes cost 15.0854 and 15.0738. */
static void test_with_waiting_there_is_a_band(void **state)
{
    (void)state;
    measure_family(&usl, 6, 1e-5);
    curve.price.waiting_per_hour = 91;
    static const struct {
        unsigned k, k_star;
        enum verdict verdict;
        enum verdict_reason reason;
    } expected[] = {
        { 7, 8, VERDICT_NEAR, VERDICT_REASON_SMALL_EXCESS }, /* 23.7 x 1.243/7 = 4.20844 */
        { 8, 8, VERDICT_AT, VERDICT_REASON_AT },
        { 9, 9, VERDICT_INSIDE, VERDICT_REASON_INSIDE },
        { 17, 17, VERDICT_INSIDE, VERDICT_REASON_INSIDE },
        { 20, 17, VERDICT_NEAR, VERDICT_REASON_SMALL_EXCESS }, /* 142 x 2.14/20 = 15.194 */
        { 32, 17, VERDICT_ABOVE, VERDICT_REASON_ABOVE },       /* 167.2 x 3.418/32 = 17.859 */
    };
    interval = (struct k_interval){ .method = K_INTERVAL_DELTA, .range_count = 1, .ranges = { { 16, 19 } } };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        struct verdict_answer answer = judge(expected[i].k, &open_limits, &interval);
        assert_says(answer, expected[i].verdict, expected[i].reason);
        assert_int_equal(answer.k_star.k, expected[i].k_star);
        assert_int_equal(answer.least_money.k, 8);
        assert_int_equal(answer.with_waiting.k, 17);
    }
}

/* K = 32 costs 76.2 x 3.418/32 = 8.13911 in money, 17 nodes 44.7 x 1.888/17 = 4.96433. They take
 * 0.0042463 more of the one-node time. */
static void test_what_an_hour_must_be_worth(void **state)
{
    (void)state;
    measure_family(&usl, 6, 0);
    curve.price.waiting_per_hour = 91;
    struct verdict_answer answer = judge(32, &open_limits, NULL);
    assert_within(answer.money_ratio, 4.96433 / 8.13911, 1e-5);
    assert_within(answer.hours_ratio, 1.03976, 1e-5);
    assert_within(answer.excess_share, 1 - 15.0707 / 17.859, 1e-5);
    assert_within(answer.break_even, 747.65, 0.1);
    answer = judge(16, &open_limits, NULL); /* inside the band it is compared with itself */
    assert_true(isnan(answer.break_even));
    assert_near(answer.money_ratio, 1, 0);
    assert_true(isnan(judge(2, &open_limits, NULL).break_even)); /* dearer, and slower */
    curve.price.waiting_per_hour = 0; /* against 8 nodes: (8.13911 - 4.17315) / (0.16175 - 0.1068125) */
    assert_within(judge(32, &open_limits, NULL).break_even, 72.19, 0.01);
}

/* K = 5 costs 19.5 x 1.15/5 = 4.485, 7 % of it more than 4.17315 on 8 nodes; whatever waiting
 * costs. That is sure where the noise is nil, and not where it is 5 %. */
static void test_below_the_band_is_judged_as_strictly(void **state)
{
    (void)state;
    static const double rates[] = { 91, 0 };
    for (size_t i = 0; i < 2; i++) {
        measure_family(&usl, 6, 1e-5);
        curve.price.waiting_per_hour = rates[i];
        struct verdict_answer answer = judge(5, &open_limits, &interval);
        assert_says(answer, VERDICT_BELOW, VERDICT_REASON_ABOVE);
        assert_false(answer.low_confidence);
        assert_within(answer.excess_share, 1 - 4.17315 / 4.485, 1e-4);
        assert_within(answer.excess.low, 1 - 4.17315 / 4.485, 1e-3);
        assert_within(answer.hours_ratio, 0.16175 / 0.23, 1e-4);
        answer = judge(5, &open_limits, NULL);
        assert_says(answer, VERDICT_BELOW, VERDICT_REASON_ABOVE_NO_INTERVAL);
        assert_true(answer.low_confidence);
        measure_family(&usl, 6, 0.05);
        curve.price.waiting_per_hour = rates[i];
        answer = judge(5, &open_limits, &interval);
        assert_says(answer, VERDICT_BELOW_WITHIN_ERROR, VERDICT_REASON_NOT_SURE);
        assert_true(answer.excess.low <= 0.05);
    }
}

/* On 2 nodes 13.2 x 1.033/2 = 6.8178, on 8 nodes 4.17315. Where 6 of the 9 an hour are others', its
 * own cost is 7.2 x 0.5165 = 3.7188 and 19.8 x 0.16175 = 3.20265: 7.6 % of 6.8178 less. Where 7
 * are, 3.2023 and 3.0409: 2.4 %. */
static void test_a_share_that_others_would_bear_is_no_fault(void **state)
{
    (void)state;
    measure_family(&usl, 6, 1e-5);
    struct verdict_question question = {
        .fit = &fit, .curve = &curve, .limits = &open_limits, .k = 2, .shared_per_wall_hour = 6
    };
    struct verdict_answer answer;
    assert_int_equal(verdict_of(&question, &answer), VERDICT_BELOW);
    question.shared_per_wall_hour = 7;
    verdict_of(&question, &answer);
    assert_says(answer, VERDICT_BELOW_SHARED, VERDICT_REASON_BELOW_SHARED);
    curve.price = (struct job_price){ .per_node_hour = 1.1, .overhead_per_node_hour = 1, .per_wall_hour = 9 };
    question.shared_per_wall_hour =
        6; /* a node-hour of others': 5.2 x 0.5165 = 2.6858, 11.8 x 0.16175 = 1.90865 */
    question.shared_per_node_hour = 1;
    assert_int_equal(verdict_of(&question, &answer), VERDICT_BELOW);
    question.shared_per_wall_hour = 8.5; /* 2.7 x 0.5165 = 1.39455, 9.3 x 0.16175 = 1.50428 */
    assert_int_equal(verdict_of(&question, &answer), VERDICT_BELOW_SHARED);
}

/* Two sizes, the larger one quicker by more than it is dearer: 17.4 x 12 = 208.8 against 25.8 x 3 =
 * 77.4. */
static void test_of_two_sizes_the_smaller_may_be_below(void **state)
{
    (void)state;
    static const struct measurement runs[] = { { 4, 12 }, { 8, 3 } };
    fit_runs(runs, 2, 0);
    struct verdict_answer answer = judge(4, &open_limits, NULL);
    assert_says(answer, VERDICT_BELOW, VERDICT_REASON_BELOW_MEASURED_ONLY);
    assert_true(answer.low_confidence);
    assert_near(answer.cost_ratio, 77.4 / 208.8, 1e-12);
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
    const double less[] = { 0, 1e-12, 1e-8 }; /* that much is near, and no more than a tie's part */
    const double share = answer.excess_share;
    for (size_t i = 0; i < 3; i++) {
        rules.near_share = share - less[i];
        assert_int_equal(verdict_of(&question, &answer), i < 2 ? VERDICT_NEAR : VERDICT_ABOVE);
    }
}

static void test_a_flag_without_an_interval_is_of_low_confidence(void **state)
{
    (void)state;
    measure_family(&usl, 3, 0.01);
    curve.price.per_wall_hour = 0.9; /* K* 3 by the undisturbed law */
    struct verdict_answer answer = judge(8, &open_limits, &interval);
    assert_says(answer, VERDICT_ABOVE, VERDICT_REASON_ABOVE_NO_INTERVAL);
    assert_true(answer.low_confidence);
    assert_int_not_equal(answer.next, MEASURE_NOTHING);
    assert_int_equal(fit.confidence, SCALING_CONFIDENCE_LOW);
    measure_family(&usl, 5,
                   1e-5); /* five sizes cannot tell a step: being sure of the law mends nothing of that */
    answer = judge(16, &open_limits, &interval);
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
    curve.price.per_wall_hour = 9000; /* K* near the fastest, 25: below twice 16 */
    assert_says(judge(4, &open_limits, NULL), VERDICT_BELOW, VERDICT_REASON_ABOVE_NO_INTERVAL);
    measure_family(&usl, 4, 1e-5); /* to 8: 25 is beyond */
    curve.price.per_wall_hour = 9000;
    assert_says(judge(4, &open_limits, NULL), VERDICT_EXTRAPOLATED, VERDICT_REASON_K_STAR_BEYOND);
    struct verdict_answer at_16 =
        judge(4, &(struct node_limits){ .largest = 16 }, NULL); /* twice the largest */
    assert_int_equal(at_16.k_star.k, 16);
    assert_says(at_16, VERDICT_BELOW, VERDICT_REASON_ABOVE_NO_INTERVAL);
    struct scaling_law perfect = { .t1_hours = 1 };
    measure_family(&perfect, 6, 0);
    struct verdict_answer answer = judge(4, &open_limits, NULL);
    assert_says(answer, VERDICT_EXTRAPOLATED, VERDICT_REASON_FALLS_FOR_EVER);
    assert_true(answer.unbounded);
    struct node_limits bounded = { .largest = 64 };
    assert_says(judge(4, &bounded, NULL), VERDICT_BELOW, VERDICT_REASON_ABOVE_NO_INTERVAL);
}

static void test_what_was_not_measured_is_never_judged(void **state)
{
    (void)state;
    fit_runs(NULL, 0, 0);
    struct verdict_answer answer = judge(4, &open_limits, NULL);
    assert_says(answer, VERDICT_NOT_MEASURED, VERDICT_REASON_NO_MEASUREMENT);
    assert_int_equal(answer.next, MEASURE_A_SIZE);
    assert_int_equal(answer.next_k, 1);
    assert_true(isnan(answer.cost_ratio));
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
    assert_says(judge(8, &open_limits, NULL), VERDICT_AT, VERDICT_REASON_AT);
}

static void test_a_misfit_beyond_the_bound_is_not_a_measurement(void **state)
{
    (void)state;
    static const struct measurement wild[] = { { 1, 10 }, { 2, 1 },  { 4, 12 },
                                               { 8, 1 },  { 16, 9 }, { 32, 0.5 } };
    fit_runs(wild, 6, 0);
    assert_says(judge(16, &open_limits, NULL), VERDICT_NOT_MEASURED, VERDICT_REASON_MISFIT);
}

/* 6,200,000 (of something else) and 1.8: E = 1.7 million. */
static void test_sizes_of_two_units_say_nothing(void **state)
{
    (void)state;
    static const struct measurement mixed[] = { { 1, 6.2e6 }, { 2, 1.8 } };
    fit_runs(mixed, 2, 0);
    assert_false(verdict_law_usable(&fit, NULL));
    assert_says(judge(2, &open_limits, NULL), VERDICT_NOT_MEASURED, VERDICT_REASON_MISFIT);
    static const struct measurement steep[] = { { 1, 36 }, { 2, 1.8 } }; /* E = 10 */
    scaling_fit(steep, 2, 0, &fit);
    assert_true(verdict_law_usable(&fit, NULL));
    static const struct measurement steeper[] = { { 1, 37.8 }, { 2, 1.8 } }; /* E = 10.5 */
    scaling_fit(steeper, 2, 0, &fit);
    assert_false(verdict_law_usable(&fit, NULL));
}

/* One node in seconds, the others in hours: a stepped law fits, whose step is 3,600. */
static void test_a_time_that_rises_tenfold_is_one_of_two_units(void **state)
{
    (void)state;
    static const struct measurement mixed[] = { { 1, 10.0 / 3600 }, { 2, 5.1 },  { 4, 2.6 },
                                                { 8, 1.4 },         { 16, 0.8 }, { 32, 0.5 } };
    fit_runs(mixed, 6, 0);
    assert_int_equal(fit.outcome, SCALING_FIT_LAW);
    assert_says(judge(8, &open_limits, NULL), VERDICT_NOT_MEASURED, VERDICT_REASON_MISFIT);
    static const struct measurement steep[] = { { 1, 1 }, { 2, 10 }, { 4, 100 } };
    scaling_fit(steep, 3, 0, &fit);
    assert_true(verdict_law_usable(&fit, NULL));
    static const struct measurement steeper[] = { { 1, 1 }, { 2, 10 }, { 4, 101 } };
    scaling_fit(steeper, 3, 0, &fit);
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

static void test_the_reason_why_a_family_has_no_k_star_is_given(void **state)
{
    (void)state;
    static const struct measurement one[] = { { 4, 10 } };
    static const struct k_star_result none;
    enum verdict_reason reason;
    fit_runs(one, 1, 0);
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

/* One size is cheapest of itself, and E = 1 of itself: neither says anything of K*, nor of E above
 * one node. */
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
        fit_runs(runs, 2, alone[i].accelerators_per_node);
        assert_int_equal(verdict_law_usable(&fit, NULL), alone[i].has_efficiency);
        enum verdict_reason reason;
        assert_false(verdict_gives_k_star(&fit, NULL, &reason));
        assert_int_equal(reason, VERDICT_REASON_ONE_SIZE);
        for (unsigned of_job = k / 2 > 0 ? k / 2 : 1; of_job <= 2 * k; of_job *= 2) {
            struct verdict_answer answer = judge(of_job, &limits, NULL);
            assert_says(answer, VERDICT_NOT_MEASURED, VERDICT_REASON_ONE_SIZE);
            assert_int_equal(answer.k_star.k, 0);
            assert_true(isnan(answer.cost_ratio) && isnan(answer.hours_ratio));
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
    fit_runs(runs, 2, 0);
    /* (8.4 + 9) x 10 = 174 against (33.6 + 9) x 9 = 383.4 */
    struct verdict_answer answer = judge(16, &open_limits, NULL);
    assert_says(answer, VERDICT_ABOVE, VERDICT_REASON_ABOVE_MEASURED_ONLY);
    assert_true(answer.low_confidence);
    assert_near(answer.cost_ratio, 174 / 383.4, 1e-14);
    assert_says(judge(4, &open_limits, NULL), VERDICT_AT, VERDICT_REASON_AT);
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
    fit_runs(noisy, 6, 0);
    /* 174 against 193.5: 10 % of it too much, ln 0.106; noise 20 % of a run on 4 degrees, 2.776 x
     * 0.2 x sqrt(2/3) = 0.45 */
    struct verdict_answer answer = judge(8, &open_limits, NULL);
    assert_near(answer.excess_share, 1 - 174 / 193.5, 1e-12);
    assert_says(answer, VERDICT_WITHIN_ERROR, VERDICT_REASON_INSIDE_NOISE);
    static const struct measurement quieter[] = { { 4, 9.8 },  { 4, 10 },  { 4, 10.2 },
                                                  { 8, 7.35 }, { 8, 7.5 }, { 8, 7.65 } };
    fit_runs(quieter, 6, 0);
    answer = judge(8, &open_limits, NULL); /* 2 %: 0.045 */
    assert_says(answer, VERDICT_ABOVE, VERDICT_REASON_ABOVE_MEASURED_ONLY);
    assert_true(answer.low_confidence);
    /* Each run 3.1 % off, four of one size and two of the other: 2.776 x sqrt(6 x 0.031^2 / 4) x
     * sqrt(1/4 + 1/2) = 0.091 */
    const double off = exp(0.031);
    const struct measurement uneven[] = { { 4, 10 * off }, { 4, 10 / off },  { 4, 10 * off },
                                          { 4, 10 / off }, { 8, 7.5 * off }, { 8, 7.5 / off } };
    fit_runs(uneven, 6, 0);
    assert_says(judge(8, &open_limits, NULL), VERDICT_ABOVE, VERDICT_REASON_ABOVE_MEASURED_ONLY);
    /* One repeat in all, 3.1 % off: 12.706 x sqrt(2 x 0.031^2) x sqrt(1/2 + 1) = 0.68 */
    const struct measurement once_more[] = { uneven[0], uneven[1], { 8, 7.5 } };
    fit_runs(once_more, 3, 0);
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
}

/* A step of 0.4, s = .02, c = .001 on 1 to 16: throughput bends so much that the neighbours' line
 * passes above the largest size. */
static void test_fewer_nodes_are_not_called_faster_than_the_largest_size_measured(void **state)
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
    assert_true(answer.hours_ratio > 1);
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
static void test_a_price_below_zero_is_reported_as_such(void **state)
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

static struct verdict_answer judge_own(unsigned k, double own_efficiency, const struct k_interval *known)
{
    return ask((struct verdict_question){ .fit = &fit,
                                          .curve = &curve,
                                          .limits = &open_limits,
                                          .interval = known,
                                          .k = k,
                                          .own_efficiency = own_efficiency });
}

/* T(K) = (1 + 0.03 (K - 1) + 0.0015 K (K - 1)) / K: 10 nodes take 0.1405 hours, 11 0.1332 and 12
 * 0.1273 for more. With an own E(16) of 62 % other K take 1.122 times as long: 12 are late at
 * 0.1429, and 13 cost 4.995, so that its own 16 at 4.819 are the cheapest in time. */
static void test_a_deadline_has_its_cheapest_k(void **state)
{
    (void)state;
    measure_family(&usl, 6, 1e-5);
    struct verdict_question question = { .fit = &fit, .curve = &curve, .limits = &open_limits, .k = 16 };
    struct verdict_answer answer = ask(question);
    assert_int_equal(verdict_size_in_time(&question, &answer, 0.113125, 0.14), 11);
    assert_int_equal(verdict_size_in_time(&question, &answer, 0.113125, 0.05), 0);
    question.own_efficiency = 0.62;
    answer = ask(question);
    assert_int_equal(verdict_size_in_time(&question, &answer, 0.113125, 0.14), 16);
    assert_int_equal(verdict_size_in_time(&question, &answer, 0.113125, 0.2),
                     8); /* 4.683; 7: 4.722, 9: 4.689 */
}

/* E(16) of the family is 1/1.81 = 55.2 %; C(16) is 15.5 % above C(8), so C(8)/C(16) = 0.866. */
static void test_what_was_measured_on_a_job_judges_it(void **state)
{
    (void)state;
    measure_family(&usl, 6, 1e-5);
    struct verdict_answer answer = judge_own(16, 0.62, &interval); /* 0.866 x 0.62 x 1.81 = 0.972: 2.8 % */
    assert_says(answer, VERDICT_NEAR, VERDICT_REASON_OWN_NEAR);
    assert_within(answer.cost_ratio, 0.972, 2e-3);
    assert_within(answer.hours_ratio, 0.16175 / 0.113125 * 0.62 * 1.81, 2e-3);
    answer = judge_own(16, 0.5, &interval); /* 0.784 */
    assert_says(answer, VERDICT_ABOVE, VERDICT_REASON_ABOVE);
    assert_false(answer.low_confidence);
    assert_within(answer.excess_share, 1 - 0.784, 2e-3);
    /* K = 10 costs 1.0 % more by the family. E(10) = 1/1.405; of 0.6 the ratio is 0.990 x 0.6 x
     * 1.405 = 0.835. */
    answer = judge_own(10, 0.6, &interval);
    assert_says(answer, VERDICT_ABOVE, VERDICT_REASON_OWN_ABOVE);
    assert_true(answer.low_confidence);
    assert_within(answer.cost_ratio, 0.835, 2e-3);
    assert_says(judge_own(10, 0.7, &interval), VERDICT_NEAR, VERDICT_REASON_SMALL_EXCESS);
}

/* Without one node E of the family is relative to four, and that of the job to one: they are not
 * compared. */
static void test_an_efficiency_of_another_base_judges_nothing(void **state)
{
    (void)state;
    struct measurement runs[5];
    for (unsigned i = 0; i < 5; i++)
        runs[i] = (struct measurement){ 4u << i, scaling_law_hours(&usl, 4u << i) };
    fit_runs(runs, 5, 0);
    struct verdict_answer answer = judge_own(16, 0.95, NULL);
    assert_near(answer.own_share, 1, 0);
    assert_within(answer.cost_ratio, 1 / 1.155, 1e-3);
}

/* Two runs of each size, 10 % above the law and below it: each size by itself could be any other,
 * all together are a law. C(20) = 51 x 2.14/20 = 5.457 is 31 % above C(8), ln 0.27, and the noise
 * of two sizes 2.447 x 0.141 = 0.35; but the law is sure of it. */
static void test_on_a_law_its_draws_decide_and_not_the_noise_of_two_sizes(void **state)
{
    (void)state;
    struct measurement runs[12];
    for (unsigned i = 0; i < 12; i++)
        runs[i] = (struct measurement){ 1u << i / 2,
                                        scaling_law_hours(&usl, 1u << i / 2) * exp(i % 2 ? 0.1 : -0.1) };
    fit_runs(runs, 12, 0);
    assert_int_equal(fit.outcome, SCALING_FIT_LAW);
    assert_says(judge(20, &open_limits, &interval), VERDICT_ABOVE, VERDICT_REASON_ABOVE);
}

/* Measured to 16, K* 8. 32 nodes cost 95 % more, but nobody ran them. */
static void test_above_the_largest_size_measured_no_flag_is_sure(void **state)
{
    (void)state;
    static const unsigned sizes[] = { 1, 2, 4, 6, 10, 16 };
    struct measurement runs[12];
    for (unsigned i = 0; i < 12; i++)
        runs[i] = (struct measurement){ sizes[i / 2],
                                        scaling_law_hours(&usl, sizes[i / 2]) * exp(i % 2 ? 0.001 : -0.001) };
    fit_runs(runs, 12, 0);
    assert_int_equal(fit.confidence, SCALING_CONFIDENCE_NORMAL);
    struct verdict_answer answer = judge(16, &open_limits, &interval);
    assert_says(answer, VERDICT_ABOVE, VERDICT_REASON_ABOVE);
    assert_false(answer.low_confidence);
    answer = judge(17, &open_limits, &interval);
    assert_says(answer, VERDICT_ABOVE, VERDICT_REASON_ABOVE_BEYOND);
    assert_true(answer.low_confidence);
    answer = judge(32, &open_limits, &interval);
    assert_says(answer, VERDICT_ABOVE, VERDICT_REASON_ABOVE_BEYOND);
    assert_true(answer.low_confidence);
    assert_true(answer.excess.low > 0.3);
    assert_says(judge(33, &open_limits, &interval), VERDICT_EXTRAPOLATED, VERDICT_REASON_K_BEYOND);
    assert_null(verdict_doubt(&fit, &curve, &open_limits, 16));
    assert_string_equal(verdict_doubt(&fit, &curve, &open_limits, 17),
                        "K* is above the largest size measured");
}

/* 1, 4 and 16 nodes, and K* 8 of the three: what 8 nodes cost nobody measured. */
static void test_beside_a_fourfold_gap_no_verdict_is_sure(void **state)
{
    (void)state;
    static const unsigned sizes[] = { 1, 2, 3, 4, 16, 32, 64 };
    struct measurement runs[14];
    for (unsigned i = 0; i < 14; i++)
        runs[i] = (struct measurement){ sizes[i / 2],
                                        scaling_law_hours(&usl, sizes[i / 2]) * exp(i % 2 ? 0.001 : -0.001) };
    fit_runs(runs, 14, 0);
    assert_int_equal(fit.confidence, SCALING_CONFIDENCE_NORMAL);
    struct verdict_answer answer = judge(64, &open_limits, &interval);
    assert_int_equal(answer.k_star.k, 8);
    assert_says(answer, VERDICT_ABOVE, VERDICT_REASON_ABOVE_GAP);
    assert_true(answer.low_confidence);
    assert_int_equal(answer.excess.draws, 0);
    assert_int_equal(answer.next, MEASURE_THE_GAP);
    answer = judge(4, &open_limits, &interval);
    assert_says(answer, VERDICT_BELOW, VERDICT_REASON_ABOVE_GAP);
    assert_true(answer.low_confidence);
    curve.price.per_wall_hour = 0.3; /* K* 1 or 2 */
    answer = judge(64, &open_limits, &interval);
    assert_in_range(answer.k_star.k, 1, 3);
    assert_says(answer, VERDICT_ABOVE, VERDICT_REASON_ABOVE);
    assert_false(answer.low_confidence);
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
        cmocka_unit_test(test_too_few_nodes_are_no_excess_of_too_many),
        cmocka_unit_test(test_with_waiting_there_is_a_band),
        cmocka_unit_test(test_what_an_hour_must_be_worth),
        cmocka_unit_test(test_below_the_band_is_judged_as_strictly),
        cmocka_unit_test(test_a_share_that_others_would_bear_is_no_fault),
        cmocka_unit_test(test_of_two_sizes_the_smaller_may_be_below),
        cmocka_unit_test(test_near_is_configurable),
        cmocka_unit_test(test_a_flag_without_an_interval_is_of_low_confidence),
        cmocka_unit_test(test_beyond_twice_the_largest_measured_is_extrapolated),
        cmocka_unit_test(test_what_was_not_measured_is_never_judged),
        cmocka_unit_test(test_a_misfit_beyond_the_bound_is_not_a_measurement),
        cmocka_unit_test(test_sizes_of_two_units_say_nothing),
        cmocka_unit_test(test_a_time_that_rises_tenfold_is_one_of_two_units),
        cmocka_unit_test(test_limits_end_where_the_verdict_does),
        cmocka_unit_test(test_the_reason_why_a_family_has_no_k_star_is_given),
        cmocka_unit_test(test_one_size_is_compared_with_nothing),
        cmocka_unit_test(test_two_sizes_compare_their_measured_costs_alone),
        cmocka_unit_test(test_two_sizes_differ_by_more_than_their_repeats_or_there_is_no_flag),
        cmocka_unit_test(test_the_ratio_does_not_depend_on_the_length_of_the_job),
        cmocka_unit_test(test_fewer_nodes_are_not_called_faster_than_the_largest_size_measured),
        cmocka_unit_test(test_a_job_that_costs_nothing_has_no_excess),
        cmocka_unit_test(test_a_price_below_zero_is_reported_as_such),
        cmocka_unit_test(test_a_deadline_has_its_cheapest_k),
        cmocka_unit_test(test_what_was_measured_on_a_job_judges_it),
        cmocka_unit_test(test_an_efficiency_of_another_base_judges_nothing),
        cmocka_unit_test(test_on_a_law_its_draws_decide_and_not_the_noise_of_two_sizes),
        cmocka_unit_test(test_above_the_largest_size_measured_no_flag_is_sure),
        cmocka_unit_test(test_beside_a_fourfold_gap_no_verdict_is_sure),
        cmocka_unit_test(test_every_word_is_there),
    };
    return cmocka_run_group_tests_name("verdict", tests, NULL, NULL);
}
