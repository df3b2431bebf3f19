/* ingest/bill/billing_moved.h: lines that move from one billing period to another.
 *
 * A delivery that no longer has a billing period leaves it as it is: a rolling export drops its
 * oldest month. Where the lines of such a period reappear under another one, though, they would be
 * charged twice. So they are compared, as often as each of them stands there, by account, resource,
 * SKU, charge period, currency and both costs (view line_identity); the steps are
 * sql/ingest/moved_*.sql. A delivery that drops nothing costs one small query.
 *
 *     billing_moved_find(connection, delivery, &hold, error)   before its loads become current
 *     billing_moved_withdraw(connection, delivery, error)      if a person answers the hold so
 *
 * What is left of a period after its lines have moved is a load of the delivery that moved them
 * (load.rest_of says whose lines they are). A closed month keeps the lines that it was closed with,
 * and is adjusted.
 */
#ifndef KSTAR_INGEST_BILL_BILLING_MOVED_H
#define KSTAR_INGEST_BILL_BILLING_MOVED_H

#include "ingest/delivery_guard.h"

/* What names the delivery: its number and, for the log, its source and label. */
struct moving_delivery {
    int id;
    const char *source, *label;
};

/* Looks for dropped lines in a settled delivery: `hold` has a reason where some reappear. In its
 * transaction, once. Charges that reappear with other costs are logged: late usage does that. */
bool billing_moved_find(PGconn *connection, const struct moving_delivery *delivery,
                        struct delivery_hold *hold, struct error *error);

/* Withdraws the lines that were found from where they stood, and logs it. */
bool billing_moved_withdraw(PGconn *connection, const struct moving_delivery *delivery, struct error *error);

#endif
