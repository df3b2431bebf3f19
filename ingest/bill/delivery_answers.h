/* ingest/bill/delivery_answers.h: ready-made commands with which a person answers a held delivery.
 *
 * What was answered already stands in them: a delivery may be held for one reason after the other.
 */
#ifndef KSTAR_INGEST_BILL_DELIVERY_ANSWERS_H
#define KSTAR_INGEST_BILL_DELIVERY_ANSWERS_H

#include "ingest/bill/billing_request.h"
#include "ingest/delivery_guard.h"

/* Fills hold->answers. A delivery in an inbox is named by its place, any other as it was given. */
void delivery_answers_write(const struct billing_request *request, struct delivery_hold *hold);

#endif
