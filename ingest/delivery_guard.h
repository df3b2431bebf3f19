/* ingest/delivery_guard.h: holds a delivery for a person if it covers less than the one that it
 * would replace, is charged already, or is mostly unreadable.
 *
 * A shorter delivery is more often a broken export than a smaller bill. So before a load becomes
 * current, it is compared with the load that it replaces: by billed cost in each currency (setting
 * held_below_share), and by the days that Usage lines of a week or less cover (held_days_fewer; of
 * all lines if there are none). If the earlier load came from another folder, it may be the bill of
 * another account, so accounts are compared, too. Lines that already count under another source
 * would be charged twice. A held delivery changes nothing. The table held_delivery keeps the hash
 * of its content until somebody accepts it, another delivery replaces it, or it is removed from the
 * inbox.
 */
#ifndef KSTAR_INGEST_DELIVERY_GUARD_H
#define KSTAR_INGEST_DELIVERY_GUARD_H

#include "ingest/delivery.h"

/* A held delivery, for messages and for the table held_delivery. Texts are cut between
 * characters: the table refuses a part of one. */
struct delivery_hold {
    char reason[768];           /* "" while nothing is held */
    char billing_periods[1408]; /* that stay open until then: "2026-08-01 2026-09-01" */
    /* the person must say whether lines moved, not accept the delivery */
    bool asks_if_moved;
    char answers[2304]; /* commands that answer it, in words */
};

/* Whether this content is held already. Hashes it only if a hold has its source and label. */
bool delivery_guard_known(struct delivery *delivery, PGconn *connection, const char *source,
                          const char *label, struct delivery_hold *hold, struct error *error);

/* Compares load `load_id` with the current one of its source and billing period. Call in the
 * loading transaction, before the load becomes current. */
bool delivery_guard_compare(PGconn *connection, int load_id, struct delivery_hold *hold, struct error *error);

/* The same for a load that would replace one of another label: it is held if the accounts, or else
 * the invoices, that both name had too little of the earlier bill (held_below_share).
 * `billing_period` is that of the load. */
bool delivery_guard_compare_accounts(PGconn *connection, int load_id, const char *billing_period,
                                     struct delivery_hold *hold, struct error *error);

/* Looks for the content of the delivery under other sources (delivery_content.h). Call in the
 * loading transaction, too. */
bool delivery_guard_repeated(const struct delivery *delivery, PGconn *connection, struct delivery_hold *hold,
                             struct error *error);

/* The question about lines that reappear under another billing period (billing_moved.h). */
bool delivery_guard_moved(PGconn *connection, struct delivery_hold *hold, struct error *error);

/* Holds a file whose records are mostly unreadable, which is more often a broken export than so
 * many broken rows. Otherwise `reason` stays unchanged. */
void delivery_guard_unreadable(const char *file, int64_t quarantined, int64_t records, const char *first,
                               char *reason, size_t size);

/* Records a hold, in its own transaction, with its inbox (absolute; NULL: elsewhere); deletes it,
 * in the loading transaction. */
bool delivery_guard_remember(struct delivery *delivery, PGconn *connection, const char *source,
                             const char *label, const char *inbox, const struct delivery_hold *hold,
                             struct error *error);
bool delivery_guard_forget(PGconn *connection, const char *source, const char *label, struct error *error);

/* Forgets held deliveries that are no longer in this inbox. */
bool delivery_guard_sweep(PGconn *connection, const char *inbox, struct error *error);

/* The error of a held delivery (ERROR_ATTENTION); returns false. */
bool delivery_guard_refuse(const char *label, const struct delivery_hold *hold, struct error *error);

#endif
