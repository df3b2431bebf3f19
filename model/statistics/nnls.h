/* model/statistics/nnls.h: non-negative least squares for up to NNLS_MAX parameters.
 *
 * Finds x >= 0 that minimises |A x - b|^2. The number of rows is not limited: each row is rotated
 * (Givens) into a small triangle when it is added, so memory does not grow and nothing is
 * allocated. The triangle is then solved by the active-set method of Lawson and Hanson (Solving
 * Least Squares Problems, 1974, chapter 23). Columns are scaled to unit length first, because
 * those of a scaling law differ by K^2.
 */
#ifndef KSTAR_MODEL_STATISTICS_NNLS_H
#define KSTAR_MODEL_STATISTICS_NNLS_H

#include <stdbool.h>
#include <stddef.h>

#define NNLS_MAX 5

/* The rows seen so far, as a QR triangle. Zero it, set `columns`, add rows, solve. */
struct nnls {
    size_t columns; /* 1 .. NNLS_MAX */
    /* R of [A b]: its last column is Q'b, its corner the residual */
    double triangle[NNLS_MAX + 1][NNLS_MAX + 1];
};

struct nnls_solution {
    double x[NNLS_MAX]; /* >= 0 */
    /* bit j set: x[j] > 0; clear: x[j] is at its bound 0, or the rows do not determine it */
    unsigned free_columns;
    double residual_sum; /* |A x - b|^2 */
};

/* Adds the row a[0 .. columns-1] with right-hand side b. */
void nnls_add_row(struct nnls *system, const double *a, double b);

/* Solves the system. Always succeeds: a column that the others already span stays at zero. */
void nnls_solve(const struct nnls *system, struct nnls_solution *solution);

/* Computes (A'A)^-1 over the given columns; other rows and columns are zero. Multiplied by the
 * residual variance it is the covariance of x. False if the columns are dependent; `inverse` is
 * then zero. */
bool nnls_inverse(const struct nnls *system, unsigned columns, double inverse[NNLS_MAX][NNLS_MAX]);

#endif
