/* ingest/jobs/sacct_json.c: job format "sacct-json": the output of `sacct --json` and of
 * slurmrestd's /slurmdb/…/jobs.
 *
 * Reads every shape of data_parser from 0.0.41 on, and older ones in which numbers are bare and a
 * state is one text. Times are seconds since 1970, so no time zone is needed. Steps are inside
 * their job and ignored. Field names are those of Slurm's data_parser; slurm_run.h reads their
 * meaning.
 */
#include "ingest/jobs/job_json.h"
#include "ingest/jobs/slurm_fields.h"
#include "ingest/jobs/slurm_run.h"
#include "ingest/json_fields.h"

#include "base/utf8.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAXIMUM = 65535, ID_BYTES = 320, RESOURCES_BYTES = 4096 };

static const char *const members[] = { "jobs", NULL };

struct sacct_json_reader {
    struct json_records *records;
    const int64_t *nodes_left;
    char job_id[ID_BYTES], job_id_raw[32], array_job_id[32], array_task_id[256], heterogeneous_job_id[32];
    char state_text[256], exit_code[48];
    /* the allocated trackable resources in the form of sacct's text */
    char resources[RESOURCES_BYTES];
};

/* ---- small things ---- */

static bool quarantine(struct job_record *record, const char *member, const char *reason)
{
    record->wrong_column = member;
    snprintf(record->reason, sizeof record->reason, "%s", reason);
    return false;
}

static int64_t count_at(const cJSON *job, const char *path)
{
    int64_t count;
    return json_integer(json_path(job, path), &count) && count >= 0 ? count : -1;
}

/* Reads seconds since 1970; 0 and unset times are unknown. */
static bool read_time(const cJSON *job, const char *path, struct job_time *time, struct job_record *record)
{
    const cJSON *value = json_path(job, path);
    int64_t seconds = 0;
    *time = (struct job_time){ 0 };
    if (value == NULL || cJSON_IsNull(value) || cJSON_IsFalse(json_path(value, "set")) ||
        cJSON_IsTrue(json_path(value, "infinite")))
        return true;
    if (!json_integer(value, &seconds) || seconds < 0 || seconds > INT64_C(253402300799))
        return quarantine(record, path, "is not a time in seconds since 1970");
    *time = (struct job_time){ .known = seconds > 0, .at = seconds * 1000000 };
    return true;
}

/* ---- who and what ---- */

static bool read_texts(const cJSON *job, struct job_record *record)
{
    const struct {
        const char *path, *other;
        struct text_slice *slice;
    } texts[] = {
        { "cluster", "association.cluster", &record->cluster },
        { "name", NULL, &record->job_name },
        { "account", "association.account", &record->account },
        { "user", "association.user", &record->user_name },
        { "partition", "association.partition", &record->partition },
        { "qos", NULL, &record->qos },
        { "wckey.wckey", "wckey", &record->wckey },
        { "comment.job", "comment", &record->comment },
        { "nodes", NULL, &record->node_list },
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const char *text = json_text(job, texts[i].path);
        if (text == NULL && texts[i].other != NULL)
            text = json_text(job, texts[i].other);
        *texts[i].slice = slice_of(text);
        if (texts[i].slice->length > TEXT_MAXIMUM && texts[i].slice != &record->node_list)
            return quarantine(record, texts[i].path, "is longer than 65535 bytes");
    }
    return true;
}

/* Makes the id: 123, in an array 123_7 (pending: 123_[5-9]), in a heterogeneous job 123+0. The raw
 * id is the number of the record itself. */
