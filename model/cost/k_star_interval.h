/* model/cost/k_star_interval.h: how sure K* is.
 *
 * A 95 % interval on K*, from the error of the fit:
 *
 *   - the delta method, if every parameter is inside its bounds and the cubic of k_star.h holds.
 *     K* = root(s, c, d), so var = g' Cov g with g the root's derivatives. The ends are root -/+
 *     t(.975, n - p) sqrt(var), each as the cheaper feasible whole K beside it. With r = K/K0 and p
 *     the price of K0 nodes, implicit differentiation of
 *
 *         F = 2pc r^3 + (p(s-c) + fc) r^2 - f(1+d-s) = 0    gives    dr/dx = -F_x / F_r
 *         F_s = p r^2 + f,  F_c = 2p r^3 - p r^2 + f r^2,  F_d = -f;
 *
 *   - a parametric bootstrap, if a parameter is on a bound, a step is neither visible nor excluded
 *     (k_bootstrap_step_is_open), K = 1 competes with K > 1 across the step, or there are stretch,
 *     measured costs or accelerator units. Runs are drawn again around the law (around the mean if
 *     the law misses it) and fitted again within the same bounds. Each of these fits has its own
 *     K*. The noise of a K is the residual error of the whole fit. A K with a single run beside
 *     repeated ones has the noise between the sizes (scaling_between_noise) if the repeats forbid
 *     it: quiet repeats on one node say nothing about eight. Each draw has its scale from a
 *     chi-square of n - p (or sizes - p), so few runs give wide intervals, as t does. The form of
 *     the law does not change. The seed is constant, so the same fit and prices give the same
 *     interval;
 *   - the same if no law stands, but one may be true nevertheless (law_is_open, k_bootstrap.h);
 *   - if repeats contradict it, or there are too few sizes, K* of 999 draws of the growth rule.
 *     Each measured mean moves by its noise (fit->noise by the root of its repeats;
 *     fit->single_noise of a single run; both scaled as above). The share between chord and
 *     neighbours is drawn from 0 to 1, because the truth lies between them. Growth beyond the
 *     largest size is drawn from none to the growth so far;
 *   - without a degree of freedom, no interval.
 *
 * The interval is a set of feasible K: K = 1 and a range of K > 1 can both be plausible with
 * nothing between them. tests/unit/test_k_star_coverage.c tests coverage by simulation.
 * k_table_interval() (k_table.h) finds the interval. Its parts are here.
 */
#ifndef KSTAR_MODEL_COST_K_STAR_INTERVAL_H
#define KSTAR_MODEL_COST_K_STAR_INTERVAL_H

#include "model/cost/k_bootstrap.h"
#include "model/cost/k_interval.h"
#include "model/cost/k_star.h"
#include "model/scaling/scaling_fit.h"

/* Whether K* lies beside or between two neighbouring measured sizes of which one is at least four
 * times the other, with a feasible K between them. Above the largest size, the last two sizes
 * count. The cost of a K in the gap is then unknown, and there is no interval. */
bool k_star_in_gap(const struct scaling_fit *fit, const struct node_limits *limits, unsigned k_star);

/* The interval of the delta method. Otherwise the reason why that method does not hold (any except
 * K_INTERVAL_INTERIOR). `limits` are from k_star_limits(). */
enum k_interval_reason k_star_interval_delta(const struct scaling_fit *fit, const struct cost_curve *curve,
                                             const struct node_limits *limits, struct k_interval *interval);

/* The largest K that is one node, if the fit can show the step above it; else 0. */
unsigned k_star_interval_step(const struct scaling_fit *fit);

/* Completes the ranges. The estimate (0: it has no end) always belongs to the set. A range that has
 * only K without end begins where draws end (k_bootstrap_largest_k). Ranges without a feasible K
 * between them are joined. */
void k_star_interval_complete(const struct scaling_fit *fit, const struct node_limits *limits,
                              unsigned estimate, struct k_interval *interval);

/* Derivatives of the root, for documentation and tests: dK/ds, dK/dc, dK/dd at the root. */
struct k_sensitivity {
    double serial_fraction;
    double communication_coefficient;
    double step;
};
struct k_sensitivity k_star_sensitivity(const struct scaling_law *law, double per_node_hour,
                                        double per_wall_hour);

#endif
