/* base/text/csv_prefetch.c: see csv_prefetch.h.
 *
 * The batches form a ring. The thread fills batch `first + count`. The caller reads batch `first`
 * and returns it by moving to the next one. Only `first`, `count` and `stopped` are shared, and the
 * mutex guards them; a batch belongs to one side at a time. A batch contains copies, because a
 * record of csv_reader is valid only until its next call.
 */
#include "base/text/csv_prefetch.h"

#include "base/system/thread.h"

#include <stdlib.h>
#include <string.h>

enum {
    BATCHES = 4,
    BATCH_BYTES = 128 << 10,      /* size at which a batch is passed on */
    KEPT_BYTES = 4 * BATCH_BYTES, /* larger memory, from an unusual record, is freed */
};

struct batch {
    char *bytes; /* raw bytes and fields of the records, one after the other */
    size_t used, capacity;
    struct csv_field *fields;
    size_t field_count, field_capacity;
    struct csv_record *records;
    size_t record_count, record_capacity;
    enum csv_outcome last; /* CSV_RECORD: another batch follows */
    struct error error;    /* of CSV_FAILED */
};

struct csv_prefetch {
    struct csv_reader *reader; /* the thread's */
    pthread_t thread;
    bool thread_runs;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    struct batch batches[BATCHES];
    int first, count; /* filled ones */
    bool stopped;

    size_t next; /* record of the first batch; the caller's */
    bool holds_batch;
};

/* ---- the thread ---- */

/* Returns `array` with room for `needed` elements, moved if necessary. */
static void *with_room(void *array, size_t *capacity, size_t needed, size_t size)
{
    if (array != NULL && needed <= *capacity)
        return array;
    *capacity = 2 * needed;
    return realloc(array, *capacity * size);
}

static void make_room(struct batch *batch, size_t bytes, size_t fields)
{
    batch->bytes = with_room(batch->bytes, &batch->capacity, batch->used + bytes + 1, 1);
    batch->fields = with_room(batch->fields, &batch->field_capacity, batch->field_count + fields + 1,
                              sizeof *batch->fields);
    batch->records =
        with_room(batch->records, &batch->record_capacity, batch->record_count + 1, sizeof *batch->records);
}

static void add_record(struct batch *batch, const struct csv_record *record)
{
    size_t count = (size_t)record->field_count;
    size_t length = 0;
    for (size_t i = 0; i < count; i++)
        length += record->fields[i].length;
    make_room(batch, record->raw_length + length, count);
    batch->records[batch->record_count++] = *record;
    memcpy(batch->bytes + batch->used, record->raw, record->raw_length);
    batch->used += record->raw_length;
    for (size_t i = 0; i < count; i++) {
        if (record->fields[i].length > 0)
            memcpy(batch->bytes + batch->used, record->fields[i].text, record->fields[i].length);
        batch->used += record->fields[i].length;
    }
    if (count > 0)
        memcpy(batch->fields + batch->field_count, record->fields, count * sizeof *batch->fields);
    batch->field_count += count;
}

/* The analyser does not see that add_record initialises what it reallocates. */
/* NOLINTBEGIN(clang-analyzer-core.uninitialized.Assign) */
/* Makes records and fields point to the bytes of the batch, which no longer move. */
static void seal(struct batch *batch)
{
    char *bytes = batch->bytes;
    struct csv_field *field = batch->fields;
    for (size_t i = 0; i < batch->record_count; i++) {
        struct csv_record *record = &batch->records[i];
        record->raw = bytes;
        bytes += record->raw_length;
        record->fields = field;
        for (int j = 0; j < record->field_count; j++, field++) {
            field->text = bytes;
            bytes += field->length;
        }
    }
}
/* NOLINTEND(clang-analyzer-core.uninitialized.Assign) */

static void fill(struct csv_reader *reader, struct batch *batch)
{
    struct csv_record record;
    if (batch->capacity > KEPT_BYTES) {
        free(batch->bytes);
        batch->bytes = NULL;
        batch->capacity = 0;
    }
    batch->used = batch->field_count = batch->record_count = 0;
    batch->last = CSV_RECORD;
    while (batch->last == CSV_RECORD && batch->used < BATCH_BYTES) {
        batch->last = csv_reader_next(reader, &record, &batch->error);
        if (batch->last == CSV_RECORD)
            add_record(batch, &record);
    }
    seal(batch);
}

