/* Any bytes as a CSV file: every record lies within the file, lines count up, fields fit in the
 * record. */
#include "tests/fuzz/fuzz.h"

#include "base/text/csv_reader.h"

#include <stdlib.h>

static void check(const struct csv_record *record, int64_t line_before, size_t *sum)
{
    size_t length = 0;
    for (int i = 0; i < record->field_count; i++) {
        for (size_t j = 0; j < record->fields[i].length; j++)
            *sum += (unsigned char)record->fields[i].text[j];
        length += record->fields[i].length;
    }
    if (record->line <= line_before || length > record->raw_length)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct csv_limits limits = { .record_bytes = 1 << 16,
                                              .columns = 64,
                                              .uncompressed_bytes = 1 << 20 };
    struct csv_record record;
    struct error error = { 0 };
    static volatile size_t seen; /* so that the bytes are really read */
    size_t total = 0;
    int64_t line = 0;
    struct csv_reader *reader = csv_reader_open(fuzz_file(data, size), ',', &limits, &error);
    while (reader != NULL && csv_reader_next(reader, &record, &error) == CSV_RECORD) {
        check(&record, line, &total);
        line = record.line;
    }
    csv_reader_close(reader);
    seen = total;
    return seen == total ? 0 : 1;
}
