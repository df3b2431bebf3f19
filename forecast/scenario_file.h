/* forecast/scenario_file.h: scenarios as JSON files, and the built-in ones (docs/scenarios.md).
 *
 * A file is refused whole, naming file, line and column: what is not JSON, a member that is not
 * known or stands twice, a value of the wrong type or out of range, a training without family, a
 * chain of "extends" that comes back to itself.
 */
#ifndef KSTAR_FORECAST_SCENARIO_FILE_H
#define KSTAR_FORECAST_SCENARIO_FILE_H

#include "base/error.h"
#include "model/forecast/scenario.h"

#include <stdbool.h>

/* Reads a file (a name with a '/' or that ends in ".json", or an existing one) or a ready-made
 * scenario by its name. The caller frees *scenario with scenario_free(), also where this failed. */
bool scenario_read(const char *name, struct scenario *scenario, struct error *error);

/* The same from a text at hand; `file` is for errors, and "extends" is looked up beside it.
 * text[length] is NUL. */
bool scenario_read_text(const char *file, const char *text, size_t length, struct scenario *scenario,
                        struct error *error);

#endif
