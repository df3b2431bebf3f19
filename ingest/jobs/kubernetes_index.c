/* ingest/jobs/kubernetes_index.c: see kubernetes_index.h. */
#include "ingest/jobs/kubernetes_index.h"

#include "ingest/jobs/kubernetes_kinds.h"
#include "ingest/jobs/kubernetes_pod.h"
#include "ingest/json_fields.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { KIND_BYTES = 320 };
enum { CHAIN_MAXIMUM = 8 }; /* owners of owners; longer or circular chains end there */

/* An object other than a pod, and its owner. Texts are offsets into the pool, 0 for none. */
struct node {
    uint64_t key, owner;
    size_t uid, name, kind, owner_uid, owner_name, owner_kind;
    bool is_job;
};

/* A kind of objects in a namespace, as offsets into the pool. kubectl prints objects of one kind
 * and namespace together. */
struct scope {
    uint64_t key;
    size_t name_space, kind;
};

struct kubernetes_index {
    struct node *nodes;
    size_t node_count, node_room;
    struct kubernetes_hold *holds;
    size_t hold_count, hold_room;
    struct scope *scopes;
    size_t scope_count, scope_room;
    struct job_scope *shown_scopes; /* the scopes as texts, made at the end */
    char *texts;                    /* NUL-terminated texts; the first is empty */
    size_t text_used, text_room;
    int64_t *times; /* the latest of each object */
    size_t time_count, time_room;
    struct job_time seen;
};

/* ---- room ---- */

/* Returns `array` with room for `needed` elements of `size` bytes, moved if necessary. */
static void *with_room(void *array, size_t *room, size_t needed, size_t size)
{
    if (needed <= *room)
        return array;
    *room = needed < 1024 ? 1024 : needed + needed / 2;
    return realloc(array, *room * size);
}

static size_t keep_text(struct kubernetes_index *index, const char *text)
{
    size_t length = text != NULL ? strlen(text) : 0, offset = index->text_used;
    if (length == 0)
        return 0;
    index->texts = with_room(index->texts, &index->text_room, offset + length + 1, 1);
    memcpy(index->texts + offset, text, length + 1);
    index->text_used += length + 1;
    return offset;
}

struct kubernetes_index *kubernetes_index_new(void)
{
    struct kubernetes_index *index = calloc(1, sizeof *index);
    index->texts = with_room(NULL, &index->text_room, 1, 1);
    index->texts[0] = '\0';
    index->text_used = 1;
    return index;
}

void kubernetes_index_free(struct kubernetes_index *index)
{
    if (index == NULL)
        return;
    free(index->nodes);
    free(index->holds);
    free(index->scopes);
    free(index->shown_scopes);
    free(index->times);
    free(index->texts);
    free(index);
}

/* ---- one object ---- */

static uint64_t key_of(const char *uid)
{
    return uid != NULL ? XXH3_64bits(uid, strlen(uid)) : 0;
}

/* The owner that is the controller, else the first owner. */
static const cJSON *owner_of(const cJSON *object)
{
    const cJSON *owners = json_path(object, "metadata.ownerReferences"), *each;
    cJSON_ArrayForEach(each, owners)
    {
        if (cJSON_IsTrue(json_path(each, "controller")))
            return each;
    }
    return cJSON_GetArrayItem(owners, 0);
}

static bool is_kind(const cJSON *object, const char *kind)
{
    const char *found = json_text(object, "kind");
    return found != NULL && strcmp(found, kind) == 0;
}

struct job_time kubernetes_index_time(const cJSON *object)
{
    static const char *const paths[] = { "metadata.creationTimestamp", "status.startTime",
                                         "status.completionTime", "status.endTime",
                                         "status.state.lastTransitionTime" };
    static const char *const lists[] = { "status.containerStatuses", "status.initContainerStatuses" };
    static const char *const of_conditions[] = { "lastTransitionTime", "lastUpdateTime", "lastProbeTime",
                                                 "lastHeartbeatTime" };
    struct job_time latest = { 0 };
    const cJSON *each;
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        kubernetes_keep_latest(&latest, json_text(object, paths[i]));
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        cJSON_ArrayForEach(each, json_path(object, lists[i]))
            kubernetes_keep_latest(&latest, json_text(each, "state.terminated.finishedAt"));
    cJSON_ArrayForEach(each, json_path(object, "status.conditions"))
    {
        for (size_t i = 0; i < sizeof of_conditions / sizeof of_conditions[0]; i++)
            kubernetes_keep_latest(&latest, json_text(each, of_conditions[i]));
    }
    return latest;
}

static void add_time(struct kubernetes_index *index, const cJSON *object)
{
    struct job_time time = kubernetes_index_time(object);
    if (!time.known)
        return;
    index->times = with_room(index->times, &index->time_room, index->time_count + 1, sizeof *index->times);
    index->times[index->time_count++] = time.at;
}

