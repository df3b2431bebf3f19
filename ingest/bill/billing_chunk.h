/* ingest/bill/billing_chunk.h: a chunk of a bill and the rows that are made of it.
 *
 * A chunk is read by any thread and stored by the one that has the database. What is here is a
 * function of its bytes and of its file's context: rows as PostgreSQL's COPY wants them, sums per
 * billing period, and the records that could not be read. Line numbers count from the chunk's first
 * line.
 */
#ifndef KSTAR_INGEST_BILL_BILLING_CHUNK_H
#define KSTAR_INGEST_BILL_BILLING_CHUNK_H

#include "base/postgres/copy_stream.h"
#include "base/text/csv_chunks.h"
#include "ingest/bill/bill_file.h"
#include "ingest/bill/known_chunks.h"
#include "ingest/bill/billing_period.h"

enum {
    /* Reading pauses here until the rows are stored: memory stays flat whatever the bill. */
    CHUNK_ROW_BYTES = 8 << 20,
    CHUNK_QUARANTINED = 1000,
};

/* What a chunk holds of one billing period. */
struct chunk_period {
    const struct billing_period *period;
    int64_t rows;
    XXH128_hash_t lines_sum; /* of its rows (line_sums.h) */
    int64_t last_line;       /* of its rows */
    bool has_usage, states_usage;
    time_us covered_from, covered_to; /* by Usage lines */
    /* by those that show how far usage was delivered (billing_reader.c) */
    time_us usage_from, usage_to;
};

/* What it holds of one invoice. */
struct chunk_invoice {
    const struct billing_period *period;
    int64_t invoice_key;
    struct decimal_sum billed, effective;
    struct decimal_sum cancelled; /* makes no row because other records take it back */
};

/* Its sum for one account and currency, which identifies the content (billing_content.h). */
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
    char *commitment; /* CommitmentDiscountId; NULL: none that can be read */
    bool cost_known[2];
    struct decimal cost[2]; /* billed, effective */
};

enum chunk_state {
    CHUNK_KNOWN,      /* its rows are there already */
    CHUNK_PART,       /* more is to be read, from `read` on */
    CHUNK_READ,       /* to its end, which is the end of a record */
    CHUNK_UNFINISHED, /* to `read`, where a record begins that does not end in the chunk */
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
    int64_t lines; /* physical ones, of what has been read */
    int64_t records;
    struct copy_stream rows;
    struct chunk_period periods[BILLING_PERIODS_MAXIMUM];
    int period_count;
    /* of the last row that says one, readable or not; NULL before any */
    const struct billing_period *latest;
    struct chunk_invoice *invoices;
    size_t invoice_count, invoice_capacity;
    struct chunk_account *accounts;
    size_t account_count, account_capacity;
    struct quarantined_row *quarantine;
    int quarantine_count;
};

/* Room for what is made; the text's buffer comes with the first filling. */
void billing_chunk_open(struct billing_chunk *chunk);
void billing_chunk_close(struct billing_chunk *chunk); /* harmless on a zeroed one */

/* Forgets all that has been made of the text: it is to be read from its beginning. */
void billing_chunk_restart(struct billing_chunk *chunk);

/* Forgets the quarantined rows, which have been stored. */
void billing_chunk_drop_quarantine(struct billing_chunk *chunk);

/* Adds a record that could not be read, with what could be, for which there is room
 * (CHUNK_QUARANTINED): the problem is `row`'s, the period its own or NULL. The chunk cannot be
 * shared then. */
void billing_chunk_quarantine(struct billing_chunk *chunk, const struct csv_record *record, int64_t line,
                              const struct billing_row *row, const struct billing_period *own);

/* What the chunk holds of `period`, added where it is new. */
struct chunk_period *billing_chunk_period(struct billing_chunk *chunk, const struct billing_period *period);

/* What it holds of an invoice, added where it is new. */
struct chunk_invoice *billing_chunk_invoice(struct billing_chunk *chunk, const struct billing_period *period,
                                            int64_t invoice_key);

/* What it holds of an account in a currency, added where it is new. */
struct chunk_account *billing_chunk_account(struct billing_chunk *chunk, const struct billing_period *period,
                                            int64_t account_key, const struct csv_field *currency);

#endif
