/* ingest/delivery_request.h: a delivery, as a night or a command asks for it. ingest_billing,
 * ingest_jobs, ingest_nodes, ingest_efficiency and ingest_reference all take it; a kind of delivery
 * without a use for a field does not look at it. */
#ifndef KSTAR_INGEST_DELIVERY_REQUEST_H
#define KSTAR_INGEST_DELIVERY_REQUEST_H

#include "base/error.h"
#include "ingest/known_deliveries.h"
#include "ingest/summary.h"

#include <libpq-fe.h>
#include <stdbool.h>

struct delivery_request {
    /* who delivers: of bills, jobs and nodes. Of jobs and nodes usually the cluster: its name is
     * the cluster of records that name none. sources.csv may say more about it */
    const char *source;
    /* the delivery's place: a later delivery with the same label replaces it. NULL, except of
     * bills: "jobs/SOURCE/NAME" of the file, and the like */
    const char *label;
    const char *inbox; /* the inbox in which it lies, absolute; NULL: elsewhere */
    /* of jobs: those of the source, and what is known of it; NULL: to be asked */
    struct known_deliveries *known;
    int path_count; /* 1 of jobs, nodes and measurements */
    /* files; of bills and reference files also folders whose files are meant */
    const char *const *paths;
    const char *format;    /* NULL: what sources.csv says, else what the files show */
    const char *delimiter; /* of jobs; NULL: what sources.csv says, else the format's */
    /* of jobs; NULL: what the file `columns` beside it says, else the format's */
    const char *columns;
    bool strict; /* a record that cannot be read refuses the delivery */
    bool accept; /* loads a delivery that would be held, too (delivery_guard.h) */
    /* of bills: lines that reappear under another period: withdraw them, or let both stand */
    bool moved, both;
    bool dry_run; /* nothing of it stays; bills and jobs have a preview instead */
};

/* Loads one delivery of a kind. The connection must not be in a transaction. */
typedef bool ingest_delivery(PGconn *connection, const struct delivery_request *request,
                             struct ingest_summary *summary, struct error *error);

#endif
