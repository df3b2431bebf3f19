/* ingest/json_fields.h: reads members of a parsed JSON record, in all forms in which they are
 * written. All of it pure. */
#ifndef KSTAR_INGEST_JSON_FIELDS_H
#define KSTAR_INGEST_JSON_FIELDS_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

/* The member at the end of a path of names, "time.start"; names are compared with case. NULL if one
 * is missing. */
const cJSON *json_path(const cJSON *value, const char *path);

/* The text at the end of a path; NULL if missing, empty or no text. The record owns it. */
const char *json_text(const cJSON *value, const char *path);

/* A whole number: 5, "5", or Slurm's { "set": true, "infinite": false, "number": 5 }. False for
 * anything else, for numbers that are unset or infinite, and beyond 2^53, where cJSON's doubles
 * have gaps (as text it is exact). */
bool json_integer(const cJSON *value, int64_t *number);

/* A repeated key of an object; NULL: none, or no object. Takes n log n, because an object may have
 * as many keys as fit into a file. */
const char *json_repeated_key(const cJSON *object);

#endif
