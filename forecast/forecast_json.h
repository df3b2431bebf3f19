/* forecast/forecast_json.h: a forecast as JSON, for scripts and for the tables that store it. */
#ifndef KSTAR_FORECAST_FORECAST_JSON_H
#define KSTAR_FORECAST_FORECAST_JSON_H

#include "forecast/forecast_result.h"

/* The complete forecast of one scenario. Its "forecast_id" is a hash of all other members. The
 * caller deletes it. */
cJSON *forecast_result_json(const struct forecast_history *history, const struct forecast_result *result);

/* The months of history, their costs, and the reasons of changes. */
cJSON *forecast_history_json(const struct forecast_history *history);

/* Stores a forecast, from its JSON. If it is stored already, it only becomes the latest one
 * again. Runs in the caller's transaction. */
bool forecast_keep(PGconn *connection, const struct forecast_history *history,
                   const struct forecast_result *result, const cJSON *json, struct error *error);

#endif
