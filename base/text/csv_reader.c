/* base/text/csv_reader.c: see csv_reader.h.
 *
 * The window contains the bytes from the start of the current record to the last byte read. Its
 * physical lines are split (csv_line.h) or passed to libcsv one at a time. If libcsv then reports a
 * record, the record ended on that line; otherwise it continues. So the raw bytes and line number
 * of a record are known without a position in libcsv. libcsv reuses one buffer for all fields, so
 * they are copied to `text`.
 */
#include "base/text/csv_reader.h"

#include "base/text/byte_source.h"
#include "base/text/not_text.h"

#include <csv.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHUNK_BYTES = 256 << 10, /* read at a time */
    DEFAULT_RECORD_BYTES = 16 << 20,
    DEFAULT_COLUMNS = 2000,
};

#define NOT_FOUND SIZE_MAX

struct csv_reader {
    char *path;
    char delimiter;
    struct csv_limits limits;

    struct byte_source *source; /* NULL: reads texts, and the window is the text */

    char *window;
    size_t capacity, end; /* window[0..end) is filled */
    size_t record;        /* where the current record starts */
    size_t next;          /* where the next physical line starts */
    size_t searched;      /* window[next..searched) holds no LF */
    size_t
        /* an LF in the window; if newline >= next, the first LF from `next` on; or NOT_FOUND */
        newline;
    bool input_ended;

    int64_t dropped; /* bytes of the file before the window */
    bool started;    /* the first bytes have been checked */
    bool lines_end_in_cr;
    int64_t line; /* number of the line at `next` */
    int64_t record_line;
    bool header_seen;

    struct csv_parser parser;
    bool record_done;
    /* csv_line split the record without libcsv: its fields have their texts already */
    bool was_split;
    char *text; /* the record's fields, one after the other */
    size_t text_used, text_capacity;
    struct csv_field *fields; /* while the record is open, .text is not set: the buffer may move */
    int field_count;          /* may exceed limits.columns by one, never stored */
};

/* Opens the part that both kinds of reader have. */
static struct csv_reader *open_any(const char *path, char delimiter, const struct csv_limits *limits)
{
    struct csv_reader *reader = calloc(1, sizeof *reader);
    if (limits != NULL)
        reader->limits = *limits;
    if (reader->limits.record_bytes == 0)
        reader->limits.record_bytes = DEFAULT_RECORD_BYTES;
    if (reader->limits.columns == 0)
        reader->limits.columns = DEFAULT_COLUMNS;
    reader->delimiter = delimiter;
    reader->line = 1;
    reader->newline = NOT_FOUND;
    reader->text_capacity = 64 << 10;
    reader->path = strdup(path);
    reader->text = malloc(reader->text_capacity);
    reader->fields = malloc((size_t)reader->limits.columns * sizeof *reader->fields);
    csv_init(&reader->parser, 0);
    csv_set_delim(&reader->parser, (unsigned char)delimiter);
    return reader;
}

struct csv_reader *csv_reader_open(const char *path, char delimiter, const struct csv_limits *limits,
                                   struct error *error)
{
    struct csv_reader *reader = open_any(path, delimiter, limits);
    reader->source =
        byte_source_open(path, reader->limits.uncompressed_bytes, reader->limits.compression_ratio, error);
    if (reader->source == NULL) {
        csv_reader_close(reader);
        return NULL;
    }
    reader->capacity = (size_t)2 * CHUNK_BYTES;
    reader->window = malloc(reader->capacity);
    return reader;
}

struct csv_reader *csv_reader_open_text(const char *path, char delimiter, const struct csv_limits *limits)
{
    struct csv_reader *reader = open_any(path, delimiter, limits);
    reader->started = reader->header_seen = true;
    return reader;
}

void csv_reader_give(struct csv_reader *reader, const struct csv_text *text)
{
    csv_fini(&reader->parser, NULL, NULL, NULL); /* drops an unfinished record */
    csv_set_opts(&reader->parser, 0);
    reader->window = (char *)text->bytes; /* only read */
    reader->end = text->length;
    reader->record = reader->next = reader->searched = 0;
    reader->newline = NOT_FOUND;
    reader->input_ended = text->is_last;
    reader->lines_end_in_cr = text->lines_end_in_cr;
    reader->line = text->line;
}

void csv_reader_close(struct csv_reader *reader)
{
    if (reader == NULL)
        return;
    if (reader->source != NULL)
        free(reader->window);
    byte_source_close(reader->source);
    csv_free(&reader->parser);
    free(reader->fields);
    free(reader->text);
    free(reader->path);
    free(reader);
}

static bool refuse_length(const struct csv_reader *reader, struct error *error)
{
    error_set(error, ERROR_INPUT,
              "%s, line %lld: the record that begins here is longer than the limit of %zu bytes",
              reader->path, (long long)reader->record_line, reader->limits.record_bytes);
    error_hint(error, "close the quote, if one is open; settings.csv has the limits");
    return false;
}

