/* ingest/nodes/nodes.h: loads node inventories into the database: which cloud resource a node was,
 * and when.
 *
 * A delivery is one file: `sacctmgr -P show instance`, slurmrestd's instances, `kubectl get nodes
 * -o json` (docs/nodes.md). If the same content was delivered under the same label, nothing
 * happens. Otherwise readable records are stored as delivered (delivered_node), and others in
 * quarantined_row. The inventory for allocation is made anew from all records and nodes.csv, in the
 * same transaction. A row that a later file lacks stays; but if a later snapshot lacks a node, the
 * node ends.
 *
 *     const char *file = "inbox/nodes/phillips/2026-09-30.txt";
 *     struct delivery_request request = {
 *         .source = "phillips", .path_count = 1, .paths = &file };
 *     if (!ingest_nodes(connection, &request, &summary, error)) …
 */
#ifndef KSTAR_INGEST_NODES_NODES_H
#define KSTAR_INGEST_NODES_NODES_H

#include "ingest/delivery_request.h"

/* Loads one delivery. False with ERROR_INPUT if it is refused: unknown format, missing column,
 * empty file, no readable record. The data in force stay. The connection must not be in a
 * transaction. */
bool ingest_nodes(PGconn *connection, const struct delivery_request *request, struct ingest_summary *summary,
                  struct error *error);

#endif
