/* ingest/jobs/managed_job.c: see managed_job.h. */
#include "ingest/jobs/managed_job.h"

#include "ingest/jobs/job_json.h"
#include "ingest/jobs/job_labels.h"
#include "ingest/jobs/slurm_run.h"
#include "ingest/json_fields.h"

#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers above this are milliseconds: as seconds they would be after the year 5138. */
static const double MILLISECONDS = 1e11;

struct managed_reader {
    struct json_records *records;
    const struct managed_service *service;
    bool clock_may_go_back;
    struct job_labels labels;
};

static const char *base_state(const struct managed_service *service, const cJSON *job, const char *word)
{
    if (service->timed_out != NULL && service->timed_out(job))
        return "TIMEOUT";
    for (const struct managed_word *known = service->words; known->word != NULL; known++)
        if (strcmp(known->word, word) == 0)
            return known->state;
    return "UNKNOWN";
}

/* −1: not stated, or too many for a job. */
static int64_t instances(const struct managed_service *service, const cJSON *job)
{
    const cJSON *each;
    int64_t count, sum = 0;
    if (service->instances != NULL && json_integer(json_path(job, service->instances), &count) && count > 0)
        return count;
    if (service->groups == NULL)
        return 1;
    const cJSON *groups = json_path(job, service->groups);
    cJSON_ArrayForEach(each, groups)
    {
        if (json_integer(json_path(each, service->group_instances), &count) && count > 0)
            sum = count < INT32_MAX - sum ? sum + count : INT32_MAX;
    }
    return sum > 0 && sum < INT32_MAX ? sum : -1;
}

static bool quarantine(struct job_record *record, const char *path, const char *value, const char *reason)
{
    char excerpt[96];
    utf8_excerpt(value, strlen(value), excerpt, sizeof excerpt);
    record->wrong_column = path;
    snprintf(record->reason, sizeof record->reason, "\"%s\" %s", excerpt, reason);
    return false;
}

static struct text_slice text_at(const cJSON *job, const struct managed_paths *paths)
{
    for (int i = 0; i < MANAGED_PATHS && paths->paths[i] != NULL; i++) {
        const char *text = json_text(job, paths->paths[i]);
        if (text != NULL)
            return (struct text_slice){ text, strlen(text) };
    }
    return (struct text_slice){ NULL, 0 };
}

/* ---- times ---- */

static bool epoch_time(double value, struct job_time *time)
{
    double seconds = fabs(value) > MILLISECONDS ? value / 1000 : value;
    if (!(seconds >= 0 && seconds < 253402300800.0)) /* 9999-12-31 is the last day */
        return false;
    *time = (struct job_time){ .known = seconds > 0, .at = (time_us)(seconds * 1e6 + 0.5) };
    return true;
}

/* Reads a time with an offset, without one (`has_offset` is false, and the zone of the source
 * counts), or in digits. */
static bool text_time(const char *text, struct job_time *time, bool *has_offset)
{
    char *end;
    double number = strtod(text, &end);
    if (*end == '\0' && end != text && strspn(text, "0123456789.") == strlen(text))
        return epoch_time(number, time);
    size_t length = strlen(text);
    const char *clock = strchr(text, 'T') ? strchr(text, 'T') : strchr(text, ' ');
    *has_offset = clock != NULL && strpbrk(clock, "Z+-") != NULL;
    time->known = time_parse(text, length, &time->at);
    return time->known;
}

static bool read_time(const cJSON *job, const struct managed_paths *paths, struct job_time *time,
                      bool *has_offset, struct job_record *record)
{
    *time = (struct job_time){ 0 };
    *has_offset = true;
    for (int i = 0; i < MANAGED_PATHS && paths->paths[i] != NULL; i++) {
        const cJSON *value = json_path(job, paths->paths[i]);
        const char *text = cJSON_GetStringValue(value);
        if (value == NULL || cJSON_IsNull(value) || (text != NULL && text[0] == '\0'))
            continue;
        if (cJSON_IsNumber(value) ? epoch_time(value->valuedouble, time)
                                  : text != NULL && text_time(text, time, has_offset))
            return true;
        return quarantine(record, paths->paths[i], text != NULL ? text : "", "is no time");
    }
    return true;
}

