/* model/cost/rate_card.h: price tiers of a family: a node-hour of useful work on K nodes.
 *
 *     price of a useful node-hour   u(K) = (p + o + f/K) / E(K) * stretch(K)
 *     cost of the same work         u(K) / u(K*), relative to K*
 *     hours of the same work        T(K) / T(K*), relative to K*
 *
 * u(K) is C(K) over the node-hours that the work takes at E = 1, so the ratio is C(K) / C(K*) for
 * any work. u(K) is money without the cost of waiting. K* is found with that cost, so a tier may be
 * cheaper than K*.
 *
 * Tiers are the K that are feasible, on the curve, and either powers of two, listed, measured or
 * K*.
 */
#ifndef KSTAR_MODEL_COST_RATE_CARD_H
#define KSTAR_MODEL_COST_RATE_CARD_H

#include "model/cost/k_star.h"

struct rate_tier {
    unsigned k;
    enum size_basis basis;         /* how the hours are known */
    double price_per_node_hour;    /* p, of one K: hardware */
    double overhead_per_node_hour; /* o, likewise: overhead that is spread by node-hours */
    double fixed_per_wall_hour;    /* f, without the cost of waiting */
    double efficiency;             /* E(K), relative to the smallest measured K */
    double stretch;                /* by interruptions; 1: none */
    double hours;                  /* T(K) of the measured work, stretch included */
};

/* Writes the tiers of a curve, ascending, into `tiers` (caller's) and returns their number, at most
 * `capacity`. `limits` are the K that its fit covers (verdict_limits). `k_star` is always among
 * them if it is on the curve; 0: none. */
size_t rate_card(const struct cost_curve *curve, const struct node_limits *limits, unsigned k_star,
                 struct rate_tier *tiers, size_t capacity);

#endif
