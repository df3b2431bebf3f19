/* night/month/month_facts.h: publishes a month on several servers from one state of its tables.
 *
 * No snapshot spans servers. A lock keeps deliveries out (sql/model/ingest_lock.sql). Other changes
 * are found by a hash of the statement's facts before the first step and after the last one
 * (sql/allocate/workers/facts.sql). On one server a snapshot does all that.
 */
#ifndef KSTAR_NIGHT_MONTH_MONTH_FACTS_H
#define KSTAR_NIGHT_MONTH_MONTH_FACTS_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* Call it in the statement's transaction. ERROR_BUSY if facts changed since it read them. */
bool month_facts_compare(PGconn *connection, struct error *error);

#endif