/* All times of a record must be of one kind: with an offset, or in the zone of the source. */
static bool read_times(const struct managed_service *service, const cJSON *job, struct job_record *record)
{
    const struct managed_paths *const paths[] = { &service->submit, &service->start, &service->end };
    struct job_time *const times[] = { &record->submit, &record->start, &record->end };
    bool any = false;
    for (int i = 0; i < 3; i++) {
        bool has_offset;
        if (!read_time(job, paths[i], times[i], &has_offset, record))
            return false;
        if (times[i]->known && any && has_offset != record->has_offset)
            return quarantine(record, paths[i]->paths[0], "",
                              "and another time of the job differ in having an offset");
        record->has_offset = times[i]->known ? has_offset : record->has_offset;
        any = any || times[i]->known;
    }
    return true;
}

/* ---- labels ---- */

static void read_labels(struct managed_reader *reader, const cJSON *job, struct job_record *record)
{
    job_labels_clear(&reader->labels);
    for (int i = 0; i < MANAGED_PATHS && reader->service->labels.paths[i] != NULL; i++)
        job_labels_add(&reader->labels, json_path(job, reader->service->labels.paths[i]));
    job_labels_put(&reader->labels, record);
}

/* ---- a job ---- */

static bool read_run(const struct managed_reader *reader, const cJSON *job, struct job_record *record)
{
    const struct managed_service *service = reader->service;
    const char *elapsed = service->elapsed_seconds.paths[0];
    struct slurm_run run = { .elapsed_seconds = -1,
                             .suspended_seconds = -1,
                             .node_counts = { instances(service, job), -1 },
                             .cpus = { -1, -1 },
                             .clock_may_go_back = reader->clock_may_go_back };
    int64_t seconds;
    if (elapsed != NULL && json_integer(json_path(job, elapsed), &seconds) && seconds >= 0)
        run.elapsed_seconds = seconds;
    switch (slurm_run_complete(&run, record)) {
    case SLURM_RUN_END:
    case SLURM_RUN_NO_END:
        record->wrong_column = service->end.paths[0];
        return false;
    case SLURM_RUN_NODES:
        return quarantine(record, "instances", "", "does not say how many instances a job that ran had");
    case SLURM_RUN_NODE_LIST:
    case SLURM_RUN_FINE:
        break;
    }
    return true;
}

static bool read_job(struct managed_reader *reader, const cJSON *job, struct job_record *record)
{
    const struct managed_service *service = reader->service;
    record->resource_id = text_at(job, &service->resource_id);
    record->job_name = text_at(job, &service->name);
    record->state_text = text_at(job, &service->state);
    record->account = text_at(job, &service->account);
    record->user_name = text_at(job, &service->user);
    record->heterogeneous_offset = -1;
    if (record->resource_id.text == NULL)
        return quarantine(record, service->resource_id.paths[0], "", "is not a resource of a job");
    if (record->state_text.text == NULL)
        return quarantine(record, service->state.paths[0], "", "is not a state");
    const char *last = strrchr(record->resource_id.text, '/');
    record->job_id_raw = record->resource_id;
    record->job_id = last != NULL && last[1] != '\0' ? (struct text_slice){ last + 1, strlen(last + 1) }
                                                     : record->resource_id;
    record->state = base_state(service, job, record->state_text.text);
    read_labels(reader, job, record);
    return read_times(service, job, record) && read_run(reader, job, record);
}

/* ---- the format ---- */

void *managed_job_open(const struct job_format *format, const char *path,
                       const struct job_format_options *options, struct error *error)
{
    struct managed_reader *reader = job_json_open(sizeof *reader, path, format->json_members, error);
    if (reader != NULL) {
        reader->service = format->service;
        reader->clock_may_go_back = options->clock_may_go_back;
    }
    return reader;
}

enum job_outcome managed_job_next(void *opened, struct job_record *record, struct error *error)
{
    struct managed_reader *reader = opened;
    struct json_record json;
    enum job_outcome outcome = job_json_next(reader, &json, record, error);
    if (outcome != JOB_RECORD)
        return outcome;
    const cJSON *wrapped =
        reader->service->wrapper != NULL ? json_path(json.value, reader->service->wrapper) : NULL;
    const cJSON *job = cJSON_IsObject(wrapped) ? wrapped : json.value;
    if (reader->service->holds_nothing != NULL && reader->service->holds_nothing(job))
        return JOB_IGNORED;
    return read_job(reader, job, record) ? JOB_RECORD : JOB_QUARANTINED;
}
