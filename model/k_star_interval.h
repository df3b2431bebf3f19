/* model/k_star_interval.h: how sure K* is.
 *
 * A 95 % interval on K*, from the fit's own error:
 *
 *   - delta method, where every parameter is inside its bounds and the cubic of k_star.h holds: K* = root(s,
 *     c, d), so var = g' Cov g with g the root's derivatives, and root -/+ t(.975, n - p) sqrt(var). By
 *     implicit differentiation with F = 2pc r^3 + (p(s-c) + fc) r^2 - f(1+d-s) = 0 (r = K/K0, p the price of
 *     K0 nodes): dr/dx = -F_x / F_r;  F_s = p r^2 + f,  F_c = 2p r^3 - p r^2 + f r^2,  F_d = -f. The ends
 *     become whole K as the cheaper feasible neighbour;
 *   - else (a parameter on a bound, K = 1 competing with K > 1 across the step, stretch, measured overrides,
 *     restricted units) a parametric bootstrap: runs are drawn again around the law (around the mean, where
 *     the law misses), refitted under the same constraints, and K* taken of each refit. Noise per K is the
 *     residual error pooled over the whole fit, or the spread of the K's own repeats where there are two or
 *     more and it is larger; each refit draws its scale from a chi-square of n - p, so that few runs give
 *     wide intervals as t does. The form is kept. The seed is stated below: the same fit and prices give the
 *     same interval on every run;
 *   - where no law stands, the growth rule's K* is taken of 999 draws: each measured mean moves by its noise (fit->noise by
 *     the root of its repeats, scaled as above), and the rule's share between chord and neighbours is anything from 0 to 1,
 *     since the truth lies somewhere between the two;
 *   - without a degree of freedom, no interval.
 *
 * The interval is a set of feasible K: K = 1 and a range of K > 1 can both be plausible with nothing between
 * them. Coverage is tested by simulation (tests/unit/test_k_star_interval.c).
 */
#ifndef KSTAR_MODEL_K_STAR_INTERVAL_H
#define KSTAR_MODEL_K_STAR_INTERVAL_H

#include "model/k_star.h"
#include "model/scaling_fit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define K_STAR_INTERVAL_LEVEL 0.95
#define K_STAR_BOOTSTRAP_SEED UINT64_C(20260901)
#define K_STAR_BOOTSTRAP_LAWS 999

/* The upper end of a range that has none: cost may fall for ever. */
#define K_STAR_NO_END 0xffffffffu

enum k_interval_method { K_INTERVAL_NONE, K_INTERVAL_DELTA, K_INTERVAL_BOOTSTRAP };

/* Why the method is what it is. */
enum k_interval_reason {
    K_INTERVAL_INTERIOR,     /* delta: all parameters inside their bounds */
    K_INTERVAL_ON_BOUND,     /* bootstrap: a parameter is on its bound */
    K_INTERVAL_ONE_COMPETES, /* bootstrap: a single node may be cheapest */
    K_INTERVAL_NO_CUBIC,     /* bootstrap: stretch, measured costs or accelerator units */
    K_INTERVAL_GROWTH,       /* bootstrap: no law stands, the measurements decide */
    K_INTERVAL_NO_FREEDOM,   /* none: nothing tells the noise */
    K_INTERVAL_NO_LAW        /* none: there is no curve, or no K* */
};

struct k_range {
    unsigned from, to; /* inclusive; `to` may be K_STAR_NO_END */
};

struct k_interval {
    enum k_interval_method method;
    enum k_interval_reason reason;
    size_t range_count; /* 0 without an interval, else 1 or 2, ascending and apart */
    struct k_range ranges[2];
};

/* Refits of one family, reusable for any price: about 56 KB, so a caller keeps one on the heap. */
struct k_bootstrap {
    uint64_t seed;
    size_t count;
    struct scaling_law laws[K_STAR_BOOTSTRAP_LAWS]; /* unused where the growth rule decides */
};

/* Draws the refits of a fit. count is 0 when the fit has no curve or no degree of freedom. */
void k_bootstrap_draw(const struct scaling_fit *fit, uint64_t seed, struct k_bootstrap *bootstrap);

/* The interval on k_star(curve, limits). The curve must be the fit's, as verdict_curve() makes it. `bootstrap`
 * holds this fit's refits (k_bootstrap_draw); it is only read where the delta method does not hold. */
void k_star_interval(const struct scaling_fit *fit, const struct cost_curve *curve,
                     const struct node_limits *limits, const struct k_bootstrap *bootstrap,
                     struct k_interval *interval);

/* True when k is in the set. False for an interval without ranges. */
bool k_interval_contains(const struct k_interval *interval, unsigned k);

/* "6-9", "1, 5-9", "8 or more", "" where there is none, into text. Returns text. */
char *k_interval_text(const struct k_interval *interval, char *text, size_t size);

/* "delta", "bootstrap", "none". */
const char *k_interval_method_name(enum k_interval_method method);

/* The derivatives of the root, for documentation and tests: dK/ds, dK/dc, dK/dd at K = k_star_continuous().
 */
struct k_sensitivity {
    double serial_fraction;
    double communication_coefficient;
    double step;
};
struct k_sensitivity k_star_sensitivity(const struct scaling_law *law, double per_node_hour,
                                        double per_wall_hour);

#endif
