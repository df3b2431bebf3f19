/* model/forecast/forecast_draws.h: P10, P50 and P90 of each month of a forecast, from draws of its
 * factors.
 *
 * In each draw the work of every cell walks by its own steps, the price of hardware by steps that
 * all share, failures of a cell are off by one factor for all months, and so is what the law says
 * of a training or of a changed node count:
 *
 *     work        exp of the sum of h normals, of standard deviation s each: s = one-month error of
 *                 the cell's trend / its level
 *     price       likewise, the one-month errors of the cells' prices, weighted by their hardware
 *     failures    exp of a normal, 1/sqrt(failed attempts in the trailing months) (of none: 1)
 *     fit         exp of a normal, the relative residual of the family's fit; of a changed node
 *                 count 5 %, what a law may miss its measured means by
 *
 * A scenario may state any of the four instead. Where history is too short to say (NaN),
 * FORECAST_PRIOR_DEVIATION stands. The mean of each factor is 1 (exp(s z - s^2/2)), so the forecast
 * is the mean of its draws. They come from the scenario's seed (seeded_random.h): same inputs, same
 * bytes.
 */
#ifndef KSTAR_MODEL_FORECAST_FORECAST_DRAWS_H
#define KSTAR_MODEL_FORECAST_FORECAST_DRAWS_H

#include "model/forecast/forecast.h"

#define FORECAST_PRIOR_DEVIATION   0.10 /* where history says nothing */
#define FORECAST_LARGEST_DEVIATION 1.0  /* beyond it a factor is no estimate any more */

struct forecast_range {
    double p10, p50, p90; /* minor units; P by linear interpolation between the draws */
};

/* ranges[month] of the whole for months 1 .. months, and after them of the sum over all months. */
void forecast_draw(const struct forecast *forecast, unsigned months, struct forecast_range *ranges);

#endif
