/* model/cost/choice_evaluation.h: the cost of choosing K by a rule, on sizes that the rule has not
 * seen.
 *
 * One K > 1 is removed from a measured series, and the rule is made from the rest. The rule then
 * chooses the cheapest of all K by C(K) = (p K + f) T(K), with T of the rule or, for some rules, as
 * measured at a measured K. The result is the share by which the measured cost of the choice
 * exceeds the cheapest measured cost. Which K is removed:
 *
 *   - hard: the cheapest K of all. A series whose cheapest K is 1 or its smallest is not used;
 *   - all: every K but the smallest, in turn. A rule that wins the hard test by trusting unseen
 *     sizes loses this one.
 */
#ifndef KSTAR_MODEL_COST_CHOICE_EVALUATION_H
#define KSTAR_MODEL_COST_CHOICE_EVALUATION_H

#include "model/scaling/measurement.h"

#include <stdbool.h>
#include <stddef.h>

enum choice_rule {
    CHOICE_USL,              /* USL with free T1, by the law alone */
    CHOICE_STEPPED,          /* stepped law (USL with too few sizes), by the law alone */
    CHOICE_STEPPED_MEASURED, /* the same, measured cost at the measured K */
    /* log-log interpolation of throughput, measured cost at the measured K */
    CHOICE_CHORDS,
    CHOICE_KSTAR, /* what kstar does: scaling_fit() and verdict_curve() */
    CHOICE_RULES
};

/* Judgements of one rule, one number each: 0 is the cheapest K, 0.5 is half as much again. */
struct choice_costs {
    double *extra; /* owned; sorted by choice_costs_summary() */
    size_t count, capacity;
    size_t found; /* how often the cheapest K was chosen */
};

struct choice_summary {
    size_t folds;
    double mean, ninetieth, worst; /* 90th percentile by linear interpolation; NaN without folds */
    double found;                  /* share of folds */
};

/* "USL, T1 free" and the like, for a table; "usl" and the like, for JSON. */
const char *choice_rule_title(enum choice_rule rule);
const char *choice_rule_name(enum choice_rule rule);

/* Judges a rule on one series of distinct sizes, ascending, at f/p = wall_price, and adds to
 * `costs`. A series of fewer than three sizes adds nothing. */
void choice_evaluate(enum choice_rule rule, const struct measured_size *sizes, size_t count,
                     double wall_price, bool hard, struct choice_costs *costs);

struct choice_summary choice_costs_summary(struct choice_costs *costs);
void choice_costs_free(struct choice_costs *costs);

#endif