static void *run(void *argument)
{
    struct csv_prefetch *prefetch = argument;
    enum csv_outcome last = CSV_RECORD;
    pthread_mutex_lock(&prefetch->mutex);
    while (last == CSV_RECORD) {
        while (prefetch->count == BATCHES && !prefetch->stopped)
            pthread_cond_wait(&prefetch->changed, &prefetch->mutex);
        if (prefetch->stopped)
            break;
        struct batch *batch = &prefetch->batches[(prefetch->first + prefetch->count) % BATCHES];
        pthread_mutex_unlock(&prefetch->mutex);
        fill(prefetch->reader, batch);
        last = batch->last;
        pthread_mutex_lock(&prefetch->mutex);
        prefetch->count++;
        pthread_cond_signal(&prefetch->changed);
    }
    pthread_mutex_unlock(&prefetch->mutex);
    return NULL;
}

/* ---- the caller ---- */

struct csv_prefetch *csv_prefetch_open(const char *path, char delimiter, const struct csv_limits *limits,
                                       struct error *error)
{
    struct csv_prefetch *prefetch = calloc(1, sizeof *prefetch);
    pthread_mutex_init(&prefetch->mutex, NULL);
    pthread_cond_init(&prefetch->changed, NULL);
    prefetch->reader = csv_reader_open(path, delimiter, limits, error);
    if (prefetch->reader == NULL) {
        csv_prefetch_close(prefetch);
        return NULL;
    }
    prefetch->thread_runs = thread_start(&prefetch->thread, run, prefetch);
    if (!prefetch->thread_runs) {
        error_set_errno(error, "%s: no thread to read it", path);
        csv_prefetch_close(prefetch);
        return NULL;
    }
    return prefetch;
}

void csv_prefetch_close(struct csv_prefetch *prefetch)
{
    if (prefetch == NULL)
        return;
    if (prefetch->thread_runs) {
        pthread_mutex_lock(&prefetch->mutex);
        prefetch->stopped = true;
        pthread_cond_signal(&prefetch->changed);
        pthread_mutex_unlock(&prefetch->mutex);
        pthread_join(prefetch->thread, NULL);
    }
    for (int i = 0; i < BATCHES; i++) {
        free(prefetch->batches[i].bytes);
        free(prefetch->batches[i].fields);
        free(prefetch->batches[i].records);
    }
    csv_reader_close(prefetch->reader);
    pthread_cond_destroy(&prefetch->changed);
    pthread_mutex_destroy(&prefetch->mutex);
    free(prefetch);
}

/* Returns the batch that was read to the thread and waits for the next one. */
static void next_batch(struct csv_prefetch *prefetch)
{
    pthread_mutex_lock(&prefetch->mutex);
    if (prefetch->holds_batch) {
        prefetch->first = (prefetch->first + 1) % BATCHES;
        prefetch->count--;
        pthread_cond_signal(&prefetch->changed);
    }
    while (prefetch->count == 0)
        pthread_cond_wait(&prefetch->changed, &prefetch->mutex);
    pthread_mutex_unlock(&prefetch->mutex);
    prefetch->holds_batch = true;
    prefetch->next = 0;
}

enum csv_outcome csv_prefetch_next(struct csv_prefetch *prefetch, struct csv_record *record,
                                   struct error *error)
{
    if (!prefetch->holds_batch)
        next_batch(prefetch);
    struct batch *batch = &prefetch->batches[prefetch->first];
    while (prefetch->next == batch->record_count) {
        if (batch->last == CSV_FAILED)
            *error = batch->error;
        if (batch->last != CSV_RECORD)
            return batch->last; /* the batch stays: another call gives the same */
        next_batch(prefetch);
        batch = &prefetch->batches[prefetch->first];
    }
    *record = batch->records[prefetch->next++];
    return CSV_RECORD;
}
