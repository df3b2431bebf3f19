/* The small languages of fields: decimals, times, durations, host lists, key-values, nested values.
 * A decimal comes back from its own text; a time from its own text as well. */
#include "tests/fuzz/fuzz.h"

#include "base/decimal_arithmetic.h"
#include "base/time_text.h"
#include "base/utf8.h"
#include "ingest/bill/nested_text.h"
#include "ingest/jobs/node_list.h"
#include "ingest/jobs/slurm_fields.h"
#include "ingest/key_values.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

static void check_decimal(const char *text, size_t length)
{
    struct decimal value, again, difference;
    char written[DECIMAL_TEXT_BYTES];
    unsigned char wire[DECIMAL_WIRE_BYTES];
    if (!decimal_parse(text, length, &value))
        return;
    decimal_to_wire(&value, wire);
    size_t size = decimal_format(&value, written);
    if (!decimal_parse(written, size, &again) || again.scale != value.scale)
        abort();
    if (decimal_subtract(&value, &again, &difference) && difference.group_count != 0)
        abort();
}

static void check_time(const char *text, size_t length)
{
    time_us time, again;
    char written[32];
    if (!time_parse(text, length, &time))
        return;
    size_t size = time_format(time, written);
    if (!time_parse(written, size, &again) || again != time)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data, *reason;
    int64_t seconds;
    time_us time;
    bool has_offset;
    check_decimal(text, size);
    check_time(text, size);
    slurm_duration(text, size, &seconds);
    slurm_time(text, size, &time, &has_offset);
    slurm_state(text, size);
    slurm_tres(text, size, "cpu");
    slurm_tres_accelerators(text, size);
    char types[24];
    slurm_tres_accelerator_types(text, size, types, sizeof types);
    node_list_expand(text, size, NULL, NULL, &reason);
    if (utf8_valid_prefix(text, size) == size) {
        key_values_problem(text, size);
        cJSON_Delete(nested_text_parse(text, size, &reason));
    }
    return 0;
}
