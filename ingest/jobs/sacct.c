/* ingest/jobs/sacct.c: job format "sacct": what `sacct -P --allocations --duplicates` prints.
 *
 * sacct_text.c splits lines into fields, slurm_fields.h reads Slurm's values, and this file makes a
 * record of them. If a record has more fields than columns, one of its free texts contains the
 * delimiter. kstar tries each free-text column, the last one first, and takes the first reading in
 * which every field fits its column.
 *
 * Steps (any id with a '.') are not attempts.
 */
#define _GNU_SOURCE /* memmem */
#include "ingest/jobs/job_format.h"
#include "ingest/jobs/sacct_text.h"
#include "ingest/jobs/slurm_fields.h"
#include "ingest/jobs/slurm_run.h"

#include "base/utf8.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum column {
    JOB_ID,
    JOB_ID_RAW,
    CLUSTER,
    PARTITION,
    QOS,
    ACCOUNT,
    USER,
    SUBMIT,
    ELIGIBLE,
    START,
    END,
    ELAPSED,
    ELAPSED_RAW,
    SUSPENDED,
    EXIT_CODE,
    STATE,
    NNODES,
    ALLOC_NODES,
    ALLOC_CPUS,
    NCPUS,
    ALLOC_TRES,
    NODE_LIST,
    JOB_NAME,
    COMMENT,
    WCKEY,
    DB_INDEX,
    SLUID,
    COLUMN_COUNT
};
static const char *const column_names[COLUMN_COUNT] = {
    "JobID",    "JobIDRaw", "Cluster", "Partition",  "QOS",       "Account",    "User",
    "Submit",   "Eligible", "Start",   "End",        "Elapsed",   "ElapsedRaw", "Suspended",
    "ExitCode", "State",    "NNodes",  "AllocNodes", "AllocCPUS", "NCPUS",      "AllocTRES",
    "NodeList", "JobName",  "Comment", "WCKey",      "DBIndex",   "SLUID",
};

enum { TEXT_MAXIMUM = 65535 };

struct sacct_reader {
    struct sacct_text *text;
    int position[COLUMN_COUNT]; /* −1: the file has no such column */
    bool clock_may_go_back;
    const int64_t *nodes_left;
    struct text_slice fields[SACCT_COLUMNS_MAXIMUM];
};

/* ---- one record ---- */

__attribute__((format(printf, 3, 4))) static bool quarantine(struct job_record *record, enum column column,
                                                             const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    record->wrong_column = column_names[column];
    vsnprintf(record->reason, sizeof record->reason, format, arguments);
    va_end(arguments);
    return false;
}

/* Quarantines with a reason that begins with the value, cut short. */
static bool quarantine_value(struct job_record *record, enum column column, struct text_slice value,
                             const char *reason)
{
    char excerpt[96];
    utf8_excerpt(value.text, value.length, excerpt, sizeof excerpt);
    return quarantine(record, column, "\"%s\" %s", excerpt, reason);
}

static bool has_column(const struct sacct_reader *reader, enum column column)
{
    return reader->position[column] >= 0;
}

static struct text_slice field(const struct sacct_reader *reader, enum column column)
{
    struct text_slice none = { NULL, 0 };
    if (!has_column(reader, column) || reader->fields[reader->position[column]].length == 0)
        return none;
    return reader->fields[reader->position[column]];
}

/* Reads texts that are stored unchanged; they must be UTF-8. */
static bool read_texts(const struct sacct_reader *reader, struct job_record *record)
{
    const struct {
        enum column column;
        struct text_slice *slice;
    } texts[] = {
        { JOB_ID, &record->job_id },     { JOB_ID_RAW, &record->job_id_raw },
        { CLUSTER, &record->cluster },   { PARTITION, &record->partition },
        { QOS, &record->qos },           { ACCOUNT, &record->account },
        { USER, &record->user_name },    { EXIT_CODE, &record->exit_code },
        { STATE, &record->state_text },  { NODE_LIST, &record->node_list },
        { JOB_NAME, &record->job_name }, { COMMENT, &record->comment },
        { WCKEY, &record->wckey },
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct text_slice slice = field(reader, texts[i].column);
        *texts[i].slice = slice;
        if (slice.length > 0 && utf8_valid_prefix(slice.text, slice.length) != slice.length)
            return quarantine(record, texts[i].column, "is not UTF-8 text");
        if (slice.length > TEXT_MAXIMUM && texts[i].column != NODE_LIST)
            return quarantine(record, texts[i].column, "is longer than %d bytes", TEXT_MAXIMUM);
    }
    return true;
}

/* "123", "123_7", "1080_[5-1024]", "123+0", and steps: "123.batch". */
static bool looks_like_id(struct text_slice id)
{
    return id.text != NULL && id.length > 0 && id.length < 256 && id.text[0] >= '0' && id.text[0] <= '9' &&
           memchr(id.text, ' ', id.length) == NULL;
}

static bool is_step(struct text_slice id)
{
    return looks_like_id(id) && memchr(id.text, '.', id.length) != NULL;
}

