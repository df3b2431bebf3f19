/* ingest/bill/billing_preview.h: what a delivery of bills would bring. It reads the files and the
 * source's settings, and writes nothing. What compares a delivery with what is there (a repetition,
 * fewer days, lines that moved) is looked at when it is loaded. */
#ifndef KSTAR_INGEST_BILL_BILLING_PREVIEW_H
#define KSTAR_INGEST_BILL_BILLING_PREVIEW_H

#include "ingest/delivery_request.h"
#include "ingest/preview.h"

/* False where the delivery would be refused, or waits for parts. */
bool ingest_billing_preview(PGconn *connection, const struct delivery_request *request,
                            struct ingest_preview *preview, struct error *error);

#endif
