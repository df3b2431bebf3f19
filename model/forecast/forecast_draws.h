/* model/forecast/forecast_draws.h: P10, P50 and P90 of each month of a forecast, from random draws
 * of its factors.
 *
 * In each draw, the work of each cell is a random walk of its own. The price of hardware is one
 * walk that all cells share. The failures of a cell have one factor for all months. So has the
 * predicted time of a training or of a changed node count.
 *
 *     work        exp of the sum of h normals, each with standard deviation s = one-month error of
 *                 the cell's trend / its level
 *     price       likewise; s = one-month errors of the cells' prices, weighted by their hardware
 *     failures    exp of a normal, s = 1/sqrt(failed attempts in the trailing months); none: 1
 *     fit         exp of a normal, s = relative residual of the family's fit; 5 % for a changed
 *                 node count, the most by which a law may miss its measured means
 *
 * A scenario may set each of the four. If history is too short (NaN), FORECAST_PRIOR_DEVIATION is
 * used. Each factor has mean 1 (exp(s z - s^2/2)), so the forecast is the mean of its draws. The
 * draws start from the scenario's seed (seeded_random.h): the same input gives the same bytes.
 */
#ifndef KSTAR_MODEL_FORECAST_FORECAST_DRAWS_H
#define KSTAR_MODEL_FORECAST_FORECAST_DRAWS_H

#include "model/forecast/forecast.h"

#define FORECAST_PRIOR_DEVIATION   0.10 /* used if history is too short */
#define FORECAST_LARGEST_DEVIATION 1.0  /* the largest allowed deviation */

/* With fewer months of history P10 to P90 are not meaningful. */
enum { FORECAST_RANGE_MONTHS = 6 };

struct forecast_range {
    double p10, p50, p90; /* minor units; by linear interpolation between draws */
};

/* Fills ranges[0 .. months - 1] with the total of each month, and ranges[months] with the total
 * of all months. */
void forecast_draw(const struct forecast *forecast, unsigned months, struct forecast_range *ranges);

#endif
