/* ingest/bill/billing.h: loads bills into the database; the interface of this folder.
 *
 * A delivery is all files of a folder, or the given files. If the same content was delivered under
 * the same source and label, the delivery is not read again. Otherwise its rows become one load per
 * billing period, and each load replaces the current one of the same source and period. Unreadable
 * rows are quarantined in quarantined_row. One commit makes everything visible, or nothing. After
 * an error, kill -9 or a lost connection, the same call does the whole work again.
 *
 *     const char *folder = "inbox/billing/aws/2026-09";
 *     struct delivery_request request = {
 *         .source = "aws", .label = "billing/aws/2026-09", .path_count = 1, .paths = &folder };
 *     if (!ingest_billing(connection, &request, &summary, error)) …
 *
 * The format interprets the columns (billing_format.h). Memory does not grow with the bill.
 */
#ifndef KSTAR_INGEST_BILL_BILLING_H
#define KSTAR_INGEST_BILL_BILLING_H

#include "ingest/delivery_request.h"

/* Loads one delivery. False with
 *
 * - ERROR_INPUT if it is refused; the current loads stay
 * - ERROR_ATTENTION if it waits for parts that its manifest names, or for a person to accept it
 * - ERROR_DATABASE or ERROR_FAILED if the machine failed
 *
 * `summary->quarantined` counts quarantined rows, and `summary->pruned` bills of pruned months that
 * differ from what was pruned; the caller derives the exit code. The connection must not be in a
 * transaction. A second one to the same server is opened for the dimensions, which are committed
 * before the lines that use them.
 */
bool ingest_billing(PGconn *connection, const struct delivery_request *request,
                    struct ingest_summary *summary, struct error *error);

#endif
