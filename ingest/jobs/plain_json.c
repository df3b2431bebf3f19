/* ingest/jobs/plain_json.c: job format "jsonl": JSON Lines, or an array of objects, with the fields
 * of plain_job.h. Numbers may be text, and node_list may be a list of names. Other members are
 * ignored. */
#include "ingest/jobs/job_json.h"
#include "ingest/jobs/plain_job.h"
#include "ingest/json_fields.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NUMBER_BYTES = 32, NODES_BYTES = 1 << 20 };

static const char *const members[] = { "jobs", NULL };

struct plain_json {
    struct json_records *records;
    struct job_format_options options;
    char numbers[PLAIN_JOB_FIELDS][NUMBER_BYTES];
    char nodes[NODES_BYTES]; /* the names of a list, joined by commas */
};

static void *plain_json_open(const struct job_format *format, const char *path,
                             const struct job_format_options *options, struct error *error)
{
    struct plain_json *reader = job_json_open(sizeof *reader, path, format->json_members, error);
    if (reader != NULL)
        reader->options = *options;
    return reader;
}

static bool quarantine(struct job_record *record, int field, const char *reason)
{
    record->wrong_column = plain_job_names[field];
    snprintf(record->reason, sizeof record->reason, "%s", reason);
    return false;
}

static bool join_names(struct plain_json *reader, const cJSON *list, struct text_slice *slice,
                       struct job_record *record)
{
    const cJSON *name;
    size_t used = 0;
    cJSON_ArrayForEach(name, list)
    {
        const char *text = cJSON_GetStringValue(name);
        if (text == NULL || strchr(text, ',') != NULL)
            return quarantine(record, PLAIN_JOB_NODE_LIST, "is not a list of names");
        if (used + strlen(text) + 2 > sizeof reader->nodes)
            return quarantine(record, PLAIN_JOB_NODE_LIST, "is longer than 1 MiB");
        used += (size_t)snprintf(reader->nodes + used, sizeof reader->nodes - used, "%s%s",
                                 used > 0 ? "," : "", text);
    }
    *slice = (struct text_slice){ used > 0 ? reader->nodes : NULL, used };
    return true;
}

static bool read_fields(struct plain_json *reader, const cJSON *job,
                        struct text_slice fields[PLAIN_JOB_FIELDS], struct job_record *record)
{
    for (int field = 0; field < PLAIN_JOB_FIELDS; field++) {
        const cJSON *value = cJSON_GetObjectItemCaseSensitive(job, plain_job_names[field]);
        const char *text = cJSON_GetStringValue(value);
        int64_t number;
        if (value == NULL || cJSON_IsNull(value))
            continue;
        if (field == PLAIN_JOB_NODE_LIST && cJSON_IsArray(value)) {
            if (!join_names(reader, value, &fields[field], record))
                return false;
            continue;
        }
        if (text == NULL && cJSON_IsNumber(value) && json_integer(value, &number)) {
            snprintf(reader->numbers[field], NUMBER_BYTES, "%" PRId64, number);
            text = reader->numbers[field];
        }
        if (text == NULL)
            return quarantine(record, field, "is neither text nor a whole number");
        if (text[0] != '\0')
            fields[field] = (struct text_slice){ text, strlen(text) };
    }
    return true;
}

static enum job_outcome plain_json_next(void *opened, struct job_record *record, struct error *error)
{
    struct plain_json *reader = opened;
    struct json_record json;
    struct text_slice fields[PLAIN_JOB_FIELDS] = { 0 };
    enum job_outcome outcome = job_json_next(reader, &json, record, error);
    if (outcome != JOB_RECORD)
        return outcome;
    bool ok =
        read_fields(reader, json.value, fields, record) && plain_job_read(fields, &reader->options, record);
    return ok ? JOB_RECORD : JOB_QUARANTINED;
}

/* Slurm's own JSON also has a job_id, but its times are in an object. */
static bool plain_json_recognises(const struct job_sample *sample)
{
    return json_path(sample->record, plain_job_names[PLAIN_JOB_ID]) != NULL &&
           !cJSON_IsObject(json_path(sample->record, "time"));
}

const struct job_format plain_json_format = {
    .name = "jsonl",
    .json_members = members,
    .recognises = plain_json_recognises,
    .open = plain_json_open,
    .next = plain_json_next,
    .position = job_json_position,
    .close = job_json_close,
};
