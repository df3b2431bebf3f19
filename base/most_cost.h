/* base/most_cost.h: the largest accepted cost, in units of its currency (docs/reference.md):
 * statements and forecasts store costs as whole minor units. */
#ifndef KSTAR_BASE_MOST_COST_H
#define KSTAR_BASE_MOST_COST_H

#define MOST_COST 9e12

#endif
