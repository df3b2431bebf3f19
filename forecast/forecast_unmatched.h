/* forecast/forecast_unmatched.h: notes about levers without effect.
 *
 * An entry of a list has no effect if its name matches nothing: growth, prices or penalties for
 * jobs that the history does not have or for months outside the forecast; people and trainings of
 * a cost centre that is not declared. Without a note, a misspelt name would give the same result
 * as the base. An entry of growth has none either if later entries match the same jobs, or if its
 * jobs did no work. Another lever has no effect if its step of the bridge is 0.
 *
 * Also notes prices and people that begin in a month of the history: the history may contain their
 * effect already, and the forecast adds it again.
 */
#ifndef KSTAR_FORECAST_FORECAST_UNMATCHED_H
#define KSTAR_FORECAST_FORECAST_UNMATCHED_H

#include "forecast/forecast_result.h"

/* Adds the notes to result->notes. Call it after the scenario's prices were matched with
 * purchases. */
bool forecast_unmatched(PGconn *connection, struct forecast_result *result, struct error *error);

/* Adds the notes about levers that are no lists. Call it when the bridge is known. */
void forecast_idle_levers(struct forecast_result *result);

#endif
