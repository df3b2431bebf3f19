/* model/cost/excess_interval.h: how much a job on K nodes costs too much, and how sure that is.
 *
 * This is the flag's own question. Each draw (k_bootstrap.h) has its K*, and the excess at K is
 *
 *     x = 1 - C(K*) / C(K)      both costs and K* of that draw
 *
 * A flag says more than that: K is too large (or too small). So a draw in which K* lies at K, or on
 * the other side of K, has no excess.
 *
 * k_table_excess() (k_table.h) answers it.
 */
#ifndef KSTAR_MODEL_COST_EXCESS_INTERVAL_H
#define KSTAR_MODEL_COST_EXCESS_INTERVAL_H

#include <stddef.h>

/* Which flag is asked about. */
enum excess_side {
    EXCESS_ABOVE, /* more nodes than K*: dearer for its size */
    EXCESS_BELOW  /* fewer nodes than K* */
};

struct excess_question {
    unsigned k; /* the job's node count */
    enum excess_side side;
    double near_share; /* an excess up to this share is no excess that anybody has to act on */
    double own_share;  /* the ratio is multiplied by it in each draw (verdict.h); 0 means 1 */
};

/* Shares of what the job cost, between 0 and 1. */
struct excess_interval {
    size_t draws;     /* 0: nothing tells the noise; the numbers below are NaN */
    double low, high; /* the 95 % interval at the curve's prices, cost of waiting included */
    /* the same without the cost of waiting, as a statement has it; K* does not change */
    double money_low, money_high;
    /* share of the draws whose excess (with waiting) is above near_share: at least .975 exactly
     * where low is above near_share */
    double exceeding;
};

#endif
