/* model/statistics/quantile.h: quantiles of numbers. */
#ifndef KSTAR_MODEL_STATISTICS_QUANTILE_H
#define KSTAR_MODEL_STATISTICS_QUANTILE_H

#include <stddef.h>

void sort_ascending(double *values, size_t count);

/* Quantile of one or more sorted values by linear interpolation. `share` 0 gives the first
 * value, 1 the last. */
double quantile(const double *sorted, size_t count, double share);

#endif
