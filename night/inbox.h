/* night/inbox.h: the folder in which deliveries arrive.
 *
 *     INBOX/reference/NAME.csv            all together, first: they say how the rest is read
 *     INBOX/billing/SOURCE/DELIVERY/…     a folder is one delivery: all its files
 *     INBOX/billing/SOURCE/FILE…          the files beside such folders are together one delivery
 *     INBOX/jobs/SOURCE/FILE              a file is one delivery
 *     INBOX/nodes/SOURCE/FILE             a file is one delivery
 *     INBOX/efficiency/NAME.csv           a file is one delivery
 *
 * Names are taken in byte order, so a later delivery (2026-09-30 after 2026-09-15) replaces an
 * earlier one. Names that begin with a dot are ignored: while a file is written it has such a name,
 * and gets its own when it is whole.
 */
#ifndef KSTAR_NIGHT_INBOX_H
#define KSTAR_NIGHT_INBOX_H

#include "base/error.h"
#include "night/nightly_summary.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* Ingests what is new. A refused delivery is noted in `night` and skipped. False only if the night
 * cannot go on (database, disk). */
bool inbox_ingest(PGconn *connection, const char *inbox, struct night *night, struct error *error);

#endif
