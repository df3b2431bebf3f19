/* ingest/jobs/plain_job.h: job records by named fields, for anybody to write: formats "csv" and
 * "jsonl".
 *
 * A format finds the texts of the fields, and this file makes a record of them. slurm_time() reads
 * times: ISO 8601 or seconds since 1970; a time without offset is in the zone of the source.
 * docs/formats.md has the fields.
 */
#ifndef KSTAR_INGEST_JOBS_PLAIN_JOB_H
#define KSTAR_INGEST_JOBS_PLAIN_JOB_H

#include "ingest/jobs/job_format.h"

#include <stdbool.h>

enum plain_job_field {
    PLAIN_JOB_ID,
    PLAIN_JOB_STATE,
    PLAIN_JOB_START,
    PLAIN_JOB_END,
    PLAIN_JOB_SUBMIT,
    PLAIN_JOB_ELIGIBLE,
    PLAIN_JOB_ELAPSED,
    PLAIN_JOB_SUSPENDED,
    PLAIN_JOB_NODES,
    PLAIN_JOB_NODE_LIST,
    PLAIN_JOB_CPUS,
    PLAIN_JOB_ACCELERATORS,
    PLAIN_JOB_CLUSTER,
    PLAIN_JOB_ACCOUNT,
    PLAIN_JOB_USER,
    PLAIN_JOB_PARTITION,
    PLAIN_JOB_QOS,
    PLAIN_JOB_WCKEY,
    PLAIN_JOB_NAME,
    PLAIN_JOB_COMMENT,
    PLAIN_JOB_EXIT_CODE,
    PLAIN_JOB_ATTEMPT,
    PLAIN_JOB_RESOURCE_ID,
    PLAIN_JOB_RUN_GROUP,
    PLAIN_JOB_FIELDS
};

/* The names of the fields, ended with NULL. */
extern const char *const plain_job_names[PLAIN_JOB_FIELDS + 1];

/* Reads the fields ({ NULL, 0 }: none) into a record whose line and raw are set. False with
 * wrong_column and reason if a field is invalid. */
bool plain_job_read(const struct text_slice fields[PLAIN_JOB_FIELDS],
                    const struct job_format_options *options, struct job_record *record);

#endif
