/* ingest/json_records.h: the records of a JSON document of any size, one at a time.
 *
 * A month of `sacct --json` is gigabytes, so the document is cut into records, by counting brackets
 * outside of strings, before cJSON parses each record. Memory is bounded by the largest record.
 * Records are
 *   - of an object that has one of `keys`: the elements of that array; other members are ignored;
 *   - of an array: its elements;
 *   - of objects one after the other (JSON Lines, or documents of kubectl): as above, or each
 *     object itself.
 * Plain or gzip; a byte-order mark is dropped.
 *
 *     static const char *const keys[] = { "jobs", NULL };
 *     struct json_records *records = json_records_open(path, keys, error);
 *     while ((got = json_records_next(records, &record, error)) != JSON_END && got != JSON_FAILED)
 *         … record.value, json_fields.h …
 *     json_records_close(records);
 */
#ifndef KSTAR_INGEST_JSON_RECORDS_H
#define KSTAR_INGEST_JSON_RECORDS_H

#include "base/error.h"
#include "ingest/text_slice.h"

#include <cjson/cJSON.h>
#include <stdint.h>

enum { JSON_RECORD_BYTES_MAXIMUM = 64 << 20, JSON_DEPTH_MAXIMUM = 200 };

enum json_outcome {
    JSON_RECORD,
    /* an invalid record, see `reason`; its end was found, so the next one can be read */
    JSON_BROKEN,
    JSON_END,
    /* `error` says why: the document is cut off, or no JSON. Nothing of it may be kept */
    JSON_FAILED,
};

struct json_record {
    cJSON *value;          /* owned by the reader, until the next call; NULL if broken */
    int64_t line;          /* on which it begins, from 1 */
    struct text_slice raw; /* its bytes, or the beginning of a too long record */
    char reason[256];      /* "is not JSON: …", the message about the record */
};

struct json_records;

/* `keys` ends with NULL and must outlive the reader. NULL on failure. */
struct json_records *json_records_open(const char *path, const char *const *keys, struct error *error);
void json_records_close(struct json_records *records); /* NULL is allowed */

/* If objects follow each other (JSON Lines) and the file ends within the last one, only the last
 * one is JSON_BROKEN. Do not use it for a file that is one whole, such as a snapshot or a trace.
 * Otherwise, and within an array, a file that is cut off is JSON_FAILED. */
void json_records_keep_before_cut(struct json_records *records);

enum json_outcome json_records_next(struct json_records *records, struct json_record *record,
                                    struct error *error);

/* For progress. */
int64_t json_records_position(const struct json_records *records);

#endif
