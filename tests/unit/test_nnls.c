/* Non-negative least squares against enumeration: with at most four columns every subset of free
 * columns can be solved by normal equations in long double, and the best one without a negative
 * value is the answer. */
#include "model/statistics/nnls.h"
#include "model/statistics/seeded_random.h"
#include "model_test.h"

enum { ROWS = 12 };

/* Solves the normal equations over the columns in mask. Returns 0 when they are singular. */
static int solve_subset(double a[][NNLS_MAX], const double *b, size_t rows, size_t columns, unsigned mask,
                        long double *x)
{
    long double m[NNLS_MAX][NNLS_MAX + 1] = { { 0 } };
    size_t index[NNLS_MAX];
    size_t n = 0;
    for (size_t j = 0; j < columns; j++) {
        x[j] = 0;
        if ((mask >> j & 1u) != 0) {
            index[n++] = j;
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t r = 0; r < rows; r++) {
            for (size_t j = 0; j < n; j++) {
                m[i][j] += (long double)a[r][index[i]] * a[r][index[j]];
            }
            m[i][n] += (long double)a[r][index[i]] * b[r];
        }
    }
    for (size_t p = 0; p < n; p++) {
        size_t best = p;
        for (size_t i = p; i < n; i++) {
            best = fabsl(m[i][p]) > fabsl(m[best][p]) ? i : best;
        }
        for (size_t j = 0; j <= n; j++) {
            long double swap = m[p][j];
            m[p][j] = m[best][j];
            m[best][j] = swap;
        }
        if (fabsl(m[p][p]) < 1e-15L) {
            return 0;
        }
        for (size_t i = 0; i < n; i++) {
            long double factor = m[i][p] / m[p][p];
            for (size_t j = p; i != p && j <= n; j++) {
                m[i][j] -= factor * m[p][j];
            }
        }
    }
    for (size_t i = 0; i < n; i++) {
        x[index[i]] = m[i][n] / m[i][i];
    }
    return 1;
}

static double loss(double a[][NNLS_MAX], const double *b, size_t rows, size_t columns, const long double *x)
{
    long double sum = 0;
    for (size_t r = 0; r < rows; r++) {
        long double off = b[r];
        for (size_t j = 0; j < columns; j++) {
            off -= a[r][j] * x[j];
        }
        sum += off * off;
    }
    return (double)sum;
}

static double enumerate(double a[][NNLS_MAX], const double *b, size_t rows, size_t columns,
                        long double *best_x)
{
    double best = INFINITY;
    for (unsigned mask = 0; mask < 1u << columns; mask++) {
        long double x[NNLS_MAX] = { 0 };
        int usable = solve_subset(a, b, rows, columns, mask, x);
        for (size_t j = 0; j < columns; j++) {
            usable = usable && x[j] >= 0;
        }
        double sum = usable ? loss(a, b, rows, columns, x) : INFINITY;
        if (sum < best) {
            best = sum;
            memcpy(best_x, x, sizeof x);
        }
    }
    return best;
}

static void check(double a[][NNLS_MAX], const double *b, size_t rows, size_t columns, double tolerance)
{
    struct nnls system = { .columns = columns };
    struct nnls_solution solution;
    long double expected[NNLS_MAX] = { 0 };
    double best = enumerate(a, b, rows, columns, expected);
    for (size_t r = 0; r < rows; r++) {
        nnls_add_row(&system, a[r], b[r]);
    }
    nnls_solve(&system, &solution);
    assert_within(solution.residual_sum, best, 1e-10 * (1 + best));
    for (size_t j = 0; j < columns; j++) {
        assert_true(solution.x[j] >= 0);
        assert_within(solution.x[j], (double)expected[j], tolerance * (1 + fabs((double)expected[j])));
        assert_int_equal(solution.free_columns >> j & 1u, solution.x[j] > 0);
    }
}

static void test_random_problems_have_the_solution_that_enumeration_finds(void **state)
{
    (void)state;
    struct seeded_random random;
    seeded_random_start(&random, 1);
    for (int trial = 0; trial < 5000; trial++) {
        double a[ROWS][NNLS_MAX] = { { 0 } };
        double b[ROWS];
        size_t columns = 1 + (size_t)trial % NNLS_MAX;
        size_t rows = columns + (size_t)trial % (ROWS - NNLS_MAX);
        for (size_t r = 0; r < rows; r++) {
            for (size_t j = 0; j < columns; j++) {
                a[r][j] = seeded_random_normal(&random);
            }
            b[r] = seeded_random_normal(&random);
        }
        check(a, b, rows, columns, 1e-7);
    }
}

