/* ingest/jobs/node_list.h: Slurm's host lists: "cpn-f13-[01-03,07],login1",
 * "rack[1-2]node[01-04]-ib".
 *
 * Syntax: names separated by commas; in a name, any number of bracketed lists of numbers and
 * ranges, which multiply; text may follow a bracket. Zero padding counts: [08-10] is 08, 09, 10.
 * The order is that of `scontrol show hostnames`: as written, the last bracket fastest. A name that
 * stands twice comes twice; node_list_different counts it once.
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

/* Expands text[0..length). `visit` NULL only counts, which is also the way to check a list before
 * acting on it. Returns the number of names visited, or −1 with *reason ("a bracket is not closed")
 * where the text is no list. */
int node_list_expand(const char *text, size_t length, node_list_visitor visit, void *context,
                     const char **reason);

/* How many names text[0..length) lists, if it is a list: counted by its ranges, in the time that
 * reading the text takes. NODE_LIST_MAXIMUM + 1 stands for all that is more. */
int64_t node_list_count(const char *text, size_t length);

/* How many of the `count` names that node_list_expand read from text[0..length) differ. */
int node_list_different(const char *text, size_t length, int count);

#endif
