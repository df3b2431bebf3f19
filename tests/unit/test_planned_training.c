/* A planned training costs what the law and the forecast formula say: the worked example
 * (docs/mathematics.md, section 3) and its exercises. */
#include "model/forecast/planned_training.h"
#include "model_test.h"

static const struct scaling_law law = { .t1_hours = 1,
                                        .serial_fraction = .03,
                                        .communication_coefficient = .0015 };
static const struct node_limits limits = { .largest = 256 };

static struct training_question question_of(const struct scaling_law *of,
                                            const struct scenario_training *plan, double f)
{
    return (struct training_question){ .plan = plan,
                                       .curve = { .law = of,
                                                  .price = { .per_node_hour = 2.10, .per_wall_hour = f } },
                                       .limits = &limits,
                                       .accelerators_per_node = 1,
                                       .price_factor = 1,
                                       .efficiency_left = 1,
                                       .minor_per_unit = 100 };
}

static void assert_plan(const struct training_question *question, unsigned k, double cost)
{
    struct forecast_training training = { 0 };
    struct training_answer answer;
    double sum = 0;
    assert_int_equal(planned_training(question, &training, &answer), K_STAR_FOUND);
    for (int i = 0; i < FORECAST_COMPONENTS; i++) {
        sum += training.parts[i];
    }
    assert_int_equal(answer.k, k);
    assert_near(answer.cost, 100 * cost, 1e-9);
    assert_near(sum, answer.cost, 1e-12);
}

static void test_the_example_and_its_exercises(void **state)
{
    (void)state;
    struct scenario_training plan = { .ideal_node_hours = 1 };
    struct scaling_law chatty = law;
    chatty.communication_coefficient = .0045;
    struct training_question question = question_of(&law, &plan, 9);
    assert_plan(&question, 8, 4.17315);
    question = question_of(&law, &plan, 4.5);
    assert_plan(&question, 6, 3.40575);
    question = question_of(&chatty, &plan, 9);
    assert_plan(&question, 6, 4.626);
    plan.deadline_hours = .15;
    question = question_of(&law, &plan, 9);
    assert_plan(&question, 9, 4.1788);
    plan.deadline_hours = 0;
    plan.k = 25;
    question = question_of(&law, &plan, 9);
    assert_plan(&question, 25, 6.4452);
}

static void test_the_law_may_be_of_other_work(void **state)
{
    (void)state;
    struct scenario_training plan = { .ideal_node_hours = 1000 };
    struct scaling_law longer = law;
    longer.t1_hours = 37;
    struct training_question question = question_of(&longer, &plan, 9);
    assert_plan(&question, 8, 4173.15);
    struct scenario_training tokens = { .tokens = 5e9, .tokens_per_node_hour = 5e6, .runs = 3 };
    question = question_of(&longer, &tokens, 9);
    assert_plan(&question, 8, 3 * 4173.15);
}

/* (p 8/E + f)/8 on 8 nodes, E = 1/1.294; fees 100; a fifth fails; E a tenth lower, price a half
 * higher. */
static void test_fees_failures_prices_and_penalties_follow_the_formula(void **state)
{
    (void)state;
    struct scenario_training plan = { .ideal_node_hours = 800, .k = 8, .fees = 100 };
    struct training_question question = question_of(&law, &plan, 9);
    question.failed_run_factor = .2;
    question.price_factor = 1.5;
    question.efficiency_left = .9;
    double node_hours = 800 * 1.294 / .9, hours = node_hours / 8;
    assert_plan(&question, 8, (node_hours * 3.15 + 100) * 1.2 + 9 * hours);
    question.elastic_saving = .1; /* of the hardware */
    assert_plan(&question, 8, (node_hours * 3.15 * .9 + 100) * 1.2 + 9 * hours);
    question.curve.price.overhead_per_node_hour = .8; /* no price of hardware, and no run fails for it */
    assert_plan(&question, 8, (node_hours * 3.15 * .9 + 100) * 1.2 + 9 * hours + .8 * node_hours);
}

/* What the stretch models leaves the failed-run factor. */
static void test_spot_is_stretched_and_not_counted_twice(void **state)
{
    (void)state;
    struct scenario_training plan = { .ideal_node_hours = 800, .k = 8 };
    struct training_question question = question_of(&law, &plan, 9);
    question.curve.interruption = (struct interruption){
        .spot = true, .price_share = .3, .rate = .01, .checkpoint_hours = .05, .restart_hours = .1
    };
    question.failed_run_factor = .2;
    question.modelled_by_stretch = .15;
    double stretch = 1 + sqrt(2 * .05 * 8 * .01) + 8 * .01 * .1, node_hours = 800 * 1.294;
    assert_plan(&question, 8, node_hours * 2.10 * .3 * stretch * 1.05 + 9 * node_hours / 8 * stretch);
}

static void test_a_deadline_that_no_size_meets_is_reported(void **state)
{
    (void)state;
    struct scenario_training plan = { .ideal_node_hours = 1, .deadline_hours = .01 };
    struct training_question question = question_of(&law, &plan, 9);
    struct forecast_training training = { 0 };
    struct training_answer answer;
    assert_int_equal(planned_training(&question, &training, &answer), K_STAR_DEADLINE_NOT_MET);
    assert_int_equal(answer.k, 25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_example_and_its_exercises),
        cmocka_unit_test(test_the_law_may_be_of_other_work),
        cmocka_unit_test(test_fees_failures_prices_and_penalties_follow_the_formula),
        cmocka_unit_test(test_spot_is_stretched_and_not_counted_twice),
        cmocka_unit_test(test_a_deadline_that_no_size_meets_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
