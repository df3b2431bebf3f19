/* forecast/scenario_file.h: scenarios as JSON files, and the built-in ones (docs/scenarios.md).
 *
 * A faulty file is refused as a whole, with file, line and column. Faults are: no JSON, an unknown
 * or repeated member, a value of the wrong type or out of range, a training without family, a
 * circular chain of "extends".
 */
#ifndef KSTAR_FORECAST_SCENARIO_FILE_H
#define KSTAR_FORECAST_SCENARIO_FILE_H

#include "base/error.h"
#include "model/forecast/scenario.h"

#include <stdbool.h>

/* Reads a scenario file, or a built-in scenario by its name. `name` is a file if it has a '/',
 * ends in ".json" or exists as a file. The caller frees *scenario with scenario_free(), also
 * after a failure. */
bool scenario_read(const char *name, struct scenario *scenario, struct error *error);

/* The same from a text. `file` is named in errors, and "extends" is looked up in its folder.
 * text[length] is NUL. */
bool scenario_read_text(const char *file, const char *text, size_t length, struct scenario *scenario,
                        struct error *error);

#endif
