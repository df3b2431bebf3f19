/* base/postgres/distribution.h: a database over several servers: Citus (docs/distributed.md).
 *
 * Tables that grow with bills and jobs are divided into shards on workers. Small tables are on
 * every server, or only on the coordinator. Only sql/distributed/tables.sql lists the place of each
 * table; the table kstar.distributed_table stores it. The site provides servers, extension and
 * workers, and kstar distributes its tables over them.
 */
#ifndef KSTAR_BASE_POSTGRES_DISTRIBUTION_H
#define KSTAR_BASE_POSTGRES_DISTRIBUTION_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* Distributes the tables of a database without deliveries and with all migrations, in one
 * transaction, and sets *is_new. If the tables are distributed already, it only updates the
 * settings of the servers (there may be a new worker) and clears *is_new. Every refusal has a
 * hint. */
bool distribution_set_up(PGconn *connection, bool *is_new, struct error *error);

/* Whether the database is distributed. */
bool distribution_exists(PGconn *connection, bool *exists, struct error *error);

#endif
