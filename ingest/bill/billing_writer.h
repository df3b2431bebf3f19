/* ingest/bill/billing_writer.h: pieces of a bill into the database: lines, chunks, loads, rejects.
 *
 * Lines go out at once by COPY in the caller's transaction. A billing period not met before
 * interrupts the COPY: its load is opened and its partition made. Chunks, their places in the
 * loads, and rejects wait in spools.
 */
#ifndef KSTAR_INGEST_BILL_BILLING_WRITER_H
#define KSTAR_INGEST_BILL_BILLING_WRITER_H

#include "ingest/bill/billing_ahead.h"
#include "ingest/bill/billing_reader.h"
#include "ingest/delivery_guard.h"

#include <libpq-fe.h>

struct billing_load {
    int load_id;                 /* 0: not opened yet */
    bool replaces;               /* another one is current */
    bool replaces_another_label; /* and came under another label */
    bool is_of_pruned_month;     /* nothing of it is kept: billing_replace.h */
    const struct billing_period *period;
    char *partition; /* the table of its lines, quoted; freed with PQfreemem */
};

struct billing_writer {
    PGconn *connection;
    const struct billing_settings *settings;
    struct billing_periods *periods;
    struct billing_reader reader; /* opened when it is first needed: what was not, or cannot be, read ahead */
    int delivery_id;
    bool strict;
    struct delivery_hold hold; /* set by billing_replace_allowed */

    struct billing_load loads[BILLING_PERIODS_MAXIMUM]; /* by the number of their period */
    int load_count;
    const struct billing_period *latest; /* of the row before; NULL before any */
    struct copy_stream lines;
    const char *target; /* the table that `lines` goes to; NULL: no COPY is open */
    struct copy_stream chunks, invoices, contents, places, rejects; /* spools */

    int file, file_id; /* of the delivery, being stored; its id */
    const char *path;
    int64_t line; /* of the next piece's beginning */
    char *tail;   /* of the piece before: a record that did not end in it */
    size_t tail_length;

    int64_t rows, rejected, pieces, reused;
    int64_t differing;      /* loads of pruned months that are not what was pruned */
    char first_reject[512]; /* as a message names it */
};

/* `connection` is in the transaction that is to hold the delivery. All of it must outlive the
 * writer, which is freed with billing_writer_close whatever happens. */
bool billing_writer_open(struct billing_writer *writer, PGconn *connection,
                         const struct billing_settings *settings, struct billing_periods *periods,
                         int delivery_id, struct error *error);
void billing_writer_close(struct billing_writer *writer);

/* Stores the next piece of a delivery, which is of `file`, and counts its rows and records there,
 * and what is in it; reads what is left to read of it. False where the bill or the database fails,
 * or `strict` is set and there is a reject. */
bool billing_writer_put(struct billing_writer *writer, struct billing_piece *piece,
                        struct delivery_file *file, struct error *error);

/* Ends the COPY that is under way, if there is one: the connection can be used. */
bool billing_writer_pause(struct billing_writer *writer, struct error *error);

/* After the last piece: ends the COPY, stores the chunks and the rejects, closes the loads. The
 * dimensions that `stores` and the writer's own reader gathered are committed first, on `second`.
 * The loads are not current yet. */
bool billing_writer_finish(struct billing_writer *writer, struct dimension_store *const *stores,
                           int store_count, PGconn *second, struct error *error);

/* Runs a statement for each load: $1 its id, $2 its billing period. */
bool billing_writer_each_load(struct billing_writer *writer, const char *file, struct error *error);

/* For billing_rejects.h: the load of a period, opened if new, and the writer's own reader. */
bool billing_writer_load(struct billing_writer *writer, const struct billing_period *period,
                         struct error *error);
bool billing_writer_reader(struct billing_writer *writer, struct error *error);

#endif
