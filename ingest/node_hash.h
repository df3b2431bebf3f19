/* ingest/node_hash.h: a hash that decides on which server and in which order lines of a resource
 * are stored.
 *
 * All lines of a node have the same hash, whatever the letter case of its id and the text before
 * its last '/'. SQL has the same function under the same name (sql/schema/01_functions.sql), for
 * nodes of the inventory. Nodes with the same hash by chance are still distinguished
 * (allocate/month_reader.c).
 */
#ifndef KSTAR_INGEST_NODE_HASH_H
#define KSTAR_INGEST_NODE_HASH_H

#include <stddef.h>
#include <stdint.h>

int64_t node_hash(const char *resource_id, size_t length);

/* Hashes of the latest resources: a bill repeats them. Zero it before the first use. */
enum { NODE_HASHES = 1 << 14 };
struct node_hashes {
    struct {
        int64_t resource_key, hash;
    } known[NODE_HASHES];
};

/* The same; `resource_key` is the resource's own (dimension.h). */
int64_t node_hash_of(struct node_hashes *hashes, int64_t resource_key, const char *resource_id,
                     size_t length);

#endif
