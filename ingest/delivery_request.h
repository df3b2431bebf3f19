/* ingest/delivery_request.h: a request of a night or a command to load a delivery. ingest_billing,
 * ingest_jobs, ingest_nodes, ingest_efficiency and ingest_reference take it, and ignore fields that
 * they do not use. */
#ifndef KSTAR_INGEST_DELIVERY_REQUEST_H
#define KSTAR_INGEST_DELIVERY_REQUEST_H

#include "base/error.h"
#include "ingest/known_deliveries.h"
#include "ingest/summary.h"

#include <libpq-fe.h>
#include <stdbool.h>

struct delivery_request {
    /* who delivers bills, jobs or nodes. For jobs and nodes usually the cluster: its name is the
     * cluster of records that name none. sources.csv may have more about the source */
    const char *source;
    /* a later delivery with the same label replaces this one. NULL, except for bills:
     * "jobs/SOURCE/NAME" of the file, and the like */
    const char *label;
    const char *inbox; /* the inbox that contains it, absolute; NULL: elsewhere */
    /* of jobs: the known deliveries of the source; NULL: ask the database */
    struct known_deliveries *known;
    int path_count; /* 1 of jobs, nodes and measurements */
    /* files; of bills and reference files also folders whose files are meant */
    const char *const *paths;
    const char *format;    /* NULL: as in sources.csv, else as the files show */
    const char *delimiter; /* of jobs; NULL: as in sources.csv, else of the format */
    /* of jobs; NULL: as in the file `columns` beside it, else of the format */
    const char *columns;
    bool strict; /* a record that cannot be read refuses the delivery */
    bool accept; /* also loads a delivery that would be held (delivery_guard.h) */
    /* of bills: withdraw lines that reappear under another period, or keep both */
    bool moved, both;
    bool dry_run; /* stores nothing; bills and jobs have a preview instead */
};

/* Loads one delivery of a kind. The connection must not be in a transaction. */
typedef bool ingest_delivery(PGconn *connection, const struct delivery_request *request,
                             struct ingest_summary *summary, struct error *error);

#endif
