/* base/most_cost.h: the largest cost that is accepted, in units of its currency
 * (docs/reference.md): statements and forecasts keep it as whole minor units. */
#ifndef KSTAR_BASE_MOST_COST_H
#define KSTAR_BASE_MOST_COST_H

#define MOST_COST 9e12

#endif
