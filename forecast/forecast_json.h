/* forecast/forecast_json.h: a forecast as JSON: for scripts, and for the tables that keep it. */
#ifndef KSTAR_FORECAST_FORECAST_JSON_H
#define KSTAR_FORECAST_FORECAST_JSON_H

#include "forecast/forecast_result.h"

/* Everything that one scenario's forecast says. Its "forecast_id" is a hash of the rest. The caller
 * deletes it. */
cJSON *forecast_result_json(const struct forecast_history *history, const struct forecast_result *result);

/* Months, costs, and why they changed. */
cJSON *forecast_history_json(const struct forecast_history *history);

/* Keeps a forecast, from its JSON. The same one again is only made the one kept last, where another
 * was since. In the caller's transaction. */
bool forecast_keep(PGconn *connection, const struct forecast_history *history,
                   const struct forecast_result *result, const cJSON *json, struct error *error);

#endif
