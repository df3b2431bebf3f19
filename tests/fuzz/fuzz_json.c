/* Any bytes as a JSON document: each outcome is what it says, and the reader ends. */
#include "tests/fuzz/fuzz.h"

#include "ingest/json_fields.h"
#include "ingest/json_records.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const keys[] = { "jobs", "items", NULL };
    struct json_record record;
    struct error error = { 0 };
    enum json_outcome outcome = JSON_RECORD;
    int64_t number, last_line = 0;
    size_t left = size + 1; /* no more records than bytes */
    struct json_records *records = json_records_open(fuzz_file(data, size), keys, &error);
    while (records != NULL && outcome != JSON_END && outcome != JSON_FAILED) {
        outcome = json_records_next(records, &record, &error);
        if (left-- == 0 || (outcome == JSON_RECORD) != (record.value != NULL) ||
            (outcome == JSON_FAILED) != (error.message[0] != '\0'))
            abort();
        if (outcome == JSON_BROKEN && record.reason[0] == '\0')
            abort();
        if (outcome == JSON_RECORD) {
            if (record.line < last_line)
                abort();
            last_line = record.line;
            json_integer(json_path(record.value, "a.b"), &number);
        }
    }
    json_records_close(records);
    return 0;
}
