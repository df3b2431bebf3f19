/* ingest/jobs/kubernetes_jobs.c: job format "kubernetes": the output of `kubectl get jobs,pods,…
 * --all-namespaces -o json` (docs/jobs.md, Kubernetes).
 *
 * The file is read twice. The first reading makes an index: the owner of each pod, and which node
 * the pod held when. The second reading makes attempts: each job that no other job owns, with the
 * nodes of its pods, and each group of pods whose owner is not in the file. Only pods hold nodes. A
 * job that waits for its pods holds none, and nodes of pods that still run after the end of their
 * job are idle.
 */
#include "ingest/jobs/job_json.h"
#include "ingest/jobs/job_labels.h"
#include "ingest/jobs/kubernetes_index.h"
#include "ingest/jobs/kubernetes_kinds.h"
#include "ingest/jobs/kubernetes_pod.h"
#include "ingest/jobs/slurm_run.h"
#include "ingest/json_fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const keys[] = { "items", NULL };

enum { JOB_ID_BYTES = 600, KIND_BYTES = 320 };

struct kubernetes_reader {
    struct json_records *records;
    struct kubernetes_index *index;
    struct job_labels labels;
    char job_id[JOB_ID_BYTES]; /* "namespace/name" */
    char kind[KIND_BYTES];     /* kubernetes_kind_name() */
    struct job_hold *holds;    /* of the current record */
    size_t hold_room;
    int64_t pod_order;         /* of the next pod in the file */
    struct text_slice *unread; /* uids of quarantined jobs; owned */
    size_t unread_count, unread_room;
    struct job_far_time far_times[JOB_FAR_TIMES];
    size_t far_time_count;
    bool is_unclear; /* an unreadable record may be of any job */
};

static enum job_outcome quarantine(struct job_record *record, const char *column, const char *reason)
{
    record->wrong_column = column;
    snprintf(record->reason, sizeof record->reason, "%s", reason);
    return JOB_QUARANTINED;
}

/* ---- the first reading ---- */

static void kubernetes_close(void *opened)
{
    struct kubernetes_reader *reader = opened;
    if (reader == NULL)
        return;
    json_records_close(reader->records);
    kubernetes_index_free(reader->index);
    for (size_t i = 0; i < reader->unread_count; i++)
        free((char *)reader->unread[i].text);
    free(reader->unread);
    free(reader->holds);
    free(reader);
}

/* Unreadable objects are quarantined in the second reading. */
static bool index_objects(struct kubernetes_index *index, const char *path,
                          const struct job_format_options *options, struct error *error)
{
    struct json_records *records = json_records_open(path, keys, error);
    struct json_record json;
    enum json_outcome outcome = records == NULL ? JSON_FAILED : JSON_BROKEN;
    const char *reason;
    while (outcome != JSON_END && outcome != JSON_FAILED) {
        outcome = json_records_next(records, &json, error);
        if (outcome == JSON_RECORD)
            kubernetes_index_add(index, json.value, &reason);
    }
    json_records_close(records);
    kubernetes_index_finish(index, options);
    return outcome == JSON_END;
}

static void *kubernetes_open(const struct job_format *format, const char *path,
                             const struct job_format_options *options, struct error *error)
{
    (void)format;
    struct kubernetes_reader *reader = calloc(1, sizeof *reader);
    reader->index = kubernetes_index_new();
    if (!index_objects(reader->index, path, options, error) ||
        (reader->records = json_records_open(path, keys, error)) == NULL) {
        kubernetes_close(reader);
        return NULL;
    }
    return reader;
}

/* ---- holds of pods ---- */

static int by_node_and_start(const void *one, const void *other)
{
    const struct job_hold *a = one, *b = other;
    int order = strcmp(a->node.text, b->node.text);
    if (order != 0)
        return order;
    return (a->start > b->start) - (a->start < b->start);
}

static int64_t end_of(const struct job_hold *hold)
{
    return hold->end.known ? hold->end.at : INT64_MAX;
}

