/* ingest/bill/billing_quarantine.h: unreadable records of a bill, into quarantined_row. Part of the
 * writer. */
#ifndef KSTAR_INGEST_BILL_BILLING_QUARANTINE_H
#define KSTAR_INGEST_BILL_BILLING_QUARANTINE_H

#include "ingest/bill/billing_loads.h"

extern const char billing_copy_quarantine[]; /* the statement for the writer's spool of quarantined rows */

/* Adds a quarantined row to the spool and logs the first few. False if the writer is strict, or the
 * database fails. */
bool billing_quarantine_put(struct billing_writer *writer, const struct billing_chunk *chunk,
                            const struct quarantined_row *quarantined, struct error *error);

/* After all chunks are stored: money that records took back, but that no other record has, is
 * quarantined in its load, so that the statement shows it. */
bool billing_quarantine_cancelled(struct billing_writer *writer, struct error *error);

#endif
