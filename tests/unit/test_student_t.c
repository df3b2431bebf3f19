/* Quantiles of t against the values that R's qt() and pt() print. */
#include "model/statistics/student_t.h"
#include "model_test.h"

static void test_quantiles_are_those_of_the_tables(void **state)
{
    (void)state;
    static const struct {
        double probability, freedom, t;
    } table[] = {
        { 0.975, 1, 12.706204736175 },  { 0.975, 2, 4.302652729749 },  { 0.975, 3, 3.182446305284 },
        { 0.975, 5, 2.570581835636 },   { 0.975, 10, 2.228138851986 }, { 0.975, 30, 2.042272456301 },
        { 0.975, 120, 1.979930405082 }, { 0.6, 4, 0.270722294708 },    { 0.9, 7, 1.414923927651 },
        { 0.995, 2, 9.924843200918 },
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        assert_within(student_t_quantile(table[i].probability, table[i].freedom), table[i].t, 2e-12 * 13);
        assert_within(student_t_quantile(1 - table[i].probability, table[i].freedom), -table[i].t, 1e-10);
    }
    assert_within(student_t_quantile(0.975, 1e6), 1.959966357, 1e-8); /* z + (z^3 + z)/(4 nu) */
    assert_within(student_t_quantile(0.5, 3), 0, 1e-12);
}

static void test_probabilities_are_those_of_r(void **state)
{
    (void)state;
    assert_within(student_t_probability(1.5, 3), 0.884708067377589, 1e-14);
    assert_within(student_t_probability(-2.2, 8), 0.029496953957912, 1e-14);
    assert_within(student_t_probability(0.3, 1), 0.592773579077742, 1e-14);
}

static void test_nonsense_has_no_quantile(void **state)
{
    (void)state;
    assert_true(isnan(student_t_quantile(0, 3)));
    assert_true(isnan(student_t_quantile(1, 3)));
    assert_true(isnan(student_t_quantile(NAN, 3)));
    assert_true(isnan(student_t_quantile(0.975, 0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quantiles_are_those_of_the_tables),
        cmocka_unit_test(test_probabilities_are_those_of_r),
        cmocka_unit_test(test_nonsense_has_no_quantile),
    };
    return cmocka_run_group_tests_name("student_t", tests, NULL, NULL);
}
