/* ingest/jobs/kubernetes_index.h: finds the job of each pod in a delivery.
 *
 * An object names its owner by uid, and the owner may have an owner (Pod → Job → JobSet →
 * TrainJob). The root is the last job of this chain that is in the delivery, and the attempt
 * belongs to the root. If the delivery has no job of the chain, the root is the last owner that is
 * named. A job or pod without owner is its own root. A Workload of Kueue represents the job that
 * owns it. The index keeps uids of objects and holds of pods, some hundred bytes each, and the
 * kinds of objects in each namespace.
 *
 *     kubernetes_index_add(index, object, &reason) for each object; kubernetes_index_finish(index);
 *     kubernetes_index_root(index, object, &root); kubernetes_index_pods(index, root.key, &count);
 */
#ifndef KSTAR_INGEST_JOBS_KUBERNETES_INDEX_H
#define KSTAR_INGEST_JOBS_KUBERNETES_INDEX_H

#include "ingest/jobs/job_format.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kubernetes_index;

/* A pod that held a node. */
struct kubernetes_hold {
    uint64_t root;
    int64_t order; /* of the pod in the file */
    size_t node;   /* kubernetes_index_text(); the empty text: it held none */
    struct job_time start, end;
    int64_t thousandths, accelerators; /* CPUs in thousandths */
    const char *state;
};

struct kubernetes_root {
    uint64_t key;                      /* hash of its uid */
    struct text_slice uid, name, kind; /* the object's or the index's */
    bool is_here;                      /* another object of the delivery, which is a job */
    /* a Deployment, StatefulSet or DaemonSet, or the node itself: its pods are no job */
    bool is_service;
};

struct kubernetes_index *kubernetes_index_new(void);
void kubernetes_index_free(struct kubernetes_index *index); /* NULL is allowed */

/* Adds an object. False with *reason if it is unreadable: it has no uid, or is an invalid Pod. */
bool kubernetes_index_add(struct kubernetes_index *index, const cJSON *object, const char **reason);

/* Call after the last object and before any query. The limits in `options` decide which times
 * count. */
void kubernetes_index_finish(struct kubernetes_index *index, const struct job_format_options *options);

/* The root of an added object; false if it is unreadable. */
bool kubernetes_index_root(const struct kubernetes_index *index, const cJSON *object,
                           struct kubernetes_root *root);

/* The pods of a root in the order of the file; owned by the index. NULL if there are none. */
const struct kubernetes_hold *kubernetes_index_pods(const struct kubernetes_index *index, uint64_t root,
                                                    size_t *count);
const char *kubernetes_index_text(const struct kubernetes_index *index, size_t offset);

/* The kinds of objects in the delivery, by namespace, each once; owned by the index. */
const struct job_scope *kubernetes_index_scopes(const struct kubernetes_index *index, size_t *count);

/* The latest time in an object. */
struct job_time kubernetes_index_time(const cJSON *object);

/* The latest time of all objects, without times far after all others: when the delivery was made,
 * as far as it shows. */
struct job_time kubernetes_index_seen(const struct kubernetes_index *index);

#endif
