/* ingest/bill/billing_piece.h: a piece of a bill and the rows that are made of it.
 *
 * A piece is read by any thread and stored by the one that has the database. What is here is a
 * function of its bytes and of its file's context: rows as PostgreSQL's COPY wants them, sums per
 * billing period, and the records that could not be read. Line numbers count from the piece's first
 * line.
 */
#ifndef KSTAR_INGEST_BILL_BILLING_PIECE_H
#define KSTAR_INGEST_BILL_BILLING_PIECE_H

#include "base/postgres/copy_stream.h"
#include "base/text/csv_pieces.h"
#include "ingest/bill/bill_file.h"
#include "ingest/bill/billing_chunk.h"
#include "ingest/bill/billing_period.h"

enum {
    /* Reading pauses here until the rows are stored: memory stays flat whatever the bill. */
    PIECE_ROW_BYTES = 8 << 20,
    PIECE_REJECTS = 1000,
};

/* What a piece holds of one billing period. */
struct piece_period {
    const struct billing_period *period;
    int64_t rows;
    int64_t last_line; /* of its rows */
    bool has_usage, states_usage;
    time_us covered_from, covered_to; /* by Usage lines */
    time_us usage_from, usage_to;     /* by those that tell what has been delivered (billing_reader.c) */
};

/* What it holds of one invoice. */
struct piece_invoice {
    const struct billing_period *period;
    int64_t invoice_key;
    struct decimal_sum billed, effective;
    struct decimal_sum cancelled; /* makes no row because other records take it back */
};

/* Its sum for one account and currency, which identifies the content (billing_content.h). */
struct piece_account {
    const struct billing_period *period;
    int64_t account_key; /* 0: none */
    char currency[4];
    int64_t money_rows; /* with billed or effective cost */
    struct decimal_sum billed;
    XXH128_hash_t content;
};

/* A record that could not be read. */
struct piece_reject {
    int64_t line;
    size_t offset, length; /* of its raw bytes in the piece */
    char *column;          /* NULL: the record as a whole; owned, like the texts below */
    char reason[256];
    const struct billing_period
        *period; /* its own, or that of the row before; NULL: neither is in the piece */
    bool charge_known;
    time_us charge_start;
    bool invoice_known;
    char *invoice[3]; /* issuer, id, currency */
    char *commitment; /* CommitmentDiscountId; NULL: none that can be read */
    bool cost_known[2];
    struct decimal cost[2]; /* billed, effective */
};

enum piece_state {
    PIECE_KNOWN,      /* its rows are there already */
    PIECE_PART,       /* more is to be read, from `read` on */
    PIECE_READ,       /* to its end, which is the end of a record */
    PIECE_UNFINISHED, /* to `read`, where a record begins that does not end in the piece */
    PIECE_FAILED,
};

struct billing_piece {
    int file; /* of the delivery */
    const struct bill_file *bill;
    struct csv_piece text;
    int64_t position; /* of the file on disk, behind the piece */
    int64_t chunk_id;
    XXH128_hash_t key;
    const struct known_chunk *known; /* the first of its rows; NULL: to be read */
    bool shareable;                  /* so far */

    enum piece_state state;
    size_t read;   /* bytes */
    int64_t lines; /* physical ones, of what has been read */
    int64_t records;
    struct copy_stream rows;
    struct piece_period periods[BILLING_PERIODS_MAXIMUM];
    int period_count;
    const struct billing_period *latest; /* of the last row that says one, readable or not; NULL before any */
    struct piece_invoice *invoices;
    size_t invoice_count, invoice_capacity;
    struct piece_account *accounts;
    size_t account_count, account_capacity;
    struct piece_reject *rejects;
    int reject_count;
};

/* Room for what is made; the text's buffer comes with the first filling. */
void billing_piece_open(struct billing_piece *piece);
void billing_piece_close(struct billing_piece *piece); /* harmless on a zeroed one */

/* Forgets all that has been made of the text: it is to be read from its beginning. */
void billing_piece_restart(struct billing_piece *piece);

/* Forgets the rejects, which have been stored. */
void billing_piece_drop_rejects(struct billing_piece *piece);

/* Adds a record that could not be read, with what could be, for which there is room
 * (PIECE_REJECTS): the problem is `row`'s, the period its own or NULL. The piece cannot be shared
 * then. */
void billing_piece_reject(struct billing_piece *piece, const struct csv_record *record, int64_t line,
                          const struct billing_row *row, const struct billing_period *own);

/* What the piece holds of `period`, added where it is new. */
struct piece_period *billing_piece_period(struct billing_piece *piece, const struct billing_period *period);

/* What it holds of an invoice, added where it is new. */
struct piece_invoice *billing_piece_invoice(struct billing_piece *piece, const struct billing_period *period,
                                            int64_t invoice_key);

/* What it holds of an account in a currency, added where it is new. */
struct piece_account *billing_piece_account(struct billing_piece *piece, const struct billing_period *period,
                                            int64_t account_key, const struct csv_field *currency);

#endif
