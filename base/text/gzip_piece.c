/* base/text/gzip_piece.c: see gzip_piece.h. */
#include "base/text/gzip_piece.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { GZIP = 16, WINDOW_BITS = 15, MEMORY_LEVEL = 9, LEVEL = 9, ROOM = 64 << 10 };

void gzip_piece_open(struct gzip_piece *piece)
{
    *piece = (struct gzip_piece){ .capacity = ROOM };
    piece->bytes = malloc(ROOM);
    piece->stream = calloc(1, sizeof *piece->stream);
    if (deflateInit2(piece->stream, LEVEL, Z_DEFLATED, WINDOW_BITS + GZIP, MEMORY_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        memory_is_out();
}

void gzip_piece_close(struct gzip_piece *piece)
{
    if (piece->stream != NULL)
        deflateEnd(piece->stream);
    free(piece->stream);
    free(piece->bytes);
    *piece = (struct gzip_piece){ 0 };
}

/* Compresses what the stream has; true when there is nothing left to come out. */
static bool compress_more(struct gzip_piece *piece, int flush)
{
    if (piece->capacity - piece->used < ROOM / 2) {
        piece->capacity *= 2;
        piece->bytes = realloc(piece->bytes, piece->capacity);
    }
    uInt room = (uInt)(piece->capacity - piece->used);
    piece->stream->next_out = piece->bytes + piece->used;
    piece->stream->avail_out = room;
    int state = deflate(piece->stream, flush);
    piece->used += room - piece->stream->avail_out;
    return flush == Z_FINISH ? state == Z_STREAM_END : piece->stream->avail_in == 0;
}

void gzip_piece_add(struct gzip_piece *piece, const char *text, size_t length)
{
    piece->stream->next_in = (unsigned char *)text;
    piece->stream->avail_in = (uInt)length;
    piece->added += length;
    while (!compress_more(piece, Z_NO_FLUSH))
        ;
}

void gzip_piece_end(struct gzip_piece *piece)
{
    piece->stream->avail_in = 0;
    while (!compress_more(piece, Z_FINISH))
        ;
}

void gzip_piece_begin(struct gzip_piece *piece)
{
    deflateReset(piece->stream);
    piece->used = piece->added = 0;
}

char *gzip_piece_text(const unsigned char *bytes, size_t count, size_t limit, size_t *length)
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
