/* ingest/bill/nested_text.h: nested values inside one field of an export: JSON, or Python's repr.
 *
 * A table with lists and records (BigQuery's credits, labels) becomes CSV either with JSON in the
 * field or, if a Python program printed the values, with their repr: 'single quotes', None,
 * True, False. Only these two are read: a field with tuples, dates, NaN or calls such as
 * Decimal('1') is refused.
 *
 * cJSON reads the structure, but would turn numbers into doubles. So each number becomes a string
 * with its exact digits, and callers parse it with decimal_parse: money stays exact.
 *
 *     struct cJSON *credits = nested_text_parse(text, length, &problem);
 *     cJSON_ArrayForEach(credit, credits) …
 *     cJSON_Delete(credits);
 */
#ifndef KSTAR_INGEST_BILL_NESTED_TEXT_H
#define KSTAR_INGEST_BILL_NESTED_TEXT_H

#include <stddef.h>

struct cJSON;

enum { NESTED_TEXT_BYTES_MAXIMUM = 64 << 10 }; /* a longer field is refused */

/* Parses `text`, which is valid UTF-8; numbers in the value are strings. The caller frees the value
 * with cJSON_Delete. NULL if the text is no value; *problem says in words what it is. */
struct cJSON *nested_text_parse(const char *text, size_t length, const char **problem);

#endif
