/* base/text/csv_chunks.h: the text of a CSV file in small chunks, cut between records.
 *
 * The record before a cut decides the cut: in a chunk that is long enough, every record has the
 * same chance per byte to end the chunk (content-defined chunking). So if a file changes at one
 * place, it is cut as before from soon after that place, and equal chunks are recognised by their
 * bytes. Chunks are small because a bill is not in the order of time: a restated day is in many
 * places.
 *
 * Records are found by counting quotes, which works if the quotes of the file are correct;
 * csv_reader decides in the end. If a stray quote misleads the count, or no record ends for a
 * mebibyte, a chunk may end within a record. csv_reader then returns CSV_UNFINISHED, and the bytes
 * of that record belong before the next chunk.
 *
 *     struct csv_chunks *chunks = csv_chunks_open(path, offset, NULL, error);
 *     while (csv_chunks_next(chunks, &chunk, error) && …chunk.bytes[0..length)… && !chunk.is_last)
 *         …
 *     free(chunk.bytes);
 *     csv_chunks_close(chunks);
 */
#ifndef KSTAR_BASE_TEXT_CSV_CHUNKS_H
#define KSTAR_BASE_TEXT_CSV_CHUNKS_H

#include "base/text/csv_reader.h"

enum {
    /* no cut before this; the last chunk of a file may be shorter */
    CSV_CHUNK_BYTES_MINIMUM = 16 << 10,
    CSV_CHUNK_BYTES_EXPECTED = 16 << 10, /* average distance from there to the cut */
    CSV_CHUNK_BYTES_MAXIMUM = 1 << 20,
};

/* The caller owns the buffer; these functions make and enlarge it. A chunk can be filled
 * repeatedly. */
struct csv_chunk {
    char *bytes;
    size_t length, capacity;
    bool is_last; /* the file ends here; it may be empty */
};

struct csv_chunks;

/* Opens `path` and skips its first `offset` (uncompressed) bytes. NULL on failure. */
struct csv_chunks *csv_chunks_open(const char *path, int64_t offset, const struct csv_limits *limits,
                                   struct error *error);
void csv_chunks_close(struct csv_chunks *chunks); /* NULL is fine */

/* The next chunk. False if byte_source_read fails. */
bool csv_chunks_next(struct csv_chunks *chunks, struct csv_chunk *chunk, struct error *error);

/* Approximate bytes of the file on disk in the chunks so far, for progress. */
int64_t csv_chunks_position(const struct csv_chunks *chunks);

#endif
