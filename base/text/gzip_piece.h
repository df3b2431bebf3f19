/* base/text/gzip_piece.h: text compressed in pieces, each a file of its own for gunzip. */
#ifndef KSTAR_BASE_TEXT_GZIP_PIECE_H
#define KSTAR_BASE_TEXT_GZIP_PIECE_H

#include <stdbool.h>
#include <stddef.h>

struct gzip_piece {
    struct z_stream_s *stream;
    unsigned char *bytes; /* what has come out, `used` of it */
    size_t used, capacity;
    size_t added; /* bytes that went in */
};

void gzip_piece_open(struct gzip_piece *piece);
void gzip_piece_close(struct gzip_piece *piece);

void gzip_piece_add(struct gzip_piece *piece, const char *text, size_t length);
/* Ends the piece: piece->bytes has it until the next text is added. */
void gzip_piece_end(struct gzip_piece *piece);
/* Begins the next one. */
void gzip_piece_begin(struct gzip_piece *piece);

/* The text of a piece; the caller frees it. NULL if damaged or longer than `limit` bytes. */
char *gzip_piece_text(const unsigned char *bytes, size_t count, size_t limit, size_t *length);

#endif
