/* model/statistics/quantile.h: quantiles of numbers. */
#ifndef KSTAR_MODEL_STATISTICS_QUANTILE_H
#define KSTAR_MODEL_STATISTICS_QUANTILE_H

#include <stddef.h>

void sort_ascending(double *values, size_t count);

/* Of sorted values (one or more), interpolated linearly; `share` 0 is the first, 1 the last. */
double quantile(const double *sorted, size_t count, double share);

#endif
