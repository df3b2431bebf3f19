/* model/cost/k_star.h: the cheapest and the fastest node count of a job.
 *
 * K* and K_fastest are the cheapest and the fastest K of the feasible set (node_limits.h) on a cost
 * curve (cost_curve.h). Ties within 1e-9 relative go to the smallest K. K* <= K_fastest.
 *
 * There is a closed form if every K is allowed, no measurement replaces the law, and nothing
 * stretches T. Above one node T(K) = A/K + B + D K, so for A > 0
 *
 *     dC/dK = 0   <=>   2 p D K^3 + (p B + f D) K^2 - f A = 0
 *
 * This has exactly one positive root, and C is convex there. So the optimum is one of the two
 * neighbours of the root, compared with K = 1, where the law may step. With K0 = 1: A = T1 (1+d-s),
 * B = T1 (s-c), D = T1 c, which gives 2pc K^3 + (p(s-c) + fc) K^2 - f(1+d-s) = 0. The fastest K >=
 * 2 is sqrt(A/D) = sqrt((1+d-s)/c).
 *
 * Otherwise every feasible K is examined, in ascending order, until no larger K can be better.
 * From K on, cost on a law is at least the unstretched lowest cost from K on, times the stretch at
 * K; likewise time. Above the largest measured K the growth rule is K^-g, and (p K + f) K^-g with
 * its stretch is a sum of powers of K: each is at least what it is at K, or falls towards 0.
 */
#ifndef KSTAR_MODEL_COST_K_STAR_H
#define KSTAR_MODEL_COST_K_STAR_H

#include "model/cost/cost_curve.h"
#include "model/cost/node_limits.h"

#include <stdbool.h>
#include <stddef.h>

/* Costs, or times, that differ by less than this share count as equal. */
#define K_STAR_TIE 1e-9

enum k_star_outcome {
    K_STAR_FOUND,
    /* falls for ever, and the feasible set has no end: give a maximum. Without interruptions: on a
     * law, cost: s = c = 0 with f > 0; time: c = 0. On the growth rule, cost: growth 1 with f > 0;
     * time: growth above 0 */
    K_STAR_UNBOUNDED,
    /* the feasible set is empty, or none of its K is on the law or measured */
    K_STAR_NONE_FEASIBLE,
    K_STAR_DEADLINE_NOT_MET, /* no feasible K is fast enough; the result holds the fastest one */
    K_STAR_BUDGET_NOT_MET,   /* no feasible K is cheap enough; the result holds the cheapest one */
    K_STAR_INVALID           /* a price, rate, deadline or law parameter is out of range */
};

struct k_star_result {
    unsigned k;        /* 0: none */
    double hours;      /* T(k), stretch included */
    double cost;       /* C(k) */
    double efficiency; /* E(k), relative to the law's K0 */
    bool measured;     /* the time is the measured one, not the law's */
};

/* The effect of doubling K. */
struct k_doubling {
    unsigned from, to;  /* K and 2K, both feasible and on the curve */
    double hours_saved; /* T(K) - T(2K); negative if 2K is slower */
    double extra_cost;  /* C(2K) - C(K); negative if 2K is cheaper */
    /* hours_saved / extra_cost if both are positive; NaN if the doubling costs no more or saves no
     * time */
    double hours_per_unit;
    bool unfavourable; /* 2K costs more (beyond a tie), or saves no time */
};

/* The result at one K of the curve. */
struct k_star_result k_star_at(const struct cost_curve *curve, unsigned k);

/* The caller's limits together with those of the curve: K below K0 is not measured, and
 * accelerators beyond one node come in whole nodes. A step counts from the minimum, so with a step
 * the minimum is not changed. The functions below call it themselves. */
struct node_limits k_star_limits(const struct cost_curve *curve, const struct node_limits *limits);

/* The cheapest feasible K. *result is zeroed unless K_STAR_FOUND. */
enum k_star_outcome k_star(const struct cost_curve *curve, const struct node_limits *limits,
                           struct k_star_result *result);

/* The fastest feasible K, whatever it costs. */
enum k_star_outcome k_fastest(const struct cost_curve *curve, const struct node_limits *limits,
                              struct k_star_result *result);

/* The cheapest feasible K with T(K) <= deadline_hours (> 0), within the tolerance of a tie. */
enum k_star_outcome k_deadline(const struct cost_curve *curve, const struct node_limits *limits,
                               double deadline_hours, struct k_star_result *result);

/* The fastest feasible K with C(K) <= budget (> 0), within the same tolerance. */
enum k_star_outcome k_budget(const struct cost_curve *curve, const struct node_limits *limits, double budget,
                             struct k_star_result *result);

/* The feasible K that takes the least energy for a result, and so emits the least carbon, at any
 * site. A node draws its power for as long as it is held, so energy is proportional to K T(K),
 * stretch included: C(K) with p = 1 and f = 0, whatever the curve's prices. The result's cost is in
 * node-hours (of the curve's unit). Time costs nothing here, so this K is never above K*. */
enum k_star_outcome k_carbon(const struct cost_curve *curve, const struct node_limits *limits,
                             struct k_star_result *result);

/* The root of the cubic: the real K above one node at which the law's cost is lowest, without
 * stretch, limits and measured costs. 0 if cost rises from the start, INFINITY if it falls for
 * ever. */
double k_star_continuous(const struct scaling_law *law, double per_node_hour, double per_wall_hour);

/* Likewise the K at which time is lowest, sqrt(A/D). */
double k_fastest_continuous(const struct scaling_law *law);

/* Doublings from `from` on (K, 2K, 4K, ...) while both ends are feasible and on the curve, into
 * `rows` (caller's). Returns the number of rows. The first doubling that saves no time is the last
 * row. */
size_t k_star_doublings(const struct cost_curve *curve, const struct node_limits *limits, unsigned from,
                        struct k_doubling *rows, size_t capacity);

/* The first unfavourable doubling, or NULL. */
const struct k_doubling *k_star_first_unfavourable(const struct k_doubling *rows, size_t count);

#endif
