/* ingest/bill/billing_replace.h: the loads of a delivery take the place of those before them.
 *
 * Called in the delivery's transaction, once its lines are stored: a reader sees the old loads or
 * the new ones. Chunks that no load has any more are deleted once they are a quarter of what there
 * is: a delivery that brings them back before that finds them.
 */
#ifndef KSTAR_INGEST_BILL_BILLING_REPLACE_H
#define KSTAR_INGEST_BILL_BILLING_REPLACE_H

#include "ingest/bill/billing_writer.h"

/* Takes the loads of pruned months out of the delivery, before the two below: of such a month there
 * are no lines left that others could replace. A load like the one that was pruned is no news; one
 * that differs is warned of and counted in writer->differing. False where the delivery has nothing
 * else and differs: it is refused. `label` is the delivery's. */
bool billing_drop_pruned(struct billing_writer *writer, const char *label, struct error *error);

/* Whether every load may replace the one before it (delivery_guard.h). False where one must wait
 * for a person, which writer->hold then says, or where the database fails. */
bool billing_replace_allowed(struct billing_writer *writer, struct error *error);

/* Makes one load the current one of its source and billing period, in the place of another. */
bool billing_replace_load(PGconn *connection, int load_id, const char *billing_period, struct error *error);

/* Makes the loads current. What is left is to close the delivery and commit. */
bool billing_replace(struct billing_writer *writer, struct error *error);

#endif
