/* forecast/forecast_print.h: forecasts for people, on a terminal. */
#ifndef KSTAR_FORECAST_FORECAST_PRINT_H
#define KSTAR_FORECAST_FORECAST_PRINT_H

#include "forecast/forecast_result.h"

/* What was, why it changed, and how far off the method would have been. */
void forecast_print_history(const struct forecast_history *history);

/* One scenario: by month, by component, by cost centre, its trainings and notes. */
void forecast_print_result(const struct forecast_history *history, const struct forecast_result *result);

/* All of them side by side, against the first. */
void forecast_print_comparison(const struct forecast_history *history, const struct forecast_result *results,
                               int count);

#endif
