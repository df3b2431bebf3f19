/* ingest/bill/billing_ahead.c: see billing_ahead.h.
 *
 * A ring of slots. A thread takes the next free one, fills it by cutting (one thread at a time:
 * `cutting`), reads it and marks it ready; the caller takes ready ones in the same order and gives
 * each back with its next call. The mutex guards what is marked so; a slot belongs to one side at a
 * time, the input to the thread that cuts.
 */
#include "ingest/bill/billing_ahead.h"

#include "base/system/thread.h"
#include "ingest/bill/billing_reader.h"

#include <stdlib.h>

enum {
    SLOTS = 32,
    CHUNKS_MAXIMUM = 1 << 20, /* of a delivery: by how much chunk_number goes on for each */
};

struct slot {
    struct billing_piece piece;
    bool ready;  /* guarded */
    bool failed; /* the file could not be opened or cut: `error` says why */
    struct error error;
};

struct billing_ahead {
    const struct billing_settings *settings;
    const struct known_chunks *known;
    const char *const *paths;
    int path_count;

    pthread_mutex_t mutex;
    pthread_cond_t changed;
    struct slot slots[SLOTS];
    int64_t taken, given, returned; /* guarded: slots that were filled, given to the caller, given back */
    bool cutting, ended, stopped;   /* guarded */

    int file;                /* the input: the file being cut, and the next piece of it */
    struct bill_file *bills; /* opened one after the other; freed at the end, since pieces refer to them */
    struct csv_pieces *pieces;

    struct worker {
        struct billing_ahead *ahead;
        struct billing_reader reader;
        pthread_t thread;
        bool runs;
    } workers[BILLING_AHEAD_THREADS];
};

/* ---- the threads ---- */

/* Fills a slot with the next piece. False where that fails, or there is none left: `*ended`. */
static bool cut(struct billing_ahead *ahead, struct billing_piece *piece, int64_t number, bool *ended,
                struct error *error)
{
    if (ahead->pieces == NULL && ++ahead->file == ahead->path_count) {
        *ended = true;
        return true;
    }
    struct bill_file *bill = &ahead->bills[ahead->file];
    if (ahead->pieces == NULL) {
        const char *path = ahead->paths[ahead->file];
        if (!bill_file_open(bill, ahead->settings, path, error))
            return false;
        ahead->pieces = csv_pieces_open(path, bill->rows.offset, &ahead->settings->limits, error);
        if (ahead->pieces == NULL)
            return false;
    }
    billing_piece_restart(piece);
    if (number == CHUNKS_MAXIMUM)
        return error_set(error, ERROR_INPUT, "%s: a delivery of more than %d pieces", bill->path,
                         CHUNKS_MAXIMUM);
    if (!csv_pieces_next(ahead->pieces, &piece->text, error))
        return false;
    piece->file = ahead->file;
    piece->bill = bill;
    piece->position = csv_pieces_position(ahead->pieces);
    piece->chunk_id = ahead->known->first_new + number;
    piece->shareable = true;
    if (piece->text.is_last) {
        csv_pieces_close(ahead->pieces);
        ahead->pieces = NULL;
    }
    return true;
}

static void read_piece(struct worker *worker, struct billing_piece *piece)
{
    size_t periods;
    struct error error; /* the caller makes its own */
    piece->key = billing_chunk_key(piece->bill, &piece->text);
    piece->known = billing_chunk_find(worker->ahead->known, piece->key, &periods);
    if (piece->known != NULL) {
        piece->state = PIECE_KNOWN;
        piece->period_count = (int)periods;
    } else {
        billing_reader_read(&worker->reader, piece, 0, &error);
    }
}

static void *run(void *argument)
{
    struct worker *worker = argument;
    struct billing_ahead *ahead = worker->ahead;
    pthread_mutex_lock(&ahead->mutex);
    for (;;) {
        while (!ahead->stopped && !ahead->ended &&
               (ahead->cutting || ahead->taken - ahead->returned == SLOTS))
            pthread_cond_wait(&ahead->changed, &ahead->mutex);
        if (ahead->stopped || ahead->ended)
            break;
        int64_t number = ahead->taken;
        struct slot *slot = &ahead->slots[number % SLOTS];
        bool ended = false;
        ahead->cutting = true;
        pthread_mutex_unlock(&ahead->mutex);
        slot->failed = !cut(ahead, &slot->piece, number, &ended, &slot->error);
        pthread_mutex_lock(&ahead->mutex);
        ahead->cutting = false;
        ahead->ended = ended || slot->failed;
        ahead->taken += !ended;
        slot->ready = slot->failed;
        pthread_cond_broadcast(&ahead->changed);
        if (ahead->ended)
            break;
        pthread_mutex_unlock(&ahead->mutex);
        read_piece(worker, &slot->piece);
        pthread_mutex_lock(&ahead->mutex);
        slot->ready = true;
        pthread_cond_broadcast(&ahead->changed);
    }
    pthread_mutex_unlock(&ahead->mutex);
    return NULL;
}

