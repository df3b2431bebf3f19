/* The generator gives the published sequence, and its variates the moments that they should
 * have. */
#include "model/statistics/seeded_random.h"
#include "model_test.h"

static void test_bits_are_those_of_the_published_generator(void **state)
{
    (void)state;
    /* xoshiro256** from state 1, 2, 3, 4. */
    static const uint64_t published[] = { UINT64_C(11520),
                                          UINT64_C(0),
                                          UINT64_C(1509978240),
                                          UINT64_C(1215971899390074240),
                                          UINT64_C(1216172134540287360),
                                          UINT64_C(607988272756665600),
                                          UINT64_C(16172922978634559625),
                                          UINT64_C(8476171486693032832) };
    struct seeded_random random = { { 1, 2, 3, 4 } };
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        assert_true(seeded_random_bits(&random) == published[i]);
    }
}

static void test_a_seed_is_spread_by_splitmix64(void **state)
{
    (void)state;
    struct seeded_random random;
    seeded_random_start(&random, 0);
    assert_true(random.state[0] == UINT64_C(0xe220a8397b1dcdaf));
    assert_true(random.state[1] == UINT64_C(0x6e789e6aa1b965f4));
    assert_true(random.state[2] == UINT64_C(0x06c45d188009454f));
    assert_true(random.state[3] == UINT64_C(0xf88bb8a8724c81ec));
}

static void test_the_same_seed_gives_the_same_numbers(void **state)
{
    (void)state;
    struct seeded_random a;
    struct seeded_random b;
    seeded_random_start(&a, 42);
    seeded_random_start(&b, 42);
    for (int i = 0; i < 1000; i++) {
        assert_near(seeded_random_normal(&a), seeded_random_normal(&b), 0);
    }
}

static void test_variates_have_their_mean_and_variance(void **state)
{
    (void)state;
    enum { N = 200000 };
    struct seeded_random random;
    double sum[3] = { 0 };
    double square[3] = { 0 };
    seeded_random_start(&random, 3);
    for (int i = 0; i < N; i++) {
        const double x[3] = { seeded_random_uniform(&random), seeded_random_normal(&random),
                              seeded_random_chi_square(&random, 5) };
        assert_true(x[0] > 0 && x[0] < 1);
        for (int j = 0; j < 3; j++) {
            sum[j] += x[j];
            square[j] += x[j] * x[j];
        }
    }
    static const double mean[3] = { 0.5, 0, 5 };
    static const double variance[3] = { 1.0 / 12, 1, 10 };
    for (int j = 0; j < 3; j++) {
        assert_within(sum[j] / N, mean[j], 5 * sqrt(variance[j] / N));
        assert_within(square[j] / N - sum[j] / N * sum[j] / N, variance[j], 0.03 * variance[j]);
    }
    double small = 0;
    for (int i = 0; i < N; i++) {
        small += seeded_random_chi_square(&random, 1);
    }
    assert_within(small / N, 1, 5 * sqrt(2.0 / N));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bits_are_those_of_the_published_generator),
        cmocka_unit_test(test_a_seed_is_spread_by_splitmix64),
        cmocka_unit_test(test_the_same_seed_gives_the_same_numbers),
        cmocka_unit_test(test_variates_have_their_mean_and_variance),
    };
    return cmocka_run_group_tests_name("seeded_random", tests, NULL, NULL);
}
