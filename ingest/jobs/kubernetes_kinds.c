/* ingest/jobs/kubernetes_kinds.c: see kubernetes_kinds.h. */
#include "ingest/jobs/kubernetes_kinds.h"

#include "ingest/json_fields.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- conditions ---- */

static const cJSON *condition(const cJSON *object, const char *type)
{
    const cJSON *each;
    cJSON_ArrayForEach(each, json_path(object, "status.conditions"))
    {
        const char *found = json_text(each, "type");
        if (found != NULL && strcmp(found, type) == 0)
            return each;
    }
    return NULL;
}

/* The condition, if its status is True. */
static const cJSON *holding(const cJSON *object, const char *type)
{
    const cJSON *found = condition(object, type);
    const char *status = json_text(found, "status");
    return status != NULL && strcmp(status, "True") == 0 ? found : NULL;
}

static const char *since(const cJSON *found)
{
    return json_text(found, "lastTransitionTime");
}

static bool is_suspended(const cJSON *object)
{
    return cJSON_IsTrue(json_path(object, "spec.suspend")) || holding(object, "Suspended") != NULL;
}

static void set(struct kubernetes_course *course, const char *state, const char *text)
{
    course->state = state;
    course->state_text = text;
}

/* A condition that ends a job; false if it does not hold. */
static bool ends_by(const cJSON *object, const char *type, const char *state,
                    struct kubernetes_course *course)
{
    const cJSON *found = holding(object, type);
    if (found == NULL)
        return false;
    const char *reason = json_text(found, "reason");
    set(course, state, type);
    if (reason != NULL && strcmp(reason, "DeadlineExceeded") == 0)
        set(course, "TIMEOUT", reason);
    if (course->end == NULL)
        course->end = since(found);
    return true;
}

/* A job that is not over: suspended jobs have no pods, and a job without start waits. */
static void not_over(const cJSON *object, struct kubernetes_course *course)
{
    if (is_suspended(object)) {
        set(course, "PENDING", "Suspended");
        course->is_stopped = true;
        course->end = since(holding(object, "Suspended"));
    } else if (course->start == NULL) {
        set(course, "PENDING", "Pending");
    } else {
        set(course, "RUNNING", "Running");
    }
}

/* ---- counts ---- */

static const int64_t COUNT_MAXIMUM = (int64_t)INT32_MAX + 1;

static int64_t count_at(const cJSON *object, const char *path, int64_t otherwise)
{
    int64_t count;
    return json_integer(json_path(object, path), &count) && count >= 0 && count <= INT32_MAX ? count
                                                                                             : otherwise;
}

/* Adds times × count. A sum beyond COUNT_MAXIMUM, which no record may have, stays there. */
static int64_t add_product(int64_t sum, int64_t times, int64_t count)
{
    int64_t more = times * count; /* each is at most INT32_MAX */
    sum = sum < 0 ? 0 : sum;
    return more < COUNT_MAXIMUM - sum ? sum + more : COUNT_MAXIMUM;
}

/* The sum of a count over an array; −1 if the array is empty. */
static int64_t sum_of(const cJSON *array, const char *path, int64_t otherwise)
{
    const cJSON *each;
    int64_t sum = -1;
    cJSON_ArrayForEach(each, array) sum = add_product(sum, 1, count_at(each, path, otherwise));
    return sum;
}

/* ---- kinds ---- */

/* completionTime is set only after success. The end of a failed job is when its condition
 * changed. */
static void read_job(const cJSON *object, struct kubernetes_course *course)
{
    course->start = json_text(object, "status.startTime");
    course->end = json_text(object, "status.completionTime");
    course->workers = count_at(object, "spec.parallelism", 1);
    if (!ends_by(object, "Complete", "COMPLETED", course) && !ends_by(object, "Failed", "FAILED", course))
        not_over(object, course);
}

/* Sums spec.pytorchReplicaSpecs: { "Master": { "replicas": 1 }, "Worker": { "replicas": 3 } }; each
 * kind has another name for it. A launcher only starts the others and is not counted. */
static int64_t replicas_of(const cJSON *object)
{
    static const char suffix[] = "ReplicaSpecs";
    const cJSON *member, *role;
    int64_t sum = -1;
    cJSON_ArrayForEach(member, json_path(object, "spec"))
    {
        size_t length = member->string != NULL ? strlen(member->string) : 0;
        if (length < sizeof suffix || strcmp(member->string + length - (sizeof suffix - 1), suffix) != 0)
            continue;
        cJSON_ArrayForEach(role, member)
        {
            if (role->string != NULL && strcmp(role->string, "Launcher") != 0)
                sum = add_product(sum, 1, count_at(role, "replicas", 1));
        }
    }
    return sum;
}

