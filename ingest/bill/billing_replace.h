/* ingest/bill/billing_replace.h: the loads of a delivery replace earlier loads.
 *
 * Called in the transaction of the delivery, after its lines are stored, so a reader sees the old
 * loads or the new ones. Chunks without a load are deleted only when they have a quarter of the
 * rows of their source and period: fewer are not worth a scan, and a delivery that has them again
 * reuses them.
 */
#ifndef KSTAR_INGEST_BILL_BILLING_REPLACE_H
#define KSTAR_INGEST_BILL_BILLING_REPLACE_H

#include "ingest/bill/billing_writer.h"

/* Removes the loads of pruned months from the delivery, before the two functions below: the lines
 * that they would replace are gone. A load equal to the pruned one is ignored. One that differs is
 * logged as a warning and counted in writer->differing. False, the delivery is refused, if one
 * differs and the delivery has no other load. `label` is that of the delivery. */
bool billing_drop_pruned(struct billing_writer *writer, const char *label, struct error *error);

/* Whether every load may replace the one before it (delivery_guard.h). False if one must wait for a
 * person (writer->hold has the reason), or if the database fails. */
bool billing_replace_allowed(struct billing_writer *writer, struct error *error);

/* Makes a load the current one of its source and billing period. */
bool billing_replace_load(PGconn *connection, int load_id, const char *billing_period, struct error *error);

/* Makes the loads current. The caller then closes the delivery and commits. */
bool billing_replace(struct billing_writer *writer, struct error *error);

#endif
