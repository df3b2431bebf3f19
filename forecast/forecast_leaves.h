/* forecast/forecast_leaves.h: groups the leaves of a forecast that are shown together: those of
 * one cost centre, or of one place. A place may have several leaves: each entry of people, and
 * costs without a job, have their own.
 *
 *     size_t *first = forecast_leaves_of_centres(result);
 *     int64_t *sums = forecast_leaves_sums(result, first, month);
 *     … sums[i] is the sum of all leaves j with first[j] == i
 */
#ifndef KSTAR_FORECAST_FORECAST_LEAVES_H
#define KSTAR_FORECAST_FORECAST_LEAVES_H

#include "forecast/forecast_result.h"

/* For each leaf, the first leaf of its group; a leaf alone is its own first. The caller frees
 * it. */
size_t *forecast_leaves_of_centres(const struct forecast_result *result);
size_t *
/* cost centre, family and training */
forecast_leaves_of_places(const struct forecast_result *result);

/* What people read for a cost centre: the company as a whole has no name. */
const char *forecast_leaves_centre(const char *cost_centre);

/* The sum of each group in a month (negative: all months), at the index of the group's first
 * leaf; 0 at other indexes. The caller frees it. */
int64_t *forecast_leaves_sums(const struct forecast_result *result, const size_t *first, int month);

#endif
