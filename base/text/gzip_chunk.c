/* base/text/gzip_chunk.c: see gzip_chunk.h. */
#include "base/text/gzip_chunk.h"

#include "base/memory.h"

#include <stdlib.h>
#include <zlib.h>

enum { GZIP = 16, WINDOW_BITS = 15, MEMORY_LEVEL = 9, LEVEL = 9, ROOM = 64 << 10 };

void gzip_chunk_open(struct gzip_chunk *chunk)
{
    *chunk = (struct gzip_chunk){ .capacity = ROOM };
    chunk->bytes = malloc(ROOM);
    chunk->stream = calloc(1, sizeof *chunk->stream);
    if (deflateInit2(chunk->stream, LEVEL, Z_DEFLATED, WINDOW_BITS + GZIP, MEMORY_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        memory_is_out();
}

void gzip_chunk_close(struct gzip_chunk *chunk)
{
    if (chunk->stream != NULL)
        deflateEnd(chunk->stream);
    free(chunk->stream);
    free(chunk->bytes);
    *chunk = (struct gzip_chunk){ 0 };
}

/* Compresses the input of the stream; true when all output is written. */
static bool compress_more(struct gzip_chunk *chunk, int flush)
{
    if (chunk->capacity - chunk->used < ROOM / 2) {
        chunk->capacity *= 2;
        chunk->bytes = realloc(chunk->bytes, chunk->capacity);
    }
    uInt room = (uInt)(chunk->capacity - chunk->used);
    chunk->stream->next_out = chunk->bytes + chunk->used;
    chunk->stream->avail_out = room;
    int state = deflate(chunk->stream, flush);
    chunk->used += room - chunk->stream->avail_out;
    return flush == Z_FINISH ? state == Z_STREAM_END : chunk->stream->avail_in == 0;
}

void gzip_chunk_add(struct gzip_chunk *chunk, const char *text, size_t length)
{
    chunk->stream->next_in = (unsigned char *)text;
    chunk->stream->avail_in = (uInt)length;
    chunk->added += length;
    while (!compress_more(chunk, Z_NO_FLUSH))
        ;
}

void gzip_chunk_end(struct gzip_chunk *chunk)
{
    chunk->stream->avail_in = 0;
    while (!compress_more(chunk, Z_FINISH))
        ;
}

void gzip_chunk_begin(struct gzip_chunk *chunk)
{
    deflateReset(chunk->stream);
    chunk->used = chunk->added = 0;
}

char *gzip_chunk_text(const unsigned char *bytes, size_t count, size_t limit, size_t *length)
{
    z_stream stream = { .next_in = (unsigned char *)bytes, .avail_in = (uInt)count };
    size_t capacity = ROOM;
    char *text = malloc(capacity);
    int state = inflateInit2(&stream, WINDOW_BITS + GZIP) == Z_OK ? Z_OK : Z_MEM_ERROR;
    while (state == Z_OK && stream.total_out < limit) {
        if (stream.total_out == capacity) {
            capacity *= 2;
            text = realloc(text, capacity);
        }
        stream.next_out = (unsigned char *)text + stream.total_out;
        stream.avail_out = (uInt)(capacity - stream.total_out);
        state = inflate(&stream, Z_NO_FLUSH);
    }
    *length = stream.total_out;
    inflateEnd(&stream);
    if (state == Z_STREAM_END)
        return text;
    free(text);
    return NULL;
}
