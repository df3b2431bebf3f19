/* ingest/jobs/job_staging.c: see job_staging.h. */
#include "ingest/jobs/job_staging.h"

#include "ingest/jobs/node_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define XXH_STATIC_LINKING_ONLY /* the state on the stack */
#include <xxhash.h>

static const char job_copy[] =
    "COPY staged_job (record_number, line, attempt_id, resize_attempt_id, attempt_mark, resize_mark, cluster, job_id, job_id_raw, "
    "job_name, account, user_name, partition, qos, wckey, comment, submit_clock, eligible_clock, start_clock, "
    "end_clock, has_offset, started, ended, elapsed_seconds, suspended_seconds, state, state_text, exit_code, "
    "node_count, listed_nodes, cpus, accelerators, node_list, array_job_id, array_task_id, heterogeneous_job_id, "
    "heterogeneous_offset, resource_id, run_group, object_kind, holds_are_seen, seen_clock, all_seen_clock, "
    "lists_no_accelerators, accelerator_types, record_hash, raw) FROM STDIN (FORMAT binary)";
enum { JOB_COLUMNS = 47, RAW_MAXIMUM = 64 << 10, ROWS_BYTES = 48 << 10 };

static const char node_copy[] =
    "COPY staged_job_node (record_number, nodes, start_time, end_time, cpus, accelerators) FROM STDIN (FORMAT binary)";
enum { NODE_COLUMNS = 6 };

static const char scope_copy[] = "COPY staged_scope (name_space, kind, seen_time) FROM STDIN (FORMAT binary)";
static const char unread_copy[] = "COPY staged_unread (job_id_raw) FROM STDIN (FORMAT binary)";

/* Reads the time of a mark that begins with the submission: "2026-09-01T10:00:00 from
 * 2026-09-01T12:00:00Z". */
static bool submitted_at(const char *mark, time_us *time)
{
    return time_parse(mark, strcspn(mark, " "), time);
}

/* The number of an attempt, 0 or more. It depends only on the four texts. If the mark begins with
 * the submission, the upper 11 of 63 bits are its time, in steps of 2^21 seconds (24 days) since
 * 1970, which repeat from 2106. So the attempts of a month lie together in each index, and older
 * years cost nothing. The other bits are of the XXH3-64 of the texts, joined by the byte 0x1F. */
static int64_t attempt_id(const char *source, struct text_slice cluster, struct text_slice job_id_raw,
                          const char *mark)
{
    enum { TIME_BITS = 11, HASH_BITS = 52, STEP_BITS = 21, MICROSECONDS = 1000000 };
    const struct text_slice parts[] = {
        { source, strlen(source) }, cluster, job_id_raw, { mark, strlen(mark) }
    };
    XXH3_state_t state;
    XXH3_64bits_reset(&state);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (i > 0)
            XXH3_64bits_update(&state, "\x1f", 1);
        if (parts[i].length > 0)
            XXH3_64bits_update(&state, parts[i].text, parts[i].length);
    }
    uint64_t hash = XXH3_64bits_digest(&state) & INT64_MAX;
    time_us time;
    if (!submitted_at(mark, &time))
        return (int64_t)hash;
    uint64_t steps = (uint64_t)(time / MICROSECONDS) >> STEP_BITS & ((1U << TIME_BITS) - 1);
    return (int64_t)(steps << HASH_BITS | (hash & ((UINT64_C(1) << HASH_BITS) - 1)));
}

bool job_staging_begin(struct job_staging *staging, PGconn *connection, const char *time_zone,
                       bool clock_may_go_back, struct error *error)
{
    *staging = (struct job_staging){ .connection = connection,
                                     .zone_hash = XXH3_64bits(time_zone, strlen(time_zone)),
                                     .clock_may_go_back = clock_may_go_back };
    copy_stream_to_memory(&staging->rows);
    return copy_stream_to_spool(&staging->nodes, error) &&
           copy_stream_to_connection(&staging->jobs, connection, job_copy, error);
}

static void put_string(struct copy_stream *jobs, const char *text)
{
    copy_text(jobs, text, strlen(text));
}

/* `timestamp` and `timestamptz` have the same wire form. */
static void put_time(struct copy_stream *jobs, struct job_time time)
{
    if (time.known)
        copy_timestamptz(jobs, time.at);
    else
        copy_null(jobs);
}

static void put_count(struct copy_stream *jobs, int64_t count)
{
    if (count >= 0)
        copy_int8(jobs, count);
    else
        copy_null(jobs);
}

