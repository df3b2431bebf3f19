/* forecast/scenario_object.h: reads a scenario from a JSON object by the tables of its members
 * (scenario_members.h), and refuses what it may not hold by line and column.
 */
#ifndef KSTAR_FORECAST_SCENARIO_OBJECT_H
#define KSTAR_FORECAST_SCENARIO_OBJECT_H

#include "base/error.h"
#include "model/forecast/scenario.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

enum { SCENARIO_DEEPEST = 4 };

/* A text that is read, and where in it. */
struct scenario_reader {
    const char *file, *text;
    size_t way[SCENARIO_DEEPEST + 1];       /* to the value at hand */
    const char *keys[SCENARIO_DEEPEST + 1]; /* NULL: an element of a list */
    size_t depth;
    struct error *error;
};

/* What the root object says, on top of what *scenario said before. False: refused. */
bool scenario_object_read(struct scenario_reader *reader, const cJSON *root, struct scenario *scenario);

/* Refuse a place of the text, or the value at hand for not being what was wanted. Always false. */
bool scenario_refuse_at(const struct scenario_reader *reader, size_t offset, const char *what,
                        const char *reason);
bool scenario_refuse_value(const struct scenario_reader *reader, const cJSON *value, const char *wanted);

#endif