static int compare_ends(const void *one, const void *other)
{
    int64_t a = end_of(*(const struct job_hold *const *)one),
            b = end_of(*(const struct job_hold *const *)other);
    return (a > b) - (a < b);
}

/* Pods on a node at the same time hold the sum of what each requests; CPUs are still in
 * thousandths. pods[0..count) are of one node, by start. Each span between two successive starts or
 * ends of them becomes a hold. */
static size_t add_up(const struct job_hold *pods, size_t count, struct job_hold *holds)
{
    size_t used = 0, begun = 0, over = 0;
    const struct job_hold **by_end = calloc(count, sizeof *by_end);
    struct job_hold hold = { .node = pods[0].node };
    for (size_t i = 0; i < count; i++)
        by_end[i] = &pods[i];
    qsort(by_end, count, sizeof *by_end, compare_ends);
    for (int64_t from = pods[0].start, to; from != INT64_MAX; from = to) {
        for (; begun < count && pods[begun].start <= from; begun++) {
            hold.cpus += pods[begun].cpus;
            hold.accelerators += pods[begun].accelerators;
        }
        for (; over < count && end_of(by_end[over]) <= from; over++) {
            hold.cpus -= by_end[over]->cpus;
            hold.accelerators -= by_end[over]->accelerators;
        }
        to = begun < count ? pods[begun].start : INT64_MAX;
        if (over < count && end_of(by_end[over]) < to)
            to = end_of(by_end[over]);
        hold.start = from;
        hold.end = (struct job_time){ .known = to != INT64_MAX, .at = to };
        if (begun > over)
            holds[used++] = hold;
    }
    free(by_end);
    return used;
}

/* Rounds CPUs up to whole ones. The share of a pod that requests neither CPUs nor accelerators is
 * unknown. */
static void round_cpus(struct job_hold *hold)
{
    hold->cpus = hold->cpus > 0 ? (hold->cpus + 999) / 1000 : -1;
    if (hold->cpus < 0 && hold->accelerators == 0)
        hold->accelerators = -1;
}

/* Room for the pods and, after them, for their sums: n pods of a node make fewer than 2n holds. */
static struct job_hold *room_for(struct kubernetes_reader *reader, size_t pods)
{
    size_t wanted = 3 * pods + 1;
    if (wanted > reader->hold_room) {
        reader->holds = realloc(reader->holds, wanted * sizeof *reader->holds);
        reader->hold_room = wanted;
    }
    return reader->holds;
}

/* Makes holds, by node and time, of the pods of `root` that held a node before `until`. */
static void find_holds(struct kubernetes_reader *reader, const struct kubernetes_hold *pods, size_t pod_count,
                       struct job_time until, struct job_record *record)
{
    struct job_hold *held = room_for(reader, pod_count);
    size_t count = 0, used = 0;
    for (size_t i = 0; i < pod_count; i++) {
        struct job_hold hold = { .node = slice_of(kubernetes_index_text(reader->index, pods[i].node)),
                                 .start = pods[i].start.at,
                                 .end = pods[i].end,
                                 .cpus = pods[i].thousandths,
                                 .accelerators = pods[i].accelerators };
        if (until.known && (!hold.end.known || hold.end.at > until.at))
            hold.end = until;
        if (hold.node.length > 0 && (!hold.end.known || hold.end.at > hold.start))
            held[count++] = hold;
    }
    qsort(held, count, sizeof *held, by_node_and_start);
    for (size_t first = 0, next; first < count; first = next) {
        for (next = first + 1; next < count && strcmp(held[next].node.text, held[first].node.text) == 0;)
            next++;
        used += add_up(held + first, next - first, held + count + used);
    }
    for (size_t i = 0; i < used; i++)
        round_cpus(&held[count + i]);
    record->holds = held + count;
    record->hold_count = used;
}

static int ascending(const void *one, const void *other)
{
    const int64_t *a = one, *b = other;
    return (*a > *b) - (*a < *b);
}

/* Finds the latest start of a pod at which at least as many pods in the file held nodes as the job
 * has workers. Unknown if there never were so many, or the number of workers is unknown. */