/* Reads the parts of the id of an array task or heterogeneous component. */
static bool read_id(struct job_record *record)
{
    struct text_slice id = record->job_id;
    if (record->job_id_raw.text == NULL)
        record->job_id_raw = id;
    if (id.text == NULL)
        id = record->job_id = record->job_id_raw;
    if (!looks_like_id(id))
        return quarantine_value(record, JOB_ID, id, "is not a job id");
    if (!looks_like_id(record->job_id_raw))
        return quarantine_value(record, JOB_ID_RAW, record->job_id_raw, "is not a job id");

    const char *mark = memchr(id.text, '_', id.length);
    const char *plus = memchr(id.text, '+', id.length);
    record->heterogeneous_offset = -1;
    if (mark != NULL) {
        record->array_job_id = (struct text_slice){ id.text, (size_t)(mark - id.text) };
        record->array_task_id = (struct text_slice){ mark + 1, id.length - (size_t)(mark + 1 - id.text) };
    } else if (plus != NULL) {
        int64_t offset = slurm_count(plus + 1, id.length - (size_t)(plus + 1 - id.text));
        if (offset < 0 || offset > INT32_MAX)
            return quarantine_value(record, JOB_ID, id, "is not a job id");
        record->heterogeneous_job_id = (struct text_slice){ id.text, (size_t)(plus - id.text) };
        record->heterogeneous_offset = (int32_t)offset;
    }
    return true;
}

static bool read_times(const struct sacct_reader *reader, struct job_record *record)
{
    static const enum column columns[] = { SUBMIT, ELIGIBLE, START, END };
    enum { COUNT = sizeof columns / sizeof columns[0] };
    struct job_time *const times[COUNT] = { &record->submit, &record->eligible, &record->start,
                                            &record->end };
    struct slurm_time_field fields[COUNT];
    const char *reason;
    for (size_t i = 0; i < COUNT; i++)
        fields[i] = (struct slurm_time_field){ field(reader, columns[i]), times[i] };
    size_t wrong = slurm_times(fields, COUNT, &record->has_offset, &reason);
    return wrong == COUNT || quarantine_value(record, columns[wrong], fields[wrong].text, reason);
}

/* Reads a duration; −1 if the column is missing or the field is empty. */
static bool read_duration(const struct sacct_reader *reader, enum column column, struct job_record *record,
                          int64_t *seconds)
{
    struct text_slice text = field(reader, column);
    *seconds = -1;
    if (text.text == NULL || slice_is(text, "Unknown") || slice_is(text, "INVALID"))
        return true;
    if (column == ELAPSED_RAW ? (*seconds = slurm_count(text.text, text.length)) >= 0
                              : slurm_duration(text.text, text.length, seconds))
        return true;
    return quarantine_value(record, column, text,
                            column == ELAPSED_RAW ? "is not a count of seconds" : "is not a duration");
}

/* Reads the values of the run other than texts and times. */
static bool read_run(const struct sacct_reader *reader, struct job_record *record, struct slurm_run *run)
{
    struct text_slice nnodes = field(reader, NNODES), allocated = field(reader, ALLOC_NODES);
    struct text_slice cpus = field(reader, ALLOC_CPUS), ncpus = field(reader, NCPUS);
    *run = (struct slurm_run){
        .says_nodes = has_column(reader, NODE_LIST),
        .node_counts = { slurm_count(nnodes.text, nnodes.length),
                         slurm_count(allocated.text, allocated.length) },
        .cpus = { slurm_count(cpus.text, cpus.length), slurm_count(ncpus.text, ncpus.length) },
        .trackable = field(reader, ALLOC_TRES),
        .unique_id = field(reader, SLUID),
        .database_index = field(reader, DB_INDEX),
        .clock_may_go_back = reader->clock_may_go_back,
        .nodes_left = reader->nodes_left,
    };
    return read_duration(reader, ELAPSED_RAW, record, &run->elapsed_seconds) &&
           (run->elapsed_seconds >= 0 || read_duration(reader, ELAPSED, record, &run->elapsed_seconds)) &&
           read_duration(reader, SUSPENDED, record, &run->suspended_seconds);
}

static bool complete_run(const struct sacct_reader *reader, struct job_record *record)
{
    struct slurm_run run;
    if (!read_run(reader, record, &run))
        return false;
    switch (slurm_run_complete(&run, record)) {
    case SLURM_RUN_END:
        return quarantine_value(record, END, field(reader, END), "is before Start");
    case SLURM_RUN_NO_END:
        record->wrong_column = column_names[END];
        return false;
    case SLURM_RUN_NODE_LIST:
        record->wrong_column = column_names[NODE_LIST];
        return false;
    case SLURM_RUN_NODES:
        return quarantine_value(record, NNODES, field(reader, NNODES),
                                "does not say how many nodes a job that ran had");
    case SLURM_RUN_FINE:
        break;
    }
    return true;
}

