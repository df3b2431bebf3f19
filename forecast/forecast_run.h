/* forecast/forecast_run.h: forecasts one scenario: reads the data that its levers need besides
 * the history, runs the model, and stores the result in whole minor units. */
#ifndef KSTAR_FORECAST_FORECAST_RUN_H
#define KSTAR_FORECAST_FORECAST_RUN_H

#include "base/error.h"
#include "forecast/forecast_result.h"

#include <stdbool.h>

/* Reads the scenario with this name and forecasts `months` months. Zero *result first. Free it
 * with forecast_result_free(), also after a failure. */
bool forecast_run(PGconn *connection, struct forecast_history *history, const char *scenario, unsigned months,
                  struct forecast_result *result, struct error *error);

#endif