static void find_all_seen(const struct kubernetes_hold *pods, size_t pod_count, int64_t workers,
                          struct job_time *since)
{
    size_t count = 0, over = 0;
    *since = (struct job_time){ 0 };
    if (workers <= 0 || pod_count < (uint64_t)workers)
        return;
    int64_t *starts = calloc(2 * pod_count, sizeof *starts);
    int64_t *ends = starts + pod_count;
    for (size_t i = 0; i < pod_count; i++) {
        if (!pods[i].start.known)
            continue;
        starts[count] = pods[i].start.at;
        ends[count++] = pods[i].end.known ? pods[i].end.at : INT64_MAX;
    }
    qsort(starts, count, sizeof *starts, ascending);
    qsort(ends, count, sizeof *ends, ascending);
    for (size_t begun = 0; begun < count; begun++) {
        while (over < count && ends[over] <= starts[begun])
            over++;
        if ((int64_t)(begun + 1 - over) >= workers)
            *since = (struct job_time){ true, starts[begun] };
    }
    free(starts);
}

/* ---- an attempt ---- */

/* Counts nodes, not holds; the holds are sorted by node. */
static int64_t count_nodes(const struct job_record *record)
{
    int64_t nodes = 0;
    for (size_t i = 0; i < record->hold_count; i++)
        nodes += i == 0 || strcmp(record->holds[i].node.text, record->holds[i - 1].node.text) != 0;
    return nodes;
}

/* A run begins when the first of its pods starts on a node; without pods, at the time that the
 * object gives. */
static void place(struct job_record *record, size_t pod_count, struct job_time start)
{
    record->start = start;
    for (size_t i = 0; i < record->hold_count; i++)
        if (i == 0 || record->holds[i].start < record->start.at)
            record->start = (struct job_time){ true, record->holds[i].start };
    if (pod_count > 0 && record->hold_count == 0 && !record->end.known)
        record->start = (struct job_time){ 0 };
    if (!record->start.known && strcmp(record->state, "RUNNING") == 0)
        record->state = "PENDING";
}

static enum job_outcome complete(struct kubernetes_reader *reader, int64_t workers, struct job_record *record)
{
    struct job_time seen = kubernetes_index_seen(reader->index);
    struct slurm_run run = { .elapsed_seconds = -1,
                             .suspended_seconds = -1,
                             .node_counts = { record->hold_count > 0 ? count_nodes(record) : workers, -1 },
                             .cpus = { -1, -1 } };
    if (record->start.known && !record->end.known && seen.known && seen.at > record->start.at)
        run.elapsed_seconds = (seen.at - record->start.at) / 1000000;
    switch (slurm_run_complete(&run, record)) {
    case SLURM_RUN_END:
    case SLURM_RUN_NO_END:
        record->wrong_column = "end";
        return JOB_QUARANTINED;
    case SLURM_RUN_NODES:
        return quarantine(record, "workers", "are not counted, and none of its pods is in the file");
    case SLURM_RUN_NODE_LIST:
    case SLURM_RUN_FINE:
        break;
    }
    record->attempt_mark[0] = '\0'; /* each run has its own uid */
    record->holds_are_seen = seen.known;
    record->seen = seen;
    if (!record->started)
        record->hold_count = 0;
    return JOB_RECORD;
}

/* Fills in what objects of all kinds have. False if the name is too long for a job. */
static bool describe(struct kubernetes_reader *reader, const cJSON *object,
                     const struct kubernetes_root *root, struct job_record *record)
{
    const char *space = json_text(object, "metadata.namespace");
    const cJSON *labels = json_path(object, "metadata.labels");
    const cJSON *queue = cJSON_GetObjectItemCaseSensitive(labels, "kueue.x-k8s.io/queue-name");
    int length = snprintf(reader->job_id, sizeof reader->job_id, "%s%s%.*s", space != NULL ? space : "",
                          space != NULL ? "/" : "", (int)root->name.length,
                          root->name.text != NULL ? root->name.text : "");
    record->job_id_raw = root->uid;
    if (length < 0 || (size_t)length >= sizeof reader->job_id)
        return false; /* a cut name could be that of another job, or end within a character */
    job_labels_clear(&reader->labels);
    job_labels_add(&reader->labels, labels);
    job_labels_put(&reader->labels, record);
    if (!kubernetes_kind_name(object, reader->kind, sizeof reader->kind))
        reader->kind[0] = '\0';
    record->object_kind = slice_of(reader->kind);
    record->job_id = slice_of(reader->job_id);
    record->job_name = root->name;
    record->account = slice_of(space);
    record->partition = slice_of(cJSON_GetStringValue(queue));
    record->heterogeneous_offset = -1;
    record->has_offset = true;
    return true;
}

