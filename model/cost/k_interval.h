/* model/cost/k_interval.h: a set of plausible K: one range, or one on each side of the step from
 * one node to several. */
#ifndef KSTAR_MODEL_COST_K_INTERVAL_H
#define KSTAR_MODEL_COST_K_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>

#define K_STAR_INTERVAL_LEVEL 0.95

/* The upper end of a range without end: cost may fall for ever. */
#define K_STAR_NO_END 0xffffffffu

enum k_interval_method { K_INTERVAL_NONE, K_INTERVAL_DELTA, K_INTERVAL_BOOTSTRAP };

/* Why this method is used. */
enum k_interval_reason {
    K_INTERVAL_INTERIOR,     /* delta: all parameters inside their bounds */
    K_INTERVAL_ON_BOUND,     /* bootstrap: a parameter is on its bound */
    K_INTERVAL_STEP_OPEN,    /* bootstrap: the plain law was chosen, and a step fits as well */
    K_INTERVAL_ONE_COMPETES, /* bootstrap: a single node may be cheapest */
    K_INTERVAL_BY_NOISE,     /* bootstrap: only the noise of the repeats lets the law stand */
    /* bootstrap: sizes that were run once lie farther off the law than repeats do */
    K_INTERVAL_NOISE_DIFFERS,
    K_INTERVAL_NO_CUBIC,   /* bootstrap: stretch, measured costs or accelerator units */
    K_INTERVAL_GROWTH,     /* bootstrap: no law stands, the measurements decide K* */
    K_INTERVAL_NO_FREEDOM, /* none: the noise is unknown */
    K_INTERVAL_IN_GAP,     /* none: K* lies in or beside a fourfold gap between measured sizes */
    K_INTERVAL_NO_LAW      /* none: there is no curve, or no K* */
};

struct k_range {
    /* inclusive; `to` may be K_STAR_NO_END, but `from` not after k_star_interval_complete() */
    unsigned from, to;
};

struct k_interval {
    enum k_interval_method method;
    enum k_interval_reason reason;
    size_t range_count; /* 0 without an interval, else 1 or 2, ascending, with a gap between them */
    struct k_range ranges[2];
};

/* True if k is in the set. False for an interval without ranges. */
bool k_interval_contains(const struct k_interval *interval, unsigned k);

/* "6-9", "1, 5-9", "8 or more", or "" without an interval, into text. Returns text. */
char *k_interval_text(const struct k_interval *interval, char *text, size_t size);

/* The ranges of the central 95 % of draws. counts[i] draws gave ks[i] (ascending). If they lie on
 * both sides of `one_node`, each side has a range. `one_node` 0: one range. Fills only the ranges;
 * there must be a draw. */
void k_interval_of_counts(const unsigned *ks, const unsigned *counts, size_t count, unsigned one_node,
                          struct k_interval *interval);

/* Adds K to a set with a range: widens the range on its side of the step, or begins another. */
void k_interval_include(struct k_interval *interval, unsigned k, unsigned one_node);

#endif
