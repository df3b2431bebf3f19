/* ingest/measure/mlperf_log.h: MLPerf training logs: lines with ":::MLLOG {json}" after any text.
 *
 * A run takes from its last run_start to its last run_stop; the published score drops the fastest
 * and the slowest of the runs, kstar keeps each as a repeat.
 */
#ifndef KSTAR_INGEST_MEASURE_MLPERF_LOG_H
#define KSTAR_INGEST_MEASURE_MLPERF_LOG_H

#include "base/error.h"

#include <stdbool.h>

struct mlperf_run {
    bool success;   /* run_stop says so; an aborted run is no measurement */
    double seconds; /* of a run that stopped; else NaN */
};

/* Reads one log, plain or gzip. False with ERROR_INPUT where it holds no run_start, or an MLLOG
 * line that is no JSON. A log that is cut off before run_stop is a run without success. */
bool mlperf_log_read(const char *path, struct mlperf_run *run, struct error *error);

/* number_of_nodes of a system description: "16", "16.0" or 16. */
bool mlperf_system_nodes(const char *path, int *nodes, struct error *error);

#endif
