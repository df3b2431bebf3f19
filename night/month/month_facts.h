/* night/month/month_facts.h: publishes a month on several servers from one state of its tables.
 *
 * No snapshot spans servers. Deliveries are kept out by a lock (sql/model/ingest_lock.sql); and
 * what the statement is made of is hashed before the first step and after the last one
 * (sql/allocate/workers/facts.sql), so that a change past that lock is found. On one server a
 * snapshot does all that.
 */
#ifndef KSTAR_NIGHT_MONTH_MONTH_FACTS_H
#define KSTAR_NIGHT_MONTH_MONTH_FACTS_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* In the statement's transaction. ERROR_BUSY if its facts have changed since it read them. */
bool month_facts_compare(PGconn *connection, struct error *error);

#endif
