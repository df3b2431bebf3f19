/* ingest/bill/billing_chunk.h: the chunks of a source that are in the database, and how a piece is
 * known to be one.
 *
 * A piece's key is XXH3's 128 bits over its bytes and its file's context (bill_file.h). A key is
 * held only against the newest chunks of the same source, 262,144 at most (25 million lines or so);
 * that two different pieces of a bill share 128 bits of hash is less likely than that the disk
 * returns a wrong one, and a delivery is told from another by the SHA-256 of its files all the
 * same. A chunk is found only where it was read from the beginning of a record to the end of one,
 * without a reject.
 */
#ifndef KSTAR_INGEST_BILL_BILLING_CHUNK_H
#define KSTAR_INGEST_BILL_BILLING_CHUNK_H

#include "base/error.h"
#include "base/text/csv_pieces.h"
#include "ingest/bill/bill_file.h"

#include <libpq-fe.h>

/* A chunk as it was stored, one per billing period of its piece, next to each other. */
struct known_chunk {
    XXH128_hash_t key;
    int64_t chunk_id;
    time_us period;         /* midnight of its first day */
    int64_t lines, records; /* of the whole piece */
    int64_t last_line, rows;
};

struct known_chunks {
    struct known_chunk *chunks; /* by key */
    size_t count;
    int64_t first_new; /* number of this delivery's first piece; the next ones follow */
};

/* Reads the chunks of `source`, whose deliveries are locked. Freed with billing_chunks_close. */
bool billing_chunks_open(struct known_chunks *known, PGconn *connection, const char *source,
                         struct error *error);
void billing_chunks_close(struct known_chunks *known); /* harmless on a zeroed one */

XXH128_hash_t billing_chunk_key(const struct bill_file *bill, const struct csv_piece *piece);

/* The chunk of that key, NULL where there is none: the first of `*count` periods. */
const struct known_chunk *billing_chunk_find(const struct known_chunks *known, XXH128_hash_t key,
                                             size_t *count);

#endif
