/* ingest/jobs/kubernetes_index.h: which object of a delivery belongs to which: pods to their job.
 *
 * An object names its owner by uid; the owner may have one itself (Pod → Job → JobSet → TrainJob).
 * The last job of the chain that is in the delivery is the root: the attempt is the root's. Where
 * none is there, it is the last owner that is named, and a job or bare pod without owner is its
 * own. A Workload of Kueue stands for the job that owns it. Kept of a file are its objects' uids
 * and its pods' holds, some hundred bytes of each, whatever the objects' size, and which kinds of
 * objects stand in which namespace.
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

/* A pod that held a node; node is the index's. */
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
    bool is_here;                      /* another object of the delivery, and a job */
    /* a Deployment, StatefulSet or DaemonSet, or the node itself: its pods are no job */
    bool is_service;
};

struct kubernetes_index *kubernetes_index_new(void);
void kubernetes_index_free(struct kubernetes_index *index); /* NULL is allowed */

/* Keeps what the object says. False with *reason where it can't be read: it has no uid, or is a Pod
 * without a form. */
bool kubernetes_index_add(struct kubernetes_index *index, const cJSON *object, const char **reason);

/* After the last object, before any question. The bounds of `options` say which times count. */
void kubernetes_index_finish(struct kubernetes_index *index, const struct job_format_options *options);

/* The root of an object that was added; false if it can't be read. */
bool kubernetes_index_root(const struct kubernetes_index *index, const cJSON *object,
                           struct kubernetes_root *root);

/* The pods of a root in the order of the file; the index's. NULL where there are none. */
const struct kubernetes_hold *kubernetes_index_pods(const struct kubernetes_index *index, uint64_t root,
                                                    size_t *count);
const char *kubernetes_index_text(const struct kubernetes_index *index, size_t offset);

/* The kinds of objects that are in the delivery, by namespace, each once; the index's. */
const struct job_scope *kubernetes_index_scopes(const struct kubernetes_index *index, size_t *count);

/* The latest time that stands in an object. */
struct job_time kubernetes_index_time(const cJSON *object);

/* The latest such time of all objects, without those far after every other: when the delivery was
 * made, as far as it says. */
struct job_time kubernetes_index_seen(const struct kubernetes_index *index);

#endif
