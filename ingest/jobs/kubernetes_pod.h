/* ingest/jobs/kubernetes_pod.h: reads a Pod: the node and the part of it that it held, when, and
 * how it ended. Pure. */
#ifndef KSTAR_INGEST_JOBS_KUBERNETES_POD_H
#define KSTAR_INGEST_JOBS_KUBERNETES_POD_H

#include "ingest/jobs/job_format.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

struct kubernetes_pod {
    const char *node;      /* the object's text; NULL: never scheduled, holds nothing */
    struct job_time start; /* when the node accepted the pod */
    struct job_time end;   /* not known while the pod runs */
    int64_t thousandths;   /* of CPUs requested */
    int64_t accelerators;
    const char *state; /* Slurm's: PENDING, RUNNING, COMPLETED, or why it failed */
};

/* False with *member and *reason if the object has another form. */
bool kubernetes_pod_read(const cJSON *object, struct kubernetes_pod *pod, const char **member,
                         const char **reason);

/* A time of an object; not known if `text` is NULL or no time. */
struct job_time kubernetes_time(const char *text);

/* Sets *latest to this time if it is later. */
void kubernetes_keep_latest(struct job_time *latest, const char *text);

#endif