static bool add_pod(struct kubernetes_index *index, const cJSON *object, const char *uid, const char **reason)
{
    struct kubernetes_pod pod;
    const char *member, *owner = json_text(owner_of(object), "uid");
    if (!kubernetes_pod_read(object, &pod, &member, reason))
        return false;
    index->holds = with_room(index->holds, &index->hold_room, index->hold_count + 1, sizeof *index->holds);
    index->holds[index->hold_count] = (struct kubernetes_hold){ .root = key_of(owner != NULL ? owner : uid),
                                                                .order = (int64_t)index->hold_count,
                                                                .node = keep_text(index, pod.node),
                                                                .start = pod.start,
                                                                .end = pod.end,
                                                                .thousandths = pod.thousandths,
                                                                .accelerators = pod.accelerators,
                                                                .state = pod.state };
    index->hold_count++;
    return true;
}

static void add_node(struct kubernetes_index *index, const cJSON *object, const char *uid)
{
    const cJSON *owner = owner_of(object);
    index->nodes = with_room(index->nodes, &index->node_room, index->node_count + 1, sizeof *index->nodes);
    bool is_job = !is_kind(object, "Workload") &&
                  kubernetes_kind_of(json_text(object, "apiVersion"), json_text(object, "kind")) != NULL;
    index->nodes[index->node_count++] =
        (struct node){ .key = key_of(uid),
                       .owner = key_of(json_text(owner, "uid")),
                       .uid = keep_text(index, uid),
                       .name = keep_text(index, json_text(object, "metadata.name")),
                       .kind = keep_text(index, json_text(object, "kind")),
                       .owner_uid = keep_text(index, json_text(owner, "uid")),
                       .owner_name = keep_text(index, json_text(owner, "name")),
                       .owner_kind = keep_text(index, json_text(owner, "kind")),
                       .is_job = is_job };
}

static void add_scope(struct kubernetes_index *index, const cJSON *object)
{
    char kind[KIND_BYTES];
    const char *name_space = json_text(object, "metadata.namespace");
    if (!kubernetes_kind_name(object, kind, sizeof kind))
        return;
    name_space = name_space != NULL ? name_space : "";
    uint64_t key = XXH3_64bits_withSeed(kind, strlen(kind), XXH3_64bits(name_space, strlen(name_space)));
    if (index->scope_count > 0 && index->scopes[index->scope_count - 1].key == key)
        return;
    index->scopes =
        with_room(index->scopes, &index->scope_room, index->scope_count + 1, sizeof *index->scopes);
    index->scopes[index->scope_count++] = (struct scope){ .key = key,
                                                          .name_space = keep_text(index, name_space),
                                                          .kind = keep_text(index, kind) };
}

bool kubernetes_index_add(struct kubernetes_index *index, const cJSON *object, const char **reason)
{
    const char *uid = json_text(object, "metadata.uid");
    *reason = "has no uid: `kubectl get -o json` writes one";
    if (uid == NULL)
        return false;
    add_time(index, object);
    add_scope(index, object);
    if (is_kind(object, "Pod"))
        return add_pod(index, object, uid, reason);
    add_node(index, object, uid);
    return true;
}

/* ---- roots ---- */

static int by_key(const void *one, const void *other)
{
    const struct node *a = one, *b = other;
    return (a->key > b->key) - (a->key < b->key);
}

static int by_root(const void *one, const void *other)
{
    const struct kubernetes_hold *a = one, *b = other;
    if (a->root != b->root)
        return a->root > b->root ? 1 : -1;
    return (a->order > b->order) - (a->order < b->order);
}

static const struct node *find_node(const struct kubernetes_index *index, uint64_t key)
{
    const struct node wanted = { .key = key };
    return index->node_count == 0 ? NULL
                                  : bsearch(&wanted, index->nodes, index->node_count, sizeof wanted, by_key);
}

/* The end of the chain of owners that begins at a key: the last job in the file and the last object
 * in the file, whose own owner may be missing. Both are NULL if the first object is missing. */
struct chain {
    const struct node *last_job, *last;
};

static struct chain follow(const struct kubernetes_index *index, uint64_t key)
{
    struct chain chain = { 0 };
    const struct node *next = find_node(index, key);
    for (int i = 0; next != NULL && i < CHAIN_MAXIMUM; i++) {
        chain.last = next;
        chain.last_job = next->is_job ? next : chain.last_job;
        next = next->owner != 0 ? find_node(index, next->owner) : NULL;
    }
    return chain;
}

static uint64_t root_key(const struct kubernetes_index *index, uint64_t key)
{
    struct chain chain = follow(index, key);
    if (chain.last_job != NULL)
        return chain.last_job->key;
    if (chain.last == NULL)
        return key;
    return chain.last->owner != 0 ? chain.last->owner : chain.last->key;
}

static int by_scope(const void *one, const void *other)
{
    const struct scope *a = one, *b = other;
    return (a->key > b->key) - (a->key < b->key);
}