/* The mark of a span of a resized job. */
static void mark_resize(const struct job_record *record, char *mark, size_t size)
{
    char start[32] = "";
    if (record->start.known)
        time_format(record->start.at, start);
    snprintf(mark, size, "%s from %s", record->attempt_mark, start);
}

/* The first 64 KiB of the record at most. */
static struct text_slice kept_raw(const struct job_record *record)
{
    size_t length = record->raw.length < RAW_MAXIMUM ? record->raw.length : RAW_MAXIMUM;
    return (struct text_slice){ record->raw.text, length };
}

/* Hashes the contents of a record and the zone of its clocks, but not its place in the file: job
 * and job_hold depend on nothing else. A record with holds, or with nodes seen in a snapshot, gets
 * no hash. */
static void put_hash(struct copy_stream *jobs, size_t begin, uint64_t zone_hash,
                     const struct job_record *record)
{
    if (record->holds_are_seen || record->hold_count > 0)
        copy_null(jobs);
    else
        copy_int8(jobs, (int64_t)XXH3_64bits_withSeed(jobs->buffer + begin, jobs->used - begin, zone_hash));
}

static void put_job(struct job_staging *staging, const char *source, const struct job_record *record)
{
    struct copy_stream *jobs = &staging->rows;
    bool zone_decides = staging->clock_may_go_back && !record->has_offset;
    struct text_slice cluster =
        record->cluster.text ? record->cluster : (struct text_slice){ source, strlen(source) };
    char resize_mark[128];
    mark_resize(record, resize_mark, sizeof resize_mark);

    copy_row(jobs, JOB_COLUMNS);
    copy_int8(jobs, staging->record_count);
    copy_int8(jobs, record->line);
    size_t begin = jobs->used;
    copy_int8(jobs, attempt_id(source, cluster, record->job_id_raw, record->attempt_mark));
    copy_int8(jobs, attempt_id(source, cluster, record->job_id_raw, resize_mark));
    put_string(jobs, record->attempt_mark);
    put_string(jobs, resize_mark);
    copy_slice(jobs, cluster);
    copy_slice(jobs, record->job_id);
    copy_slice(jobs, record->job_id_raw);
    copy_slice(jobs, record->job_name);
    copy_slice(jobs, record->account);
    copy_slice(jobs, record->user_name);
    copy_slice(jobs, record->partition);
    copy_slice(jobs, record->qos);
    copy_slice(jobs, record->wckey);
    copy_slice(jobs, record->comment);
    put_time(jobs, record->submit);
    put_time(jobs, record->eligible);
    put_time(jobs, record->start);
    put_time(jobs, record->end);
    copy_bool(jobs, record->has_offset);
    copy_bool(jobs, record->started);
    copy_bool(jobs, record->ended);
    put_count(jobs, record->elapsed_seconds);
    copy_int8(jobs, record->suspended_seconds);
    put_string(jobs, record->state);
    copy_slice(jobs, record->state_text);
    copy_slice(jobs, record->exit_code);
    copy_int4(jobs, record->node_count);
    copy_int4(jobs, record->listed_nodes);
    put_count(jobs, record->cpus);
    put_count(jobs, record->accelerators);
    copy_slice(jobs, record->node_list);
    copy_slice(jobs, record->array_job_id);
    copy_slice(jobs, record->array_task_id);
    copy_slice(jobs, record->heterogeneous_job_id);
    if (record->heterogeneous_offset >= 0)
        copy_int4(jobs, record->heterogeneous_offset);
    else
        copy_null(jobs);
    copy_slice(jobs, record->resource_id);
    copy_slice(jobs, record->run_group);
    copy_slice(jobs, record->object_kind);
    copy_bool(jobs, record->holds_are_seen);
    put_time(jobs, record->seen);
    put_time(jobs, record->all_seen);
    copy_bool(jobs, record->lists_no_accelerators);
    copy_slice(jobs, slice_of(record->accelerator_types));
    put_hash(jobs, begin, staging->zone_hash, record);
    copy_slice(jobs, zone_decides ? kept_raw(record) : (struct text_slice){ NULL, 0 });
}

/* The names of a list, each ending in NUL, and where each begins. */
struct node_names {
    char *bytes;
    size_t used, capacity;
    const char **names;
    size_t *lengths;
    int count;
};

