/* model/statistics/nnls.c: see nnls.h. */
#include "model/statistics/nnls.h"

#include <math.h>
#include <string.h>

/* A column depends on others if less than this share of its length remains after projection. */
static const double DEPENDENT = 1e-10;
/* A gradient below this (columns and b at unit length) is zero. */
static const double FLAT = 1e-13;

void nnls_add_row(struct nnls *system, const double *a, double b)
{
    size_t width = system->columns + 1;
    double row[NNLS_MAX + 1];
    memcpy(row, a, system->columns * sizeof *a);
    row[width - 1] = b;
    for (size_t j = 0; j < width; j++) {
        double *pivot = system->triangle[j];
        double length =
            /* not hypot(): a law's rows are far from overflow */
            sqrt(pivot[j] * pivot[j] + row[j] * row[j]);
        if (length == 0)
            continue;
        double cosine = pivot[j] / length;
        double sine = row[j] / length;
        for (size_t i = j; i < width; i++) {
            double kept = cosine * pivot[i] + sine * row[i];
            row[i] = cosine * row[i] - sine * pivot[i];
            pivot[i] = kept;
        }
    }
}

static double column_length(const struct nnls *system, size_t j)
{
    double squares = 0;
    for (size_t i = 0; i <= j; i++)
        squares += system->triangle[i][j] * system->triangle[i][j];
    return sqrt(squares);
}

/* A subset of the columns, scaled to unit length and made triangular again. */
struct subset {
    size_t count;
    size_t column[NNLS_MAX];              /* which column of the system */
    double scale[NNLS_MAX];               /* its length there */
    double r[NNLS_MAX + 1][NNLS_MAX + 1]; /* triangle; column `count` is the right-hand side */
};

/* Selects the columns in `mask` and makes them triangular by Gram-Schmidt. Each column is
 * projected twice against cancellation. False if the columns are dependent. A subset of
 * independent columns is independent. */
static bool subset_of(const struct nnls *system, unsigned mask, struct subset *subset)
{
    size_t height = system->columns + 1;
    double q[NNLS_MAX][NNLS_MAX + 1] = { { 0 } };
    memset(subset, 0, sizeof *subset);
    for (size_t j = 0; j < system->columns; j++) {
        if ((mask >> j & 1u) == 0)
            continue;
        size_t n = subset->count;
        double length = column_length(system, j);
        if (length == 0)
            return false;
        for (size_t i = 0; i < height; i++)
            q[n][i] = system->triangle[i][j] / length;
        for (int pass = 0; pass < 2; pass++) {
            for (size_t m = 0; m < n; m++) {
                double dot = 0;
                for (size_t i = 0; i < height; i++)
                    dot += q[m][i] * q[n][i];
                subset->r[m][n] += dot;
                for (size_t i = 0; i < height; i++)
                    q[n][i] -= dot * q[m][i];
            }
        }
        double left = 0;
        for (size_t i = 0; i < height; i++)
            left += q[n][i] * q[n][i];
        left = sqrt(left);
        if (left < DEPENDENT)
            return false;
        for (size_t i = 0; i < height; i++)
            q[n][i] /= left;
        subset->r[n][n] = left;
        subset->column[n] = j;
        subset->scale[n] = length;
        subset->count++;
    }
    for (size_t m = 0; m < subset->count; m++) {
        for (size_t i = 0; i < height; i++)
            subset->r[m][subset->count] += q[m][i] * system->triangle[i][system->columns];
    }
    return true;
}

/* Solves least squares over the subset without sign constraints. z is indexed by the system's
 * columns; the others are zero. */
static void subset_solve(const struct subset *subset, double z[NNLS_MAX])
{
    double y[NNLS_MAX] = { 0 };
    for (size_t n = subset->count; n-- > 0;) {
        double sum = subset->r[n][subset->count];
        for (size_t m = n + 1; m < subset->count; m++)
            sum -= subset->r[n][m] * y[m];
        y[n] = sum / subset->r[n][n];
    }
    memset(z, 0, NNLS_MAX * sizeof *z);
    for (size_t n = 0; n < subset->count; n++)
        z[subset->column[n]] = y[n] / subset->scale[n];
}

/* b - A x in the rotated frame, and its sum of squares. */
static double residual_of(const struct nnls *system, const double *x, double residual[NNLS_MAX + 1])
{
    double squares = 0;
    for (size_t i = 0; i <= system->columns; i++) {
        residual[i] = system->triangle[i][system->columns];
        for (size_t j = i; j < system->columns; j++)
            residual[i] -= system->triangle[i][j] * x[j];
        squares += residual[i] * residual[i];
    }
    return squares;
}