static bool read_id(struct sacct_json_reader *reader, const cJSON *job, struct job_record *record)
{
    int64_t id = count_at(job, "job_id"), array = count_at(job, "array.job_id"),
            het = count_at(job, "het.job_id");
    int64_t task = count_at(job, "array.task_id"), offset = count_at(job, "het.job_offset");
    const char *tasks = json_text(job, "array.task");
    if (id <= 0)
        return quarantine(record, "job_id", "is not a job id");
    snprintf(reader->job_id_raw, sizeof reader->job_id_raw, "%" PRId64, id);
    snprintf(reader->job_id, sizeof reader->job_id, "%" PRId64, id);
    record->heterogeneous_offset = -1;
    if (array > 0 && (task >= 0 || tasks != NULL)) {
        if (task >= 0)
            snprintf(reader->array_task_id, sizeof reader->array_task_id, "%" PRId64, task);
        else
            snprintf(reader->array_task_id, sizeof reader->array_task_id, "[%.250s]", tasks);
        snprintf(reader->array_job_id, sizeof reader->array_job_id, "%" PRId64, array);
        snprintf(reader->job_id, sizeof reader->job_id, "%s_%s", reader->array_job_id, reader->array_task_id);
        record->array_job_id = slice_of(reader->array_job_id);
        record->array_task_id = slice_of(reader->array_task_id);
    } else if (het > 0 && offset >= 0 && offset <= INT32_MAX) {
        snprintf(reader->heterogeneous_job_id, sizeof reader->heterogeneous_job_id, "%" PRId64, het);
        snprintf(reader->job_id, sizeof reader->job_id, "%" PRId64 "+%" PRId64, het, offset);
        record->heterogeneous_job_id = slice_of(reader->heterogeneous_job_id);
        record->heterogeneous_offset = (int32_t)offset;
    }
    record->job_id = slice_of(reader->job_id);
    record->job_id_raw = slice_of(reader->job_id_raw);
    return true;
}

/* The database keeps a requeued or resized run with a flag but no base state, and the JSON shows
 * PENDING and the flag. The flag is then the state, as in the text of sacct; of several flags the
 * first in the table. A requeued job that waits for its next run has no end. NULL: no such flag. */
static const char *flag_of_ended_run(const cJSON *job, const cJSON *words)
{
    static const char *const flags[] = { "RESIZING",     "REQUEUED", "REQUEUE_FED",  "REQUEUE_HOLD",
                                         "SPECIAL_EXIT", "REVOKED",  "LAUNCH_FAILED" };
    const cJSON *word;
    if (count_at(job, "time.end") <= 0)
        return NULL;
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        cJSON_ArrayForEach(word, words)
        {
            if (cJSON_IsString(word) && strcmp(word->valuestring, flags[i]) == 0)
                return flags[i];
        }
    return NULL;
}

/* Reads a list of the base state and flags, or one text. The base state is the first. If there is
 * only a flag, the state is the meaning of the flag. */
static bool read_state(struct sacct_json_reader *reader, const cJSON *job, struct job_record *record)
{
    const cJSON *current = json_path(job, "state.current");
    const cJSON *first = cJSON_IsArray(current) ? current->child : current;
    const char *base = cJSON_GetStringValue(first != NULL ? first : json_path(job, "state"));
    if (base == NULL || base[0] == '\0')
        return quarantine(record, "state.current", "holds no state");
    size_t used = (size_t)snprintf(reader->state_text, sizeof reader->state_text, "%s", base);
    if (cJSON_IsArray(current))
        for (const cJSON *flag = first != NULL ? first->next : NULL;
             flag != NULL && used < sizeof reader->state_text; flag = flag->next)
            if (cJSON_IsString(flag))
                used += (size_t)snprintf(reader->state_text + used, sizeof reader->state_text - used, ",%s",
                                         flag->valuestring);
    const char *flag = strcmp(base, "PENDING") == 0 ? flag_of_ended_run(job, current) : NULL;
    const char *state = flag != NULL ? flag : base;
    record->state = slurm_state(state, strlen(state));
    record->state_text = slice_of(reader->state_text);
    if (used >= sizeof reader->state_text) /* may be cut within a character */
        record->state_text.length = utf8_valid_prefix(reader->state_text, record->state_text.length);
    return true;
}

/* Makes "1:9", return code and signal as sacct writes them. */
static void read_exit_code(struct sacct_json_reader *reader, const cJSON *job, struct job_record *record)
{
    int64_t code = count_at(job, "exit_code.return_code"), signal = count_at(job, "exit_code.signal.id");
    if (signal < 0)
        signal = count_at(job, "exit_code.signal.signal_id");
    if (code < 0)
        return;
    snprintf(reader->exit_code, sizeof reader->exit_code, "%" PRId64 ":%" PRId64, code,
             signal > 0 ? signal : 0);
    record->exit_code = slice_of(reader->exit_code);
}

