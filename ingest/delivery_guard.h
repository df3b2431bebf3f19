/* ingest/delivery_guard.h: a delivery that covers less than the one it would replace, or is charged
 * already, or cannot be read for the most part, waits for a person.
 *
 * A shorter delivery is more often a broken export than a smaller bill. So before a load becomes
 * current it is compared with the one that it replaces: by billed cost in each currency (setting
 * held_below_share), and by the days that Usage lines of a week or less cover (held_days_fewer; of
 * all lines if there are none). If the other one came from another folder, it may be another
 * account's bill, so its accounts are compared, too. Lines that count under another source already
 * would be charged twice. A held delivery changes nothing. The table held_delivery keeps its
 * content's hash until somebody accepts the delivery, another one takes its place, or it is removed
 * from the inbox.
 */
#ifndef KSTAR_INGEST_DELIVERY_GUARD_H
#define KSTAR_INGEST_DELIVERY_GUARD_H

#include "ingest/delivery.h"

/* A held delivery, for messages and for the table held_delivery. */
struct delivery_hold {
    char reason[768];           /* "" while nothing is held */
    char billing_periods[1408]; /* that stay open meanwhile: "2026-08-01 2026-09-01" */
    /* the question is whether lines moved, not whether to accept the delivery */
    bool asks_if_moved;
    char answers[2304]; /* with which commands a person ends it, in words */
};

/* Whether this content is held already. Hashes it only if a hold has its source and label. */
bool delivery_guard_known(struct delivery *delivery, PGconn *connection, const char *source,
                          const char *label, struct delivery_hold *hold, struct error *error);

/* Compares load `load_id` with the current one of its source and billing period; to be called in
 * the loading transaction, before it becomes current. */
bool delivery_guard_compare(PGconn *connection, int load_id, struct delivery_hold *hold, struct error *error);

/* The same for one that would replace a load of another label: by the accounts or invoices that
 * most of the money was of. `billing_period` is the load's. */
bool delivery_guard_compare_accounts(PGconn *connection, int load_id, const char *billing_period,
                                     struct delivery_hold *hold, struct error *error);

/* Looks for the content of the delivery among what counts under other sources (delivery_content.h);
 * to be called there, too. */
bool delivery_guard_repeated(const struct delivery *delivery, PGconn *connection, struct delivery_hold *hold,
                             struct error *error);

/* The question about lines that reappear under another billing period (billing_moved.h). */
bool delivery_guard_moved(PGconn *connection, struct delivery_hold *hold, struct error *error);

/* Why a file of which most cannot be read must wait: that is more often a broken export than so
 * many broken rows. `reason` stays where less than that cannot be read. */
void delivery_guard_unreadable(const char *file, int64_t quarantined, int64_t records, const char *first,
                               char *reason, size_t size);

/* Remembers a hold, in a transaction of its own, and the inbox in which it lies (absolute; NULL:
 * elsewhere); forgets it, in the transaction that loads. */
bool delivery_guard_remember(struct delivery *delivery, PGconn *connection, const char *source,
                             const char *label, const char *inbox, const struct delivery_hold *hold,
                             struct error *error);
bool delivery_guard_forget(PGconn *connection, const char *source, const char *label, struct error *error);

/* Forgets held deliveries that are no longer in this inbox. */
bool delivery_guard_sweep(PGconn *connection, const char *inbox, struct error *error);

/* The error of a held delivery (ERROR_ATTENTION); returns false. */
bool delivery_guard_refuse(const char *label, const struct delivery_hold *hold, struct error *error);

#endif
