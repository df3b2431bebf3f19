/* ingest/key_values.h: checks a text for FOCUS's KeyValueFormat and PostgreSQL's jsonb. */
#ifndef KSTAR_INGEST_KEY_VALUES_H
#define KSTAR_INGEST_KEY_VALUES_H

#include <stdbool.h>
#include <stddef.h>

/* NULL if the text is a JSON object with unique keys, whose values are string, number, true, false
 * or null; otherwise the problem, in words. The text is valid UTF-8 without NUL. */
const char *key_values_problem(const char *text, size_t length);

#endif
