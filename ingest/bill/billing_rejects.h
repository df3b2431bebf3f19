/* ingest/bill/billing_rejects.h: unreadable records of a bill, into rejected_row. Part of the
 * writer. */
#ifndef KSTAR_INGEST_BILL_BILLING_REJECTS_H
#define KSTAR_INGEST_BILL_BILLING_REJECTS_H

#include "ingest/bill/billing_loads.h"

extern const char billing_copy_rejects[]; /* the statement for the writer's spool of rejects */

/* Adds a reject to the spool and logs the first few. False where the writer is strict, or the
 * database fails. */
bool billing_put_reject(struct billing_writer *writer, const struct billing_chunk *chunk,
                        const struct chunk_reject *reject, struct error *error);

/* Once the chunks are stored: money that records took back and no other record gives is kept as
 * rejects of its load, so that it stands on the statement. */
bool billing_reject_cancelled(struct billing_writer *writer, struct error *error);

#endif