static void keep_name(void *opaque, const char *name, size_t length)
{
    struct node_names *names = opaque;
    if (names->used + length + 1 > names->capacity) {
        names->capacity = 2 * (names->used + length + 1);
        names->bytes = realloc(names->bytes, names->capacity);
    }
    memcpy(names->bytes + names->used, name, length + 1);
    names->used += length + 1;
    names->count++;
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Sorts the names in byte order and drops repeated ones. */
static void sort_names(struct node_names *names)
{
    const char *name = names->bytes;
    int different = 0;
    names->names = malloc((size_t)names->count * sizeof *names->names);
    names->lengths = malloc((size_t)names->count * sizeof *names->lengths);
    for (int i = 0; i < names->count; i++, name += strlen(name) + 1)
        names->names[i] = name;
    qsort(names->names, (size_t)names->count, sizeof *names->names, compare_names);
    for (int i = 0; i < names->count; i++) {
        if (different == 0 || strcmp(names->names[different - 1], names->names[i]) != 0)
            names->names[different++] = names->names[i];
    }
    names->count = different;
    for (int i = 0; i < different; i++)
        names->lengths[i] = strlen(names->names[i]);
}

/* Stores the nodes that the record lists; they are held as long as the attempt. The format has
 * checked the list. */
static void put_nodes(struct copy_stream *nodes, int64_t record_number, struct text_slice list)
{
    struct node_names names = { 0 };
    const char *reason;
    node_list_expand(list.text, list.length, keep_name, &names, &reason);
    sort_names(&names);
    copy_row(nodes, NODE_COLUMNS);
    copy_int8(nodes, record_number);
    copy_text_array(nodes, names.count, names.names, names.lengths);
    for (int column = 2; column < NODE_COLUMNS; column++)
        copy_null(nodes);
    free(names.bytes);
    free(names.names);
    free(names.lengths);
}

static void put_hold(struct copy_stream *nodes, int64_t record_number, const struct job_hold *hold)
{
    copy_row(nodes, NODE_COLUMNS);
    copy_int8(nodes, record_number);
    copy_text_array(nodes, 1, &hold->node.text, &hold->node.length);
    copy_timestamptz(nodes, hold->start);
    put_time(nodes, hold->end);
    put_count(nodes, hold->cpus);
    put_count(nodes, hold->accelerators);
}

void job_staging_put(struct job_staging *staging, const char *source, const struct job_record *record)
{
    staging->record_count++;
    put_job(staging, source, record);
    struct error kept; /* `jobs` keeps the error, too */
    if (staging->rows.used >= ROWS_BYTES)
        copy_stream_forward(&staging->jobs, &staging->rows, &kept);
    if (record->listed_nodes > 0)
        put_nodes(&staging->nodes, staging->record_count, record->node_list);
    for (size_t i = 0; i < record->hold_count; i++)
        put_hold(&staging->nodes, staging->record_count, &record->holds[i]);
}

bool job_staging_end(struct job_staging *staging, int64_t *jobs, struct error *error)
{
    return copy_stream_forward(&staging->jobs, &staging->rows, error) &&
           copy_stream_end(&staging->jobs, jobs, error) && copy_stream_end(&staging->nodes, NULL, error) &&
           copy_stream_send_spool(&staging->nodes, staging->connection, node_copy, error);
}

bool job_staging_put_snapshot(PGconn *connection, const struct job_snapshot *snapshot, struct error *error)
{
    struct copy_stream scopes = { 0 }, unread = { 0 };
    bool ok = copy_stream_to_connection(&scopes, connection, scope_copy, error);
    for (size_t i = 0; ok && i < snapshot->scope_count; i++) {
        copy_row(&scopes, 3);
        copy_text(&scopes, snapshot->scopes[i].name_space.text, snapshot->scopes[i].name_space.length);
        copy_text(&scopes, snapshot->scopes[i].kind.text, snapshot->scopes[i].kind.length);
        put_time(&scopes, snapshot->seen);
    }
    ok = ok && copy_stream_end(&scopes, NULL, error) &&
         copy_stream_to_connection(&unread, connection, unread_copy, error);
    for (size_t i = 0; ok && i < snapshot->unread_count; i++) {
        copy_row(&unread, 1);
        copy_slice(&unread, snapshot->unread[i]);
    }
    ok = ok && copy_stream_end(&unread, NULL, error);
    copy_stream_discard(&scopes);
    copy_stream_discard(&unread);
    return ok;
}

void job_staging_discard(struct job_staging *staging)
{
    copy_stream_discard(&staging->jobs);
    copy_stream_discard(&staging->rows);
    copy_stream_discard(&staging->nodes);
}