static void test_columns_of_a_scaling_law_differ_by_orders_and_still_solve(void **state)
{
    (void)state;
    struct seeded_random random;
    seeded_random_start(&random, 2);
    for (int trial = 0; trial < 2000; trial++) {
        double a[ROWS][NNLS_MAX];
        double b[ROWS];
        for (size_t r = 0; r < 9; r++) {
            double k = (double)(1u << r);
            double t = (1 / k + 0.03 + 0.001 * k) * (1 + 0.05 * seeded_random_normal(&random));
            a[r][0] = 1 / (k * t);
            a[r][1] = (k - 1) / (k * t);
            a[r][2] = (k - 1) / t;
            a[r][3] = k > 1 ? 1 / (k * t) : 0;
            b[r] = 1;
        }
        check(a, b, 9, 4, 1e-6);
    }
}

static void test_a_column_that_the_others_span_stays_at_zero(void **state)
{
    (void)state;
    struct nnls system = { .columns = 3 };
    struct nnls_solution solution;
    double inverse[NNLS_MAX][NNLS_MAX];
    static const double rows[][3] = { { 1, 2, 3 }, { 2, 4, 1 }, { 3, 6, 2 } };
    for (size_t r = 0; r < 3; r++) {
        nnls_add_row(&system, rows[r],
                     rows[r][0] + rows[r][2]); /* one answer: (1, 0, 1); another: (0, .5, 1) */
    }
    nnls_solve(&system, &solution);
    assert_within(solution.residual_sum, 0, 1e-20);
    assert_within(solution.x[0] + 2 * solution.x[1], 1, 1e-12);
    assert_within(solution.x[2], 1, 1e-12);
    assert_false(nnls_inverse(&system, 3, inverse));
}

static void test_without_rows_everything_is_zero(void **state)
{
    (void)state;
    struct nnls system = { .columns = 4 };
    struct nnls_solution solution;
    nnls_solve(&system, &solution);
    assert_int_equal(solution.free_columns, 0);
    assert_near(solution.residual_sum, 0, 0);
}

static void test_the_inverse_times_the_normal_matrix_is_one(void **state)
{
    (void)state;
    static const double rows[][3] = { { 1, 100, 0.5 }, { 2, 30, 0.1 }, { 1, 1, 0.9 }, { 3, 7, 0.2 } };
    static const unsigned subsets[] = { 7, 5, 3, 6, 1, 4 };
    struct nnls system = { .columns = 3 };
    for (size_t r = 0; r < 4; r++) {
        nnls_add_row(&system, rows[r], 1);
    }
    for (size_t s = 0; s < sizeof subsets / sizeof subsets[0]; s++) {
        double inverse[NNLS_MAX][NNLS_MAX];
        assert_true(nnls_inverse(&system, subsets[s], inverse));
        for (size_t i = 0; i < 3; i++) {
            for (size_t j = 0; j < 3; j++) {
                double product = 0;
                for (size_t m = 0; m < 3; m++) {
                    for (size_t r = 0; r < 4; r++) {
                        product += inverse[i][m] * rows[r][m] * rows[r][j];
                    }
                }
                int inside = (subsets[s] >> i & 1u) != 0 && (subsets[s] >> j & 1u) != 0;
                if (inside) {
                    assert_within(product, i == j, 1e-8);
                }
                if ((subsets[s] >> i & 1u) == 0) {
                    assert_near(inverse[i][j], 0, 0);
                }
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_problems_have_the_solution_that_enumeration_finds),
        cmocka_unit_test(test_columns_of_a_scaling_law_differ_by_orders_and_still_solve),
        cmocka_unit_test(test_a_column_that_the_others_span_stays_at_zero),
        cmocka_unit_test(test_without_rows_everything_is_zero),
        cmocka_unit_test(test_the_inverse_times_the_normal_matrix_is_one),
    };
    return cmocka_run_group_tests_name("nnls", tests, NULL, NULL);
}
