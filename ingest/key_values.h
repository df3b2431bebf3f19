/* ingest/key_values.h: is this FOCUS's KeyValueFormat, and will PostgreSQL's jsonb take it? */
#ifndef KSTAR_INGEST_KEY_VALUES_H
#define KSTAR_INGEST_KEY_VALUES_H

#include <stdbool.h>
#include <stddef.h>

/* NULL where text is a JSON object with unique keys and values that are string, number, true, false
 * or null; else what is wrong with it, in words. The text is valid UTF-8 without NUL. */
const char *key_values_problem(const char *text, size_t length);

#endif
