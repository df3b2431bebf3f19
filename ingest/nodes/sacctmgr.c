/* ingest/nodes/sacctmgr.c: `sacctmgr -P show instance`: the instance of each node of a Slurm
 * cluster, with start and end.
 *
 * There is one line per record, with unescaped fields between delimiters, and a header. Extra is
 * free text. If it is the last column, it includes further delimiters, and following lines without
 * a delimiter. Times are those of the machine that ran sacctmgr. An unknown end means that the node
 * is still that instance. A row without instance id is of a node that reported only Extra or a type
 * to Slurm; it names no resource.
 */
#include "ingest/jobs/slurm_fields.h"
#include "ingest/line_reader.h"
#include "ingest/nodes/node_format.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LINE_MAXIMUM = 1 << 20, DELIMITER_BYTES = 16, COLUMNS_MAXIMUM = 64 };

enum column { CLUSTER, NODE, START, END, INSTANCE, TYPE, EXTRA, COLUMN_COUNT };

/* sacctmgr's headings, and the words of its format= option, which older and newer versions
 * print. */
static const struct {
    const char *name, *also;
    bool needed;
} columns[COLUMN_COUNT] = {
    [CLUSTER] = { "Cluster", NULL, false },    [NODE] = { "NodeName", "Node", true },
    [START] = { "TimeStart", "Start", true },  [END] = { "TimeEnd", "End", true },
    [INSTANCE] = { "InstanceId", NULL, true }, [TYPE] = { "InstanceType", NULL, false },
    [EXTRA] = { "Extra", NULL, false },
};

struct sacctmgr_reader {
    struct line_reader *lines;
    const char *path;
    char delimiter[DELIMITER_BYTES];
    size_t delimiter_length;
    int places[COLUMN_COUNT]; /* of each column in the line; −1: missing */
    int column_count;
    char *line; /* the current line, copied */
    size_t length;
};

/* ---- fields ---- */

/* Splits into at most `maximum` fields; the last one has the rest. Returns their number. */
static int split(const struct sacctmgr_reader *reader, const char *text, size_t length,
                 struct text_slice *fields, int maximum)
{
    int count = 0;
    const char *end = text + length;
    for (const char *at = text;; at += reader->delimiter_length) {
        const char *stop = at;
        while (count + 1 < maximum && stop + reader->delimiter_length <= end &&
               memcmp(stop, reader->delimiter, reader->delimiter_length) != 0)
            stop++;
        if (count + 1 >= maximum || stop + reader->delimiter_length > end)
            stop = end;
        fields[count++] = (struct text_slice){ at, (size_t)(stop - at) };
        if (stop == end)
            return count;
        at = stop;
    }
}

static bool is_called(struct text_slice field, const char *name)
{
    return name != NULL && field.length == strlen(name) && strncasecmp(field.text, name, field.length) == 0;
}

/* ---- the header ---- */

static bool find_columns(struct sacctmgr_reader *reader, const struct line *header, struct error *error)
{
    struct text_slice fields[COLUMNS_MAXIMUM];
    reader->column_count = split(reader, header->text, header->length, fields, COLUMNS_MAXIMUM);
    for (int column = 0; column < COLUMN_COUNT; column++) {
        reader->places[column] = -1;
        for (int i = reader->column_count - 1; i >= 0; i--)
            if (is_called(fields[i], columns[column].name) || is_called(fields[i], columns[column].also))
                reader->places[column] = i;
        if (!columns[column].needed || reader->places[column] >= 0)
            continue;
        error_set(error, ERROR_INPUT, "%s, line 1: no column %s", reader->path, columns[column].name);
        error_hint(error, "sacctmgr -P show instance start=2026-09-01 "
                          "format=cluster,nodename,start,end,instanceid,instancetype,extra");
        return false;
    }
    return true;
}

static bool read_header(struct sacctmgr_reader *reader, struct error *error)
{
    struct line line;
    bool found;
    if (!line_reader_peek(reader->lines, &line, &found, error))
        return false;
    if (!found)
        return error_set_empty_file(error, reader->path);
    if (!find_columns(reader, &line, error))
        return false;
    line_reader_take(reader->lines);
    return true;
}

static void sacctmgr_close(void *opaque)
{
    struct sacctmgr_reader *reader = opaque;
    if (reader == NULL)
        return;
    line_reader_close(reader->lines);
    free(reader->line);
    free(reader);
}

