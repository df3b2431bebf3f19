/* ingest/bill/billing_format.h: the interface of billing formats, and the row that every format
 * makes.
 *
 * A format is one file and one entry in the table of billing_format.c: the columns it knows, and a
 * function that makes canonical rows (FOCUS's columns and meaning) of a record. Columns are found
 * by header name, once per file. Columns that the format does not name are kept with the line as
 * JSON.
 *
 *     billing_file_open(&file, format, path, currency, &header, error)
 *     billing_file_begin(&file, &first_record, error)      also if the first record is no row
 *     count = billing_read_rows(&file, &record, rows)      per record
 *     billing_file_free(&file)
 */
#ifndef KSTAR_INGEST_BILL_BILLING_FORMAT_H
#define KSTAR_INGEST_BILL_BILLING_FORMAT_H

#include "base/decimal.h"
#include "base/error.h"
#include "base/text/csv_reader.h"
#include "base/time_text.h"
#include "ingest/source_clock.h"

#include <stdbool.h>
#include <string.h>

enum billing_time { TIME_BILLING_PERIOD_START, TIME_CHARGE_PERIOD_START, TIME_CHARGE_PERIOD_END, TIME_COUNT };

enum billing_amount {
    AMOUNT_BILLED_COST,
    AMOUNT_EFFECTIVE_COST,
    AMOUNT_LIST_COST,
    AMOUNT_CONTRACTED_COST,
    AMOUNT_CONSUMED_QUANTITY,
    AMOUNT_PRICING_QUANTITY,
    AMOUNT_COUNT
};

/* Recurring text, in the order of the dimensions' columns: each dimension is one span. */
enum billing_text {
    TEXT_PROVIDER_NAME, /* account */
    TEXT_PUBLISHER_NAME,
    TEXT_BILLING_ACCOUNT_ID,
    TEXT_BILLING_ACCOUNT_NAME,
    TEXT_BILLING_ACCOUNT_TYPE,
    TEXT_SUB_ACCOUNT_ID,
    TEXT_SUB_ACCOUNT_NAME,
    TEXT_SUB_ACCOUNT_TYPE,
    TEXT_INVOICE_ISSUER_NAME, /* invoice, after source and billing period, which the loader adds */
    TEXT_INVOICE_ID,
    TEXT_BILLING_CURRENCY,
    TEXT_RESOURCE_ID, /* resource */
    TEXT_RESOURCE_NAME,
    TEXT_RESOURCE_TYPE,
    TEXT_REGION_ID,
    TEXT_REGION_NAME,
    TEXT_AVAILABILITY_ZONE,
    TEXT_SERVICE_CATEGORY, /* sku */
    TEXT_SERVICE_SUBCATEGORY,
    TEXT_SERVICE_NAME,
    TEXT_SKU_ID,
    TEXT_SKU_PRICE_ID,
    TEXT_SKU_METER,
    TEXT_SKU_PRICE_DETAILS,
    TEXT_PRICING_UNIT,
    TEXT_CONSUMED_UNIT,
    TEXT_LIST_UNIT_PRICE,
    TEXT_CONTRACTED_UNIT_PRICE,
    TEXT_PRICING_CURRENCY,
    TEXT_COMMITMENT_DISCOUNT_ID, /* commitment */
    TEXT_COMMITMENT_DISCOUNT_NAME,
    TEXT_COMMITMENT_DISCOUNT_CATEGORY,
    TEXT_COMMITMENT_DISCOUNT_TYPE,
    TEXT_COMMITMENT_DISCOUNT_UNIT,
    TEXT_CAPACITY_RESERVATION_ID,
    TEXT_CHARGE_CATEGORY, /* charge_kind */
    TEXT_CHARGE_CLASS,
    TEXT_CHARGE_FREQUENCY,
    TEXT_PRICING_CATEGORY,
    TEXT_COMMITMENT_DISCOUNT_STATUS,
    TEXT_CAPACITY_RESERVATION_STATUS,
    TEXT_CHARGE_DESCRIPTION, /* charge_description */
    TEXT_TAGS,               /* tag_set */
    TEXT_COUNT
};

/* The first thing that makes a row unreadable. */
struct billing_problem {
    const char *column; /* name in the file's header; NULL: the row as a whole */
    char reason[256];   /* "" while there is none */
};

/* One line of a bill in FOCUS's terms. Texts point into the record; `text` NULL is null. After a
 * problem, the row keeps what could be read, so the money and period of a quarantined line are
 * known. */
struct billing_row {
    time_us times[TIME_COUNT];
    bool time_known[TIME_COUNT];
    struct decimal amounts[AMOUNT_COUNT];
    bool amount_known[AMOUNT_COUNT]; /* false: null, or a problem */
    struct csv_field texts[TEXT_COUNT];
    bool invoice_known; /* currency, invoice and issuer are readable */
    struct billing_problem problem;
};

enum column_need {
    COLUMN_OPTIONAL,
    COLUMN_REQUIRED, /* its absence refuses the delivery */
    /* the same, unless the source's configuration declares the currency */
    COLUMN_REQUIRED_CURRENCY,
    COLUMN_ALSO_KEPT, /* the same as optional, and kept with the line as JSON, too */
    COLUMN_NOT_KEPT,  /* known and deliberately not stored */
};

struct billing_column {
    const char *name;
    enum column_need need;
};

struct billing_file;

