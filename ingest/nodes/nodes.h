/* ingest/nodes/nodes.h: node inventory into the database: which cloud resource a node was, and
 * when.
 *
 * A delivery is one file: `sacctmgr -P show instance`, slurmrestd's instances, `kubectl get nodes
 * -o json` (docs/nodes.md). The same content under the same label again: nothing happens. Otherwise
 * its records are kept as delivered (delivered_node), those that cannot be read in quarantined_row,
 * and the inventory that allocation reads is made anew from all of them and nodes.csv. All of it is
 * one transaction. A row that a later file lacks stays, except in a snapshot, where its node ends.
 *
 *     const char *file = "inbox/nodes/phillips/2026-09-30.txt";
 *     struct delivery_request request = {
 *         .source = "phillips", .path_count = 1, .paths = &file };
 *     if (!ingest_nodes(connection, &request, &summary, error)) …
 */
#ifndef KSTAR_INGEST_NODES_NODES_H
#define KSTAR_INGEST_NODES_NODES_H

#include "ingest/delivery_request.h"

/* Loads one delivery. False with ERROR_INPUT where it is refused: no such format, a missing column,
 * an empty file, not a single readable record. What was there stays. The connection must not be in
 * a transaction. */
bool ingest_nodes(PGconn *connection, const struct delivery_request *request, struct ingest_summary *summary,
                  struct error *error);

#endif
