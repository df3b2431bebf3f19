/* ingest/bill/billing_prefetch.c: see billing_prefetch.h.
 *
 * The slots form a ring. A thread takes the next free slot, fills it with a chunk of the input (one
 * thread at a time: `cutting`), reads the chunk and marks the slot ready. The caller takes ready
 * slots in the same order, and gives each back with its next call. The mutex guards the members
 * marked "guarded". A slot belongs to one thread or to the caller at a time, and the input to the
 * thread that cuts.
 */
#include "ingest/bill/billing_prefetch.h"

#include "base/system/thread.h"
#include "ingest/bill/billing_reader.h"

#include <stdlib.h>

enum {
    SLOTS = 32,
    CHUNKS_MAXIMUM = 1 << 20, /* of a delivery: chunk_number rises by this for each */
};

struct slot {
    struct billing_chunk chunk;
    bool ready;  /* guarded */
    bool failed; /* the file could not be opened or cut: `error` says why */
    struct error error;
};

struct billing_prefetch {
    const struct billing_settings *settings;
    const struct known_chunks *known;
    const char *const *paths;
    int path_count;

    pthread_mutex_t mutex;
    pthread_cond_t changed;
    struct slot slots[SLOTS];
    /* guarded: slots that threads filled, the caller got, and the caller gave back */
    int64_t taken, given, returned;
    bool cutting, ended, stopped; /* guarded */

    int file; /* the input: the file being cut, and the next chunk of it */
    /* opened one after the other; freed only at the end, because chunks point to them */
    struct bill_file *bills;
    struct csv_chunks *chunks;

    struct worker {
        struct billing_prefetch *prefetch;
        struct billing_reader reader;
        pthread_t thread;
        bool runs;
    } workers[BILLING_PREFETCH_THREADS];
};

/* ---- the threads ---- */

/* Fills a slot with the next chunk. Sets `*ended` if there is none. False on failure. */
static bool cut(struct billing_prefetch *prefetch, struct billing_chunk *chunk, int64_t number, bool *ended,
                struct error *error)
{
    if (prefetch->chunks == NULL && ++prefetch->file == prefetch->path_count) {
        *ended = true;
        return true;
    }
    struct bill_file *bill = &prefetch->bills[prefetch->file];
    if (prefetch->chunks == NULL) {
        const char *path = prefetch->paths[prefetch->file];
        if (!bill_file_open(bill, prefetch->settings, path, error))
            return false;
        prefetch->chunks = csv_chunks_open(path, bill->rows.offset, &prefetch->settings->limits, error);
        if (prefetch->chunks == NULL)
            return false;
    }
    billing_chunk_restart(chunk);
    if (number == CHUNKS_MAXIMUM)
        return error_set(error, ERROR_INPUT, "%s: a delivery of more than %d chunks", bill->path,
                         CHUNKS_MAXIMUM);
    if (!csv_chunks_next(prefetch->chunks, &chunk->text, error))
        return false;
    chunk->file = prefetch->file;
    chunk->bill = bill;
    chunk->position = csv_chunks_position(prefetch->chunks);
    chunk->chunk_id = prefetch->known->first_new + number;
    chunk->shareable = true;
    if (chunk->text.is_last) {
        csv_chunks_close(prefetch->chunks);
        prefetch->chunks = NULL;
    }
    return true;
}

static void read_chunk(struct worker *worker, struct billing_chunk *chunk)
{
    size_t periods;
    struct error error; /* the state says that it failed */
    chunk->key = known_chunk_key(chunk->bill, &chunk->text);
    chunk->known = known_chunk_find(worker->prefetch->known, chunk->key, &periods);
    if (chunk->known != NULL) {
        chunk->state = CHUNK_KNOWN;
        chunk->period_count = (int)periods;
    } else {
        billing_reader_read(&worker->reader, chunk, 0, &error);
    }
}

static void *run(void *argument)
{
    struct worker *worker = argument;
    struct billing_prefetch *prefetch = worker->prefetch;
    pthread_mutex_lock(&prefetch->mutex);
    for (;;) {
        while (!prefetch->stopped && !prefetch->ended &&
               (prefetch->cutting || prefetch->taken - prefetch->returned == SLOTS))
            pthread_cond_wait(&prefetch->changed, &prefetch->mutex);
        if (prefetch->stopped || prefetch->ended)
            break;
        int64_t number = prefetch->taken;
        struct slot *slot = &prefetch->slots[number % SLOTS];
        bool ended = false;
        prefetch->cutting = true;
        pthread_mutex_unlock(&prefetch->mutex);
        slot->failed = !cut(prefetch, &slot->chunk, number, &ended, &slot->error);
        pthread_mutex_lock(&prefetch->mutex);
        prefetch->cutting = false;
        prefetch->ended = ended || slot->failed;
        prefetch->taken += !ended;
        slot->ready = slot->failed;
        pthread_cond_broadcast(&prefetch->changed);
        if (prefetch->ended)
            break;
        pthread_mutex_unlock(&prefetch->mutex);
        read_chunk(worker, &slot->chunk);
        pthread_mutex_lock(&prefetch->mutex);
        slot->ready = true;
        pthread_cond_broadcast(&prefetch->changed);
    }
    pthread_mutex_unlock(&prefetch->mutex);
    return NULL;
}

