/* forecast/forecast_result.c: see forecast_result.h. */
#include "forecast/forecast_result.h"

#include <stdlib.h>

void forecast_result_trailing(const struct forecast_history *history, const struct forecast_result *result,
                              char from[16], char to[16])
{
    scenario_month last = history->first + (int)(result->base_from + result->base_months) - 1;
    size_t count = result->base_months < FORECAST_TRAILING ? result->base_months : FORECAST_TRAILING;
    forecast_month_day(last - (int)count + 1, from);
    forecast_month_day(last, to);
}

void forecast_result_free(struct forecast_result *result)
{
    scenario_free(&result->scenario);
    cJSON_Delete(result->notes);
    forecast_purchases_free(&result->purchases);
    free(result->cells);
    free(result->drivers);
    free(result->trainings);
    free(result->answers);
    free(result->questions);
    free(result->leaves);
    free(result->floors);
    free(result->minor);
    free(result->work);
    free(result->ranges);
    *result = (struct forecast_result){ 0 };
}

int64_t forecast_result_sum(const struct forecast_result *result, int month, int leaf, int component)
{
    int64_t sum = 0;
    size_t leaves = result->leaf_count;
    size_t months_to = month < 0 ? result->months : (size_t)month + 1;
    size_t leaves_to = leaf < 0 ? leaves : (size_t)leaf + 1;
    size_t components_to = component < 0 ? FORECAST_COMPONENTS : (size_t)component + 1;
    for (size_t i = month < 0 ? 0 : (size_t)month; i < months_to; i++) {
        for (size_t j = leaf < 0 ? 0 : (size_t)leaf; j < leaves_to; j++) {
            for (size_t k = component < 0 ? 0 : (size_t)component; k < components_to; k++)
                sum += result->minor[(i * leaves + j) * FORECAST_COMPONENTS + k];
        }
    }
    return sum;
}
