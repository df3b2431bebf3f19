/* model/scaling/scaling_system.h: the least-squares system behind a scaling law.
 *
 * The relative loss, sum of ((T - That)/T)^2, is linear in theta = (T1, T1 s, T1 c, T1 d). With r =
 * K/K0 the following should be 1 for every run:
 *
 *     That/T = (theta0 + theta1 (r-1) + theta2 r(r-1) + theta3 [K>a]) / (r T)
 *
 * A shell with `behind` has one more unknown, the same with [K>behind].
 *
 * Runs are added one by one, and nothing is allocated. The fit (scaling_fit.h) and its resampling
 * (k_star_interval.h) both use this system, so they solve the same problem.
 */
#ifndef KSTAR_MODEL_SCALING_SCALING_SYSTEM_H
#define KSTAR_MODEL_SCALING_SCALING_SYSTEM_H

#include "model/scaling/scaling_law.h"
#include "model/statistics/nnls.h"

#include <stdbool.h>

struct scaling_system {
    struct scaling_law shell; /* form, smallest_k and accelerators_per_node of the law sought */
    struct nnls nnls;
};

/* Free parameters of a form: 3 or 4. */
unsigned scaling_parameters(enum scaling_form form);

/* Starts an empty system for laws of the shell's form, K0 and a; its parameters are not read. */
void scaling_system_start(struct scaling_system *system, const struct scaling_law *shell);

/* Adds one run: k >= K0, hours > 0. */
void scaling_system_add(struct scaling_system *system, unsigned k, double hours);

/* The law of least relative loss with s, c, d >= 0, and theta with its bounds and residual sum.
 * False if no law fits (T1 would be 0). */
bool scaling_system_solve(const struct scaling_system *system, struct scaling_law *law,
                          struct nnls_solution *solution);

#endif
