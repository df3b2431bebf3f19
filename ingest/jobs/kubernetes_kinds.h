/* ingest/jobs/kubernetes_kinds.h: the workload kinds of Kubernetes that are jobs, and their fields.
 *
 * batch/v1 Job; PyTorchJob, TFJob, MPIJob, XGBoostJob, PaddleJob and JAXJob of Kubeflow's training
 * operator; TrainJob of its trainer; JobSet; Job of Volcano; Workload of Kueue; RayJob of KubeRay.
 * A kind is one function and one row of a table. All of it pure; texts are the object's.
 */
#ifndef KSTAR_INGEST_JOBS_KUBERNETES_KINDS_H
#define KSTAR_INGEST_JOBS_KUBERNETES_KINDS_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The run of an object. Times are its texts; NULL: it has none. */
struct kubernetes_course {
    const char *state;      /* of Slurm; "UNKNOWN" for an unknown word */
    const char *state_text; /* as the object has it */
    const char *start;      /* of the run; a waiting job has none */
    const char *end;
    const char *queue;
    int64_t workers;         /* requested pods; −1: not stated */
    int64_t elapsed_seconds; /* if the end but not the start is known, else −1 */
    bool is_stopped;         /* waiting since its pods were evicted, at `end` if known */
};

typedef void (*kubernetes_kind)(const cJSON *object, struct kubernetes_course *course);

/* The reader for objects of this kind; NULL if they are no jobs: a Pod, a Node, a Service. */
kubernetes_kind kubernetes_kind_of(const char *api_version, const char *kind);

/* The kind of an object with its group but without version: "batch/Job", "Pod". False if it has
 * none or `size` is too small. */
bool kubernetes_kind_name(const cJSON *object, char *name, size_t size);

#endif