/* ---- the caller ---- */

static void open_slots(struct billing_prefetch *prefetch)
{
    prefetch->bills = calloc((size_t)prefetch->path_count + 1, sizeof *prefetch->bills);
    for (int i = 0; i < SLOTS; i++)
        billing_chunk_open(&prefetch->slots[i].chunk);
}

static bool start(struct worker *worker, struct billing_prefetch *prefetch, struct billing_periods *periods,
                  struct error *error)
{
    worker->prefetch = prefetch;
    if (!billing_reader_open(&worker->reader, prefetch->settings, periods, error))
        return false;
    worker->runs = thread_start(&worker->thread, run, worker);
    return worker->runs || error_set_errno(error, "no thread to read the bill");
}

struct billing_prefetch *billing_prefetch_open(const struct billing_settings *settings,
                                               struct billing_periods *periods,
                                               const struct known_chunks *known, const char *const *paths,
                                               int path_count, struct error *error)
{
    struct billing_prefetch *prefetch = calloc(1, sizeof *prefetch);
    prefetch->settings = settings;
    prefetch->known = known;
    prefetch->paths = paths;
    prefetch->path_count = path_count;
    prefetch->file = -1;
    pthread_mutex_init(&prefetch->mutex, NULL);
    pthread_cond_init(&prefetch->changed, NULL);
    open_slots(prefetch);
    bool ok = true;
    for (int i = 0; ok && i < BILLING_PREFETCH_THREADS; i++)
        ok = start(&prefetch->workers[i], prefetch, periods, error);
    if (!ok) {
        billing_prefetch_close(prefetch);
        return NULL;
    }
    return prefetch;
}

void billing_prefetch_close(struct billing_prefetch *prefetch)
{
    if (prefetch == NULL)
        return;
    pthread_mutex_lock(&prefetch->mutex);
    prefetch->stopped = true;
    pthread_cond_broadcast(&prefetch->changed);
    pthread_mutex_unlock(&prefetch->mutex);
    for (int i = 0; i < BILLING_PREFETCH_THREADS; i++) {
        if (prefetch->workers[i].runs)
            pthread_join(prefetch->workers[i].thread, NULL);
        billing_reader_close(&prefetch->workers[i].reader);
    }
    for (int i = 0; i < SLOTS; i++)
        billing_chunk_close(&prefetch->slots[i].chunk);
    for (int i = 0; prefetch->bills != NULL && i < prefetch->path_count; i++)
        bill_file_close(&prefetch->bills[i]);
    csv_chunks_close(prefetch->chunks);
    free(prefetch->bills);
    pthread_cond_destroy(&prefetch->changed);
    pthread_mutex_destroy(&prefetch->mutex);
    free(prefetch);
}

bool billing_prefetch_next(struct billing_prefetch *prefetch, struct billing_chunk **chunk,
                           struct error *error)
{
    pthread_mutex_lock(&prefetch->mutex);
    prefetch->returned = prefetch->given;
    pthread_cond_broadcast(&prefetch->changed);
    struct slot *slot = &prefetch->slots[prefetch->given % SLOTS];
    while (prefetch->given == prefetch->taken ? !prefetch->ended : !slot->ready)
        pthread_cond_wait(&prefetch->changed, &prefetch->mutex);
    bool none = prefetch->given == prefetch->taken;
    if (!none) {
        slot->ready = false;
        prefetch->given++;
    }
    pthread_mutex_unlock(&prefetch->mutex);
    *chunk = none || slot->failed ? NULL : &slot->chunk;
    if (!none && slot->failed)
        *error = slot->error;
    return none || !slot->failed;
}

void billing_prefetch_dimensions(struct billing_prefetch *prefetch,
                                 struct dimension_store *stores[BILLING_PREFETCH_THREADS])
{
    for (int i = 0; i < BILLING_PREFETCH_THREADS; i++)
        stores[i] = prefetch->workers[i].reader.dimensions;
}