/* ---- the run ---- */

/* Turns [{ "type": "gres", "name": "gpu", "count": 2 }] into "gres/gpu=2". If the text gets too
 * long, the end is dropped: cpu, mem, energy, node and billing are first. */
static void read_resources(struct sacct_json_reader *reader, const cJSON *job)
{
    const cJSON *allocated = json_path(job, "tres.allocated"), *resource;
    size_t used = 0;
    reader->resources[0] = '\0';
    cJSON_ArrayForEach(resource, allocated)
    {
        const char *type = json_text(resource, "type"), *name = json_text(resource, "name");
        int64_t count = count_at(resource, "count");
        char one[256];
        int length = type == NULL || count < 0
                         ? 0
                         : snprintf(one, sizeof one, "%s%s%s%s=%" PRId64, used > 0 ? "," : "", type,
                                    name ? "/" : "", name ? name : "", count);
        if (length <= 0 || (size_t)length >= sizeof one || used + (size_t)length >= sizeof reader->resources)
            continue;
        memcpy(reader->resources + used, one, (size_t)length + 1);
        used += (size_t)length;
    }
}

static bool complete_run(struct sacct_json_reader *reader, const cJSON *job, struct job_record *record)
{
    read_resources(reader, job);
    struct slurm_run run = {
        .elapsed_seconds = count_at(job, "time.elapsed"),
        .suspended_seconds = count_at(job, "time.suspended"),
        .says_nodes = json_path(job, "nodes") != NULL,
        .node_counts = { count_at(job, "allocation_nodes"), -1 },
        .cpus = { -1, count_at(job, "required.CPUs") },
        .trackable = slice_of(reader->resources),
        .unique_id = slice_of(json_text(job, "sluid")),
        .nodes_left = reader->nodes_left,
    };
    switch (slurm_run_complete(&run, record)) {
    case SLURM_RUN_END:
    case SLURM_RUN_NO_END:
        record->wrong_column = "time.end";
        return false;
    case SLURM_RUN_NODE_LIST:
        record->wrong_column = "nodes";
        return false;
    case SLURM_RUN_NODES:
        record->wrong_column = "allocation_nodes";
        return false;
    case SLURM_RUN_FINE:
        break;
    }
    return true;
}

static bool read_job(struct sacct_json_reader *reader, const cJSON *job, struct job_record *record)
{
    record->has_offset = true;
    if (!read_texts(job, record) || !read_id(reader, job, record) || !read_state(reader, job, record))
        return false;
    read_exit_code(reader, job, record);
    return read_time(job, "time.submission", &record->submit, record) &&
           read_time(job, "time.eligible", &record->eligible, record) &&
           read_time(job, "time.start", &record->start, record) &&
           read_time(job, "time.end", &record->end, record) && complete_run(reader, job, record);
}

/* ---- the format ---- */

static void *sacct_json_open(const struct job_format *format, const char *path,
                             const struct job_format_options *options, struct error *error)
{
    struct sacct_json_reader *reader =
        job_json_open(sizeof(struct sacct_json_reader), path, format->json_members, error);
    if (reader != NULL)
        reader->nodes_left = options->nodes_left;
    return reader;
}

static enum job_outcome sacct_json_next(void *opened, struct job_record *record, struct error *error)
{
    struct sacct_json_reader *reader = opened;
    struct json_record json;
    enum job_outcome outcome = job_json_next(reader, &json, record, error);
    if (outcome != JOB_RECORD)
        return outcome;
    return read_job(reader, json.value, record) ? JOB_RECORD : JOB_QUARANTINED;
}

/* Slurm keeps the times of a job in an object of their own. */
static bool sacct_json_recognises(const struct job_sample *sample)
{
    return json_path(sample->record, "job_id") != NULL && cJSON_IsObject(json_path(sample->record, "time"));
}

const struct job_format sacct_json_format = {
    .name = "sacct-json",
    .json_members = members,
    .recognises = sacct_json_recognises,
    .open = sacct_json_open,
    .next = sacct_json_next,
    .position = job_json_position,
    .close = job_json_close,
    .lists_runs = true,
};
