/* ingest/jobs/kubernetes_pod.h: what a Pod says: the node that it held and when, what of it, and
 * how it ended. Pure. */
#ifndef KSTAR_INGEST_JOBS_KUBERNETES_POD_H
#define KSTAR_INGEST_JOBS_KUBERNETES_POD_H

#include "ingest/jobs/job_format.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

struct kubernetes_pod {
    const char *node;      /* the object's text; NULL: never scheduled, holds nothing */
    struct job_time start; /* when its node took it */
    struct job_time end;   /* not known while it runs */
    int64_t thousandths;   /* of CPUs that it requests */
    int64_t accelerators;
    const char *state; /* Slurm's: PENDING, RUNNING, COMPLETED, or why it failed */
};

/* False with the member and *reason where it has no such form. */
bool kubernetes_pod_read(const cJSON *object, struct kubernetes_pod *pod, const char **member,
                         const char **reason);

/* A time of an object; not known where `text` is NULL or none. */
struct job_time kubernetes_time(const char *text);

/* Moves *latest to such a time where that is later. */
void kubernetes_keep_latest(struct job_time *latest, const char *text);

#endif
