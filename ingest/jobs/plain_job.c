/* ingest/jobs/plain_job.c: see plain_job.h. */
#include "ingest/jobs/plain_job.h"

#include "ingest/jobs/slurm_fields.h"
#include "ingest/jobs/slurm_run.h"

#include "base/utf8.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum {
    TEXT_MAXIMUM = 65535,
    KEY_MAXIMUM = 255, /* job id and run group: an entry of their index has at most 2704 bytes */
    STATE_BYTES = 64
};

const char *const plain_job_names[PLAIN_JOB_FIELDS + 1] = {
    [PLAIN_JOB_ID] = "job_id",
    [PLAIN_JOB_STATE] = "state",
    [PLAIN_JOB_START] = "start",
    [PLAIN_JOB_END] = "end",
    [PLAIN_JOB_SUBMIT] = "submit",
    [PLAIN_JOB_ELIGIBLE] = "eligible",
    [PLAIN_JOB_ELAPSED] = "elapsed_seconds",
    [PLAIN_JOB_SUSPENDED] = "suspended_seconds",
    [PLAIN_JOB_NODES] = "nodes",
    [PLAIN_JOB_NODE_LIST] = "node_list",
    [PLAIN_JOB_CPUS] = "cpus",
    [PLAIN_JOB_ACCELERATORS] = "accelerators",
    [PLAIN_JOB_CLUSTER] = "cluster",
    [PLAIN_JOB_ACCOUNT] = "account",
    [PLAIN_JOB_USER] = "user",
    [PLAIN_JOB_PARTITION] = "partition",
    [PLAIN_JOB_QOS] = "qos",
    [PLAIN_JOB_WCKEY] = "wckey",
    [PLAIN_JOB_NAME] = "name",
    [PLAIN_JOB_COMMENT] = "comment",
    [PLAIN_JOB_EXIT_CODE] = "exit_code",
    [PLAIN_JOB_ATTEMPT] = "attempt",
    [PLAIN_JOB_RESOURCE_ID] = "resource_id",
    [PLAIN_JOB_RUN_GROUP] = "run_group",
};

static bool quarantine(struct job_record *record, enum plain_job_field field, struct text_slice value,
                       const char *reason)
{
    char excerpt[96];
    utf8_excerpt(value.text != NULL ? value.text : "", value.length, excerpt, sizeof excerpt);
    record->wrong_column = plain_job_names[field];
    snprintf(record->reason, sizeof record->reason, "\"%s\" %s", excerpt, reason);
    return false;
}

static bool check_texts(const struct text_slice fields[PLAIN_JOB_FIELDS], struct job_record *record)
{
    for (int field = 0; field < PLAIN_JOB_FIELDS; field++) {
        struct text_slice value = fields[field];
        if (value.length > TEXT_MAXIMUM && field != PLAIN_JOB_NODE_LIST)
            return quarantine(record, (enum plain_job_field)field, value, "is longer than 65535 bytes");
        if (value.length > 0 && (utf8_valid_prefix(value.text, value.length) != value.length ||
                                 memchr(value.text, '\0', value.length) != NULL))
            return quarantine(record, (enum plain_job_field)field, value, "is not UTF-8 text");
    }
    return true;
}

/* States of Slurm in any letter case, and their names in other schedulers. */
static const char *base_state(struct text_slice text)
{
    static const char *const others[][2] = {
        { "SUCCEEDED", "COMPLETED" }, { "SUCCESS", "COMPLETED" },  { "DONE", "COMPLETED" },
        { "ERROR", "FAILED" },        { "CANCELED", "CANCELLED" }, { "ABORTED", "CANCELLED" },
        { "KILLED", "CANCELLED" },    { "OOM", "OUT_OF_MEMORY" },  { "EVICTED", "PREEMPTED" },
        { "QUEUED", "PENDING" },
    };
    char upper[STATE_BYTES];
    size_t length = text.length < sizeof upper ? text.length : sizeof upper - 1;
    for (size_t i = 0; i < length; i++)
        upper[i] = (char)toupper((unsigned char)text.text[i]);
    upper[length] = '\0';
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(upper, others[i][0]) == 0)
            return others[i][1];
    return slurm_state(upper, length);
}

static bool read_times(const struct text_slice texts[PLAIN_JOB_FIELDS], struct job_record *record)
{
    static const enum plain_job_field columns[] = { PLAIN_JOB_START, PLAIN_JOB_END, PLAIN_JOB_SUBMIT,
                                                    PLAIN_JOB_ELIGIBLE };
    enum { COUNT = sizeof columns / sizeof columns[0] };
    struct job_time *const times[COUNT] = { &record->start, &record->end, &record->submit,
                                            &record->eligible };
    struct slurm_time_field fields[COUNT];
    const char *reason;
    for (size_t i = 0; i < COUNT; i++)
        fields[i] = (struct slurm_time_field){ texts[columns[i]], times[i] };
    size_t wrong = slurm_times(fields, COUNT, &record->has_offset, &reason);
    return wrong == COUNT || quarantine(record, columns[wrong], fields[wrong].text, reason);
}

