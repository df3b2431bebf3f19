/* model/cost/excess_interval.h: by how much a job on K nodes is too expensive, and how sure that
 * is.
 *
 * The flag depends on this answer. Each draw (k_bootstrap.h) has its own K*. The excess at K is
 *
 *     x = 1 - C(K*) / C(K)      both costs and K* of that draw
 *
 * A flag also says that K is too large (or too small). So the excess of a draw is 0 if its K* is at
 * K or on the other side of K.
 *
 * k_table_excess() (k_table.h) computes it.
 */
#ifndef KSTAR_MODEL_COST_EXCESS_INTERVAL_H
#define KSTAR_MODEL_COST_EXCESS_INTERVAL_H

#include <stddef.h>

/* Which flag is in question. */
enum excess_side {
    EXCESS_ABOVE, /* more nodes than K* */
    EXCESS_BELOW  /* fewer nodes than K* */
};

struct excess_question {
    unsigned k; /* the job's node count */
    enum excess_side side;
    double own_share; /* the ratio is multiplied by it in each draw (verdict.h); 0 means 1 */
};

/* Shares of the job's cost, between 0 and 1. */
struct excess_interval {
    size_t draws;     /* 0: the noise is unknown, and the numbers below are NaN */
    double low, high; /* the 95 % interval at the curve's prices, cost of waiting included */
    /* the same without the cost of waiting, as on a statement; K* does not change */
    double money_low, money_high;
};

#endif
