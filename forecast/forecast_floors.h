/* forecast/forecast_floors.h: committed and owned hardware of a forecast
 * (model/forecast/forecast_floor.h): its months, and notes about unknown ends. */
#ifndef KSTAR_FORECAST_FORECAST_FLOORS_H
#define KSTAR_FORECAST_FORECAST_FLOORS_H

#include "forecast/forecast_result.h"

/* Fills result->floors. Adds a note for each commitment without a known end if a lever frees any
 * of it. */
void forecast_floors_note(struct forecast_result *result);

/* The freed part of a floor in minor units. A month below 0: all months together. */
int64_t forecast_floors_freed(const struct forecast_result *result, int month, size_t floor);

/* "Alder Cloud p5.48xlarge", "own nodes". The caller frees. */
char *forecast_floors_name(const struct forecast_floor *floor);

#endif
