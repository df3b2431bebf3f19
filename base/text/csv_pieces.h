/* base/text/csv_pieces.h: the text of a CSV file in small pieces, cut between records.
 *
 * Where a cut falls is decided by the record before it: every record has the same chance per byte
 * to end a piece that is long enough (content-defined chunking). So a file that has changed
 * somewhere is cut as before from soon after the change on, and equal pieces can be known by their
 * bytes. They are small because a bill is not in the order of time: a restated day lies in many
 * places.
 *
 * Records are found by counting quotes, which is right for a file whose quotes are; csv_reader has
 * the last word. Where a stray quote misleads the count, or no record ends for a mebibyte, a piece
 * may end within a record: csv_reader then says CSV_UNFINISHED, and that record's bytes belong
 * before the next piece.
 *
 *     struct csv_pieces *pieces = csv_pieces_open(path, offset, NULL, error);
 *     while (csv_pieces_next(pieces, &piece, error) && …piece.bytes[0..length)… && !piece.is_last)
 *         …
 *     free(piece.bytes);
 *     csv_pieces_close(pieces);
 */
#ifndef KSTAR_BASE_TEXT_CSV_PIECES_H
#define KSTAR_BASE_TEXT_CSV_PIECES_H

#include "base/text/csv_reader.h"

enum {
    CSV_PIECE_BYTES_MINIMUM = 16 << 10,  /* no cut before; the last piece of a file may be shorter */
    CSV_PIECE_BYTES_EXPECTED = 16 << 10, /* from there to the cut, on average */
    CSV_PIECE_BYTES_MAXIMUM = 1 << 20,
};

/* The caller owns the buffer; it is made and enlarged here. One piece can be filled repeatedly. */
struct csv_piece {
    char *bytes;
    size_t length, capacity;
    bool is_last; /* the file ends here; it may be empty */
};

struct csv_pieces;

/* Opens `path` and passes over its first `offset` (uncompressed) bytes. NULL on failure. */
struct csv_pieces *csv_pieces_open(const char *path, int64_t offset, const struct csv_limits *limits,
                                   struct error *error);
void csv_pieces_close(struct csv_pieces *pieces); /* NULL is fine */

/* The next piece. False where the file cannot be read, as byte_source_read, or memory runs out. */
bool csv_pieces_next(struct csv_pieces *pieces, struct csv_piece *piece, struct error *error);

/* Bytes of the file on disk behind the pieces given so far, roughly: for progress. */
int64_t csv_pieces_position(const struct csv_pieces *pieces);

#endif
