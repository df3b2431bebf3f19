/* ingest/jobs/pbs.c: job format "pbs": the accounting log of PBS Professional and OpenPBS, a file a
 * day:
 *
 *     09/05/2026 14:00:00;E;1234.pbs01;user=ada group=lm account="llm" …
 *     … start=1788609600 exec_host=n1/0*32+n2/0*32 …
 *
 * S is the start of a run, E its end, R the end of a run that is queued again; all have `start`.
 * Times in the text are seconds since 1970. The log's other records, and those of the parent of an
 * array ("7[]"), which holds no nodes, are skipped. plain_job.c makes a record of the texts that
 * are found here.
 */
#include "ingest/jobs/plain_job.h"
#include "ingest/jobs/slurm_fields.h"
#include "ingest/line_reader.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MAXIMUM = 1 << 20, COMMENT_BYTES = 1 << 10 };

/* The fields that are read. Resource_List is what the job requested on all its nodes together. */
enum field {
    USER,
    GROUP,
    ACCOUNT,
    PROJECT,
    NAME,
    QUEUE,
    CREATED,
    ELIGIBLE,
    START,
    HOSTS,
    CPUS,
    ACCELERATORS,
    WALL_LIMIT,
    END,
    EXIT_STATUS,
    WALL_USED,
    FIELD_COUNT
};
static const char *const field_names[FIELD_COUNT] = {
    [USER] = "user",
    [GROUP] = "group",
    [ACCOUNT] = "account",
    [PROJECT] = "project",
    [NAME] = "jobname",
    [QUEUE] = "queue",
    [CREATED] = "ctime",
    [ELIGIBLE] = "etime",
    [START] = "start",
    [HOSTS] = "exec_host",
    [CPUS] = "Resource_List.ncpus",
    [ACCELERATORS] = "Resource_List.ngpus",
    [WALL_LIMIT] = "Resource_List.walltime",
    [END] = "end",
    [EXIT_STATUS] = "Exit_status",
    [WALL_USED] = "resources_used.walltime",
};

struct pbs_reader {
    struct line_reader *lines;
    struct job_format_options options;
    bool at_line; /* `lines` still holds the line of the last record */
    char type;    /* S, E, R … of the current record */
    struct text_slice id, fields[FIELD_COUNT];
    struct text_slice *hosts; /* of exec_host, as many as a line may have */
    char *node_list;          /* the same for plain_job.c: each once, with commas */
    char comment[COMMENT_BYTES];
};

/* ---- one line ---- */

static bool quarantine(struct job_record *record, const char *field, const char *reason)
{
    record->wrong_column = field;
    snprintf(record->reason, sizeof record->reason, "%s", reason);
    return false;
}

/* Reads type and id of "09/05/2026 14:00:00;E;1234.pbs01;"; *message is the rest. */
static bool read_head(struct pbs_reader *reader, struct text_slice line, struct text_slice *message)
{
    static const char form[] = "00/00/0000 00:00:00;";
    const size_t length = sizeof form - 1;
    if (line.length < length + 3 || line.text[length + 1] != ';')
        return false;
    for (size_t i = 0; i < length; i++)
        if (form[i] == '0' ? !isdigit((unsigned char)line.text[i]) : line.text[i] != form[i])
            return false;
    const char *id = line.text + length + 2, *end = line.text + line.length;
    const char *semicolon = memchr(id, ';', (size_t)(end - id));
    if (semicolon == NULL)
        return false;
    reader->type = line.text[length];
    reader->id = (struct text_slice){ id, (size_t)(semicolon - id) };
    *message = (struct text_slice){ semicolon + 1, (size_t)(end - semicolon) - 1 };
    return true;
}

/* Reads name=value name="two words" …: a value with spaces is in quotes, of a kind that the value
 * does not have. */
static void read_fields(struct pbs_reader *reader, struct text_slice message)
{
    const char *at = message.text, *end = message.text + message.length;
    memset(reader->fields, 0, sizeof reader->fields);
    while (at < end) {
        const char *equals = memchr(at, '=', (size_t)(end - at));
        if (equals == NULL)
            break;
        struct text_slice name = { at, (size_t)(equals - at) };
        const char *value = equals + 1;
        char closing = (char)(value < end && (*value == '"' || *value == '\'') ? *value++ : ' ');
        const char *stop = memchr(value, closing, (size_t)(end - value));
        stop = stop != NULL ? stop : end;
        for (int i = 0; i < FIELD_COUNT; i++)
            if (slice_is(name, field_names[i]) && stop > value)
                reader->fields[i] = (struct text_slice){ value, (size_t)(stop - value) };
        for (at = stop; at < end && (*at == closing || *at == ' ');)
            at++;
    }
}

/* ---- values ---- */

