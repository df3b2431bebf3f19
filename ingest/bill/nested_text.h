/* ingest/bill/nested_text.h: nested values inside one field of an export: JSON, or Python's repr.
 *
 * A table with lists and records (BigQuery's credits, labels) becomes CSV either with JSON in the
 * field or, where a Python program printed the values, with their repr: 'single quotes', None,
 * True, False. Both are read, nothing else: a field that mixes in tuples, dates, NaN or calls such
 * as Decimal('1') is refused.
 *
 * cJSON reads the structure. It would make doubles of numbers, so that a number arrives as a string
 * that holds it digit for digit: money stays exact, and who reads a number parses it with
 * decimal_parse.
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

/* The value of `text`, which is valid UTF-8; numbers in it are strings. The caller's, freed by
 * cJSON_Delete. NULL where it is none, with *problem saying in words what it is. */
struct cJSON *nested_text_parse(const char *text, size_t length, const char **problem);

#endif
