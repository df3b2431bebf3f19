/* ingest/bill/billing_loads.h: the loads of a bill that is being written: one per billing period,
 * opened with the partition of its lines at the first line of the period. */
#ifndef KSTAR_INGEST_BILL_BILLING_LOADS_H
#define KSTAR_INGEST_BILL_BILLING_LOADS_H

#include "ingest/bill/billing_prefetch.h"
#include "ingest/bill/billing_reader.h"
#include "ingest/delivery_guard.h"

#include <libpq-fe.h>

struct billing_load {
    int load_id;                 /* 0: not opened yet */
    bool replaces;               /* another one is current */
    bool replaces_another_label; /* and the current one has another label */
    bool is_of_pruned_month;     /* none of its lines is kept: billing_replace.h */
    const struct billing_period *period;
    char *partition;       /* the table of its lines, quoted; freed with PQfreemem */
    bool partition_is_new; /* made by this transaction: no other one sees its lines yet */
};

struct billing_writer {
    PGconn *connection;
    const struct billing_settings *settings;
    struct billing_periods *periods;
    struct billing_reader reader; /* opened when the writer first reads a chunk itself */
    int delivery_id;
    bool strict;
    struct delivery_hold hold; /* set by billing_replace_allowed */

    struct billing_load loads[BILLING_PERIODS_MAXIMUM]; /* by the number of their period */
    int load_count;
    const struct billing_period *latest; /* of the last row; NULL: none yet */
    struct copy_stream lines;
    const char *target; /* the table that `lines` goes to; NULL: no COPY is open */
    struct copy_stream chunks, invoices, contents, places, quarantine; /* spools */

    int file, file_id; /* the file that is being stored, by its number in the delivery; its id */
    const char *path;
    int64_t line; /* of the next chunk's beginning */
    char *tail;   /* the record of the last chunk that continues in the next one */
    size_t tail_length;

    int64_t rows, quarantined, chunk_count, reused;
    int64_t differing;           /* loads of pruned months that differ from what was pruned */
    char first_differing[512];   /* which month, and how its load differs; "" */
    char first_quarantined[512]; /* as in a message */
};

/* Ends the current COPY, if there is one, so that the connection can be used. */
bool billing_writer_pause(struct billing_writer *writer, struct error *error);

/* The load of a period, opened if new; and the writer's own reader. */
bool billing_writer_load(struct billing_writer *writer, const struct billing_period *period,
                         struct error *error);
bool billing_writer_reader(struct billing_writer *writer, struct error *error);

/* Runs a statement for each load: $1 its id, $2 its billing period. */
bool billing_writer_each_load(struct billing_writer *writer, const char *file, struct error *error);

#endif