static void read_kubeflow(const cJSON *object, struct kubernetes_course *course)
{
    course->start = json_text(object, "status.startTime");
    course->end = json_text(object, "status.completionTime");
    course->workers = replicas_of(object);
    if (!ends_by(object, "Succeeded", "COMPLETED", course) && !ends_by(object, "Failed", "FAILED", course))
        not_over(object, course);
}

/* TrainJob and JobSet have no start time. They start when they are resumed after a suspension,
 * otherwise when they are created. */
static void start_when_resumed(const cJSON *object, struct kubernetes_course *course)
{
    const cJSON *suspended = condition(object, "Suspended");
    if (!is_suspended(object))
        course->start =
            suspended != NULL ? since(suspended) : json_text(object, "metadata.creationTimestamp");
}

static void read_train_job(const cJSON *object, struct kubernetes_course *course)
{
    start_when_resumed(object, course);
    course->workers = count_at(object, "spec.trainer.numNodes", -1);
    if (!ends_by(object, "Complete", "COMPLETED", course) && !ends_by(object, "Failed", "FAILED", course))
        not_over(object, course);
}

static void read_job_set(const cJSON *object, struct kubernetes_course *course)
{
    const cJSON *group;
    start_when_resumed(object, course);
    cJSON_ArrayForEach(group, json_path(object, "spec.replicatedJobs")) course->workers = add_product(
        course->workers, count_at(group, "replicas", 1), count_at(group, "template.spec.parallelism", 1));
    if (!ends_by(object, "Completed", "COMPLETED", course) && !ends_by(object, "Failed", "FAILED", course))
        not_over(object, course);
}

/* The conditions of a Volcano job are its history of phases: { "status": "Running",
 * "lastTransitionTime": … }. Terminated means that a policy ended the job because a pod failed or
 * was evicted. Aborted means that the user ended it. */
static void read_volcano(const cJSON *object, struct kubernetes_course *course)
{
    static const struct {
        const char *phase, *state;
    } phases[] = { { "Pending", "PENDING" },     { "Running", "RUNNING" },   { "Restarting", "RUNNING" },
                   { "Completing", "RUNNING" },  { "Aborting", "RUNNING" },  { "Terminating", "RUNNING" },
                   { "Completed", "COMPLETED" }, { "Aborted", "CANCELLED" }, { "Terminated", "FAILED" },
                   { "Failed", "FAILED" } };
    const char *phase = json_text(object, "status.state.phase");
    const cJSON *each;
    course->queue = json_text(object, "spec.queue");
    course->workers = sum_of(json_path(object, "spec.tasks"), "replicas", 1);
    cJSON_ArrayForEach(each, json_path(object, "status.conditions"))
    {
        const char *was = json_text(each, "status");
        if (was != NULL && strcmp(was, "Running") == 0 && course->start == NULL)
            course->start = since(each);
    }
    set(course, phase != NULL ? "UNKNOWN" : "PENDING", phase != NULL ? phase : "Pending");
    for (size_t i = 0; phase != NULL && i < sizeof phases / sizeof phases[0]; i++)
        if (strcmp(phase, phases[i].phase) == 0)
            course->state = phases[i].state;
    if (strcmp(course->state, "RUNNING") != 0 && strcmp(course->state, "PENDING") != 0)
        course->end = json_text(object, "status.state.lastTransitionTime");
}

/* The state for Kueue's reason to evict a workload. */
static const char *eviction_state(const char *reason)
{
    static const struct {
        const char *reason, *state;
    } reasons[] = { { "Preempted", "PREEMPTED" },
                    { "NodeFailures", "NODE_FAIL" },
                    { "PodsReadyTimeout", "BOOT_FAIL" },
                    { "MaximumExecutionTimeExceeded", "TIMEOUT" },
                    { "Deactivated", "CANCELLED" } };
    for (size_t i = 0; reason != NULL && i < sizeof reasons / sizeof reasons[0]; i++)
        if (strncmp(reason, reasons[i].reason, strlen(reasons[i].reason)) == 0)
            return reasons[i].state;
    return "PREEMPTED";
}

/* An evicted workload has no time of admission any more. Kueue has the seconds that it ran in all
 * its admissions. They are those of this admission only if it was the first. */
static void read_eviction(const cJSON *object, const cJSON *evicted, struct kubernetes_course *course)
{
    int64_t past = count_at(object, "status.accumulatedPastExecutionTimeSeconds",
                            count_at(object, "status.accumulatedPastExexcutionTimeSeconds", -1));
    const cJSON *evictions = json_path(object, "status.schedulingStats.evictions");
    course->end = since(evicted);
    if (past <= 0 || sum_of(evictions, "count", 1) > 1) {
        set(course, "PENDING", "Evicted");
        course->is_stopped = true;
        return;
    }
    course->elapsed_seconds = past;
    set(course, eviction_state(json_text(evicted, "reason")), json_text(evicted, "reason"));
}

