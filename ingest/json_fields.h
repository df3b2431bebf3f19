/* ingest/json_fields.h: what a member of a parsed JSON record says, whichever way it is written.
 * All of it pure. */
#ifndef KSTAR_INGEST_JSON_FIELDS_H
#define KSTAR_INGEST_JSON_FIELDS_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

/* The member at the end of a path of names, "time.start"; names are compared with case. NULL where
 * one is not there. */
const cJSON *json_path(const cJSON *value, const char *path);

/* The text at the end of a path; NULL if missing, empty or no text. The record owns it. */
const char *json_text(const cJSON *value, const char *path);

/* A whole number: 5, "5", and Slurm's { "set": true, "infinite": false, "number": 5 }. False for
 * anything else, for one that is not set or infinite, and beyond 2^53, where cJSON's doubles have
 * gaps (as text it is exact). */
bool json_integer(const cJSON *value, int64_t *number);

/* A key that an object has twice; NULL: none, or no object. In n log n: an object may have as many
 * keys as a file has room for. */
const char *json_repeated_key(const cJSON *object);

#endif
