/* base/text/csv_chunks.h: the text of a CSV file in small chunks, cut between records.
 *
 * Where a cut falls is decided by the record before it: every record has the same chance per byte
 * to end a chunk that is long enough (content-defined chunking). So a file that has changed
 * somewhere is cut as before from soon after the change on, and equal chunks can be known by their
 * bytes. They are small because a bill is not in the order of time: a restated day lies in many
 * places.
 *
 * Records are found by counting quotes, which is right for a file whose quotes are; csv_reader has
 * the last word. Where a stray quote misleads the count, or no record ends for a mebibyte, a chunk
 * may end within a record: csv_reader then says CSV_UNFINISHED, and that record's bytes belong
 * before the next chunk.
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
    /* no cut before; the last chunk of a file may be shorter */
    CSV_CHUNK_BYTES_MINIMUM = 16 << 10,
    CSV_CHUNK_BYTES_EXPECTED = 16 << 10, /* from there to the cut, on average */
    CSV_CHUNK_BYTES_MAXIMUM = 1 << 20,
};

/* The caller owns the buffer; it is made and enlarged here. One chunk can be filled repeatedly. */
struct csv_chunk {
    char *bytes;
    size_t length, capacity;
    bool is_last; /* the file ends here; it may be empty */
};

struct csv_chunks;

/* Opens `path` and passes over its first `offset` (uncompressed) bytes. NULL on failure. */
struct csv_chunks *csv_chunks_open(const char *path, int64_t offset, const struct csv_limits *limits,
                                   struct error *error);
void csv_chunks_close(struct csv_chunks *chunks); /* NULL is fine */

/* The next chunk. False where the file cannot be read, as byte_source_read, or memory runs out. */
bool csv_chunks_next(struct csv_chunks *chunks, struct csv_chunk *chunk, struct error *error);

/* Bytes of the file on disk behind the chunks given so far, roughly: for progress. */
int64_t csv_chunks_position(const struct csv_chunks *chunks);

#endif
