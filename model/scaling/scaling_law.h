/* model/scaling/scaling_law.h: the time of a fixed piece of work on K nodes.
 *
 * Efficiency, with r = K/K0 and K0 = smallest_k (1 if a single node was measured):
 *
 *     usl      1/E(K) = 1           + (r-1) s + c r (r-1)
 *     stepped  1/E(K) = 1 + d [K>a] + (r-1) s + c r (r-1)
 *
 *     S(K) = r E(K),   T(K) = T(K0) / S(K)
 *
 * usl is Gunther's Universal Scalability Law, with sigma = s (serial fraction) and kappa = c (cost
 * of pairwise communication). d is the one-off price of leaving a single node. a is 1 if K counts
 * nodes, and accelerators_per_node if K counts accelerators.
 *
 * E and S are relative to K0, and K < K0 is not measured. A law with K0 above a has no step,
 * because T(K0) and d are one number there. The USL keeps its form under another base: with g =
 * 1 + (K0-1)s + c K0(K0-1), the law relative to K0 has c' = c K0^2/g and 1 - s' = (1-s)/g.
 * Derivation: docs/mathematics.md, section 1.
 *
 * T is A/K + B + D K on either side of the step (scaling_shape). So costs are convex, and K* is a
 * root of a cubic (k_star.h).
 */
#ifndef KSTAR_MODEL_SCALING_SCALING_LAW_H
#define KSTAR_MODEL_SCALING_SCALING_LAW_H

#include <stdbool.h>

enum scaling_form { SCALING_USL, SCALING_STEPPED };

struct scaling_law {
    enum scaling_form form;
    double t1_hours;                  /* T(K0) > 0; T1 if smallest_k is 1 */
    double serial_fraction;           /* s >= 0 */
    double communication_coefficient; /* c >= 0 */
    double step;                      /* d >= 0; 0 in a usl law */
    unsigned smallest_k;              /* K0; 0 means 1 */
    /* a if K counts accelerators; 0 or 1 if K counts nodes */
    unsigned accelerators_per_node;
    /* a second step above the size `behind` (0: none). Only draws have one (k_bootstrap.h) */
    unsigned behind;
    double later_step; /* >= 0 */
};

/* T(K) = over_k / K + constant + per_k * K, in hours. */
struct scaling_shape {
    double over_k;   /* A; negative only if s > 1 + d; then T rises with K from the start */
    double constant; /* B; negative if c > s */
    double per_k;    /* D >= 0 */
};

/* "usl" or "stepped": the word for logs, databases and workbooks. */
const char *scaling_form_name(enum scaling_form form);

/* True if every parameter is finite and in its range. */
bool scaling_law_valid(const struct scaling_law *law);

/* K0, at least 1. */
unsigned scaling_law_smallest_k(const struct scaling_law *law);

/* The largest K that is still one node. The step is above it. At least 1. */
unsigned scaling_law_one_node(const struct scaling_law *law);

/* 1/E(K). NaN for K < K0, which was not measured. */
double scaling_law_inefficiency(const struct scaling_law *law, unsigned k);

/* E(K), and T(K) in hours. NaN for K < K0. */
double scaling_law_efficiency(const struct scaling_law *law, unsigned k);
double scaling_law_hours(const struct scaling_law *law, unsigned k);

/* A, B, D above the step (above_step) or at and below it. */
struct scaling_shape scaling_law_shape(const struct scaling_law *law, bool above_step);

#endif