static int compare_hosts(const void *left, const void *right)
{
    const struct text_slice *a = left, *b = right;
    int order = memcmp(a->text, b->text, a->length < b->length ? a->length : b->length);
    return order != 0 ? order : (a->length > b->length) - (a->length < b->length);
}

/* Makes "n1,n2" of "n1/0*32+n1/1*32+n2/0*32", which names a host for each of its chunks. */
static struct text_slice list_hosts(struct pbs_reader *reader)
{
    struct text_slice text = reader->fields[HOSTS];
    size_t count = 0, used = 0;
    if (text.length == 0)
        return text;
    for (const char *at = text.text, *end = at + text.length; at < end;) {
        const char *plus = memchr(at, '+', (size_t)(end - at));
        const char *stop = plus != NULL ? plus : end, *slash = memchr(at, '/', (size_t)(stop - at));
        reader->hosts[count++] = (struct text_slice){ at, (size_t)((slash != NULL ? slash : stop) - at) };
        at = stop + 1;
    }
    qsort(reader->hosts, count, sizeof *reader->hosts, compare_hosts);
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && compare_hosts(&reader->hosts[i - 1], &reader->hosts[i]) == 0)
            continue;
        if (i > 0)
            reader->node_list[used++] = ',';
        memcpy(reader->node_list + used, reader->hosts[i].text, reader->hosts[i].length);
        used += reader->hosts[i].length;
    }
    return (struct text_slice){ used > 0 ? reader->node_list : NULL, used };
}

/* Whether the run used its whole time limit, or more. */
static bool used_its_limit(const struct pbs_reader *reader)
{
    struct text_slice used = reader->fields[WALL_USED], limit = reader->fields[WALL_LIMIT];
    int64_t used_seconds, limit_seconds;
    return used.length > 0 && limit.length > 0 && slurm_duration(used.text, used.length, &used_seconds) &&
           slurm_duration(limit.text, limit.length, &limit_seconds) && used_seconds >= limit_seconds;
}

/* Exit_status 0 to 255 is that of the script (128 + n: its shell saw signal n), 256 + n means that
 * signal n ended it, and below 0 is PBS's own. qdel sends SIGTERM and then, if the job does not
 * end, SIGKILL. PBS does the same at the end of the time limit. */
static const char *state_of(const struct pbs_reader *reader)
{
    static const struct {
        const char *status, *state;
    } states[] = {
        { "0", "COMPLETED" },       { "137", "CANCELLED" },     { "143", "CANCELLED" },
        { "265", "CANCELLED" },     { "271", "CANCELLED" },     { "-4", "NODE_FAIL" },
        { "-5", "NODE_FAIL" },      { "-6", "NODE_FAIL" },      { "-20", "NODE_FAIL" },
        { "-26", "OUT_OF_MEMORY" }, { "-27", "OUT_OF_MEMORY" }, { "-28", "TIMEOUT" },
        { "-29", "TIMEOUT" },
    };
    struct text_slice status = reader->fields[EXIT_STATUS];
    const char *state = reader->type == 'R' ? "REQUEUED" : status.length == 0 ? "UNKNOWN" : "FAILED";
    if (reader->type == 'S')
        return "RUNNING";
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++)
        if (slice_is(status, states[i].status) &&
            (reader->type != 'R' || strcmp(states[i].state, "NODE_FAIL") == 0))
            state = states[i].state;
    return strcmp(state, "CANCELLED") == 0 && used_its_limit(reader) ? "TIMEOUT" : state;
}

/* Makes the comment "group=lm, project=speech" for rules to match. The default project is
 * omitted. */
static struct text_slice describe(struct pbs_reader *reader)
{
    static const enum field described[] = { GROUP, PROJECT };
    size_t used = 0;
    for (size_t i = 0; i < sizeof described / sizeof described[0]; i++) {
        struct text_slice value = reader->fields[described[i]];
        const char *name = field_names[described[i]];
        size_t needed = strlen(name) + value.length + sizeof "=, ";
        if (value.length == 0 || slice_is(value, "_pbs_project_default") ||
            used + needed > sizeof reader->comment)
            continue;
        used += (size_t)snprintf(reader->comment + used, sizeof reader->comment - used, "%s%s=%.*s",
                                 used > 0 ? ", " : "", name, (int)value.length, value.text);
    }
    return (struct text_slice){ reader->comment, used };
}

