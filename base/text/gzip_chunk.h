/* base/text/gzip_chunk.h: compresses text in chunks, each of which is a complete gzip file. */
#ifndef KSTAR_BASE_TEXT_GZIP_CHUNK_H
#define KSTAR_BASE_TEXT_GZIP_CHUNK_H

#include <stdbool.h>
#include <stddef.h>

struct gzip_chunk {
    struct z_stream_s *stream;
    unsigned char *bytes; /* the output, `used` bytes */
    size_t used, capacity;
    size_t added; /* bytes of input */
};

void gzip_chunk_open(struct gzip_chunk *chunk);
void gzip_chunk_close(struct gzip_chunk *chunk);

void gzip_chunk_add(struct gzip_chunk *chunk, const char *text, size_t length);
/* Ends the chunk, which is in chunk->bytes until the next text is added. */
void gzip_chunk_end(struct gzip_chunk *chunk);
/* Begins the next one. */
void gzip_chunk_begin(struct gzip_chunk *chunk);

/* The text of a chunk; the caller frees it. NULL if damaged or longer than `limit` bytes. */
char *gzip_chunk_text(const unsigned char *bytes, size_t count, size_t limit, size_t *length);

#endif
