/* Any bytes as a profiler trace, an MLPerf log, a training log; the first byte chooses. What is
 * read makes sense. */
#include "tests/fuzz/fuzz.h"

#include "base/utf8.h"
#include "ingest/measure/mlperf_log.h"
#include "ingest/measure/throughput_log.h"
#include "ingest/measure/torch_trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void check_trace(const char *path, bool include_last_step)
{
    struct trace_breakdown trace;
    struct error error = { 0 };
    if (!torch_trace_read(path, include_last_step, &trace, &error))
        return;
    if (trace.idle < 0 || trace.compute < 0 || trace.non_compute < 0 || trace.overlap < 0 ||
        trace.overlap > trace.communication ||
        trace.idle + trace.compute + trace.non_compute != trace.kernel_time)
        abort();
}

/* What a log says of its work is text of a bounded length, and can be stored. */
static void check_identity(const struct logged_identity *identity)
{
    for (int field = 0; field < LOGGED_FIELDS; field++) {
        const char *value = identity->values[field], *other = identity->others[field];
        if (strnlen(value, LOGGED_VALUE_BYTES) == LOGGED_VALUE_BYTES ||
            strnlen(other, LOGGED_VALUE_BYTES) == LOGGED_VALUE_BYTES ||
            utf8_valid_prefix(value, strlen(value)) != strlen(value) ||
            utf8_valid_prefix(other, strlen(other)) != strlen(other) ||
            (other[0] != '\0' && (value[0] == '\0' || strcasecmp(value, other) == 0)))
            abort();
    }
    if (identity->head > LOGGED_HEAD_BYTES)
        abort();
}

static void check_training(const char *path, enum throughput_kind kind)
{
    struct throughput_samples samples = { 0 };
    struct error error = { 0 };
    double value;
    bool ok = throughput_log_read(path, kind, &value, &samples, &error);
    if (ok && (!(value > 0) || samples.count < 1))
        abort();
    check_identity(&samples.identity);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct mlperf_run run;
    struct error error = { 0 };
    if (size == 0)
        return 0;
    const char *path = fuzz_file(data + 1, size - 1);
    switch (data[0] % 5) {
    case 0:
    case 1:
        check_trace(path, data[0] % 5 == 1);
        break;
    case 2:
        if (mlperf_log_read(path, &run, &error) && run.success && !(run.seconds > 0))
            abort();
        break;
    default:
        check_training(path, data[0] % 5 == 3 ? LOGGED_THROUGHPUT : LOGGED_STEP_TIME);
    }
    return 0;
}
