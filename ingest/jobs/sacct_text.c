/* ingest/jobs/sacct_text.c: see sacct_text.h. */
#define _GNU_SOURCE /* memmem */
#include "ingest/jobs/sacct_text.h"

#include "ingest/line_reader.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DELIMITER_BYTES = 16, NAME_BYTES = 64 };

/* A file without a header has the columns of the most common script, that of XDMoD's
 * documentation. */
static const char default_columns[] =
    "JobID,JobIDRaw,Cluster,Partition,QOS,Account,Group,GID,User,UID,Submit,Eligible,Start,End,Elapsed,ExitCode,State,"
    "NNodes,NCPUS,ReqCPUS,ReqMem,ReqTRES,AllocTRES,Timelimit,NodeList,JobName";

/* Columns with text by people. */
static const char *const free_names[] = { "JobName",    "Comment", "AdminComment", "SystemComment",
                                          "SubmitLine", "WorkDir", "Extra",        "Container",
                                          "StdIn",      "StdOut",  "StdErr",       NULL };

struct sacct_text {
    struct line_reader *lines;
    char delimiter[DELIMITER_BYTES];
    size_t delimiter_length;
    char names[SACCT_COLUMNS_MAXIMUM][NAME_BYTES];
    int column_count;
    int free_columns[SACCT_COLUMNS_MAXIMUM];
    int free_count;
    bool last_is_free;
    char *record; /* the record that is being joined */
    size_t record_length;
    int record_lines;
};

/* ---- delimiters ---- */

static const char *find_delimiter(const struct sacct_text *text, const char *at, const char *end)
{
    return at < end ? memmem(at, (size_t)(end - at), text->delimiter, text->delimiter_length) : NULL;
}

static int count_fields(const struct sacct_text *text, const char *bytes, size_t length)
{
    int count = 1;
    const char *end = bytes + length;
    for (const char *at = bytes; (at = find_delimiter(text, at, end)) != NULL; at += text->delimiter_length)
        count++;
    return count;
}

/* ---- columns ---- */

/* Adds a column; spaces around its name are dropped ("JobID, State"). */
static bool add_column(struct sacct_text *text, const char *name, size_t length, struct error *error)
{
    for (; length > 0 && isblank((unsigned char)name[0]); length--)
        name++;
    while (length > 0 && isblank((unsigned char)name[length - 1]))
        length--;
    if (text->column_count == SACCT_COLUMNS_MAXIMUM)
        return error_set(error, ERROR_INPUT, "more than %d columns", SACCT_COLUMNS_MAXIMUM);
    if (length >= NAME_BYTES)
        return error_set(error, ERROR_INPUT, "column %d has a name longer than %d bytes",
                         text->column_count + 1, NAME_BYTES - 1);
    memcpy(text->names[text->column_count], name, length);
    text->names[text->column_count][length] = '\0';
    text->column_count++;
    return true;
}

/* Adds each name in a list as a column, without the widths ("JobName%30") of sacct's --format. */
static bool add_columns(struct sacct_text *text, const char *names, size_t length, const char *separator,
                        struct error *error)
{
    const char *end = names + length;
    for (;;) {
        const char *next = memmem(names, (size_t)(end - names), separator, strlen(separator));
        const char *stop = next ? next : end;
        const char *percent = memchr(names, '%', (size_t)(stop - names));
        if (!add_column(text, names, (size_t)((percent ? percent : stop) - names), error))
            return false;
        if (next == NULL)
            return true;
        names = next + strlen(separator);
    }
}

static void note_free_columns(struct sacct_text *text)
{
    for (int column = text->column_count - 1; column >= 0; column--)
        for (int i = 0; free_names[i] != NULL; i++)
            if (strcasecmp(text->names[column], free_names[i]) == 0)
                text->free_columns[text->free_count++] = column;
    text->last_is_free = text->free_count > 0 && text->free_columns[0] == text->column_count - 1;
}

int sacct_text_column(const struct sacct_text *text, const char *name)
{
    for (int i = 0; i < text->column_count; i++)
        if (strcasecmp(text->names[i], name) == 0)
            return i;
    return -1;
}

/* Takes as delimiter the text between the first two words of the header. */
static void guess_delimiter(struct sacct_text *text, const struct line *line)
{
    size_t word = 0, gap;
    while (word < line->length && isalnum((unsigned char)line->text[word]))
        word++;
    for (gap = word; gap < line->length && !isalnum((unsigned char)line->text[gap]);)
        gap++;
    if (word == 0 || gap == word || gap == line->length || gap - word >= DELIMITER_BYTES)
        return;
    memcpy(text->delimiter, line->text + word, gap - word);
    text->delimiter[gap - word] = '\0';
    text->delimiter_length = gap - word;
}

