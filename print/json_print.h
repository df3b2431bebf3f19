/* print/json_print.h: prints the answer of a command with --json on standard output. */
#ifndef KSTAR_PRINT_JSON_PRINT_H
#define KSTAR_PRINT_JSON_PRINT_H

#include "base/error.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

/* Prints `value`, indented, and always deletes it. False if standard output failed. */
bool json_print(cJSON *value, struct error *error);

/* The same on one line, for commands that print an object per row. */
bool json_print_line(cJSON *value, struct error *error);

/* The same for an object with a list of any length, of which only one element is in memory:
 *
 *     json_list_begin("parts", members before it, error) && json_list_add(true, element, error)
 *         && json_list_add(false, element, error) … && json_list_end(members behind it, error)
 *
 * Each element has a line of its own. */
bool json_list_begin(const char *name, cJSON *members, struct error *error);
bool json_list_add(bool is_first, cJSON *element, struct error *error);
bool json_list_end(cJSON *members, struct error *error);

/* Add a member: a number (null if it is not finite), or minor units (written as an integer,
 * because a double may not hold them exactly). */
void json_add_number(cJSON *object, const char *name, double value);
void json_add_minor(cJSON *object, const char *name, int64_t units);

#endif
