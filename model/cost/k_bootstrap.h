/* model/cost/k_bootstrap.h: draws a family's measurements again, to see which other K* are
 * possible.
 *
 * A draw of a law is that law, fitted again to drawn runs. It has every step that the measurements
 * leave open:
 *
 *   - behind one node, if a step fits there (k_bootstrap_step_is_open);
 *   - in every other draw, behind another size, if only the noise of the repeats lets the law
 *     stand, or if the law does not stand but may be true (law_is_open). It is then unknown whether
 *     there is a step or noise. Fits of such steps are exact, and the likelier size is drawn more
 *     often.
 *
 * Without a law, or with one that repeats contradict, a draw is the growth rule through drawn
 * sizes. k_star_interval.h describes the noise. The seed is constant, so the same fit gives the
 * same draws on every run.
 */
#ifndef KSTAR_MODEL_COST_K_BOOTSTRAP_H
#define KSTAR_MODEL_COST_K_BOOTSTRAP_H

#include "model/cost/cost_curve.h"
#include "model/cost/node_limits.h"
#include "model/scaling/scaling_fit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define K_STAR_BOOTSTRAP_SEED UINT64_C(20260901)
#define K_STAR_BOOTSTRAP_LAWS 999

/* A draw chooses among feasible K up to this many times the largest measured K. If it would choose
 * a larger K, its K* is beyond all measurements: K_STAR_NO_END. */
#define K_STAR_DRAW_MULTIPLE 4u

/* The largest K of a draw, feasible or not. `largest` is the largest K measured. */
unsigned k_bootstrap_largest_k(unsigned largest);

/* Refits of one family, reusable for any price: about 56 KB, so a caller keeps one on the heap. */
struct k_bootstrap {
    uint64_t seed;
    size_t count; /* draws */
    /* the refits; empty without a law, because draws of the growth rule need the curve */
    struct scaling_law laws[K_STAR_BOOTSTRAP_LAWS];
};

/* Whether the plain law was chosen, because it predicts sizes better that the fit has not seen, but
 * a step fits as well. It is then open which is true. The draws are stepped laws, of which the
 * plain law is a special case. Draws of the plain law alone would be too sure. */
bool k_bootstrap_step_is_open(const struct scaling_fit *fit);

/* Whether sizes with one run are farther off the law than all runs together, repeats of other sizes
 * included: then the runs have no common noise. The fit must have a law and a degree of freedom. */
bool k_bootstrap_noise_differs(const struct scaling_fit *fit);

/* Draws the refits of a fit. count is 0 if the fit has no curve or no degree of freedom. */
void k_bootstrap_draw(const struct scaling_fit *fit, uint64_t seed, struct k_bootstrap *bootstrap);

/* The K that draws may choose, ascending, in a new array that the caller frees. *count is their
 * number and may be 0. If the set goes on beyond them, K_STAR_NO_END follows and is not counted. */
unsigned *k_bootstrap_sizes(const struct cost_curve *curve, const struct node_limits *limits, size_t *count,
                            bool *goes_on);

/* T at each K of one draw, stretch included, in hours of the measured work, on the fit's curve. */
void k_bootstrap_hours(const struct scaling_fit *fit, const struct cost_curve *curve,
                       const struct k_bootstrap *bootstrap, size_t draw, const unsigned *ks, size_t count,
                       double *hours);

#endif