/* Reads the fields as they are split now. For a step, only sets *step. */
static bool read_fields(const struct sacct_reader *reader, struct job_record *record, bool *step)
{
    *step = is_step(field(reader, JOB_ID)) || is_step(field(reader, JOB_ID_RAW));
    if (*step)
        return true;
    if (!read_texts(reader, record) || !read_id(record))
        return false;
    if (record->state_text.text == NULL)
        return quarantine(record, STATE, "is empty");
    record->state = slurm_state(record->state_text.text, record->state_text.length);
    return read_times(reader, record) && complete_run(reader, record);
}

/* ---- the format ---- */

static bool refuse_without(const char *path, const char *name, const char *others, struct error *error)
{
    error_set(error, ERROR_INPUT, "%s: column %s is missing%s", path, name, others);
    error_hint(error, "export again with %s in sacct's -o (docs/formats.md has the command)", name);
    return false;
}

/* Finds the columns and checks that there are enough. */
static bool find_columns(struct sacct_reader *reader, const char *path, struct error *error)
{
    static const enum column required[] = { START, END, STATE };
    for (int column = 0; column < COLUMN_COUNT; column++)
        reader->position[column] = sacct_text_column(reader->text, column_names[column]);
    for (size_t i = 0; i < sizeof required / sizeof required[0]; i++)
        if (!has_column(reader, required[i]))
            return refuse_without(path, column_names[required[i]], "", error);
    if (!has_column(reader, JOB_ID) && !has_column(reader, JOB_ID_RAW))
        return refuse_without(path, "JobID", "", error);
    if (!has_column(reader, NNODES) && !has_column(reader, ALLOC_NODES) && !has_column(reader, ALLOC_TRES) &&
        !has_column(reader, NODE_LIST))
        return refuse_without(path, "NNodes", " (and AllocNodes, AllocTRES, NodeList)", error);
    return true;
}

static void sacct_close(void *opened)
{
    struct sacct_reader *reader = opened;
    if (reader == NULL)
        return;
    sacct_text_close(reader->text);
    free(reader);
}

static void *sacct_open(const struct job_format *format, const char *path,
                        const struct job_format_options *options, struct error *error)
{
    (void)format;
    struct sacct_reader *reader = calloc(1, sizeof *reader);
    reader->clock_may_go_back = options->clock_may_go_back;
    reader->nodes_left = options->nodes_left;
    reader->text = sacct_text_open(path, options->delimiter, options->columns, error);
    if (reader->text == NULL || !find_columns(reader, path, error)) {
        sacct_close(reader);
        return NULL;
    }
    return reader;
}

/* Tries to put the surplus fields into each free-text column. */
static enum job_outcome read_row(struct sacct_reader *reader, const struct sacct_row *row,
                                 struct job_record *record)
{
    const int *free_columns;
    int tries = sacct_text_free_columns(reader->text, &free_columns);
    bool surplus = row->field_count > sacct_text_column_count(reader->text), step;
    struct job_record first = { 0 };

    for (int i = 0; i < (surplus ? tries : 1); i++) {
        *record = (struct job_record){ .line = row->line, .raw = { row->raw, row->raw_length } };
        sacct_row_fields(reader->text, surplus ? free_columns[i] : -1, reader->fields);
        if (read_fields(reader, record, &step))
            return step ? JOB_IGNORED : JOB_RECORD;
        if (i == 0)
            first = *record;
    }
    *record = first;
    return JOB_QUARANTINED;
}

static enum job_outcome sacct_next(void *opened, struct job_record *record, struct error *error)
{
    struct sacct_reader *reader = opened;
    struct sacct_row row;
    switch (sacct_text_next(reader->text, &row, error)) {
    case SACCT_ROW:
        return read_row(reader, &row, record);
    case SACCT_BROKEN:
        *record = (struct job_record){ .line = row.line, .raw = { row.raw, row.raw_length } };
        snprintf(record->reason, sizeof record->reason, "%s", row.reason);
        return JOB_QUARANTINED;
    case SACCT_END:
        return JOB_END;
    case SACCT_FAILED:
        break;
    }
    return JOB_FAILED;
}

static int64_t sacct_position(const void *opened)
{
    return sacct_text_position(((const struct sacct_reader *)opened)->text);
}

/* Recognises a header with JobID or JobIDRaw, a record that begins with an id, and any file with
 * declared columns, which only this format has. */
static bool sacct_recognises(const struct job_sample *sample)
{
    const struct text_slice line = sample->line;
    const char *delimiter = sample->options->delimiter != NULL ? sample->options->delimiter : "|";
    const char *stop = memmem(line.text, line.length, delimiter, strlen(delimiter));
    if (sample->options->columns != NULL || (line.length >= 5 && strncasecmp(line.text, "JobID", 5) == 0))
        return true;
    return job_sample_has_column(sample, delimiter, "JobID") ||
           job_sample_has_column(sample, delimiter, "JobIDRaw") ||
           (stop != NULL && looks_like_id((struct text_slice){ line.text, (size_t)(stop - line.text) }));
}

const struct job_format sacct_format = {
    .name = "sacct",
    .recognises = sacct_recognises,
    .open = sacct_open,
    .next = sacct_next,
    .position = sacct_position,
    .close = sacct_close,
    .lists_runs = true,
};
