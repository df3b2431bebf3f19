/* print/json_print.h: what a command answers with --json, on standard output, and members of it. */
#ifndef KSTAR_PRINT_JSON_PRINT_H
#define KSTAR_PRINT_JSON_PRINT_H

#include "base/error.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

/* Prints `value`, indented, and deletes it in any case. False if standard output failed. */
bool json_print(cJSON *value, struct error *error);

/* The same on one line, for commands that print an object per row. */
bool json_print_line(cJSON *value, struct error *error);

/* Members: a number, null where it is not finite; minor units, which no double need hold. */
void json_add_number(cJSON *object, const char *name, double value);
void json_add_minor(cJSON *object, const char *name, int64_t units);

#endif
