/* The whole answer of `kstar advise`, by the worked example. */
#include "model/cost/advise.h"
#include "model_test.h"

static struct advise_question example(void)
{
    return (struct advise_question){
        .law = { .serial_fraction = 0.03, .communication_coefficient = 0.0015 }, /* T1 left at 0: 1 */
        .price = { .per_node_hour = 2.10, .per_wall_hour = 9 },
        .limits = { .largest = 256 },
        .deadline_hours = 0.15,
    };
}

static void test_the_worked_example_is_answered_whole(void **state)
{
    (void)state;
    struct advise_question question = example();
    struct advise_row rows[256];
    struct advise_answer answer;
    assert_int_equal(advise(&question, rows, 256, &answer), K_STAR_FOUND);
    assert_int_equal(answer.k_star.k, 8);
    assert_near(answer.k_star.cost, 4.17315, 1e-13);
    assert_int_equal(answer.k_fastest.k, 25);
    assert_near(answer.k_fastest.cost, 6.4452, 1e-13);
    assert_near(answer.speed_extra_cost, 6.4452 - 4.17315, 1e-12);
    assert_near(answer.speed_hours_saved, 0.16175 - 0.1048, 1e-12);
    assert_int_equal(answer.k_deadline_outcome, K_STAR_FOUND);
    assert_int_equal(answer.k_deadline.k, 9);
    assert_near(answer.k_deadline.cost, 4.1788, 1e-13);
    assert_int_equal(answer.first_unfavourable->from, 8);
    assert_int_equal(answer.row_count, 256);
    assert_int_equal(answer.rows_omitted, 0);
    assert_int_equal(rows[7].k, 8);
    assert_near(rows[7].speedup, 8 / 1.294, 1e-13);
    assert_near(rows[7].efficiency, 1 / 1.294, 1e-13);
    assert_near(rows[7].hours, 0.16175, 1e-13);
    assert_near(rows[7].cost, 4.17315, 1e-13);
    assert_int_equal(rows[24].k, 25);
    assert_near(rows[24].cost, 6.4452, 1e-13);
}

static void test_a_deadline_that_nothing_meets_comes_with_the_fastest(void **state)
{
    (void)state;
    struct advise_question question = example();
    struct advise_answer answer;
    question.deadline_hours = 0.05;
    assert_int_equal(advise(&question, NULL, 0, &answer), K_STAR_FOUND);
    assert_int_equal(answer.k_deadline_outcome, K_STAR_DEADLINE_NOT_MET);
    assert_int_equal(answer.k_deadline.k, 25);
    question.deadline_hours = 0;
    advise(&question, NULL, 0, &answer);
    assert_false(answer.deadline_asked);
}

static void test_the_curve_holds_feasible_k_only_and_says_what_had_no_room(void **state)
{
    (void)state;
    static const unsigned list[] = { 32, 8, 2 };
    struct advise_question question = example();
    struct advise_row rows[2];
    struct advise_answer answer;
    question.limits = (struct node_limits){ .allowed = list, .allowed_count = 3 };
    advise(&question, rows, 2, &answer);
    assert_int_equal(answer.row_count, 2);
    assert_int_equal(answer.rows_omitted, 1);
    assert_int_equal(rows[0].k, 2);
    assert_int_equal(rows[1].k, 8);
}

static void test_without_a_maximum_the_curve_ends_at_twice_the_fastest(void **state)
{
    (void)state;
    struct advise_question question = example();
    struct advise_row rows[ADVISE_CURVE_LARGEST];
    struct advise_answer answer;
    question.limits.largest = 0;
    advise(&question, rows, ADVISE_CURVE_LARGEST, &answer);
    assert_int_equal(answer.row_count, 50);
    question.law.communication_coefficient = 0; /* no fastest */
    advise(&question, rows, ADVISE_CURVE_LARGEST, &answer);
    assert_int_equal(answer.k_fastest_outcome, K_STAR_UNBOUNDED);
    assert_true(isnan(answer.speed_extra_cost));
    assert_int_equal(answer.row_count, ADVISE_CURVE_LARGEST);
}

/* Every K up to ADVISE_CURVE_WHOLE, then powers of two and what was found: as many rows for a
 * maximum of a hundred million as there is room for. */
static void test_a_far_maximum_does_not_lengthen_the_curve(void **state)
{
    (void)state;
    static struct advise_row rows[ADVISE_CURVE_ROWS];
    struct advise_question question = example();
    struct advise_answer answer;
    question.law.serial_fraction =
        1e-9; /* C = 2.1 + 9/K + 2.1e-9 K and a bit: cheapest at the root of 9/2.1e-9, 65,465 */
    question.law.communication_coefficient = 0;
    question.price.per_wall_hour = 9;
    question.deadline_hours = 0;
    question.limits.largest = 100000000;
    assert_int_equal(advise(&question, rows, ADVISE_CURVE_ROWS, &answer), K_STAR_FOUND);
    assert_int_equal(answer.rows_omitted, 0);
    assert_in_range(answer.k_star.k, 64000, 65465);
    assert_int_equal(rows[ADVISE_CURVE_WHOLE - 1].k, ADVISE_CURVE_WHOLE);
    /* 32,768, K*, and 65,536 to 1,048,576, which is the fastest but for a tie */
    assert_int_equal(answer.row_count,
                     ADVISE_CURVE_WHOLE + 2 + 5 + (answer.k_fastest.k < NODE_LIMITS_LARGEST));
    assert_int_equal(rows[ADVISE_CURVE_WHOLE].k, 32768);
    assert_int_equal(rows[ADVISE_CURVE_WHOLE + 1].k, answer.k_star.k);
    assert_int_equal(rows[answer.row_count - 1].k, NODE_LIMITS_LARGEST);
    assert_near(rows[ADVISE_CURVE_WHOLE + 1].cost, answer.k_star.cost, 1e-15);
}

static void test_a_step_makes_the_law_stepped(void **state)
{
    (void)state;
    struct advise_question question = example();
    struct advise_answer answer;
    question.law.step = 10; /* leaving one node costs more than it can bring */
    assert_int_equal(advise(&question, NULL, 0, &answer), K_STAR_FOUND);
    assert_int_equal(answer.law.form, SCALING_STEPPED);
    assert_int_equal(answer.k_star.k, 1);
}

static void test_numbers_out_of_range_are_invalid_and_not_answered(void **state)
{
    (void)state;
    struct advise_question question = example();
    struct advise_answer answer;
    question.law.serial_fraction = -0.1;
    assert_int_equal(advise(&question, NULL, 0, &answer), K_STAR_INVALID);
    question = example();
    question.deadline_hours = -1;
    assert_int_equal(advise(&question, NULL, 0, &answer), K_STAR_INVALID);
    assert_int_equal(answer.row_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_worked_example_is_answered_whole),
        cmocka_unit_test(test_a_deadline_that_nothing_meets_comes_with_the_fastest),
        cmocka_unit_test(test_the_curve_holds_feasible_k_only_and_says_what_had_no_room),
        cmocka_unit_test(test_without_a_maximum_the_curve_ends_at_twice_the_fastest),
        cmocka_unit_test(test_a_far_maximum_does_not_lengthen_the_curve),
        cmocka_unit_test(test_a_step_makes_the_law_stepped),
        cmocka_unit_test(test_numbers_out_of_range_are_invalid_and_not_answered),
    };
    return cmocka_run_group_tests_name("advise", tests, NULL, NULL);
}
