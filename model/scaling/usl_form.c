/* model/scaling/usl_form.c: see usl_form.h. */
#include "model/scaling/usl_form.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

struct problem {
    enum usl_form form;
    const struct measurement *runs;
    size_t count;
    double single; /* E2: throughput at K = 1 */
};

/* The observed value of a run: throughput, or efficiency. */
static double observed(const struct problem *problem, size_t i)
{
    double throughput = 1 / problem->runs[i].hours;
    return problem->form == USL_THROUGHPUT_3 ? throughput
                                             : throughput / (problem->runs[i].k * problem->single);
}

/* The model at lambda = 1, h / g, where g = 1 + sigma (K-1) + kappa K (K-1). */
static double model_at(const struct problem *problem, const double x[2], double k)
{
    double g = 1 + x[0] * (k - 1) + x[1] * k * (k - 1);
    return (problem->form == USL_THROUGHPUT_3 ? k : 1) / g;
}

static double lambda_of(const struct problem *problem, const double x[2])
{
    if (problem->form == USL_EFFICIENCY_2)
        return 1;
    double cross = 0;
    double square = 0;
    for (size_t i = 0; i < problem->count; i++) {
        double model = model_at(problem, x, problem->runs[i].k);
        cross += model * observed(problem, i);
        square += model * model;
    }
    return cross / square;
}

static double residual_sum(const struct problem *problem, const double x[2])
{
    double lambda = lambda_of(problem, x);
    double sum = 0;
    for (size_t i = 0; i < problem->count; i++) {
        double off = observed(problem, i) - lambda * model_at(problem, x, problem->runs[i].k);
        sum += off * off;
    }
    return sum;
}

/* Normal equations of one step in the free parameters. If lambda is fitted, it is projected out
 * of the Jacobian (Kaufman's form of variable projection). */
static void normal_equations(const struct problem *problem, const double x[2], double matrix[2][2],
                             double right[2])
{
    double lambda = lambda_of(problem, x);
    double dot[2] = { 0 };
    double square = 0;
    memset(matrix, 0, 2 * sizeof matrix[0]);
    right[0] = right[1] = 0;
    for (size_t i = 0; i < problem->count; i++) {
        double k = problem->runs[i].k;
        double model = model_at(problem, x, k);
        double g = 1 + x[0] * (k - 1) + x[1] * k * (k - 1);
        const double slope[2] = { -lambda * model * (k - 1) / g, -lambda * model * k * (k - 1) / g };
        double off = observed(problem, i) - lambda * model;
        square += model * model;
        for (int a = 0; a < 2; a++) {
            dot[a] += slope[a] * model;
            right[a] += slope[a] * off;
            for (int b = 0; b < 2; b++)
                matrix[a][b] += slope[a] * slope[b];
        }
    }
    if (problem->form == USL_THROUGHPUT_3) {
        for (int a = 0; a < 2; a++) {
            for (int b = 0; b < 2; b++)
                matrix[a][b] -= dot[a] * dot[b] / square;
        }
    }
}

static double clamped(double x)
{
    return fmin(1, fmax(0, x));
}

/* One damped step over the free parameters, cut at the bounds. */
static void step_from(const double x[2], const bool is_free[2], double matrix[2][2], const double right[2],
                      double damping, double next[2])
{
    double a = matrix[0][0] * (1 + damping);
    double d = matrix[1][1] * (1 + damping);
    double b = matrix[0][1];
    next[0] = x[0];
    next[1] = x[1];
    if (is_free[0] && is_free[1]) {
        double determinant = a * d - b * b;
        if (determinant > 0) {
            next[0] = clamped(x[0] + (d * right[0] - b * right[1]) / determinant);
            next[1] = clamped(x[1] + (a * right[1] - b * right[0]) / determinant);
        }
    } else if (is_free[0] && a > 0) {
        next[0] = clamped(x[0] + right[0] / a);
    } else if (is_free[1] && d > 0) {
        next[1] = clamped(x[1] + right[1] / d);
    }
}

/* Descends from x within its face of the box until no step reduces the sum of squares. Returns
 * that sum. */
static double descend(const struct problem *problem, const bool is_free[2], double x[2])
{
    double sum = residual_sum(problem, x);
    double damping = 1e-3;
    for (int i = 0; i < 500 && damping < 1e14; i++) {
        double matrix[2][2];
        double right[2];
        double next[2];
        normal_equations(problem, x, matrix, right);
        step_from(x, is_free, matrix, right, damping, next);
        double lower = residual_sum(problem, next);
        if (lower < sum) {
            memcpy(x, next, sizeof next);
            sum = lower;
            damping = fmax(damping / 10, 1e-15);
        } else {
            damping *= 10;
        }
    }
    return sum;
}

static void search(const struct problem *problem, struct usl_fit *fit)
{
    static const double starts[] = { 0, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 0.5, 1 };
    enum { STARTS = sizeof starts / sizeof starts[0] };
    fit->residual_sum = INFINITY;
    for (int face = 0; face < 4; face++) {
        bool is_free[2] = { (face & 1) != 0, (face & 2) != 0 };
        for (int i = 0; i < STARTS * STARTS; i++) {
            /* a parameter that is not free is at a bound: the first or the last start */
            int a = i / STARTS;
            int b = i % STARTS;
            if ((!is_free[0] && a != 0 && a != STARTS - 1) || (!is_free[1] && b != 0 && b != STARTS - 1))
                continue;
            double x[2] = { starts[a], starts[b] };
            double sum = descend(problem, is_free, x);
            if (sum < fit->residual_sum) {
                fit->residual_sum = sum;
                fit->sigma = x[0];
                fit->kappa = x[1];
            }
        }
    }
}

static void describe(const struct problem *problem, struct usl_fit *fit)
{
    double x[2] = { fit->sigma, fit->kappa };
    double mean = 0;
    double total = 0;
    for (size_t i = 0; i < problem->count; i++)
        mean += observed(problem, i) / (double)problem->count;
    for (size_t i = 0; i < problem->count; i++)
        total += (observed(problem, i) - mean) * (observed(problem, i) - mean);
    fit->lambda = problem->form == USL_THROUGHPUT_3 ? lambda_of(problem, x) : problem->single;
    fit->r_squared = total > 0 ? 1 - fit->residual_sum / total : NAN;
    fit->peak = fit->kappa > 0 ? sqrt((1 - fit->sigma) / fit->kappa) : INFINITY;
    fit->runs = problem->count;
}

enum usl_outcome usl_fit(enum usl_form form, const struct measurement *measurements, size_t count,
                         struct usl_fit *fit)
{
    struct measured_size sizes[MEASURED_SIZES_MAX];
    size_t distinct = measured_sizes(measurements, count, sizes);
    struct problem problem = { .form = form, .runs = measurements, .count = count };
    memset(fit, 0, sizeof *fit);
    if (distinct == 0)
        return USL_REFUSED;
    if (form == USL_EFFICIENCY_2 && sizes[0].k != 1)
        return USL_NO_SINGLE_NODE;
    if (distinct < 3) { /* in E2, K = 1 is only the anchor */
        return USL_TOO_FEW_SIZES;
    }
    if (form == USL_EFFICIENCY_2) {
        double sum = 0;
        unsigned singles = 0;
        for (size_t i = 0; i < count; i++) {
            if (measurements[i].k == 1) {
                sum += 1 / measurements[i].hours;
                singles++;
            }
        }
        problem.single = sum / singles;
    }
    search(&problem, fit);
    describe(&problem, fit);
    return USL_FITTED;
}
