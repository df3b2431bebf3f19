/* base/postgres/distribution.h: a database over several servers: Citus (docs/distributed.md).
 *
 * The tables that grow with the bill and with the jobs are cut into shards, which lie on workers;
 * what is small is on every server or on the coordinator alone. sql/distributed/tables.sql alone
 * lists which table lies where; the table kstar.distributed_table keeps it. The servers, the
 * extension and the workers are the site's: kstar distributes its tables over what is there.
 */
#ifndef KSTAR_BASE_POSTGRES_DISTRIBUTION_H
#define KSTAR_BASE_POSTGRES_DISTRIBUTION_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* Distributes the tables of a database that holds no delivery yet and has all its migrations, in
 * one transaction, and sets *is_new. If the tables are distributed already, it only updates the
 * servers' settings (a worker may be new) and clears *is_new. Every refusal says what to do. */
bool distribution_set_up(PGconn *connection, bool *is_new, struct error *error);

/* Whether the database is distributed. */
bool distribution_exists(PGconn *connection, bool *exists, struct error *error);

#endif
