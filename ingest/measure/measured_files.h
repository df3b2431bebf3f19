/* ingest/measure/measured_files.h: reads the files that a row of measurements names instead of a
 * value: profiler traces of a step, training logs, logs of MLPerf runs. They are in or below the
 * folder of the row's file. */
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
    /* of a compute share: the other shares of the step, and their origin: "trace", "samples"; NULL:
     * unknown */
    struct trace_shares shares;
    const char *shares_from;
    struct logged_identity identity; /* of a job at work */
    /* the problem, if it is in the row; "": see `error` */
    char problem[MEASURED_PROBLEM_BYTES];
};

/* Appends the hashes of the files that fit the pattern to the text *hashes (NULL: empty; owned by
 * the caller). False if no file fits. */
bool measured_files_hash(const char *csv_path, const char *pattern, char **hashes);

/* The compute share of the traces that fit the pattern, the ranks of one step: one value, and the
 * shares of the rest of their time. */
bool measured_from_traces(const char *csv_path, const char *pattern, struct measured_values *measured,
                          struct error *error);

/* Steady throughput, or seconds of a step, of each training log that fits the pattern. */
bool measured_from_training(const char *csv_path, const char *pattern, bool step_time,
                            struct measured_values *measured, struct error *error);

/* The samples of one job at work, whose log fits the pattern. */
bool measured_from_job(const char *csv_path, const char *pattern, bool step_time,
                       struct measured_values *measured, struct error *error);

/* Seconds of each successful MLPerf run that fits the pattern. Other runs are logged. */
bool measured_from_logs(const char *csv_path, const char *pattern, struct measured_values *measured,
                        struct error *error);

/* The node count of an MLPerf system description. */
bool measured_nodes(const char *csv_path, const char *name, int *nodes, struct measured_values *measured,
                    struct error *error);

#endif
