/* ingest/bill/billing_writer.h: chunks of a bill into the database: lines, chunks, loads and
 * quarantined rows.
 *
 * Lines go out at once by COPY in the caller's transaction. A billing period not met before
 * interrupts the COPY: its load is opened and its partition made. Chunks, their places in the
 * loads, and quarantined rows wait in spools.
 */
#ifndef KSTAR_INGEST_BILL_BILLING_WRITER_H
#define KSTAR_INGEST_BILL_BILLING_WRITER_H

#include "ingest/bill/billing_loads.h"

/* `connection` is in the transaction that is to hold the delivery. All of it must outlive the
 * writer, which is freed with billing_writer_close whatever happens. */
bool billing_writer_open(struct billing_writer *writer, PGconn *connection,
                         const struct billing_settings *settings, struct billing_periods *periods,
                         int delivery_id, struct error *error);
void billing_writer_close(struct billing_writer *writer);

/* Stores the next chunk of a delivery, which is of `file`, and counts its rows and records there,
 * and what is in it; reads what is left to read of it. False where the bill or the database fails,
 * or `strict` is set and there is a quarantined row. */
bool billing_writer_put(struct billing_writer *writer, struct billing_chunk *chunk,
                        struct delivery_file *file, struct error *error);

/* After the last chunk: ends the COPY, stores the chunks and the quarantined rows, closes the
 * loads. The dimensions that `stores` and the writer's own reader gathered are committed first, on
 * `second`. The loads are not current yet. */
bool billing_writer_finish(struct billing_writer *writer, struct dimension_store *const *stores,
                           int store_count, PGconn *second, struct error *error);

#endif
