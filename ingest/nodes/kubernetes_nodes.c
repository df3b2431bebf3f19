/* ingest/nodes/kubernetes_nodes.c: `kubectl get nodes -o json`: the nodes that a cluster has now,
 * and the machine of each.
 *
 * The file is a snapshot: a node that no longer exists is not in it. It has no time of its own, so
 * its latest heartbeat shows when it was made (a kubelet reports every five minutes at least). The
 * machine is spec.providerID, in the form of the provider. A node without one, such as a company's
 * own machine, is a resource by its own name.
 */
#include "base/time_text.h"
#include "ingest/jobs/kubernetes_resources.h"
#include "ingest/json_fields.h"
#include "ingest/json_records.h"
#include "ingest/nodes/node_format.h"

#include <string.h>

static const char *const keys[] = { "items", NULL };

static void *kubernetes_open(const char *path, const char *delimiter, struct error *error)
{
    (void)delimiter;
    return json_records_open(path, keys, error);
}

/* The text of a member whose name contains dots. */
static const char *member_text(const cJSON *object, const char *name)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsString(member) && member->valuestring[0] != '\0' ? member->valuestring : NULL;
}

/* ---- which machine ---- */

static const char *behind_last_slash(const char *text)
{
    const char *slash = strrchr(text, '/');
    return slash != NULL && slash[1] != '\0' ? slash + 1 : text;
}

/* The resource with the name that it has on the bill of the provider:
 *   aws:///eu-west-1a/i-0abc                        i-0abc
 *   azure:///subscriptions/…/virtualMachines/vm-1   /subscriptions/…/virtualMachines/vm-1
 *   gce://project/zone/name                         the number in GKE's annotation; else name
 *   SCHEME://…                                      the rest, without its leading slashes */
static const char *resource_of(const cJSON *node, const char *provider_id)
{
    const char *rest = strstr(provider_id, "://");
    if (rest == NULL)
        return provider_id;
    rest += 3;
    if (strncmp(provider_id, "azure:", 6) == 0)
        return rest;
    if (strncmp(provider_id, "gce:", 4) == 0) {
        const char *number =
            member_text(json_path(node, "metadata.annotations"), "container.googleapis.com/instance_id");
        return number != NULL ? number : behind_last_slash(rest);
    }
    return strncmp(provider_id, "aws:", 4) == 0 ? behind_last_slash(rest) : rest + strspn(rest, "/");
}

static const char *type_of(const cJSON *node)
{
    const cJSON *labels = json_path(node, "metadata.labels");
    const char *type = member_text(labels, "node.kubernetes.io/instance-type");
    return type != NULL ? type : member_text(labels, "beta.kubernetes.io/instance-type");
}

/* ---- when ---- */

static bool read_time(const char *text, struct node_time *time)
{
    time->known = text != NULL && time_parse(text, strlen(text), &time->at);
    return time->known;
}

/* The latest heartbeat, or the creation without one. */
static struct node_time last_sign_of_life(const cJSON *node, const struct node_time *created)
{
    struct node_time latest = *created, heartbeat;
    const cJSON *condition;
    cJSON_ArrayForEach(
        condition,
        json_path(node, "status.conditions")) if (read_time(json_text(condition, "lastHeartbeatTime"),
                                                            &heartbeat) &&
                                                  heartbeat.at > latest.at) latest = heartbeat;
    return latest;
}

/* ---- records ---- */

static enum node_outcome read_record(const cJSON *node, struct node_record *record)
{
    const char *kind = json_text(node, "kind"), *provider_id = json_text(node, "spec.providerID");
    const cJSON *capacity = json_path(node, "status.capacity");
    if (!cJSON_IsObject(node))
        return node_record_quarantine(record, NULL, "is not an object");
    if (kind != NULL && strcmp(kind, "Node") != 0)
        return NODE_IGNORED;
    record->node = slice_of(json_text(node, "metadata.name"));
    record->resource_id = provider_id != NULL ? slice_of(resource_of(node, provider_id)) : record->node;
    record->node_type = slice_of(type_of(node));
    record->has_offset = true;
    if (!read_time(json_text(node, "metadata.creationTimestamp"), &record->start))
        return node_record_quarantine(record, "metadata.creationTimestamp", "is not a time");
    record->seen = last_sign_of_life(node, &record->start);
    if (cJSON_IsObject(capacity)) {
        int64_t cpus = kubernetes_thousandths(cJSON_GetObjectItemCaseSensitive(capacity, "cpu"));
        record->accelerators = kubernetes_accelerators(capacity);
        record->cpus = cpus >= 0 ? cpus / 1000 : -1;
    }
    return node_record_check(record) ? NODE_RECORD : NODE_QUARANTINED;
}

static enum node_outcome kubernetes_next(void *reader, struct node_record *record, struct error *error)
{
    return node_json_next(reader, read_record, record, error);
}

const struct node_format kubernetes_format = {
    .name = "kubernetes",
    .is_snapshot = true,
    .open = kubernetes_open,
    .next = kubernetes_next,
    .close = node_json_close,
};
