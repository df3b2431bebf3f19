/* ingest/billing_writer.h: rows of a bill into the database: lines, loads, dimensions, rejects.
 *
 * Lines go out at once by COPY in the caller's transaction. A row of a billing period not met before
 * interrupts the COPY: its load is opened and its partition made. Dimension rows and rejects wait in spools
 * of their own.
 */
#ifndef KSTAR_INGEST_BILLING_WRITER_H
#define KSTAR_INGEST_BILLING_WRITER_H

#include "base/copy_stream.h"
#include "ingest/billing_format.h"
#include "ingest/delivery_guard.h"
#include "ingest/dimension.h"

#include <libpq-fe.h>

enum { BILLING_PERIODS_MAXIMUM = 64 }; /* of one delivery; more refuse it */

struct billing_load {
    int load_id;
    time_us period;       /* midnight of the billing period's first day */
    char period_text[11]; /* "2026-09-01" */
    int64_t rows, rows_of_file, last_line;
    bool has_usage;
    time_us covered_from, covered_to; /* by Usage lines */
};

struct billing_writer {
    PGconn *connection;
    const char *source, *time_zone;
    int delivery_id;
    int64_t chunk_id; /* of the file at hand: a file is one chunk, and not shared yet */
    bool strict;
    bool accept; /* also what covers less than the load that it replaces */
    struct delivery_hold hold; /* set where `accept` was needed and missing */
    struct dimension_store *dimensions;
    struct copy_stream lines, rejects;
    bool lines_open, rejects_open;

    struct {
        time_us start; /* BillingPeriodStart as it stands in the bill */
        struct billing_load *load;
    } periods[BILLING_PERIODS_MAXIMUM];
    int period_count;
    struct billing_load loads[BILLING_PERIODS_MAXIMUM];
    int load_count;
    struct billing_load *latest; /* of the row before; NULL before any */

    int64_t rows, rejected;
    char first_reject[512]; /* as a message names it */
};

/* `connection` is in the transaction that is to hold the delivery. The texts must outlive the writer, which
 * is freed with billing_writer_close whatever happens. */
bool billing_writer_open(struct billing_writer *writer, PGconn *connection, const char *source,
                         const char *time_zone, int delivery_id, struct error *error);
void billing_writer_close(struct billing_writer *writer);

/* Around the records of each file. */
bool billing_writer_begin_file(struct billing_writer *writer, struct error *error);
bool billing_writer_end_file(struct billing_writer *writer, int file_id, int64_t line_count,
                             struct error *error);

/* Stores the rows of a record, or the record as a reject where one has a problem. False where the database
 * fails, a bound is passed, or `strict` is set and this is a reject. */
bool billing_writer_put(struct billing_writer *writer, const struct billing_file *file, int file_id,
                        const char *file_label, const struct csv_record *record, struct billing_row *rows,
                        int row_count, struct error *error);

/* Ends the COPY, commits the dimensions on `second`, stores the rejects, makes the loads current. What is
 * left is to close the delivery and commit. */
bool billing_writer_finish(struct billing_writer *writer, PGconn *second, struct error *error);

#endif