static void set_delimiter(struct sacct_text *text, const char *delimiter)
{
    text->delimiter_length = strlen(delimiter);
    memcpy(text->delimiter, delimiter, text->delimiter_length + 1);
}

/* Whether a field of the line is JobID or JobIDRaw. */
static bool is_header(const struct sacct_text *text, const struct line *line)
{
    const char *at = line->text, *end = line->text + line->length;
    while (at != NULL && !line->overlong) {
        const char *next = find_delimiter(text, at, end);
        size_t length = (size_t)((next ? next : end) - at);
        if ((length == 5 && strncasecmp(at, "JobID", 5) == 0) ||
            (length == 8 && strncasecmp(at, "JobIDRaw", 8) == 0))
            return true;
        at = next ? next + text->delimiter_length : NULL;
    }
    return false;
}

/* Whether the line is the header of sacct's table for people, which pads columns with spaces and
 * cuts their text: it has only words, one of them JobID. */
static bool is_padded(const struct line *line)
{
    bool has_id = false;
    int words = 0;
    for (size_t at = 0; at < line->length;) {
        size_t begin = at;
        while (at < line->length && isalnum((unsigned char)line->text[at]))
            at++;
        words += at > begin;
        has_id = has_id || (at - begin >= 5 && strncasecmp(line->text + begin, "JobID", 5) == 0);
        if (at == begin && line->text[at++] != ' ')
            return false;
    }
    return has_id && words > 1;
}

static bool refuse_padded(const char *path, const struct line *line, struct error *error)
{
    error_set(error, ERROR_INPUT,
              "%s, line %lld: columns are padded with spaces, as sacct prints them for people", path,
              (long long)line->number);
    error_hint(error, "export with sacct -P, which separates columns by | (docs/formats.md has the command)");
    return false;
}

/* sacct -p ends each line with a delimiter. A header then has a last column without name, but
 * declared columns do not: without an added one, the delimiter would be surplus and shift other
 * fields. */
static bool add_empty_column(struct sacct_text *text, const struct line *first, struct error *error)
{
    const char *end = first->text + first->length;
    if (count_fields(text, first->text, first->length) != text->column_count + 1 ||
        memcmp(end - text->delimiter_length, text->delimiter, text->delimiter_length) != 0)
        return true;
    return add_column(text, "", 0, error);
}

static bool find_columns(struct sacct_text *text, const char *path, const char *delimiter,
                         const char *columns, struct error *error)
{
    struct line line;
    bool found;
    const char *names = columns ? columns : default_columns;
    set_delimiter(text, delimiter ? delimiter : "|");
    if (!line_reader_peek(text->lines, &line, &found, error))
        return false;
    if (!found)
        return error_set_empty_file(error, path);
    if (delimiter == NULL && is_padded(&line))
        return refuse_padded(path, &line, error);
    if (delimiter == NULL)
        guess_delimiter(text, &line);
    if (is_header(text, &line)) {
        if (!add_columns(text, line.text, line.length, text->delimiter, error))
            return error_in(error, "%s, line 1", path);
        line_reader_take(text->lines);
    } else {
        set_delimiter(text, delimiter ? delimiter : "|");
        if (!add_columns(text, names, strlen(names), ",", error) || !add_empty_column(text, &line, error))
            return error_in(error, "%s: declared columns", path);
    }
    note_free_columns(text);
    return true;
}

struct sacct_text *sacct_text_open(const char *path, const char *delimiter, const char *columns,
                                   struct error *error)
{
    struct sacct_text *text;
    if (delimiter != NULL && (*delimiter == '\0' || strlen(delimiter) >= DELIMITER_BYTES)) {
        error_set(error, ERROR_INPUT, "%s: a delimiter has 1 to %d bytes", path, DELIMITER_BYTES - 1);
        return NULL;
    }
    text = calloc(1, sizeof *text);
    text->record = malloc(SACCT_RECORD_MAXIMUM);
    text->lines = line_reader_open(path, SACCT_RECORD_MAXIMUM, error);
    if (text->lines == NULL || !find_columns(text, path, delimiter, columns, error))
        goto failed;
    return text;
failed:
    sacct_text_close(text);
    return NULL;
}

void sacct_text_close(struct sacct_text *text)
{
    if (text == NULL)
        return;
    line_reader_close(text->lines);
    free(text->record);
    free(text);
}