/* Reads the next bytes into the window, after making room. */
static bool fill_window(struct csv_reader *reader, struct error *error)
{
    if (reader->record > 0) {
        memmove(reader->window, reader->window + reader->record, reader->end - reader->record);
        reader->next -= reader->record;
        reader->searched = reader->searched > reader->record ? reader->searched - reader->record : 0;
        reader->end -= reader->record;
        reader->dropped += (int64_t)reader->record;
        reader->newline = NOT_FOUND; /* to be searched again from `searched` on */
        reader->record = 0;
    }
    if (reader->end > reader->limits.record_bytes)
        return refuse_length(reader, error);
    if (reader->capacity - reader->end < CHUNK_BYTES) {
        reader->window = realloc(reader->window, 2 * reader->capacity);
        reader->capacity *= 2;
    }
    size_t got = 0;
    if (!byte_source_read(reader->source, reader->window + reader->end, CHUNK_BYTES, &got, error))
        return false;
    reader->end += got;
    reader->input_ended = got == 0;
    return true;
}

static bool begins_with(const struct csv_reader *reader, size_t at, const char *bytes, size_t count)
{
    return reader->end - at >= count && memcmp(reader->window + at, bytes, count) == 0;
}

/* Checks the first bytes and refuses a file that cannot be CSV. */
static bool start(struct csv_reader *reader, struct error *error)
{
    reader->started = true;
    while (reader->end < 4 && !reader->input_ended) {
        if (!fill_window(reader, error))
            return false;
    }
    if (reader->end == 0)
        return error_set_empty_file(error, reader->path);
    return not_text_check(reader->path, reader->window, reader->end, error);
}

/* ---- physical lines ---- */

/* The end of the line at `next`, including its line end. False if the end is not in the window
 * yet. */
static bool line_end(struct csv_reader *reader, size_t *end)
{
    if (reader->newline == NOT_FOUND || reader->newline < reader->next) {
        size_t from = reader->searched > reader->next ? reader->searched : reader->next;
        const char *found = memchr(reader->window + from, '\n', reader->end - from);
        reader->newline = found != NULL ? (size_t)(found - reader->window) : NOT_FOUND;
        reader->searched = found != NULL ? reader->newline : reader->end;
    }
    bool has_newline = reader->newline != NOT_FOUND;
    size_t stop = has_newline ? reader->newline : reader->end;
    const char *carriage = memchr(reader->window + reader->next, '\r', stop - reader->next);
    if (carriage != NULL) {
        size_t after = (size_t)(carriage - reader->window) + 1;
        if (after == reader->end && !reader->input_ended)
            return false; /* an LF may follow */
        *end = after < reader->end && reader->window[after] == '\n' ? after + 1 : after;
        return true;
    }
    if (!has_newline && !reader->input_ended)
        return false;
    *end = has_newline ? stop + 1 : stop;
    return true;
}

static bool is_blank(const char *text, size_t length, char delimiter)
{
    for (size_t i = 0; i < length; i++) {
        bool space = text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n';
        if (!space || text[i] == delimiter)
            return false;
    }
    return true;
}

/* ---- libcsv ---- */

/* Makes room for `length` more bytes of fields. */
static void make_text_room(struct csv_reader *reader, size_t length)
{
    if (reader->text_capacity - reader->text_used >= length)
        return;
    reader->text_capacity = 2 * (reader->text_used + length);
    reader->text = realloc(reader->text, reader->text_capacity);
}

static void take_field(void *bytes, size_t length, void *data)
{
    struct csv_reader *reader = data;
    make_text_room(reader, length);
    if (length > 0)
        memcpy(reader->text + reader->text_used, bytes, length);
    reader->text_used += length;
    if (reader->field_count < reader->limits.columns)
        reader->fields[reader->field_count].length = length;
    if (reader->field_count <= reader->limits.columns)
        reader->field_count++;
}

static void take_record(int line_end_byte, void *data)
{
    (void)line_end_byte;
    ((struct csv_reader *)data)->record_done = true;
}

/* Cannot fail: without strict options libcsv accepts any bytes. */
static void parse(struct csv_reader *reader, const char *bytes, size_t length)
{
    csv_parse(&reader->parser, bytes, length, take_field, take_record, reader);
}

/* The last line may lack its line end, and must not lack a closing quote. */
static bool finish(struct csv_reader *reader, struct error *error)
{
    /* CSV_STRICT alone would refuse `5" disk` */
    csv_set_opts(&reader->parser, CSV_STRICT | CSV_STRICT_FINI);
    if (csv_fini(&reader->parser, take_field, take_record, reader) == 0)
        return true;
    error_set(error, ERROR_INPUT, "%s, line %lld: a quote in the record that begins here is never closed",
              reader->path, (long long)reader->record_line);
    error_hint(error, "close it; or export the file again, if it was cut off");
    return false;
}

