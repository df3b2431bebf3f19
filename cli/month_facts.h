/* cli/month_facts.h: a month whose tables lie on several servers is published of what was there throughout.
 *
 * No snapshot spans servers. Deliveries are kept out by a lock (sql/model/ingest_lock.sql); and what the statement is made of is hashed
 * before the first step and after the last one (sql/allocate/workers/facts.sql), so that a change past that lock is found. On one server
 * a snapshot does all that.
 */
#ifndef KSTAR_CLI_MONTH_FACTS_H
#define KSTAR_CLI_MONTH_FACTS_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* Within the transaction of the statement: false with ERROR_BUSY if others now see other facts than it has read. */
bool month_facts_compare(PGconn *connection, struct error *error);

#endif
