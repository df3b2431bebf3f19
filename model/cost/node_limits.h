/* model/cost/node_limits.h: the node counts that a family may run on.
 *
 * The limits are a minimum (the model must fit in memory), a maximum, a step, powers of two, and a
 * list. All given limits apply together. If K counts accelerators, K beyond one node moves in whole
 * nodes. kstar searches this set for the optimum and never rounds to it: with {1, 2, 4, 16, 32} the
 * cheapest K may be 16 where the unrestricted one is 5 (k_star.h).
 */
#ifndef KSTAR_MODEL_COST_NODE_LIMITS_H
#define KSTAR_MODEL_COST_NODE_LIMITS_H

#include <stdbool.h>
#include <stddef.h>

/* The largest K of any set. A larger maximum counts as this one. */
#define NODE_LIMITS_LARGEST 1048576u

/* All zero: every K from 1 on, no maximum. */
struct node_limits {
    unsigned smallest; /* minimum; 0: none */
    unsigned largest;  /* maximum; 0: none */
    /* K = smallest, smallest + step, ...; without a minimum K = step, 2 step, ...; 0 or 1: all */
    unsigned step;
    bool powers_of_two; /* 1, 2, 4, 8, ... only */
    /* only these, in any order (caller's, must outlive the limits); NULL: no list */
    const unsigned *allowed;
    size_t allowed_count;
    unsigned accelerators_per_node; /* a: K > a only in multiples of a; 0 or 1: K counts nodes */
};

/* True if the set has every K from its minimum to its maximum: closed forms hold there. */
bool node_limits_unbroken(const struct node_limits *limits);

/* True if the set has neither a maximum nor a list. */
bool node_limits_endless(const struct node_limits *limits);

bool node_limits_allow(const struct node_limits *limits, unsigned k);

/* The smallest feasible K above `after` (0 to start), the largest below `before`; 0: none. */
unsigned node_limits_next(const struct node_limits *limits, unsigned after);
unsigned node_limits_previous(const struct node_limits *limits, unsigned before);

#endif
