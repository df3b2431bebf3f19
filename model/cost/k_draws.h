/* model/cost/k_draws.h: a family's draws (k_bootstrap.h), kept for the prices and K of any job.
 *
 * A draw is a family that might as well be the true one. For each draw this keeps the steps of its
 * K* over f/p (cost_envelope.h), T at each step, and T at every K of an earlier question. A
 * question then costs one look-up and one division for each draw.
 */
#ifndef KSTAR_MODEL_COST_K_DRAWS_H
#define KSTAR_MODEL_COST_K_DRAWS_H

#include "model/cost/excess_interval.h"
#include "model/cost/k_bootstrap.h"

/* From this f/p on the draw's K* is the one at `place`. */
struct drawn_step {
    double from;
    size_t place; /* in k_draws.ks; size_count: beyond all of them */
    double k;     /* its node count; beyond all, the last one, which costs no less than that K */
    double hours; /* T there */
};

struct drawn_hours {
    unsigned k;
    double *of_draw; /* T(k) of each draw */
};

/* Only read it from outside. */
struct k_draws {
    /* the choices of the draws, ascending; K_STAR_NO_END follows if the set goes on */
    unsigned *ks;
    size_t size_count;
    bool goes_on;
    size_t count;  /* draws; 0: the noise is unknown */
    size_t *first; /* the steps of draw i: from first[i] on, below first[i + 1] */
    struct drawn_step *steps;
    const struct scaling_fit *fit;
    struct cost_curve curve;
    struct k_bootstrap bootstrap;
    struct drawn_hours *asked; /* the K of earlier questions */
    size_t asked_count;
    double *values; /* room for two numbers of each draw */
};

/* Draws of a fit, on its curve. `limits` are from k_star_limits(). The draws point to the fit and
 * to the curve's data, which must outlive them. */
struct k_draws *k_draws_make(const struct scaling_fit *fit, const struct cost_curve *curve,
                             const struct node_limits *limits);
void k_draws_free(struct k_draws *draws); /* NULL is allowed */

/* The excess at the prices of `curve`, which differs from the curve of the draws only in prices. */
void k_draws_excess(struct k_draws *draws, const struct cost_curve *curve,
                    const struct excess_question *question, struct excess_interval *excess);

#endif
