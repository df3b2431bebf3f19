/* ingest/line_reader.c: see line_reader.h. */
#include "ingest/line_reader.h"

#include "base/text/byte_source.h"
#include "base/text/not_text.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 1 << 16 };

struct line_reader {
    struct byte_source *source;
    char chunk[CHUNK_BYTES];
    size_t chunk_at, chunk_length;
    bool at_end;
    char *buffer; /* the peeked line; maximum + 1 bytes */
    size_t maximum;
    struct line line;
    bool peeked;
};

/* Reads the first chunk of the file and checks that it is text. */
static bool read_first(struct line_reader *reader, const char *path, struct error *error)
{
    if (!byte_source_read(reader->source, reader->chunk, CHUNK_BYTES, &reader->chunk_length, error))
        return false;
    return not_text_check(path, reader->chunk, reader->chunk_length, error);
}

struct line_reader *line_reader_open(const char *path, size_t maximum, struct error *error)
{
    struct line_reader *reader = calloc(1, sizeof *reader);
    reader->buffer = malloc(maximum + 1);
    reader->maximum = maximum;
    reader->source = byte_source_open(path, 0, 0, error);
    if (reader->source == NULL || !read_first(reader, path, error)) {
        line_reader_close(reader);
        return NULL;
    }
    return reader;
}

void line_reader_close(struct line_reader *reader)
{
    if (reader == NULL)
        return;
    byte_source_close(reader->source);
    free(reader->buffer);
    free(reader);
}

/* Appends as much of `bytes` to the line as fits. */
static void append(struct line_reader *reader, const char *bytes, size_t length)
{
    size_t room = reader->maximum - reader->line.length;
    if (length > room)
        reader->line.overlong = true;
    length = length < room ? length : room;
    memcpy(reader->buffer + reader->line.length, bytes, length);
    reader->line.length += length;
}

static bool read_line(struct line_reader *reader, bool *found, struct error *error)
{
    reader->line = (struct line){ .text = reader->buffer, .number = reader->line.number + 1 };
    *found = false;
    while (!reader->line.ended) {
        if (reader->chunk_at == reader->chunk_length) {
            reader->chunk_at = 0;
            if (!byte_source_read(reader->source, reader->chunk, CHUNK_BYTES, &reader->chunk_length, error))
                return false;
            if (reader->chunk_length == 0)
                break;
        }
        const char *begin = reader->chunk + reader->chunk_at;
        size_t left = reader->chunk_length - reader->chunk_at;
        const char *newline = memchr(begin, '\n', left);
        size_t length = newline ? (size_t)(newline - begin) : left;
        append(reader, begin, length);
        reader->chunk_at += length + (newline != NULL);
        reader->line.ended = newline != NULL;
        *found = true;
    }
    struct line *line = &reader->line;
    if (line->ended && line->length > 0 && line->text[line->length - 1] == '\r')
        line->length--;
    if (line->number == 1 && line->length >= 3 && memcmp(line->text, "\xef\xbb\xbf", 3) == 0) {
        line->text += 3;
        line->length -= 3;
    }
    return true;
}

bool line_reader_peek(struct line_reader *reader, struct line *line, bool *found, struct error *error)
{
    if (!reader->peeked && !reader->at_end) {
        if (!read_line(reader, &reader->peeked, error))
            return false;
        reader->at_end = !reader->peeked;
    }
    *found = reader->peeked;
    *line = reader->line;
    return true;
}

void line_reader_take(struct line_reader *reader)
{
    reader->peeked = false;
}

int64_t line_reader_position(const struct line_reader *reader)
{
    return byte_source_position(reader->source);
}