/* ---- the caller ---- */

static void open_slots(struct billing_ahead *ahead)
{
    ahead->bills = calloc((size_t)ahead->path_count + 1, sizeof *ahead->bills);
    for (int i = 0; i < SLOTS; i++)
        billing_piece_open(&ahead->slots[i].piece);
}

static bool start(struct worker *worker, struct billing_ahead *ahead, struct billing_periods *periods,
                  struct error *error)
{
    worker->ahead = ahead;
    if (!billing_reader_open(&worker->reader, ahead->settings, periods, error))
        return false;
    worker->runs = thread_start(&worker->thread, run, worker);
    return worker->runs || error_set_errno(error, "no thread to read the bill");
}

struct billing_ahead *billing_ahead_open(const struct billing_settings *settings,
                                         struct billing_periods *periods, const struct known_chunks *known,
                                         const char *const *paths, int path_count, struct error *error)
{
    struct billing_ahead *ahead = calloc(1, sizeof *ahead);
    ahead->settings = settings;
    ahead->known = known;
    ahead->paths = paths;
    ahead->path_count = path_count;
    ahead->file = -1;
    pthread_mutex_init(&ahead->mutex, NULL);
    pthread_cond_init(&ahead->changed, NULL);
    open_slots(ahead);
    bool ok = true;
    for (int i = 0; ok && i < BILLING_AHEAD_THREADS; i++)
        ok = start(&ahead->workers[i], ahead, periods, error);
    if (!ok) {
        billing_ahead_close(ahead);
        return NULL;
    }
    return ahead;
}

void billing_ahead_close(struct billing_ahead *ahead)
{
    if (ahead == NULL)
        return;
    pthread_mutex_lock(&ahead->mutex);
    ahead->stopped = true;
    pthread_cond_broadcast(&ahead->changed);
    pthread_mutex_unlock(&ahead->mutex);
    for (int i = 0; i < BILLING_AHEAD_THREADS; i++) {
        if (ahead->workers[i].runs)
            pthread_join(ahead->workers[i].thread, NULL);
        billing_reader_close(&ahead->workers[i].reader);
    }
    for (int i = 0; i < SLOTS; i++)
        billing_piece_close(&ahead->slots[i].piece);
    for (int i = 0; ahead->bills != NULL && i < ahead->path_count; i++)
        bill_file_close(&ahead->bills[i]);
    csv_pieces_close(ahead->pieces);
    free(ahead->bills);
    pthread_cond_destroy(&ahead->changed);
    pthread_mutex_destroy(&ahead->mutex);
    free(ahead);
}

bool billing_ahead_next(struct billing_ahead *ahead, struct billing_piece **piece, struct error *error)
{
    pthread_mutex_lock(&ahead->mutex);
    ahead->returned = ahead->given;
    pthread_cond_broadcast(&ahead->changed);
    struct slot *slot = &ahead->slots[ahead->given % SLOTS];
    while (ahead->given == ahead->taken ? !ahead->ended : !slot->ready)
        pthread_cond_wait(&ahead->changed, &ahead->mutex);
    bool none = ahead->given == ahead->taken;
    if (!none) {
        slot->ready = false;
        ahead->given++;
    }
    pthread_mutex_unlock(&ahead->mutex);
    *piece = none || slot->failed ? NULL : &slot->piece;
    if (!none && slot->failed)
        *error = slot->error;
    return none || !slot->failed;
}

void billing_ahead_dimensions(struct billing_ahead *ahead,
                              struct dimension_store *stores[BILLING_AHEAD_THREADS])
{
    for (int i = 0; i < BILLING_AHEAD_THREADS; i++)
        stores[i] = ahead->workers[i].reader.dimensions;
}
