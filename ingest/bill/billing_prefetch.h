/* ingest/bill/billing_prefetch.h: the chunks of a delivery's files, read on threads and given in
 * order.
 *
 * A thread cuts the next chunk and makes rows of it, while the other thread does the same with the
 * following chunk and the caller stores the chunk before. Chunks that are already in the database
 * are not read. A few chunks are used in turn, so memory does not grow with the delivery.
 *
 *     prefetch = billing_prefetch_open(&settings, &periods, &known, paths, count, error);
 *     while (billing_prefetch_next(prefetch, &chunk, error) && chunk != NULL)
 *         … chunk->state is the result …
 *     billing_prefetch_close(prefetch);
 *
 * A chunk that could not be read on a thread is returned as CHUNK_FAILED, without a reason. The
 * caller knows the line numbers: it reads the chunk again (billing_chunk_restart) and gets the
 * error.
 */
#ifndef KSTAR_INGEST_BILL_BILLING_PREFETCH_H
#define KSTAR_INGEST_BILL_BILLING_PREFETCH_H

#include "ingest/bill/billing_chunk.h"
#include "ingest/bill/dimension.h"

enum { BILLING_PREFETCH_THREADS = 2 };

struct billing_prefetch;

/* Starts the threads, without signals. The arguments must outlive `prefetch`. NULL on failure. */
struct billing_prefetch *billing_prefetch_open(const struct billing_settings *settings,
                                               struct billing_periods *periods,
                                               const struct known_chunks *known, const char *const *paths,
                                               int path_count, struct error *error);

/* Ends the threads at any time, and frees everything. NULL is fine. */
void billing_prefetch_close(struct billing_prefetch *prefetch);

/* The next chunk, valid until the next call; NULL after the last. False if a file cannot be read as
 * a bill. */
bool billing_prefetch_next(struct billing_prefetch *prefetch, struct billing_chunk **chunk,
                           struct error *error);

/* The stores with the dimension rows of the threads, to be committed after the last chunk. */
void billing_prefetch_dimensions(struct billing_prefetch *prefetch,
                                 struct dimension_store *stores[BILLING_PREFETCH_THREADS]);

#endif
