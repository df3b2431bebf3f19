/* cli/json_print.h: what a command answers with --json, on standard output. */
#ifndef KSTAR_CLI_JSON_PRINT_H
#define KSTAR_CLI_JSON_PRINT_H

#include "base/error.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

/* Prints `value`, indented, and deletes it, whatever happens. False (ERROR_FAILED) where memory is short,
 * which a NULL `value` means too. */
bool json_print(cJSON *value, struct error *error);

/* The same on one line, for commands that print an object per row. */
bool json_print_line(cJSON *value, struct error *error);

#endif