static bool give_record(struct csv_reader *reader, struct csv_record *record, struct error *error)
{
    if (reader->field_count > reader->limits.columns)
        return error_set(error, ERROR_INPUT, "%s, line %lld: a record of more than %d columns", reader->path,
                         (long long)reader->record_line, reader->limits.columns);
    const char *text = reader->text;
    for (int i = 0; i < reader->field_count && !reader->was_split; i++) {
        reader->fields[i].text = text;
        text += reader->fields[i].length;
    }
    size_t length = reader->next - reader->record;
    const char *raw = reader->window + reader->record;
    while (length > 0 && (raw[length - 1] == '\n' || raw[length - 1] == '\r'))
        length--;
    if (length > reader->limits.record_bytes)
        return refuse_length(reader, error);
    *record = (struct csv_record){ reader->record_line, reader->field_count, reader->fields, raw, length };
    reader->header_seen = true;
    return true;
}

/* Splits a line that is a whole record and needs no decision of libcsv. */
static bool split(struct csv_reader *reader, const char *line, size_t length)
{
    if (line[length - 1] != '\n' && line[length - 1] != '\r')
        return false; /* the last line of the file, which libcsv must finish */
    length -= line[length - 1] == '\n';
    length -= length > 0 && line[length - 1] == '\r';
    make_text_room(reader, length);
    int count =
        csv_line_split(line, length, reader->delimiter, reader->text, reader->fields, reader->limits.columns);
    reader->was_split = reader->record_done = count >= 0;
    reader->field_count = count >= 0 ? count : 0;
    return count >= 0;
}

/* Processes the line window[next..end). Blank lines between records are skipped. */
static void feed_line(struct csv_reader *reader, size_t end)
{
    size_t begin = reader->next;
    const char *line = reader->window + begin;
    size_t length = end - begin;
    bool opens_record = reader->record == begin;
    if (opens_record) {
        while (begins_with(reader, begin, "\xef\xbb\xbf", 3) && end - begin >= 3)
            begin += 3;
        line = reader->window + begin;
        length = end - begin;
    }
    bool ends_in_cr = length > 0 && line[length - 1] == '\r';
    if (reader->source != NULL && reader->line == 1 && ends_in_cr && !reader->input_ended)
        reader->lines_end_in_cr = true;
    reader->next = end;
    bool blank = opens_record && is_blank(line, length, reader->delimiter);
    if (!blank && !(opens_record && split(reader, line, length)))
        parse(reader, line, length);
    if (blank)
        reader->record = end;
    reader->line += (length > 0 && line[length - 1] == '\n') ||
                    (ends_in_cr && (reader->lines_end_in_cr || reader->record_done));
}

/* A text that is not the last of its file ends here: within a record, or after one. */
static enum csv_outcome end_text(struct csv_reader *reader, struct error *error)
{
    if (reader->end - reader->record > reader->limits.record_bytes)
        return refuse_length(reader, error), CSV_FAILED;
    bool within = reader->record < reader->end;
    reader->next = reader->record;
    reader->line = within ? reader->record_line : reader->line;
    return within ? CSV_UNFINISHED : CSV_END;
}

enum csv_outcome csv_reader_next(struct csv_reader *reader, struct csv_record *record, struct error *error)
{
    if (!reader->started && !start(reader, error))
        return CSV_FAILED;
    reader->record = reader->next;
    reader->record_done = reader->was_split = false;
    reader->field_count = 0;
    reader->text_used = 0;
    while (!reader->record_done) {
        size_t end;
        if (reader->record == reader->next)
            reader->record_line = reader->line;
        if (!line_end(reader, &end)) {
            if (reader->source == NULL)
                return end_text(reader, error);
            if (!fill_window(reader, error))
                return CSV_FAILED;
            continue;
        }
        if (reader->next == reader->end) {
            if (!finish(reader, error))
                return CSV_FAILED;
            if (!reader->record_done && !reader->header_seen)
                return error_set_empty_file(error, reader->path), CSV_FAILED;
            if (!reader->record_done)
                return CSV_END;
        } else {
            feed_line(reader, end);
        }
    }
    return give_record(reader, record, error) ? CSV_RECORD : CSV_FAILED;
}

struct csv_place csv_reader_place(const struct csv_reader *reader)
{
    return (struct csv_place){ reader->dropped + (int64_t)reader->next, reader->line,
                               reader->lines_end_in_cr };
}

int64_t csv_reader_position(const struct csv_reader *reader)
{
    return byte_source_position(reader->source);
}
