/* tests/unit/verdict_test.h: what the tests of verdicts share with those of what to measure next: a
 * family, its curve, a question asked of both. */
#ifndef KSTAR_TESTS_VERDICT_TEST_H
#define KSTAR_TESTS_VERDICT_TEST_H

#include "model/cost/verdict.h"
#include "model/cost/verdict_fit.h"
#include "model/cost/verdict_texts.h"
#include "model_test.h"

static struct scaling_fit fit;
static struct cost_curve curve;
static struct k_interval interval;
static const struct job_price price = { .per_node_hour = 2.10, .per_wall_hour = 9 };
static const struct scaling_law usl = { .t1_hours = 1,
                                        .serial_fraction = 0.03,
                                        .communication_coefficient = 0.0015 };
static const double quiet[] = { 1, -1, 0.5, 1, -0.8, -0.4, 0.6 };

/* What `curve` is drawn from, at `price`. */
static inline void fit_runs(const struct measurement *runs, size_t count, unsigned accelerators_per_node)
{
    scaling_fit(runs, count, accelerators_per_node, &fit);
    verdict_curve(&fit, &price, &curve);
}

/* Fits exact times of a law at 1, 2, 4, ... with a small fixed disturbance. */
static inline void measure_family(const struct scaling_law *law, size_t sizes, double noise)
{
    struct measurement runs[8];
    for (size_t i = 0; i < sizes; i++) {
        runs[i] = (struct measurement){ 1u << i, scaling_law_hours(law, 1u << i) * (1 + noise * quiet[i]) };
    }
    fit_runs(runs, sizes, 0);
}

/* Asks a question with what the draws of `fit` say, or, with no interval, with nothing that tells
 * how sure an excess is. */
static inline struct verdict_answer ask(struct verdict_question question)
{
    struct verdict_answer answer;
    question.table =
        question.interval != NULL ? k_table_make(question.fit, question.curve, question.limits) : NULL;
    verdict_of(&question, &answer);
    k_table_free(question.table);
    return answer;
}

static inline struct verdict_answer judge(unsigned k, const struct node_limits *limits,
                                          const struct k_interval *known)
{
    return ask((struct verdict_question){
        .fit = &fit, .curve = &curve, .limits = limits, .interval = known, .k = k });
}

static const struct node_limits open_limits = { 0 };

static inline void assert_says(struct verdict_answer answer, enum verdict verdict, enum verdict_reason reason)
{
    assert_string_equal(verdict_name(answer.verdict), verdict_name(verdict));
    assert_string_equal(verdict_reason_text(answer.reason), verdict_reason_text(reason));
}

#endif
