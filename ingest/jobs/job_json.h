/* ingest/jobs/job_json.h: common functions of readers of jobs in JSON.
 *
 * The reader of a format is a struct whose first member is its `struct json_records *`.
 */
#ifndef KSTAR_INGEST_JOBS_JOB_JSON_H
#define KSTAR_INGEST_JOBS_JOB_JSON_H

#include "ingest/jobs/job_format.h"
#include "ingest/json_records.h"

/* Allocates a reader of this size, zero after its first member. `members` is for json_records_open.
 * NULL on failure. */
void *job_json_open(size_t reader_bytes, const char *path, const char *const *members, struct error *error);
void job_json_close(void *reader);

/* JOB_RECORD: json->value is the next job, and `record` has its place. Otherwise JOB_QUARANTINED,
 * JOB_END or JOB_FAILED. */
enum job_outcome job_json_next(void *reader, struct json_record *json, struct job_record *record,
                               struct error *error);

int64_t job_json_position(const void *reader);

#endif
