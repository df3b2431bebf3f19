/* ingest/jobs/job_json.c: see job_json.h. */
#include "ingest/jobs/job_json.h"

#include <stdio.h>
#include <stdlib.h>

static struct json_records *records_of(const void *reader)
{
    return *(struct json_records *const *)reader;
}

void *job_json_open(size_t reader_bytes, const char *path, const char *const *members, struct error *error)
{
    struct json_records *records = json_records_open(path, members, error);
    if (records == NULL)
        return NULL;
    json_records_keep_before_cut(records);
    struct json_records **reader = calloc(1, reader_bytes);
    *reader = records;
    return reader;
}

void job_json_close(void *reader)
{
    if (reader == NULL)
        return;
    json_records_close(records_of(reader));
    free(reader);
}

enum job_outcome job_json_next(void *reader, struct json_record *json, struct job_record *record,
                               struct error *error)
{
    enum json_outcome outcome = json_records_next(records_of(reader), json, error);
    if (outcome == JSON_END || outcome == JSON_FAILED)
        return outcome == JSON_END ? JOB_END : JOB_FAILED;
    *record = (struct job_record){ .line = json->line, .raw = json->raw };
    if (outcome == JSON_BROKEN)
        snprintf(record->reason, sizeof record->reason, "%s", json->reason);
    return outcome == JSON_BROKEN ? JOB_QUARANTINED : JOB_RECORD;
}

int64_t job_json_position(const void *reader)
{
    return json_records_position(records_of(reader));
}
