/* ingest/bill/billing_preview.h: shows what a delivery of bills would store. It reads the files and
 * the settings of the source, and writes nothing. Comparisons with the current data (repetition,
 * fewer days, moved lines) are made only when the delivery is loaded. */
#ifndef KSTAR_INGEST_BILL_BILLING_PREVIEW_H
#define KSTAR_INGEST_BILL_BILLING_PREVIEW_H

#include "ingest/delivery_request.h"
#include "ingest/preview.h"

/* False if the delivery would be refused, or waits for parts. */
bool ingest_billing_preview(PGconn *connection, const struct delivery_request *request,
                            struct ingest_preview *preview, struct error *error);

#endif
