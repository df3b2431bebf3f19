/* allocate/worker_readers.h: readers on the workers that hold the lines (docs/distributed.md).
 *
 * Several servers cannot share one snapshot. So the coordinator decides once which data counts: the
 * chunks (which never change), the node inventory and the time that jobs held nodes. Each reader
 * receives its share of this data in temporary tables. They hide the tables of the same names, so
 * the queries of merge/ are the same everywhere. night/month/month_facts.h explains how changes of
 * the other data are prevented or found.
 */
#ifndef KSTAR_ALLOCATE_WORKER_READERS_H
#define KSTAR_ALLOCATE_WORKER_READERS_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* Opens at least `wanted` readers if there are enough shards, and at least one reader on each
 * worker. Each reader is in a transaction in which it sees only the lines of its own buckets.
 * `connection` is the coordinator's, in the transaction of the statement. The caller closes
 * every entry of `readers` (there are `maximum`) that is not NULL, also after a failure. */
bool worker_readers_open(PGconn *connection, int wanted, PGconn **readers, int maximum, int *count,
                         struct error *error);

#endif
