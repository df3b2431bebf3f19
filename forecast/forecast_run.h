/* forecast/forecast_run.h: one scenario's forecast: reads what its levers need besides the history,
 * asks model/, and keeps the answer in whole minor units. */
#ifndef KSTAR_FORECAST_FORECAST_RUN_H
#define KSTAR_FORECAST_FORECAST_RUN_H

#include "base/error.h"
#include "forecast/forecast_result.h"

#include <stdbool.h>

/* Reads the scenario of that name and forecasts `months` months. Zero *result first;
 * forecast_result_free() frees it also where this failed. */
bool forecast_run(PGconn *connection, struct forecast_history *history, const char *scenario, unsigned months,
                  struct forecast_result *result, struct error *error);

#endif
