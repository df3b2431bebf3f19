/* ingest/bill/billing_reader.h: makes rows of a chunk of a bill. One per thread.
 *
 * A chunk is read to its end, or until so many rows are made that they must be stored first. Then
 * the same or another reader continues. A reader depends on earlier chunks only in that it does not
 * collect the same dimension row again.
 */
#ifndef KSTAR_INGEST_BILL_BILLING_READER_H
#define KSTAR_INGEST_BILL_BILLING_READER_H

#include "ingest/bill/billing_chunk.h"
#include "ingest/bill/dimension.h"
#include "ingest/node_hash.h"

struct billing_reader {
    const struct billing_settings *settings;
    struct billing_periods *periods;
    struct dimension_store *dimensions;
    struct node_hashes *node_hashes;

    const struct bill_file *bill; /* its header is interpreted in `file` */
    struct billing_file file;
    struct csv_reader *csv;
    struct billing_row rows[BILLING_ROWS_MAXIMUM];

    time_us period_start; /* of the row before, and its period */
    const struct billing_period *period;
};

/* The settings and periods must outlive the reader. Call billing_reader_close after failure,
 * too. */
bool billing_reader_open(struct billing_reader *reader, const struct billing_settings *settings,
                         struct billing_periods *periods, struct error *error);
void billing_reader_close(struct billing_reader *reader);

/* Continues a chunk whose state is CHUNK_PART. `first_line` is the number of its first line in the
 * file, for messages. The new state shows how far it was read; CHUNK_FAILED comes with an error. */
void billing_reader_read(struct billing_reader *reader, struct billing_chunk *chunk, int64_t first_line,
                         struct error *error);

/* The key of an invoice (issuer, id and currency); collects its dimension row. */
int64_t billing_invoice_key(struct billing_reader *reader, const struct billing_period *period,
                            const struct csv_field invoice[3]);

#endif
