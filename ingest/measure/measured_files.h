/* ingest/measure/measured_files.h: what the files say that a row of measurements names instead of a
 * value: profiler traces of a step, logs of MLPerf runs. They lie in the folder of the row's file
 * or below it. */
#ifndef KSTAR_INGEST_MEASURE_MEASURED_FILES_H
#define KSTAR_INGEST_MEASURE_MEASURED_FILES_H

#include "base/error.h"
#include "ingest/measure/logged_identity.h"
#include "ingest/measure/torch_trace.h"

#include <stdbool.h>

enum { MEASURED_PROBLEM_BYTES = 160 };

struct measured_values {
    double *values; /* owned; free() */
    int count;
    /* of a compute share: what the rest of the step is, and from where: "trace", "samples"; NULL:
     * unknown */
    struct trace_shares shares;
    const char *shares_from;
    struct logged_identity identity; /* of a job at work */
    /* what is wrong with the row's own words; "" if it is in `error` */
    char problem[MEASURED_PROBLEM_BYTES];
};

/* Appends the hashes of the files that the pattern names to the text *hashes (NULL: it is empty;
 * owned by the caller). False where there are none. */
bool measured_files_hash(const char *csv_path, const char *pattern, char **hashes);

/* The compute share of the traces that the pattern names, the ranks of one step: one value, and
 * what the rest of their time is. */
bool measured_from_traces(const char *csv_path, const char *pattern, struct measured_values *measured,
                          struct error *error);

/* Steady throughput, or seconds of a step, of each training log that the pattern names. */
bool measured_from_training(const char *csv_path, const char *pattern, bool step_time,
                            struct measured_values *measured, struct error *error);

/* The samples of one job at work: the pattern names its log. */
bool measured_from_job(const char *csv_path, const char *pattern, bool step_time,
                       struct measured_values *measured, struct error *error);

/* Seconds of each successful MLPerf run that the pattern names. Other runs are logged. */
bool measured_from_logs(const char *csv_path, const char *pattern, struct measured_values *measured,
                        struct error *error);

/* The node count of an MLPerf system description. */
bool measured_nodes(const char *csv_path, const char *name, int *nodes, struct measured_values *measured,
                    struct error *error);

#endif