static void read_workload(const cJSON *object, struct kubernetes_course *course)
{
    const cJSON *finished = holding(object, "Finished"), *evicted = holding(object, "Evicted");
    const cJSON *admitted = holding(object, "Admitted");
    const cJSON *assigned = json_path(object, "status.admission.podSetAssignments");
    course->queue = json_text(object, "spec.queueName");
    course->workers =
        sum_of(cJSON_GetArraySize(assigned) > 0 ? assigned : json_path(object, "spec.podSets"), "count", 1);
    course->start = admitted != NULL ? since(admitted) : NULL;
    if (finished != NULL) {
        const char *reason = json_text(finished, "reason");
        bool failed = reason != NULL && strcmp(reason, "Failed") == 0;
        set(course, failed ? "FAILED" : "COMPLETED", reason != NULL ? reason : "Finished");
        course->end = since(finished);
    } else if (admitted == NULL && evicted != NULL) {
        read_eviction(object, evicted, course);
    } else {
        not_over(object, course);
    }
}

/* The hosts of the worker groups and the head. */
static int64_t ray_hosts(const cJSON *object)
{
    const cJSON *group;
    int64_t hosts = 1;
    cJSON_ArrayForEach(group, json_path(object, "spec.rayClusterSpec.workerGroupSpecs")) hosts =
        add_product(hosts, count_at(group, "replicas", 1), count_at(group, "numOfHosts", 1));
    return hosts;
}

/* startTime is when the making of the cluster began; the pods have better times. The cluster may
 * outlive the job: jobDeploymentStatus may still be Running when jobStatus is final. */
static void read_ray_job(const cJSON *object, struct kubernetes_course *course)
{
    static const struct {
        const char *word, *state;
    } words[] = { { "PENDING", "RUNNING" },
                  { "RUNNING", "RUNNING" },
                  { "SUCCEEDED", "COMPLETED" },
                  { "STOPPED", "CANCELLED" },
                  { "FAILED", "FAILED" } };
    const char *word = json_text(object, "status.jobStatus");
    const char *deployment = json_text(object, "status.jobDeploymentStatus");
    course->start = json_text(object, "status.startTime");
    course->end = json_text(object, "status.endTime");
    course->workers = ray_hosts(object);
    if (word == NULL && deployment != NULL && strcmp(deployment, "Failed") == 0)
        set(course, "FAILED", deployment);
    else if (word == NULL || is_suspended(object))
        not_over(object, course);
    else
        set(course, "UNKNOWN", word);
    for (size_t i = 0; word != NULL && i < sizeof words / sizeof words[0]; i++)
        if (strcmp(course->state, "UNKNOWN") == 0 && strcmp(word, words[i].word) == 0)
            course->state = words[i].state;
}

/* ---- the table ---- */

bool kubernetes_kind_name(const cJSON *object, char *name, size_t size)
{
    const char *version = json_text(object, "apiVersion"), *kind = json_text(object, "kind");
    const char *slash = version != NULL ? strrchr(version, '/') : NULL;
    int length = kind == NULL ? -1
                              : snprintf(name, size, "%.*s%s", slash != NULL ? (int)(slash - version + 1) : 0,
                                         slash != NULL ? version : "", kind);
    return length > 0 && (size_t)length < size;
}

kubernetes_kind kubernetes_kind_of(const char *api_version, const char *kind)
{
    static const struct {
        const char *group, *kind;
        kubernetes_kind read;
    } kinds[] = {
        { "batch/", "Job", read_job },
        { "kubeflow.org/", "PyTorchJob", read_kubeflow },
        { "kubeflow.org/", "TFJob", read_kubeflow },
        { "kubeflow.org/", "MPIJob", read_kubeflow },
        { "kubeflow.org/", "XGBoostJob", read_kubeflow },
        { "kubeflow.org/", "PaddleJob", read_kubeflow },
        { "kubeflow.org/", "JAXJob", read_kubeflow },
        { "trainer.kubeflow.org/", "TrainJob", read_train_job },
        { "jobset.x-k8s.io/", "JobSet", read_job_set },
        { "batch.volcano.sh/", "Job", read_volcano },
        { "kueue.x-k8s.io/", "Workload", read_workload },
        { "ray.io/", "RayJob", read_ray_job },
    };
    for (size_t i = 0; api_version != NULL && kind != NULL && i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kind, kinds[i].kind) == 0 &&
            strncmp(api_version, kinds[i].group, strlen(kinds[i].group)) == 0)
            return kinds[i].read;
    return NULL;
}
