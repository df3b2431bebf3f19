/* ingest/measure/mlperf_log.h: MLPerf training logs: lines with ":::MLLOG {json}" after any text.
 *
 * A run lasts from its last run_start to its last run_stop. The published score drops the fastest
 * and the slowest run; kstar keeps each run as a repeat.
 */
#ifndef KSTAR_INGEST_MEASURE_MLPERF_LOG_H
#define KSTAR_INGEST_MEASURE_MLPERF_LOG_H

#include "base/error.h"

#include <stdbool.h>

struct mlperf_run {
    bool success;   /* by its run_stop; an aborted run is no measurement */
    double seconds; /* of a finished run; else NaN */
};

/* Reads one log, plain or gzip. False with ERROR_INPUT if it has no run_start, or an MLLOG line is
 * no JSON. A log that is cut off before run_stop is a run without success. */
bool mlperf_log_read(const char *path, struct mlperf_run *run, struct error *error);

/* number_of_nodes of a system description: "16", "16.0" or 16. */
bool mlperf_system_nodes(const char *path, int *nodes, struct error *error);

#endif
