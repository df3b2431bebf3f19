/* ingest/bill/known_chunks.h: the chunks of a source that the database has.
 *
 * A chunk is known by its key: 128 bits of XXH3 over its bytes and the context of its file
 * (bill_file.h). It is compared with the newest chunks of the same source, at most 262,144 of them
 * (about 25 million lines). The risk that two chunks of a bill have the same key is smaller than
 * that a disk returns wrong data. Chunks in which a row was quarantined are always read again.
 */
#ifndef KSTAR_INGEST_BILL_KNOWN_CHUNKS_H
#define KSTAR_INGEST_BILL_KNOWN_CHUNKS_H

#include "base/error.h"
#include "base/text/csv_chunks.h"
#include "ingest/bill/bill_file.h"

#include <libpq-fe.h>

/* A chunk as it was stored: one row per billing period, the rows of a chunk side by side. */
struct known_chunk {
    XXH128_hash_t key;
    int64_t chunk_id;
    time_us period;         /* midnight of its first day */
    int64_t lines, records; /* of the whole chunk */
    int64_t last_line, rows;
};

struct known_chunks {
    struct known_chunk *chunks; /* by key */
    size_t count;
    int64_t first_new; /* number of this delivery's first chunk; the next ones follow */
};

/* Reads the chunks of `source`, whose deliveries are locked. Freed with known_chunks_close. */
bool known_chunks_open(struct known_chunks *known, PGconn *connection, const char *source,
                       struct error *error);
void known_chunks_close(struct known_chunks *known); /* harmless on a zeroed one */

XXH128_hash_t known_chunk_key(const struct bill_file *bill, const struct csv_chunk *chunk);

/* The chunk with that key, the first of its `*count` periods; NULL: none. */
const struct known_chunk *known_chunk_find(const struct known_chunks *known, XXH128_hash_t key,
                                           size_t *count);

#endif
