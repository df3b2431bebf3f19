/* ingest/jobs/node_list.h: Slurm's host lists: "cpn-f13-[01-03,07],login1",
 * "rack[1-2]node[01-04]-ib".
 *
 * Syntax: names separated by commas; in a name, any number of bracketed lists of numbers and
 * ranges, which multiply; text may follow a bracket. Zero padding counts: [08-10] is 08, 09, 10.
 * The order is that of `scontrol show hostnames`: as written, the last bracket fastest. A repeated
 * name is returned again; node_list_different counts it once.
 */
#ifndef KSTAR_INGEST_JOBS_NODE_LIST_H
#define KSTAR_INGEST_JOBS_NODE_LIST_H

#include <stddef.h>
#include <stdint.h>

enum {
    NODE_LIST_MAXIMUM = 65536, /* names in one list; more are refused */
    NODE_NAME_MAXIMUM = 255,   /* bytes of one name */
};

/* Called with each name (NUL-terminated, valid during the call). */
typedef void (*node_list_visitor)(void *context, const char *name, size_t length);

/* Expands text[0..length). With `visit` NULL it only counts, which also checks a list before it is
 * used. Returns the number of names visited, or −1 with *reason ("a bracket is not closed") if the
 * text is no list. */
int node_list_expand(const char *text, size_t length, node_list_visitor visit, void *context,
                     const char **reason);

/* The number of names in text[0..length), if it is a list. It is counted by the ranges, so it takes
 * only the time to read the text. NODE_LIST_MAXIMUM + 1 means more than the maximum. */
int64_t node_list_count(const char *text, size_t length);

/* The number of different names among the `count` names of node_list_expand. */
int node_list_different(const char *text, size_t length, int count);

#endif
