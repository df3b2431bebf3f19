/* Any bytes as a profiler trace, an MLPerf log, a training log; the first byte chooses. What is
 * read makes sense. */
#include "tests/fuzz/fuzz.h"

#include "ingest/measure/mlperf_log.h"
#include "ingest/measure/throughput_log.h"
#include "ingest/measure/torch_trace.h"

#include <math.h>
#include <stdlib.h>

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct mlperf_run run;
    struct error error = { 0 };
    double value;
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
        if (throughput_log_read(path, data[0] % 5 == 3 ? LOGGED_THROUGHPUT : LOGGED_STEP_TIME, &value, NULL,
                                &error) &&
            !(value > 0))
            abort();
    }
    return 0;
}
