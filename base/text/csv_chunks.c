/* base/text/csv_chunks.c: see csv_chunks.h. */
#include "base/text/csv_chunks.h"

#include "base/text/byte_source.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { READ_BYTES = 64 << 10 };

struct csv_chunks {
    char *path;
    struct byte_source *source;
    char *rest; /* read, but after the last cut */
    size_t rest_length, rest_capacity;
};

/* The search for a cut. */
struct scan {
    size_t searched; /* cuts before this place are no longer considered */
    /* start of the physical line at `searched`; 0 until the first line end past the minimum */
    size_t line;
    bool in_quotes; /* at `searched` */
    /* ends of the last lines outside and inside quotes, used if there is no better cut */
    size_t last, last_odd;
};

static bool skip(struct csv_chunks *chunks, int64_t offset, struct error *error)
{
    char passed[4096];
    while (offset > 0) {
        size_t got = 0, most = offset < (int64_t)sizeof passed ? (size_t)offset : sizeof passed;
        if (!byte_source_read(chunks->source, passed, most, &got, error))
            return false;
        if (got == 0)
            return error_set(error, ERROR_INPUT, "%s: the file became shorter while it was read",
                             chunks->path);
        offset -= (int64_t)got;
    }
    return true;
}

struct csv_chunks *csv_chunks_open(const char *path, int64_t offset, const struct csv_limits *limits,
                                   struct error *error)
{
    struct csv_chunks *chunks = calloc(1, sizeof *chunks);
    chunks->path = strdup(path);
    chunks->source = byte_source_open(path, limits ? limits->uncompressed_bytes : 0,
                                      limits ? limits->compression_ratio : 0, error);
    if (chunks->source == NULL || !skip(chunks, offset, error)) {
        csv_chunks_close(chunks);
        return NULL;
    }
    return chunks;
}

void csv_chunks_close(struct csv_chunks *chunks)
{
    if (chunks == NULL)
        return;
    byte_source_close(chunks->source);
    free(chunks->rest);
    free(chunks->path);
    free(chunks);
}

/* Whether the bytes contain an odd number of quotes. Eight bytes at a time, because all bytes of a
 * bill are checked. */
static bool odd_quotes(const char *bytes, size_t length)
{
    const uint64_t low_bits = UINT64_C(0x7f7f7f7f7f7f7f7f);
    uint64_t odd = 0; /* the top bit of each byte: an odd number of quotes at this place */
    size_t i = 0;
    for (; i + sizeof odd <= length; i += sizeof odd) {
        uint64_t word;
        memcpy(&word, bytes + i, sizeof word);
        word ^= UINT64_C(0x0101010101010101) * '"';
        /* the bytes that are now zero */
        odd ^= ~(((word & low_bits) + low_bits) | word | low_bits);
    }
    bool is_odd = __builtin_parityll(odd);
    for (; i < length; i++)
        is_odd ^= bytes[i] == '"';
    return is_odd;
}

/* Whether a record ends a chunk: the chance is 1 in CSV_CHUNK_BYTES_EXPECTED for each of its
 * bytes. */
static bool ends_chunk(const char *record, size_t length)
{
    uint64_t chance = XXH3_64bits(record, length) >> 32;
    return chance * CSV_CHUNK_BYTES_EXPECTED < (uint64_t)length << 32;
}

/* Searches the bytes read since the last search for a cut; 0: none yet. The result depends only on
 * the bytes, not on how many were read at a time. */
static size_t find_cut(const struct csv_chunk *chunk, struct scan *scan)
{
    size_t stop = chunk->length < CSV_CHUNK_BYTES_MAXIMUM ? chunk->length : CSV_CHUNK_BYTES_MAXIMUM;
    if (scan->searched < CSV_CHUNK_BYTES_MINIMUM) {
        size_t end = stop < CSV_CHUNK_BYTES_MINIMUM ? stop : CSV_CHUNK_BYTES_MINIMUM;
        scan->in_quotes ^= odd_quotes(chunk->bytes + scan->searched, end - scan->searched);
        scan->searched = end;
    }
    while (scan->searched < stop) {
        const char *from = chunk->bytes + scan->searched;
        const char *newline = memchr(from, '\n', stop - scan->searched);
        size_t end = newline != NULL ? (size_t)(newline - chunk->bytes) + 1 : stop;
        scan->in_quotes ^= odd_quotes(from, end - scan->searched);
        scan->searched = end;
        if (newline == NULL)
            break;
        size_t line = scan->line;
        scan->line = end;
        if (scan->in_quotes) {
            scan->last_odd = end;
            continue;
        }
        scan->last = end;
        if (line > 0 && ends_chunk(chunk->bytes + line, end - line))
            return end;
    }
    if (stop < CSV_CHUNK_BYTES_MAXIMUM)
        return 0;
    return scan->last > 0 ? scan->last : scan->last_odd > 0 ? scan->last_odd : stop;
}

static void make_room(char **bytes, size_t *capacity, size_t needed)
{
    if (needed <= *capacity)
        return;
    *bytes = realloc(*bytes, 2 * needed);
    *capacity = 2 * needed;
}

static bool read_more(struct csv_chunks *chunks, struct csv_chunk *chunk, size_t *got, struct error *error)
{
    size_t most = chunks->rest_length > 0 ? chunks->rest_length : READ_BYTES;
    make_room(&chunk->bytes, &chunk->capacity, chunk->length + most);
    if (chunks->rest_length > 0) {
        memcpy(chunk->bytes, chunks->rest, chunks->rest_length);
        *got = chunks->rest_length;
        chunks->rest_length = 0;
    } else if (!byte_source_read(chunks->source, chunk->bytes + chunk->length, most, got, error)) {
        return false;
    }
    chunk->length += *got;
    return true;
}

bool csv_chunks_next(struct csv_chunks *chunks, struct csv_chunk *chunk, struct error *error)
{
    struct scan scan = { 0 };
    size_t cut = 0;
    chunk->length = 0;
    chunk->is_last = false;
    while (cut == 0) {
        size_t got;
        if (!read_more(chunks, chunk, &got, error))
            return false;
        chunk->is_last = got == 0;
        if (chunk->is_last)
            return true;
        cut = find_cut(chunk, &scan);
    }
    size_t rest = chunk->length - cut;
    make_room(&chunks->rest, &chunks->rest_capacity, rest);
    if (rest > 0)
        memcpy(chunks->rest, chunk->bytes + cut, rest);
    chunks->rest_length = rest;
    chunk->length = cut;
    return true;
}

int64_t csv_chunks_position(const struct csv_chunks *chunks)
{
    return byte_source_position(chunks->source);
}
