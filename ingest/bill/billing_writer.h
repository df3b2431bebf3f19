/* ingest/bill/billing_writer.h: stores chunks of a bill: lines, chunks, loads and quarantined
 * rows.
 *
 * Lines are sent at once by COPY, in the transaction of the caller. A new billing period interrupts
 * the COPY to open its load and make its partition. Chunks, their places in the loads, and
 * quarantined rows wait in spools.
 */
#ifndef KSTAR_INGEST_BILL_BILLING_WRITER_H
#define KSTAR_INGEST_BILL_BILLING_WRITER_H

#include "ingest/bill/billing_loads.h"

/* `connection` is in the transaction of the delivery. The arguments must outlive the writer. Call
 * billing_writer_close after failure, too. */
bool billing_writer_open(struct billing_writer *writer, PGconn *connection,
                         const struct billing_settings *settings, struct billing_periods *periods,
                         int delivery_id, struct error *error);
void billing_writer_close(struct billing_writer *writer);

/* Stores the next chunk of a delivery, after reading the unread rest of it. Counts its rows,
 * records and quarantined records in `file`. False if the bill or the database fails, or if
 * `strict` is set and a row is quarantined. */
bool billing_writer_put(struct billing_writer *writer, struct billing_chunk *chunk,
                        struct delivery_file *file, struct error *error);

/* After the last chunk: ends the COPY, stores chunks and quarantined rows, and closes the loads.
 * Dimensions collected in `stores` and by the reader of the writer are committed first, on
 * `second`. The loads are not current yet. */
bool billing_writer_finish(struct billing_writer *writer, struct dimension_store *const *stores,
                           int store_count, PGconn *second, struct error *error);

#endif
