/* allocate/worker_readers.h: readers on the workers that hold the lines (docs/distributed.md).
 *
 * No snapshot is of several servers. What counts is resolved once, on the coordinator: the chunks,
 * which never change, the node inventory and the time that jobs held nodes. Each reader is given
 * what it needs of that, in temporary tables before those of the same name, so that the queries of
 * merge/ are the same everywhere. night/month/month_facts.h says what keeps the rest from changing
 * meanwhile.
 */
#ifndef KSTAR_ALLOCATE_WORKER_READERS_H
#define KSTAR_ALLOCATE_WORKER_READERS_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* Opens at least `wanted` readers where there are shards enough, and at least one a worker, each in
 * a transaction in which it sees the lines of its buckets alone. `connection` is the coordinator's,
 * in the transaction of the statement. The caller closes all `maximum` entries of `readers` that
 * are not NULL, after failure too. */
bool worker_readers_open(PGconn *connection, int wanted, PGconn **readers, int maximum, int *count,
                         struct error *error);

#endif