static void *sacctmgr_open(const char *path, const char *delimiter, struct error *error)
{
    if (delimiter == NULL)
        delimiter = "|";
    size_t length = strlen(delimiter);
    if (length == 0 || length >= DELIMITER_BYTES) {
        error_set(error, ERROR_INPUT, "%s: a delimiter has 1 to %d bytes", path, DELIMITER_BYTES - 1);
        return NULL;
    }
    struct sacctmgr_reader *reader = calloc(1, sizeof *reader);
    reader->line = malloc(LINE_MAXIMUM);
    reader->path = path;
    memcpy(reader->delimiter, delimiter, length);
    reader->delimiter_length = length;
    reader->lines = line_reader_open(path, LINE_MAXIMUM, error);
    if (reader->lines == NULL || !read_header(reader, error))
        goto failed;
    return reader;
failed:
    sacctmgr_close(reader);
    return NULL;
}

/* ---- records ---- */

/* Skips lines without a delimiter, which belong to the free text of the record before. */
static bool pass_free_lines(struct sacctmgr_reader *reader, struct error *error)
{
    struct line line;
    bool found = true;
    while (reader->places[EXTRA] == reader->column_count - 1 && reader->column_count > 1) {
        struct text_slice fields[2];
        if (!line_reader_peek(reader->lines, &line, &found, error))
            return false;
        if (!found || split(reader, line.text, line.length, fields, 2) > 1)
            break;
        line_reader_take(reader->lines);
    }
    return true;
}

/* Copies the next line that is not empty. *found false: the end. */
static bool take_line(struct sacctmgr_reader *reader, struct line *line, bool *found, struct error *error)
{
    do {
        if (!line_reader_peek(reader->lines, line, found, error))
            return false;
        if (!*found)
            return true;
        reader->length = line->length;
        memcpy(reader->line, line->text, line->length);
        line_reader_take(reader->lines);
    } while (reader->length == 0);
    return true;
}

static enum node_outcome read_times(const struct text_slice *start, const struct text_slice *end,
                                    struct node_record *record)
{
    bool start_offset = false, end_offset = false;
    if (slurm_time(start->text, start->length, &record->start.at, &start_offset) != SLURM_TIME_KNOWN)
        return node_record_quarantine(record, columns[START].name, "is not a time");
    record->start.known = true;
    enum slurm_time known = slurm_time(end->text, end->length, &record->end.at, &end_offset);
    if (known == SLURM_TIME_BAD)
        return node_record_quarantine(record, columns[END].name, "is not a time");
    record->end.known = known == SLURM_TIME_KNOWN;
    record->has_offset = start_offset;
    if (record->end.known && end_offset != start_offset)
        return node_record_quarantine(record, columns[END].name,
                                      "must have a UTC offset exactly if the start has one");
    return NODE_RECORD;
}

static enum node_outcome read_record(const struct sacctmgr_reader *reader, struct node_record *record)
{
    struct text_slice fields[COLUMNS_MAXIMUM], values[COLUMN_COUNT] = { { 0 } };
    bool last_is_free = reader->places[EXTRA] == reader->column_count - 1;
    int count = split(reader, reader->line, reader->length, fields,
                      last_is_free ? reader->column_count : COLUMNS_MAXIMUM);
    if (count < reader->column_count)
        return node_record_quarantine(record, NULL, "has too few fields: the line was cut off");
    if (count > reader->column_count)
        return node_record_quarantine(record, NULL, "has too many fields");
    for (int column = 0; column < COLUMN_COUNT; column++)
        if (reader->places[column] >= 0 && fields[reader->places[column]].length > 0)
            values[column] = fields[reader->places[column]];
    if (values[INSTANCE].length == 0)
        return NODE_IGNORED;
    record->cluster = values[CLUSTER];
    record->node = values[NODE];
    record->resource_id = values[INSTANCE];
    record->node_type = values[TYPE];
    enum node_outcome outcome = read_times(&values[START], &values[END], record);
    return outcome == NODE_RECORD && !node_record_check(record) ? NODE_QUARANTINED : outcome;
}

static enum node_outcome sacctmgr_next(void *opaque, struct node_record *record, struct error *error)
{
    struct sacctmgr_reader *reader = opaque;
    struct line line;
    bool found;
    if (!take_line(reader, &line, &found, error))
        return NODE_FAILED;
    if (!found)
        return NODE_END;
    *record = (struct node_record){
        .accelerators = -1, .cpus = -1, .line = line.number, .raw = { reader->line, reader->length }
    };
    if (line.overlong)
        return node_record_quarantine(record, NULL, "is longer than 1 MiB");
    enum node_outcome outcome = read_record(reader, record);
    return pass_free_lines(reader, error) ? outcome : NODE_FAILED;
}

const struct node_format sacctmgr_format = {
    .name = "sacctmgr",
    .open = sacctmgr_open,
    .next = sacctmgr_next,
    .close = sacctmgr_close,
};