static bool read_run(struct pbs_reader *reader, struct job_record *record)
{
    const struct text_slice *from = reader->fields;
    const char *state = state_of(reader), *point = memchr(reader->id.text, '.', reader->id.length);
    struct text_slice id = { reader->id.text,
                             point != NULL ? (size_t)(point - reader->id.text) : reader->id.length };
    if (from[START].length == 0)
        return quarantine(record, "start", "is missing");
    if (reader->type != 'S' && from[END].length == 0)
        return quarantine(record, "end", "is missing");
    const struct text_slice fields[PLAIN_JOB_FIELDS] = {
        [PLAIN_JOB_ID] = id,
        [PLAIN_JOB_STATE] = { state, strlen(state) },
        [PLAIN_JOB_START] = from[START],
        [PLAIN_JOB_END] = reader->type == 'S' ? (struct text_slice){ NULL, 0 } : from[END],
        [PLAIN_JOB_SUBMIT] = from[CREATED],
        [PLAIN_JOB_ELIGIBLE] = from[ELIGIBLE],
        [PLAIN_JOB_NODE_LIST] = list_hosts(reader),
        [PLAIN_JOB_CPUS] = from[CPUS],
        [PLAIN_JOB_ACCELERATORS] = from[ACCELERATORS],
        [PLAIN_JOB_ACCOUNT] = from[ACCOUNT],
        [PLAIN_JOB_USER] = from[USER],
        [PLAIN_JOB_PARTITION] = from[QUEUE],
        [PLAIN_JOB_NAME] = from[NAME],
        [PLAIN_JOB_COMMENT] = describe(reader),
        [PLAIN_JOB_EXIT_CODE] = from[EXIT_STATUS],
        [PLAIN_JOB_ATTEMPT] = from[START], /* a requeued job keeps its ctime */
    };
    return plain_job_read(fields, &reader->options, record);
}

/* Whether a record is S, E or R of a job or of a task of an array, but not of the array itself,
 * whose id is "7[].server". */
static bool is_of_a_run(const struct pbs_reader *reader)
{
    /* a semicolon ends the id */
    const char *bracket = memchr(reader->id.text, '[', reader->id.length);
    return (reader->type == 'S' || reader->type == 'E' || reader->type == 'R') &&
           (bracket == NULL || bracket[1] != ']');
}

static enum job_outcome read_line(struct pbs_reader *reader, const struct line *line,
                                  struct job_record *record)
{
    struct text_slice message;
    *record = (struct job_record){ .line = line->number, .raw = { line->text, line->length } };
    if (line->overlong)
        quarantine(record, NULL, "is longer than 1 MiB");
    else if (!line->ended)
        quarantine(record, NULL, "is cut off: the file ends within it");
    else if (!read_head(reader, record->raw, &message))
        quarantine(record, NULL, "is not a record of a PBS accounting log");
    else if (!is_of_a_run(reader))
        return JOB_IGNORED;
    else {
        read_fields(reader, message);
        return read_run(reader, record) ? JOB_RECORD : JOB_QUARANTINED;
    }
    return JOB_QUARANTINED;
}

/* ---- the format ---- */

static void pbs_close(void *opened)
{
    struct pbs_reader *reader = opened;
    if (reader == NULL)
        return;
    line_reader_close(reader->lines);
    free(reader->hosts);
    free(reader->node_list);
    free(reader);
}

static void *pbs_open(const struct job_format *format, const char *path,
                      const struct job_format_options *options, struct error *error)
{
    (void)format;
    struct pbs_reader *reader = calloc(1, sizeof *reader);
    reader->node_list = malloc(LINE_MAXIMUM);
    reader->hosts = malloc((size_t)LINE_MAXIMUM * sizeof *reader->hosts);
    reader->options = *options;
    reader->lines = line_reader_open(path, LINE_MAXIMUM, error);
    if (reader->lines != NULL)
        return reader;
    pbs_close(reader);
    return NULL;
}

static enum job_outcome pbs_next(void *opened, struct job_record *record, struct error *error)
{
    struct pbs_reader *reader = opened;
    struct line line;
    bool found;
    if (reader->at_line)
        line_reader_take(reader->lines);
    reader->at_line = false;
    if (!line_reader_peek(reader->lines, &line, &found, error))
        return JOB_FAILED;
    if (!found)
        return JOB_END;
    reader->at_line = true;
    return read_line(reader, &line, record);
}

static int64_t pbs_position(const void *opened)
{
    return line_reader_position(((const struct pbs_reader *)opened)->lines);
}

/* "09/05/2026 14:00:00;E;": a day, a time and the letter of a record. */
static bool pbs_recognises(const struct job_sample *sample)
{
    static const char form[] = "00/00/0000 00:00:00;A;";
    struct text_slice line = sample->line;
    if (line.length < sizeof form - 1)
        return false;
    for (size_t i = 0; i < sizeof form - 1; i++) {
        bool fits = form[i] == '0'   ? isdigit((unsigned char)line.text[i])
                    : form[i] == 'A' ? isalpha((unsigned char)line.text[i])
                                     : line.text[i] == form[i];
        if (!fits)
            return false;
    }
    return true;
}

const struct job_format pbs_format = {
    .name = "pbs",
    .recognises = pbs_recognises,
    .open = pbs_open,
    .next = pbs_next,
    .position = pbs_position,
    .close = pbs_close,
};
