/* model/statistics/nnls.h: non-negative least squares for a handful of parameters.
 *
 * Finds x >= 0 that minimises |A x - b|^2 for at most NNLS_MAX columns and any number of rows. Rows
 * are taken one by one and rotated (Givens) into a small triangle, so memory does not grow with the
 * data and nothing is allocated; the problem is then solved on the triangle by the active-set
 * method of Lawson and Hanson (Solving Least Squares Problems, 1974, chapter 23). Columns are
 * brought to unit length first: those of a scaling law differ by K^2.
 */
#ifndef KSTAR_MODEL_STATISTICS_NNLS_H
#define KSTAR_MODEL_STATISTICS_NNLS_H

#include <stdbool.h>
#include <stddef.h>

#define NNLS_MAX 4

/* The rows seen so far, as a QR triangle. Zero it, set `columns`, add rows, solve. */
struct nnls {
    size_t columns; /* 1 .. NNLS_MAX */
    size_t rows;    /* rows added */
    /* R of [A b]: its last column is Q'b, its corner the residual */
    double triangle[NNLS_MAX + 1][NNLS_MAX + 1];
};

struct nnls_solution {
    double x[NNLS_MAX]; /* >= 0 */
    /* bit j set: x[j] > 0; clear: held at its bound, or not determined by the rows */
    unsigned free_columns;
    double residual_sum; /* |A x - b|^2 */
};

/* Adds the row a[0 .. columns-1] with right-hand side b. */
void nnls_add_row(struct nnls *system, const double *a, double b);

/* Solves the system. Always succeeds: a column that the others already span stays at zero. */
void nnls_solve(const struct nnls *system, struct nnls_solution *solution);

/* (A'A)^-1 over the given columns, rows and columns outside them zero: times the residual
 * variance it is the covariance of x. False when those columns are not independent (`inverse` is
 * then zero). */
bool nnls_inverse(const struct nnls *system, unsigned columns, double inverse[NNLS_MAX][NNLS_MAX]);

#endif