int sacct_text_column_count(const struct sacct_text *text)
{
    return text->column_count;
}

int sacct_text_free_columns(const struct sacct_text *text, const int **columns)
{
    *columns = text->free_columns;
    return text->free_count;
}

int64_t sacct_text_position(const struct sacct_text *text)
{
    return line_reader_position(text->lines);
}

/* ---- records ---- */

/* Appends a line to the record. False if the record grows too long. */
static bool join_line(struct sacct_text *text, const struct line *line)
{
    size_t separator = text->record_lines > 0;
    if (line->overlong || text->record_lines == SACCT_LINES_MAXIMUM ||
        text->record_length + separator + line->length > SACCT_RECORD_MAXIMUM)
        return false;
    if (separator)
        text->record[text->record_length++] = '\n';
    memcpy(text->record + text->record_length, line->text, line->length);
    text->record_length += line->length;
    text->record_lines++;
    line_reader_take(text->lines);
    return true;
}

/* Joins lines without a delimiter to the last column of the record before, if that column is free
 * text. */
static bool join_free_lines(struct sacct_text *text, struct error *error)
{
    struct line line;
    bool found;
    while (text->last_is_free && text->column_count > 1) {
        if (!line_reader_peek(text->lines, &line, &found, error))
            return false;
        if (!found || !line.ended || line.length == 0 || count_fields(text, line.text, line.length) > 1 ||
            !join_line(text, &line))
            break;
    }
    return true;
}

static enum sacct_outcome broken(struct sacct_text *text, struct sacct_row *row, const char *reason)
{
    row->raw = text->record;
    row->raw_length = text->record_length;
    row->reason = reason;
    return SACCT_BROKEN;
}

/* A line longer than the buffer: its beginning is the raw text. */
static enum sacct_outcome overlong(struct sacct_text *text, struct sacct_row *row, const struct line *line)
{
    memcpy(text->record, line->text, line->length);
    text->record_length = line->length;
    line_reader_take(text->lines);
    return broken(text, row, "is longer than 1 MiB");
}

/* Joins lines until the record has all its fields. */
static enum sacct_outcome complete(struct sacct_text *text, struct sacct_row *row, struct error *error)
{
    struct line line;
    bool found;
    int fields = count_fields(text, text->record, text->record_length);
    while (fields < text->column_count) {
        if (!line_reader_peek(text->lines, &line, &found, error))
            return SACCT_FAILED;
        int more = found ? count_fields(text, line.text, line.length) : 0;
        if (!found || more >= text->column_count)
            return broken(text, row, "has too few fields: the line was cut off");
        if (fields + more - 1 > text->column_count && text->free_count == 0)
            return broken(text, row, "has too few fields, and with the next line too many");
        if (!join_line(text, &line))
            return broken(text, row, "has too few fields for the longest record there may be");
        fields += more - 1;
    }
    if (!join_free_lines(text, error))
        return SACCT_FAILED;
    row->raw = text->record;
    row->raw_length = text->record_length;
    row->field_count = count_fields(text, text->record, text->record_length);
    if (row->field_count > text->column_count && text->free_count == 0)
        return broken(text, row, "has too many fields");
    return SACCT_ROW;
}

enum sacct_outcome sacct_text_next(struct sacct_text *text, struct sacct_row *row, struct error *error)
{
    struct line line;
    bool found;
    text->record_length = 0;
    text->record_lines = 0;
    do {
        if (!line_reader_peek(text->lines, &line, &found, error))
            return SACCT_FAILED;
        if (!found)
            return SACCT_END;
        if (line.length == 0)
            line_reader_take(text->lines);
    } while (line.length == 0);
    *row = (struct sacct_row){ .line = line.number };
    if (line.overlong)
        return overlong(text, row, &line);
    join_line(text, &line);
    return complete(text, row, error);
}

void sacct_row_fields(const struct sacct_text *text, int free_column, struct text_slice *fields)
{
    const char *at = text->record, *end = text->record + text->record_length;
    int surplus = count_fields(text, text->record, text->record_length) - text->column_count;
    for (int column = 0; column < text->column_count; column++) {
        const char *stop = find_delimiter(text, at, end);
        for (int i = 0; column == free_column && i < surplus && stop != NULL; i++)
            stop = find_delimiter(text, stop + text->delimiter_length, end);
        if (stop == NULL || column == text->column_count - 1)
            stop = end;
        fields[column] = (struct text_slice){ at, (size_t)(stop - at) };
        at = stop < end ? stop + text->delimiter_length : end;
    }
}