/* The bound column that reduces the loss most per unit of scaled step; `columns` if there is
 * none. */
static size_t steepest(const struct nnls *system, const double *residual, unsigned held, double b_length)
{
    size_t best = system->columns;
    double best_gradient = FLAT * b_length;
    for (size_t j = 0; j < system->columns; j++) {
        double length = column_length(system, j);
        if ((held >> j & 1u) != 0 || length == 0)
            continue;
        double gradient = 0;
        for (size_t i = 0; i <= j; i++)
            gradient += system->triangle[i][j] * residual[i];
        if (gradient / length > best_gradient) {
            best_gradient = gradient / length;
            best = j;
        }
    }
    return best;
}

/* Moves x towards z until the first passive parameter becomes zero. Returns the passive set
 * without the parameters that are zero. */
static unsigned step_to_bound(const struct nnls *system, unsigned passive, const double *z, double *x)
{
    double share = 1;
    for (size_t j = 0; j < system->columns; j++) {
        if ((passive >> j & 1u) != 0 && z[j] <= 0 && x[j] / (x[j] - z[j]) < share)
            share = x[j] / (x[j] - z[j]);
    }
    for (size_t j = 0; j < system->columns; j++) {
        if ((passive >> j & 1u) == 0)
            continue;
        bool at_bound = z[j] <= 0 && (x[j] == 0 || x[j] / (x[j] - z[j]) <= share);
        x[j] += share * (z[j] - x[j]);
        if (at_bound || x[j] <= 0) {
            x[j] = 0;
            passive &= ~(1u << j);
        }
    }
    return passive;
}

void nnls_solve(const struct nnls *system, struct nnls_solution *solution)
{
    double x[NNLS_MAX] = { 0 };
    double residual[NNLS_MAX + 1];
    unsigned passive = 0;
    /* columns that depend on the passive ones, or that returned to zero at once */
    unsigned refused = 0;
    double b_length = column_length(system, system->columns);
    residual_of(system, x, residual);

    /* Each round reduces the loss or refuses a column, so there are few rounds. The limit guards
     * against rounding. */
    for (int round = 0; round < 64; round++) {
        size_t entering = steepest(system, residual, passive | refused, b_length);
        if (entering == system->columns)
            break;
        unsigned before = passive;
        struct subset subset;
        double z[NNLS_MAX];
        passive |= 1u << entering;
        if (!subset_of(system, passive, &subset)) {
            passive = before;
            refused |= 1u << entering;
            continue;
        }
        subset_solve(&subset, z);
        if (z[entering] <= 0) {
            passive = before;
            refused |= 1u << entering;
            continue;
        }
        for (;;) {
            bool inside = true;
            for (size_t j = 0; j < system->columns; j++)
                inside = inside && ((passive >> j & 1u) == 0 || z[j] > 0);
            if (inside) {
                memcpy(x, z, sizeof x);
                break;
            }
            passive = step_to_bound(system, passive, z, x);
            (void)subset_of(system, passive, &subset);
            subset_solve(&subset, z);
        }
        refused = 0;
        residual_of(system, x, residual);
    }
    memcpy(solution->x, x, sizeof x);
    solution->free_columns = passive;
    solution->residual_sum = residual_of(system, x, residual);
}

bool nnls_inverse(const struct nnls *system, unsigned columns, double inverse[NNLS_MAX][NNLS_MAX])
{
    struct subset subset;
    memset(inverse, 0, NNLS_MAX * sizeof inverse[0]);
    if (!subset_of(system, columns, &subset))
        return false;
    /* R^-1 column by column, then R^-1 R^-T. */
    double root[NNLS_MAX][NNLS_MAX] = { { 0 } };
    for (size_t n = 0; n < subset.count; n++) {
        for (size_t i = n + 1; i-- > 0;) {
            double sum = i == n ? 1 : 0;
            for (size_t m = i + 1; m <= n; m++)
                sum -= subset.r[i][m] * root[m][n];
            root[i][n] = sum / subset.r[i][i];
        }
    }
    for (size_t i = 0; i < subset.count; i++) {
        for (size_t j = 0; j < subset.count; j++) {
            double sum = 0;
            for (size_t n = 0; n < subset.count; n++)
                sum += root[i][n] * root[j][n];
            inverse[subset.column[i]][subset.column[j]] = sum / (subset.scale[i] * subset.scale[j]);
        }
    }
    return true;
}
