/* forecast/forecast_print.h: prints forecasts on a terminal. */
#ifndef KSTAR_FORECAST_FORECAST_PRINT_H
#define KSTAR_FORECAST_FORECAST_PRINT_H

#include "forecast/forecast_result.h"

/* Prints the past costs, the reasons of their changes, and the error of the method in the
 * back-test. */
void forecast_print_history(const struct forecast_history *history);

/* Prints one scenario: by month, by component, by cost centre, its trainings and notes. */
void forecast_print_result(const struct forecast_history *history, const struct forecast_result *result);

/* Prints all scenarios side by side, compared with the first. */
void forecast_print_comparison(const struct forecast_history *history, const struct forecast_result *results,
                               int count);

#endif
