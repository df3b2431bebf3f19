/* forecast/scenario_catalogue.h: the built-in scenarios of forecast/scenarios/, embedded like
 * sql/. */
#ifndef KSTAR_FORECAST_SCENARIO_CATALOGUE_H
#define KSTAR_FORECAST_SCENARIO_CATALOGUE_H

#include <stddef.h>

struct scenario_text {
    const char *name; /* "base.json"; NULL ends the table */
    const char *text;
    size_t length;
};

extern const struct scenario_text scenario_catalogue[];

#endif
