/* forecast/forecast_leaves.h: leaves of a forecast that are shown as one: those of one cost centre,
 * or of one place (people, and what stands on no job, have a leaf each).
 *
 *     size_t *first = forecast_leaves_of_centres(result);
 *     int64_t *sums = forecast_leaves_sums(result, first, month);
 *     … sums[i] is the sum of all leaves j with first[j] == i
 */
#ifndef KSTAR_FORECAST_FORECAST_LEAVES_H
#define KSTAR_FORECAST_FORECAST_LEAVES_H

#include "forecast/forecast_result.h"

/* For each leaf the first one shown with it, itself if there is none. The caller frees it. */
size_t *forecast_leaves_of_centres(const struct forecast_result *result);
size_t *
forecast_leaves_of_places(const struct forecast_result *result); /* cost centre, family and training */

/* What the leaves of a month (negative: of all) come to, at the first of those that are shown as
 * one; 0 at the others. The caller frees. */
int64_t *forecast_leaves_sums(const struct forecast_result *result, const size_t *first, int month);

#endif
