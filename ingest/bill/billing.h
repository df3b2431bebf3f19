/* ingest/bill/billing.h: bills into the database: the folder's face for cloud bills.
 *
 * A delivery is all the files of one folder, or the files that are given. It is recognised by its
 * content: what is already there under the same source and label is not read again. Otherwise its
 * rows become one load per billing period found in it, each of which replaces the load of the same
 * source and period; rows that cannot be read are quarantined in quarantined_row. All of it becomes
 * visible in one commit, or nothing does: after an error, kill -9 or a lost connection the same
 * call again does the whole work.
 *
 *     const char *folder = "inbox/billing/aws/2026-09";
 *     struct delivery_request request = {
 *         .source = "aws", .label = "billing/aws/2026-09", .path_count = 1, .paths = &folder };
 *     if (!ingest_billing(connection, &request, &summary, error)) …
 *
 * Columns are the format's matter (billing_format.h). Memory does not grow with the bill.
 */
#ifndef KSTAR_INGEST_BILL_BILLING_H
#define KSTAR_INGEST_BILL_BILLING_H

#include "ingest/delivery_request.h"

/* Loads one delivery. False with ERROR_INPUT where it is refused (what was there stays current),
 * with ERROR_ATTENTION where it waits: for parts that its manifest names, or for somebody to accept
 * it; with ERROR_DATABASE or ERROR_FAILED where the machine failed. `summary->quarantined` counts
 * rows quarantined, `summary->pruned` bills of pruned months that are not what was pruned: the
 * caller decides what that means for the exit code. The connection must not be in a transaction; a
 * second one to the same server is opened for the dimensions, which are committed before the lines
 * that use them. */
bool ingest_billing(PGconn *connection, const struct delivery_request *request,
                    struct ingest_summary *summary, struct error *error);

#endif
