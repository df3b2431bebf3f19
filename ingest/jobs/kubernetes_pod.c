/* ingest/jobs/kubernetes_pod.c: see kubernetes_pod.h. */
#include "ingest/jobs/kubernetes_pod.h"

#include "ingest/jobs/kubernetes_resources.h"
#include "ingest/jobs/node_list.h"
#include "ingest/json_fields.h"

#include <string.h>

struct job_time kubernetes_time(const char *text)
{
    struct job_time time = { 0 };
    time.known = text != NULL && time_parse(text, strlen(text), &time.at);
    return time;
}

void kubernetes_keep_latest(struct job_time *latest, const char *text)
{
    struct job_time time = kubernetes_time(text);
    if (time.known && (!latest->known || time.at > latest->at))
        *latest = time;
}

/* The end of the last container. A pod that lost its node may not show one: then the latest time of
 * its conditions. */
static struct job_time find_end(const cJSON *object)
{
    static const char *const lists[] = { "status.containerStatuses", "status.initContainerStatuses" };
    struct job_time end = { 0 };
    const cJSON *each;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        cJSON_ArrayForEach(each, json_path(object, lists[i]))
            kubernetes_keep_latest(&end, json_text(each, "state.terminated.finishedAt"));
    if (!end.known)
        cJSON_ArrayForEach(each, json_path(object, "status.conditions"))
            kubernetes_keep_latest(&end, json_text(each, "lastTransitionTime"));
    return end;
}

static struct job_time find_start(const cJSON *object)
{
    struct job_time start = kubernetes_time(json_text(object, "status.startTime"));
    const cJSON *each;
    cJSON_ArrayForEach(each, json_path(object, "status.conditions"))
    {
        const char *type = json_text(each, "type");
        if (!start.known && type != NULL && strcmp(type, "PodScheduled") == 0)
            start = kubernetes_time(json_text(each, "lastTransitionTime"));
    }
    return start;
}

/* A missing request equals the limit, as in the cluster. −1 if both are missing. */
static int64_t cpu_thousandths(const cJSON *requests, const cJSON *limits)
{
    const cJSON *cpu = cJSON_GetObjectItemCaseSensitive(requests, "cpu");
    int64_t thousandths =
        kubernetes_thousandths(cpu != NULL ? cpu : cJSON_GetObjectItemCaseSensitive(limits, "cpu"));
    return thousandths < INT32_MAX ? thousandths : -1;
}

static void add_resources(const cJSON *container, struct kubernetes_pod *pod)
{
    const cJSON *limits = json_path(container, "resources.limits");
    const cJSON *requests = json_path(container, "resources.requests");
    int64_t accelerators = kubernetes_accelerators(limits), thousandths = cpu_thousandths(requests, limits);
    pod->accelerators += accelerators > 0 ? accelerators : kubernetes_accelerators(requests);
    pod->thousandths += thousandths > 0 ? thousandths : 0;
}

/* Adds the requests of the containers and of the init containers that run beside them. If the pod
 * as a whole requests CPUs, those count instead. */
static void find_resources(const cJSON *object, struct kubernetes_pod *pod)
{
    const cJSON *container;
    cJSON_ArrayForEach(container, json_path(object, "spec.containers")) add_resources(container, pod);
    cJSON_ArrayForEach(container, json_path(object, "spec.initContainers"))
    {
        const char *policy = json_text(container, "restartPolicy");
        if (policy != NULL && strcmp(policy, "Always") == 0)
            add_resources(container, pod);
    }
    int64_t whole = cpu_thousandths(json_path(object, "spec.resources.requests"),
                                    json_path(object, "spec.resources.limits"));
    if (whole > 0)
        pod->thousandths = whole;
}

/* Why a pod failed: the reason of the kubelet, then of the control plane, then of its
 * containers. */
static const char *failure(const cJSON *object)
{
    static const struct {
        const char *reason, *state;
    } reasons[] = {
        { "DeadlineExceeded", "TIMEOUT" },
        { "OOMKilled", "OUT_OF_MEMORY" },
        { "NodeLost", "NODE_FAIL" },
        { "Shutdown", "NODE_FAIL" },
        { "NodeShutdown", "NODE_FAIL" },
        { "Terminated", "NODE_FAIL" },
        { "TerminationByKubelet", "NODE_FAIL" },
        { "DeletionByPodGC", "NODE_FAIL" },
        { "DeletionByTaintManager", "NODE_FAIL" },
        { "Preempting", "PREEMPTED" },
        { "PreemptionByScheduler", "PREEMPTED" },
        { "EvictionByEvictionAPI", "PREEMPTED" },
        { "Evicted", "PREEMPTED" },
    };
    const char *pod_reasons[8] = { json_text(object, "status.reason") };
    size_t count = 1;
    const cJSON *each;
    cJSON_ArrayForEach(each, json_path(object, "status.conditions"))
    {
        const char *type = json_text(each, "type");
        if (type != NULL && strcmp(type, "DisruptionTarget") == 0 && count < 4)
            pod_reasons[count++] = json_text(each, "reason");
    }
    cJSON_ArrayForEach(each, json_path(object, "status.containerStatuses"))
    {
        if (count < sizeof pod_reasons / sizeof pod_reasons[0])
            pod_reasons[count++] = json_text(each, "state.terminated.reason");
    }
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; pod_reasons[i] != NULL && j < sizeof reasons / sizeof reasons[0]; j++)
            if (strcmp(pod_reasons[i], reasons[j].reason) == 0)
                return reasons[j].state;
    return "FAILED";
}

bool kubernetes_pod_read(const cJSON *object, struct kubernetes_pod *pod, const char **member,
                         const char **reason)
{
    const char *phase = json_text(object, "status.phase");
    *pod = (struct kubernetes_pod){ .node = json_text(object, "spec.nodeName"), .state = "RUNNING" };
    if (phase == NULL || strcmp(phase, "Pending") == 0)
        pod->state = "PENDING";
    else if (strcmp(phase, "Succeeded") == 0)
        pod->state = "COMPLETED";
    else if (strcmp(phase, "Failed") == 0)
        pod->state = failure(object);
    if (pod->node == NULL)
        return true;
    *member = "spec.nodeName";
    if (strlen(pod->node) > NODE_NAME_MAXIMUM) {
        *reason = "is longer than 255 bytes";
        return false;
    }
    *member = "status.startTime";
    pod->start = find_start(object);
    if (!pod->start.known) {
        *reason = "has a node and no time since when";
        return false;
    }
    bool is_over = strcmp(pod->state, "PENDING") != 0 && strcmp(pod->state, "RUNNING") != 0;
    if (is_over)
        pod->end = find_end(object);
    if (is_over && (!pod->end.known || pod->end.at < pod->start.at))
        pod->end = pod->start; /* the time that it ran is unknown */
    find_resources(object, pod);
    return true;
}
