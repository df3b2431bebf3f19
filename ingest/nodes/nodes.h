/* ingest/nodes/nodes.h: node inventory into the database: which cloud resource a node was, and
 * when.
 *
 * A delivery is one file: `sacctmgr -P show instance`, slurmrestd's instances, `kubectl get nodes
 * -o json` (docs/nodes.md). The same content under the same label again: nothing happens. Otherwise
 * its records are kept as delivered (delivered_node), those that cannot be read in rejected_row,
 * and the inventory that allocation reads is made anew from all of them and nodes.csv. All of it is
 * one transaction. A row that a later file lacks stays, except in a snapshot, where its node ends.
 *
 *     struct nodes_request request = { .source = "phillips",
 *                                     .path = "inbox/nodes/phillips/2026-09-30.txt" };
 *     if (!ingest_nodes(connection, &request, &summary, error)) …
 */
#ifndef KSTAR_INGEST_NODES_NODES_H
#define KSTAR_INGEST_NODES_NODES_H

#include "base/error.h"
#include "ingest/summary.h"

#include <libpq-fe.h>
#include <stdbool.h>

struct nodes_request {
    /* who delivers: the cluster; its name is the cluster of records that name none */
    const char *source;
    const char *path;
    const char *label;  /* NULL: "nodes/SOURCE/NAME" of the file */
    const char *format; /* NULL: what sources.csv says, else what the file looks like */
    bool strict;        /* a record that cannot be read refuses the delivery */
    bool dry_run;       /* nothing of it stays */
};

/* Loads one delivery. False with ERROR_INPUT where it is refused: no such format, a missing column,
 * an empty file, not a single readable record. What was there stays. The connection must not be in
 * a transaction. */
bool ingest_nodes(PGconn *connection, const struct nodes_request *request, struct ingest_summary *summary,
                  struct error *error);

#endif