/* Lists each scope once, as texts: the pool does not move any more. */
static void show_scopes(struct kubernetes_index *index)
{
    size_t used = 0;
    if (index->scope_count == 0)
        return;
    qsort(index->scopes, index->scope_count, sizeof *index->scopes, by_scope);
    index->shown_scopes = calloc(index->scope_count, sizeof *index->shown_scopes);
    for (size_t i = 0; i < index->scope_count; i++)
        if (i == 0 || index->scopes[i].key != index->scopes[i - 1].key)
            index->shown_scopes[used++] =
                (struct job_scope){ slice_of(index->texts + index->scopes[i].name_space),
                                    slice_of(index->texts + index->scopes[i].kind) };
    index->scope_count = used;
}

static int latest_first(const void *one, const void *other)
{
    const int64_t *a = one, *b = other;
    return (*a < *b) - (*a > *b);
}

/* A wrong time of one object would extend every running job up to it. So the latest time counts
 * only if another time in the file, or the horizon of the source, is near. A first and only time
 * needs no other. */
static void find_seen(struct kubernetes_index *index, const struct job_format_options *options)
{
    const int64_t *times = index->times;
    if (index->time_count > 0)
        qsort(index->times, index->time_count, sizeof *index->times, latest_first);
    for (size_t i = 0; i < index->time_count && !index->seen.known; i++) {
        bool is_first = i + 1 == index->time_count && !options->horizon.known;
        bool is_near = (i + 1 < index->time_count && times[i] - times[i + 1] <= options->horizon_gap) ||
                       (options->horizon.known && times[i] - options->horizon.at <= options->horizon_gap);
        index->seen = (struct job_time){ .known = is_first || is_near, .at = times[i] };
    }
}

void kubernetes_index_finish(struct kubernetes_index *index, const struct job_format_options *options)
{
    find_seen(index, options);
    show_scopes(index);
    if (index->node_count > 0)
        qsort(index->nodes, index->node_count, sizeof *index->nodes, by_key);
    for (size_t i = 0; i < index->hold_count; i++)
        index->holds[i].root = root_key(index, index->holds[i].root);
    if (index->hold_count > 0)
        qsort(index->holds, index->hold_count, sizeof *index->holds, by_root);
}

static bool is_service(struct text_slice kind)
{
    static const char *const services[] = {
        "ReplicaSet", "Deployment", "StatefulSet", "DaemonSet", "ReplicationController", "Node"
    };
    for (size_t i = 0; i < sizeof services / sizeof services[0]; i++)
        if (kind.length == strlen(services[i]) && memcmp(kind.text, services[i], kind.length) == 0)
            return true;
    return false;
}

static struct kubernetes_root root_of_texts(const char *uid, const char *name, const char *kind)
{
    struct kubernetes_root root = {
        .key = key_of(uid), .uid = slice_of(uid), .name = slice_of(name), .kind = slice_of(kind)
    };
    root.is_service = is_service(root.kind);
    return root;
}

static struct kubernetes_root root_of_node(const struct kubernetes_index *index, const struct node *node)
{
    const char *texts = index->texts;
    struct kubernetes_root root = root_of_texts(texts + node->uid, texts + node->name, texts + node->kind);
    root.is_here = node->is_job;
    return root;
}

bool kubernetes_index_root(const struct kubernetes_index *index, const cJSON *object,
                           struct kubernetes_root *root)
{
    const char *uid = json_text(object, "metadata.uid"), *texts = index->texts;
    const cJSON *owner = owner_of(object);
    const char *owner_uid = json_text(owner, "uid");
    struct chain chain = follow(index, key_of(owner_uid));
    if (uid == NULL)
        return false;
    if (chain.last_job != NULL)
        *root = root_of_node(index, chain.last_job);
    else if (owner_uid == NULL || (!is_kind(object, "Pod") && !is_kind(object, "Workload")))
        *root = root_of_texts(uid, json_text(object, "metadata.name"), json_text(object, "kind"));
    else if (chain.last == NULL)
        *root = root_of_texts(owner_uid, json_text(owner, "name"), json_text(owner, "kind"));
    else if (chain.last->owner == 0)
        *root = root_of_node(index, chain.last);
    else
        *root = root_of_texts(texts + chain.last->owner_uid, texts + chain.last->owner_name,
                              texts + chain.last->owner_kind);
    return true;
}

/* The number of holds before those of `root`, or including them. */
static size_t holds_before(const struct kubernetes_index *index, uint64_t root, bool with_them)
{
    size_t low = 0, high = index->hold_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint64_t there = index->holds[middle].root;
        if (there < root || (with_them && there == root))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct kubernetes_hold *kubernetes_index_pods(const struct kubernetes_index *index, uint64_t root,
                                                    size_t *count)
{
    size_t first = holds_before(index, root, false);
    *count = holds_before(index, root, true) - first;
    return *count > 0 ? &index->holds[first] : NULL;
}

const char *kubernetes_index_text(const struct kubernetes_index *index, size_t offset)
{
    return index->texts + offset;
}

const struct job_scope *kubernetes_index_scopes(const struct kubernetes_index *index, size_t *count)
{
    *count = index->scope_count;
    return index->shown_scopes;
}

struct job_time kubernetes_index_seen(const struct kubernetes_index *index)
{
    return index->seen;
}
