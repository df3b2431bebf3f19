/* base/text/csv_ahead.c: see csv_ahead.h.
 *
 * A ring of batches. The thread fills the batch `first + count`; the caller reads the batch `first`
 * and gives it back by moving on. Only `first`, `count` and `stopped` are shared, and the mutex
 * guards them: a batch belongs to one side at a time. A batch holds copies, since csv_reader's
 * records live until its next call.
 */
#include "base/text/csv_ahead.h"

#include "base/system/thread.h"

#include <stdlib.h>
#include <string.h>

enum {
    BATCHES = 4,
    BATCH_BYTES = 128 << 10,      /* a batch is given on when it holds so many */
    KEPT_BYTES = 4 * BATCH_BYTES, /* what an unusual record made larger is given back */
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

struct csv_ahead {
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

/* `array` with room for `needed` elements, moved where it must be. */
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

/* Points records and fields at the batch's own bytes, which no longer move. */
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
    struct csv_ahead *ahead = argument;
    enum csv_outcome last = CSV_RECORD;
    pthread_mutex_lock(&ahead->mutex);
    while (last == CSV_RECORD) {
        while (ahead->count == BATCHES && !ahead->stopped)
            pthread_cond_wait(&ahead->changed, &ahead->mutex);
        if (ahead->stopped)
            break;
        struct batch *batch = &ahead->batches[(ahead->first + ahead->count) % BATCHES];
        pthread_mutex_unlock(&ahead->mutex);
        fill(ahead->reader, batch);
        last = batch->last;
        pthread_mutex_lock(&ahead->mutex);
        ahead->count++;
        pthread_cond_signal(&ahead->changed);
    }
    pthread_mutex_unlock(&ahead->mutex);
    return NULL;
}

/* ---- the caller ---- */

struct csv_ahead *csv_ahead_open(const char *path, char delimiter, const struct csv_limits *limits,
                                 struct error *error)
{
    struct csv_ahead *ahead = calloc(1, sizeof *ahead);
    pthread_mutex_init(&ahead->mutex, NULL);
    pthread_cond_init(&ahead->changed, NULL);
    ahead->reader = csv_reader_open(path, delimiter, limits, error);
    if (ahead->reader == NULL) {
        csv_ahead_close(ahead);
        return NULL;
    }
    ahead->thread_runs = thread_start(&ahead->thread, run, ahead);
    if (!ahead->thread_runs) {
        error_set_errno(error, "%s: no thread to read it", path);
        csv_ahead_close(ahead);
        return NULL;
    }
    return ahead;
}

void csv_ahead_close(struct csv_ahead *ahead)
{
    if (ahead == NULL)
        return;
    if (ahead->thread_runs) {
        pthread_mutex_lock(&ahead->mutex);
        ahead->stopped = true;
        pthread_cond_signal(&ahead->changed);
        pthread_mutex_unlock(&ahead->mutex);
        pthread_join(ahead->thread, NULL);
    }
    for (int i = 0; i < BATCHES; i++) {
        free(ahead->batches[i].bytes);
        free(ahead->batches[i].fields);
        free(ahead->batches[i].records);
    }
    csv_reader_close(ahead->reader);
    pthread_cond_destroy(&ahead->changed);
    pthread_mutex_destroy(&ahead->mutex);
    free(ahead);
}

/* Gives the batch that has been read back to the thread and waits for the next one. */
static void next_batch(struct csv_ahead *ahead)
{
    pthread_mutex_lock(&ahead->mutex);
    if (ahead->holds_batch) {
        ahead->first = (ahead->first + 1) % BATCHES;
        ahead->count--;
        pthread_cond_signal(&ahead->changed);
    }
    while (ahead->count == 0)
        pthread_cond_wait(&ahead->changed, &ahead->mutex);
    pthread_mutex_unlock(&ahead->mutex);
    ahead->holds_batch = true;
    ahead->next = 0;
}

enum csv_outcome csv_ahead_next(struct csv_ahead *ahead, struct csv_record *record, struct error *error)
{
    if (!ahead->holds_batch)
        next_batch(ahead);
    struct batch *batch = &ahead->batches[ahead->first];
    while (ahead->next == batch->record_count) {
        if (batch->last == CSV_FAILED)
            *error = batch->error;
        if (batch->last != CSV_RECORD)
            return batch->last; /* it stays there: asking again gives the same */
        next_batch(ahead);
        batch = &ahead->batches[ahead->first];
    }
    *record = batch->records[ahead->next++];
    return CSV_RECORD;
}