/* Reads a count; −1 if the field is empty. */
static bool read_count(const struct text_slice fields[PLAIN_JOB_FIELDS], enum plain_job_field field,
                       int64_t *count, struct job_record *record)
{
    *count = -1;
    if (fields[field].length == 0)
        return true;
    *count = slurm_count(fields[field].text, fields[field].length);
    return *count >= 0 || quarantine(record, field, fields[field], "is not a whole number");
}

static bool complete_run(const struct text_slice fields[PLAIN_JOB_FIELDS],
                         const struct job_format_options *options, struct job_record *record)
{
    struct slurm_run run = { .says_nodes = false,
                             .node_counts = { -1, -1 },
                             .cpus = { -1, -1 },
                             .clock_may_go_back = options->clock_may_go_back,
                             .nodes_left = options->nodes_left };
    int64_t accelerators;
    if (!read_count(fields, PLAIN_JOB_ELAPSED, &run.elapsed_seconds, record) ||
        !read_count(fields, PLAIN_JOB_SUSPENDED, &run.suspended_seconds, record) ||
        !read_count(fields, PLAIN_JOB_NODES, &run.node_counts[0], record) ||
        !read_count(fields, PLAIN_JOB_CPUS, &run.cpus[0], record) ||
        !read_count(fields, PLAIN_JOB_ACCELERATORS, &accelerators, record))
        return false;
    switch (slurm_run_complete(&run, record)) {
    case SLURM_RUN_END:
        return quarantine(record, PLAIN_JOB_END, fields[PLAIN_JOB_END], "is before start");
    case SLURM_RUN_NO_END:
        record->wrong_column = plain_job_names[PLAIN_JOB_END];
        return false;
    case SLURM_RUN_NODE_LIST:
        record->wrong_column = plain_job_names[PLAIN_JOB_NODE_LIST];
        return false;
    case SLURM_RUN_NODES:
        return quarantine(record, PLAIN_JOB_NODES, fields[PLAIN_JOB_NODES],
                          "does not say how many nodes a job that ran had");
    case SLURM_RUN_FINE:
        break;
    }
    record->accelerators = record->started ? accelerators : -1;
    return true;
}

bool plain_job_read(const struct text_slice fields[PLAIN_JOB_FIELDS],
                    const struct job_format_options *options, struct job_record *record)
{
    static const char too_long[] = "is longer than 255 bytes";
    const struct text_slice attempt = fields[PLAIN_JOB_ATTEMPT];
    if (!check_texts(fields, record))
        return false;
    if (fields[PLAIN_JOB_ID].length == 0)
        return quarantine(record, PLAIN_JOB_ID, fields[PLAIN_JOB_ID], "is not a job id");
    if (fields[PLAIN_JOB_STATE].length == 0)
        return quarantine(record, PLAIN_JOB_STATE, fields[PLAIN_JOB_STATE], "is not a state");
    if (attempt.length >= sizeof record->attempt_mark)
        return quarantine(record, PLAIN_JOB_ATTEMPT, attempt, "is longer than 63 bytes");
    if (fields[PLAIN_JOB_ID].length > KEY_MAXIMUM)
        return quarantine(record, PLAIN_JOB_ID, fields[PLAIN_JOB_ID], too_long);
    if (fields[PLAIN_JOB_RUN_GROUP].length > KEY_MAXIMUM)
        return quarantine(record, PLAIN_JOB_RUN_GROUP, fields[PLAIN_JOB_RUN_GROUP], too_long);
    record->job_id = record->job_id_raw = fields[PLAIN_JOB_ID];
    record->heterogeneous_offset = -1;
    record->state_text = fields[PLAIN_JOB_STATE];
    record->state = base_state(record->state_text);
    record->node_list = fields[PLAIN_JOB_NODE_LIST];
    record->cluster = fields[PLAIN_JOB_CLUSTER];
    record->account = fields[PLAIN_JOB_ACCOUNT];
    record->user_name = fields[PLAIN_JOB_USER];
    record->partition = fields[PLAIN_JOB_PARTITION];
    record->qos = fields[PLAIN_JOB_QOS];
    record->wckey = fields[PLAIN_JOB_WCKEY];
    record->job_name = fields[PLAIN_JOB_NAME];
    record->comment = fields[PLAIN_JOB_COMMENT];
    record->exit_code = fields[PLAIN_JOB_EXIT_CODE];
    record->resource_id = fields[PLAIN_JOB_RESOURCE_ID];
    record->run_group = fields[PLAIN_JOB_RUN_GROUP];
    if (!read_times(fields, record) || !complete_run(fields, options, record))
        return false;
    if (attempt.length > 0) /* as declared; otherwise slurm_run.h uses the time of submission */
        snprintf(record->attempt_mark, sizeof record->attempt_mark, "%.*s", (int)attempt.length,
                 attempt.text);
    return true;
}
