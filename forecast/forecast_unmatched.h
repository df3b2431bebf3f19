/* forecast/forecast_unmatched.h: notes of a forecast about levers that change nothing because of
 * their names: growth, prices and penalties of what the history does not have or of months that are
 * not forecast; people and trainings of a cost centre that nobody has declared. A slip of the pen
 * looks like the base otherwise. And about prices and people from a month on that the history has:
 * they come on top of what it may have already.
 */
#ifndef KSTAR_FORECAST_FORECAST_UNMATCHED_H
#define KSTAR_FORECAST_FORECAST_UNMATCHED_H

#include "forecast/forecast_result.h"

/* Adds to result->notes. The scenario's prices have been matched with purchases before. */
bool forecast_unmatched(PGconn *connection, struct forecast_result *result, struct error *error);

#endif
