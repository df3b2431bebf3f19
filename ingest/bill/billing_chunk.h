/* ingest/bill/billing_chunk.h: a chunk of a bill and the rows that are made of it.
 *
 * Any thread may read a chunk, and the thread with the database stores it. Its contents depend only
 * on its bytes and the context of its file: rows in the form of PostgreSQL's COPY, sums per billing
 * period, and unreadable records. Line numbers count from the first line of the chunk.
 */
#ifndef KSTAR_INGEST_BILL_BILLING_CHUNK_H
#define KSTAR_INGEST_BILL_BILLING_CHUNK_H

#include "base/postgres/copy_stream.h"
#include "base/text/csv_chunks.h"
#include "ingest/bill/bill_file.h"
#include "ingest/bill/known_chunks.h"
#include "ingest/bill/billing_period.h"

enum {
    /* Reading pauses at these sizes until the rows are stored, so that memory does not grow with
     * the bill. */
    CHUNK_ROW_BYTES = 8 << 20,
    CHUNK_QUARANTINED = 1000,
};

/* Sums of a chunk for one billing period. */
struct chunk_period {
    const struct billing_period *period;
    int64_t rows;
    XXH128_hash_t lines_sum; /* of its rows (line_sums.h) */
    int64_t last_line;       /* of its rows */
    bool has_usage, states_usage;
    time_us covered_from, covered_to; /* by Usage lines */
    /* by Usage lines that show how far usage was delivered (billing_reader.c) */
    time_us usage_from, usage_to;
};

/* Sums of a chunk for one invoice. */
struct chunk_invoice {
    const struct billing_period *period;
    int64_t invoice_key;
    struct decimal_sum billed, effective;
    struct decimal_sum cancelled; /* makes no row because other records take it back */
};

/* Sums of a chunk for one account and currency, which identify the content (billing_content.h). */
struct chunk_account {
    const struct billing_period *period;
    int64_t account_key; /* 0: none */
    char currency[4];
    int64_t money_rows; /* with billed or effective cost */
    struct decimal_sum billed;
    XXH128_hash_t content;
};

/* A record that could not be read. */
struct quarantined_row {
    int64_t line;
    size_t offset, length; /* of its raw bytes in the chunk */
    char *column;          /* NULL: the record as a whole; owned, like the texts below */
    char reason[256];
    const struct billing_period
        *period; /* its own, or that of the row before; NULL: neither is in the chunk */
    bool charge_known;
    time_us charge_start;
    bool invoice_known;
    char *invoice[3]; /* issuer, id, currency */
    char *commitment; /* CommitmentDiscountId; NULL: none, or unreadable */
    bool cost_known[2];
    struct decimal cost[2]; /* billed, effective */
};

enum chunk_state {
    CHUNK_KNOWN,      /* its rows are stored already */
    CHUNK_PART,       /* not finished: reading continues at `read` */
    CHUNK_READ,       /* read to its end, where a record ends */
    CHUNK_UNFINISHED, /* read to `read`, where a record begins that the next chunk continues */
    CHUNK_FAILED,
};

struct billing_chunk {
    int file; /* of the delivery */
    const struct bill_file *bill;
    struct csv_chunk text;
    int64_t position; /* of the file on disk, behind the chunk */
    int64_t chunk_id;
    XXH128_hash_t key;
    const struct known_chunk *known; /* the first of its rows; NULL: to be read */
    bool shareable;                  /* so far */

    enum chunk_state state;
    size_t read;   /* bytes */
    int64_t lines; /* physical lines read so far */
    int64_t records;
    struct copy_stream rows;
    struct chunk_period periods[BILLING_PERIODS_MAXIMUM];
    int period_count;
    /* of the last row that has one, readable or not; NULL: none yet */
    const struct billing_period *latest;
    struct chunk_invoice *invoices;
    size_t invoice_count, invoice_capacity;
    struct chunk_account *accounts;
    size_t account_count, account_capacity;
    struct quarantined_row *quarantine;
    int quarantine_count;
};

/* Allocates everything but the buffer for the text, which comes with the first filling. */
void billing_chunk_open(struct billing_chunk *chunk);
void billing_chunk_close(struct billing_chunk *chunk); /* harmless on a zeroed one */

/* Drops everything that was made of the text, to read it again from its beginning. */
void billing_chunk_restart(struct billing_chunk *chunk);

/* Drops the quarantined rows, which have been stored. */
void billing_chunk_drop_quarantine(struct billing_chunk *chunk);

/* Adds an unreadable record with its readable parts. There must be room (CHUNK_QUARANTINED). The
 * problem is that of `row`; `own` is its period or NULL. The chunk cannot be shared any more. */
void billing_chunk_quarantine(struct billing_chunk *chunk, const struct csv_record *record, int64_t line,
                              const struct billing_row *row, const struct billing_period *own);

/* The sums for `period`, added if new. */
struct chunk_period *billing_chunk_period(struct billing_chunk *chunk, const struct billing_period *period);

/* The sums for an invoice, added if new. */
struct chunk_invoice *billing_chunk_invoice(struct billing_chunk *chunk, const struct billing_period *period,
                                            int64_t invoice_key);

/* The sums for an account in a currency, added if new. */
struct chunk_account *billing_chunk_account(struct billing_chunk *chunk, const struct billing_period *period,
                                            int64_t account_key, const struct csv_field *currency);

#endif
