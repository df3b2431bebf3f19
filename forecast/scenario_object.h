/* forecast/scenario_object.h: reads a scenario from a JSON object by the tables of its members
 * (scenario_members.h). Errors state line and column. */
#ifndef KSTAR_FORECAST_SCENARIO_OBJECT_H
#define KSTAR_FORECAST_SCENARIO_OBJECT_H

#include "base/error.h"
#include "model/forecast/scenario.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

enum { SCENARIO_DEEPEST = 4 };

/* A text, and the current position in it. */
struct scenario_reader {
    const char *file, *text;
    size_t way[SCENARIO_DEEPEST + 1];       /* path to the current value */
    const char *keys[SCENARIO_DEEPEST + 1]; /* the keys on the path; NULL: an element of a list */
    size_t depth;
    struct error *error;
};

/* Reads the root object into *scenario; members that it lacks keep their values. False: refused. */
bool scenario_object_read(struct scenario_reader *reader, const cJSON *root, struct scenario *scenario);

/* Set an error for a position of the text, or for the current value. Always return false. */
bool scenario_refuse_at(const struct scenario_reader *reader, size_t offset, const char *what,
                        const char *reason);
bool scenario_refuse_value(const struct scenario_reader *reader, const cJSON *value, const char *wanted);

#endif