/* If the object only says that it failed, returns why its pods failed. */
static const char *failure_of(const char *state, const struct kubernetes_hold *pods, size_t count)
{
    for (size_t i = 0; i < count && strcmp(state, "FAILED") == 0; i++)
        if (pods[i].end.known && strcmp(pods[i].state, "COMPLETED") != 0)
            state = pods[i].state;
    return state;
}

static enum job_outcome read_job(struct kubernetes_reader *reader, const cJSON *object, kubernetes_kind read,
                                 const struct kubernetes_root *root, struct job_record *record)
{
    struct kubernetes_course course = { .state = "UNKNOWN", .workers = -1, .elapsed_seconds = -1 };
    size_t pod_count;
    const struct kubernetes_hold *pods = kubernetes_index_pods(reader->index, root->key, &pod_count);
    read(object, &course);
    record->submit = kubernetes_time(json_text(object, "metadata.creationTimestamp"));
    record->end = kubernetes_time(course.end);
    record->state = failure_of(course.state, pods, pod_count);
    record->state_text = slice_of(course.state_text);
    if (course.queue != NULL)
        record->partition = slice_of(course.queue);
    struct job_time start = kubernetes_time(course.start);
    if (!start.known && record->end.known && course.elapsed_seconds > 0)
        start = (struct job_time){ true, record->end.at - course.elapsed_seconds * 1000000 };
    find_holds(reader, pods, pod_count, record->end, record);
    find_all_seen(pods, pod_count, course.workers, &record->all_seen);
    place(record, pod_count, start);
    enum job_outcome outcome = complete(reader, course.workers, record);
    record->ended = record->ended || course.is_stopped;
    return outcome;
}

/* Pods whose owner is not in the file are one run. It runs while one of them runs, and ends as the
 * last one ends. */
static enum job_outcome read_pods(struct kubernetes_reader *reader, const struct kubernetes_hold *pods,
                                  size_t count, struct job_record *record)
{
    const struct kubernetes_hold *last = NULL;
    bool running = false, waiting = false;
    for (size_t i = 0; i < count; i++) {
        running = running || strcmp(pods[i].state, "RUNNING") == 0;
        waiting = waiting || strcmp(pods[i].state, "PENDING") == 0;
        if (pods[i].end.known && (last == NULL || pods[i].end.at > last->end.at))
            last = &pods[i];
    }
    record->state = running || (waiting && last != NULL) ? "RUNNING" : last != NULL ? last->state : "PENDING";
    record->state_text = slice_of(record->state);
    if (!running && !waiting && last != NULL)
        record->end = last->end;
    find_holds(reader, pods, count, record->end, record);
    place(record, count, (struct job_time){ 0 });
    return complete(reader, -1, record);
}

/* ---- the second reading ---- */

static bool is_pod(const cJSON *object)
{
    const char *kind = json_text(object, "kind");
    return kind != NULL && strcmp(kind, "Pod") == 0;
}

static enum job_outcome read_pod_record(struct kubernetes_reader *reader, const cJSON *object,
                                        const struct kubernetes_root *root, struct job_record *record)
{
    struct kubernetes_pod pod;
    const char *member, *reason;
    size_t count;
    if (!kubernetes_pod_read(object, &pod, &member, &reason))
        return quarantine(record, member, reason);
    int64_t order = reader->pod_order++;
    const struct kubernetes_hold *pods = kubernetes_index_pods(reader->index, root->key, &count);
    if (root->is_here || root->is_service || count == 0 || pods[0].order != order)
        return JOB_IGNORED;
    return read_pods(reader, pods, count, record);
}

