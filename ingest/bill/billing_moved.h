/* ingest/bill/billing_moved.h: lines that move from one billing period to another.
 *
 * A delivery does not change a billing period that it does not have: a rolling export drops its
 * oldest month. But if lines of a dropped period reappear under another one, they would be charged
 * twice. So lines are compared by account, resource, SKU, charge period, currency and both costs
 * (view line_identity), and by how often each appears. The steps are sql/ingest/moved_*.sql. A
 * delivery that drops no period costs one small query.
 *
 *     billing_moved_find(connection, delivery, &hold, error)   before its loads become current
 *     billing_moved_withdraw(connection, delivery, error)      if a person answers the hold so
 *
 * The remaining lines of the old period become a load of the delivery that moved the others
 * (load.rest_of is the load that they are from). A closed month keeps its lines and is adjusted.
 */
#ifndef KSTAR_INGEST_BILL_BILLING_MOVED_H
#define KSTAR_INGEST_BILL_BILLING_MOVED_H

#include "ingest/delivery_guard.h"

/* What names the delivery: its number and, for the log, its source and label. */
struct moving_delivery {
    int id;
    const char *source, *label;
};

/* Looks for dropped lines in a settled delivery, once, in its transaction. If some reappear, `hold`
 * gets a reason. Charges that reappear with other costs, as late usage does, are only logged. */
bool billing_moved_find(PGconn *connection, const struct moving_delivery *delivery,
                        struct delivery_hold *hold, struct error *error);

/* Withdraws the lines that were found from their old period, and logs it. */
bool billing_moved_withdraw(PGconn *connection, const struct moving_delivery *delivery, struct error *error);

#endif