enum {
    BILLING_COLUMNS_MAXIMUM = 128,       /* that a format may name */
    BILLING_FILE_COLUMNS_MAXIMUM = 2000, /* that a file may have */
    BILLING_ROWS_MAXIMUM = 4,            /* that one record may make */
};

struct billing_format {
    const char *name;
    const struct billing_column *columns;
    int column_count;
    int rows_maximum; /* that one record makes; 0 is 1 */

    /* Makes the rows of a record and returns their number, nearly always 1. A fee of a provider may
     * make a purchase and an unused part. A record that only takes back another one may make none
     * (billing_cancel); rows[0] then holds its period and invoice. The given rows are empty. A
     * problem of any row quarantines the record, with the money of all its rows. */
    int (*read_rows)(struct billing_file *file, const struct csv_record *record,
                     struct billing_row rows[BILLING_ROWS_MAXIMUM]);

    /* The members below may be NULL. canonical_name gives the name to look up in `columns` for a
     * name in the header, for other spellings and translated headers. Messages keep the name in the
     * file. */
    void (*canonical_name)(const char *header, char *name, size_t size);

    /* Makes the decisions of a file, such as the order of the parts of a date, from its header and
     * first data record (NULL: there is none). `close` frees file->state. Decisions on which later
     * records depend are written to file->signature. */
    bool (*begin)(struct billing_file *file, const struct csv_record *first, struct error *error);
    void (*close)(struct billing_file *file);

    /* What to do if records that take one another back (billing_cancel) do not add up to zero. */
    const char *cancel_hint;
};

/* A header, interpreted. */
struct billing_file {
    const struct billing_format *format;
    const char *path;
    struct csv_field default_currency; /* .text NULL: none */
    const struct source_clock *clock;  /* of times without offset; not owned; NULL: UTC */
    int field_count;
    char **names;                           /* of all columns, in the file's order */
    int positions[BILLING_COLUMNS_MAXIMUM]; /* of the format's columns; -1: absent */
    int custom_count;
    int *custom; /* positions of columns to keep as JSON, by name; `begin` may remove some */

    size_t field_bytes; /* a longer field is a problem of its row */

    void *state; /* the format's own */
    /* the decisions of `begin`: equal chunks in files with equal headers and signatures make equal
     * rows */
    char signature[128];
    /* Σ of billing_cancel; the reader of the file may reset it between chunks */
    struct decimal cancelled;
    struct billing_scratch *scratch; /* texts made for the current record */
};

/* The format of that name; NULL with an error that lists all formats. */
const struct billing_format *billing_format_find(const char *name, struct error *error);

/* The formats one after the other, from 0; NULL past the last. */
const struct billing_format *billing_format_at(int index);

/* Interprets the header `record`. False (ERROR_INPUT) names the file and every missing required
 * column. Call billing_file_free after failure, too. */
bool billing_file_open(struct billing_file *file, const struct billing_format *format, const char *path,
                       const char *default_currency, const struct csv_record *header, struct error *error);
void billing_file_free(struct billing_file *file);

/* Gives the format the first data record of the file (NULL: none). Once per file, before any
 * row. */
bool billing_file_begin(struct billing_file *file, const struct csv_record *first, struct error *error);

/* Makes the rows of a record and returns their number. Field count, encoding and lengths are
 * checked here, and the rest by the format. After a problem there is only one row: it has the
 * problem and the sum of the money of all rows, if all of that is readable. Texts are valid until
 * the next call. */
int billing_read_rows(struct billing_file *file, const struct csv_record *record,
                      struct billing_row rows[BILLING_ROWS_MAXIMUM]);

/* Makes rows[0] represent all rows of a record to be quarantined: it gets the first problem and the
 * sums of billed and effective cost, unknown if that of any row is. */
void billing_merge_rows(struct billing_row *rows, int count);

/* For formats to build on. Only the first problem is kept. `position` −1: no such column, null. */
void billing_note(struct billing_row *row, const char *column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* null spellings become NULL */
struct csv_field billing_text(const struct csv_record *record, int position);
static inline struct csv_field billing_literal(const char *text)
{
    return (struct csv_field){ text, strlen(text) };
}
/* The source's currency if the record's own (read before) is null. An invalid one is a problem. */
void billing_read_currency(const struct billing_file *file, const char *column, struct billing_row *row);
/* A time, not null. A clock time without offset is in the source's zone, a date alone in UTC. */
void billing_read_time(const struct billing_file *file, const struct csv_record *record, int position,
                       enum billing_time time, struct billing_row *row);
void billing_read_amount(const struct billing_file *file, const struct csv_record *record, int position,
                         enum billing_amount amount, bool required, struct billing_row *row);

/* Allocates a text for a row, valid until the next record. */
char *billing_room(struct billing_file *file, size_t bytes);

/* Counts money that makes no row because other records take it back (the negation of a savings plan
 * and the on-demand cost that it negates). It must add up to 0 over a delivery. A remainder is
 * unallocated on the statement. */
void billing_cancel(struct billing_file *file, const struct decimal *amount);

/* Whether a text is `wanted`, in any letter case. False for null. */
bool billing_text_is(const struct csv_field *text, const char *wanted);

extern const struct billing_format azure_format, azure_actual_format,
    azure_amortized_format;                        /* azure_cost.c */
extern const struct billing_format aws_cur_format; /* aws_cur.c */
extern const struct billing_format focus_format;   /* focus.c */
extern const struct billing_format gcp_format;     /* gcp_billing.c */

#endif
