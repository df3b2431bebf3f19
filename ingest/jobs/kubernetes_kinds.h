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

/* What an object says of its run. Times are its texts, NULL where it does not say. */
struct kubernetes_course {
    const char *state;      /* Slurm's; "UNKNOWN" for a word that nobody knows */
    const char *state_text; /* as the object has it */
    const char *start;      /* of the run; a waiting job has none */
    const char *end;
    const char *queue;
    int64_t workers;         /* pods that were asked for; −1 where it does not say */
    int64_t elapsed_seconds; /* where the end but not the start is known; else −1 */
    bool is_stopped;         /* waits since its pods were evicted, at `end` if that is known */
};

typedef void (*kubernetes_kind)(const cJSON *object, struct kubernetes_course *course);

/* How objects of this kind are read; NULL where it is no job: a Pod, a Node, a Service. */
kubernetes_kind kubernetes_kind_of(const char *api_version, const char *kind);

/* An object's kind with its group, whatever the version: "batch/Job", "Pod". False where it has
 * none, or `size` is too small for it. */
bool kubernetes_kind_name(const cJSON *object, char *name, size_t size);

#endif