static void note_far_time(struct kubernetes_reader *reader, const cJSON *object, int64_t line)
{
    struct job_time time = kubernetes_index_time(object), seen = kubernetes_index_seen(reader->index);
    const char *kind = json_text(object, "kind"), *space = json_text(object, "metadata.namespace"),
               *name = json_text(object, "metadata.name");
    if (!time.known || (seen.known && time.at <= seen.at) || reader->far_time_count == JOB_FAR_TIMES)
        return;
    struct job_far_time *far = &reader->far_times[reader->far_time_count++];
    *far = (struct job_far_time){ .line = line, .at = time.at };
    snprintf(far->object, sizeof far->object, "%s %s%s%s", kind, space != NULL ? space : "",
             space != NULL ? "/" : "", name != NULL ? name : "");
}

static enum job_outcome read_object(struct kubernetes_reader *reader, const cJSON *object,
                                    struct job_record *record)
{
    const char *kind = json_text(object, "kind");
    kubernetes_kind read = kubernetes_kind_of(json_text(object, "apiVersion"), kind);
    struct kubernetes_root root;
    if (kind == NULL)
        return quarantine(record, "kind", "is missing: `kubectl get -o json` writes one for each object");
    if (!kubernetes_index_root(reader->index, object, &root))
        return quarantine(record, "metadata.uid",
                          "is missing: `kubectl get -o json` writes one for each object");
    note_far_time(reader, object, record->line);
    if (!describe(reader, object, &root, record))
        return quarantine(record, "metadata.name", "is longer, with its namespace, than Kubernetes allows");
    if (is_pod(object))
        return read_pod_record(reader, object, &root, record);
    if (read == NULL || root.is_here)
        return JOB_IGNORED;
    return read_job(reader, object, read, &root, record);
}

/* Notes the uid of an unreadable job: the job is in the file, so it has not ended. */
static void keep_unread(struct kubernetes_reader *reader, struct text_slice uid)
{
    if (reader->unread_count == reader->unread_room) {
        reader->unread_room = 2 * reader->unread_room + 16;
        reader->unread = realloc(reader->unread, reader->unread_room * sizeof *reader->unread);
    }
    char *copy = uid.length > 0 ? strndup(uid.text, uid.length) : NULL;
    if (copy != NULL)
        reader->unread[reader->unread_count++] = (struct text_slice){ copy, uid.length };
    else
        reader->is_unclear = true;
}

static enum job_outcome kubernetes_next(void *opened, struct job_record *record, struct error *error)
{
    struct kubernetes_reader *reader = opened;
    struct json_record json;
    enum job_outcome read = job_json_next(reader, &json, record, error);
    if (read == JOB_RECORD)
        read = read_object(reader, json.value, record);
    if (read == JOB_QUARANTINED)
        keep_unread(reader, record->job_id_raw);
    return read;
}

/* If an unreadable record could be of any job, the file does not end jobs. */
static void kubernetes_snapshot(const void *opened, struct job_snapshot *snapshot)
{
    const struct kubernetes_reader *reader = opened;
    *snapshot = (struct job_snapshot){ .seen = kubernetes_index_seen(reader->index),
                                       .unread = reader->unread,
                                       .unread_count = reader->unread_count,
                                       .far_times = reader->far_times,
                                       .far_time_count = reader->far_time_count };
    snapshot->scopes = kubernetes_index_scopes(reader->index, &snapshot->scope_count);
    if (reader->is_unclear)
        snapshot->scope_count = 0;
}

static bool kubernetes_recognises(const struct job_sample *sample)
{
    return json_text(sample->record, "kind") != NULL && cJSON_IsObject(json_path(sample->record, "metadata"));
}

const struct job_format kubernetes_jobs_format = {
    .name = "kubernetes",
    .json_members = keys,
    .recognises = kubernetes_recognises,
    .open = kubernetes_open,
    .next = kubernetes_next,
    .position = job_json_position,
    .close = kubernetes_close,
    .snapshot = kubernetes_snapshot,
};
