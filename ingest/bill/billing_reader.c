/* ingest/bill/billing_reader.c: see billing_reader.h. */
#include "ingest/bill/billing_reader.h"

#include "base/decimal_arithmetic.h"
#include "base/utf8.h"
#include "ingest/bill/billing_content.h"
#include "ingest/bill/line_sums.h"

#include <stdlib.h>
#include <string.h>

/* Where the texts of each dimension begin in a row. Those of an invoice follow two texts that the
 * loader adds; custom columns are not in the row. */
static const int first_text[DIMENSION_COUNT] = {
    [DIMENSION_ACCOUNT] = TEXT_PROVIDER_NAME,
    [DIMENSION_INVOICE] = TEXT_INVOICE_ISSUER_NAME,
    [DIMENSION_RESOURCE] = TEXT_RESOURCE_ID,
    [DIMENSION_SKU] = TEXT_SERVICE_CATEGORY,
    [DIMENSION_COMMITMENT] = TEXT_COMMITMENT_DISCOUNT_ID,
    [DIMENSION_CHARGE_KIND] = TEXT_CHARGE_CATEGORY,
    [DIMENSION_CHARGE_DESCRIPTION] = TEXT_CHARGE_DESCRIPTION,
    [DIMENSION_TAG_SET] = TEXT_TAGS,
};

/* The keys of a line, by dimension. */
struct line_keys {
    const struct billing_period *period;
    int64_t keys[DIMENSION_COUNT];
    bool known[DIMENSION_COUNT]; /* false: null */
};

bool billing_reader_open(struct billing_reader *reader, const struct billing_settings *settings,
                         struct billing_periods *periods, struct error *error)
{
    *reader = (struct billing_reader){ .settings = settings, .periods = periods };
    reader->node_hashes = calloc(1, sizeof *reader->node_hashes);
    reader->dimensions = dimension_store_open(error);
    return reader->dimensions != NULL;
}

static void leave_file(struct billing_reader *reader)
{
    billing_file_free(&reader->file);
    csv_reader_close(reader->csv);
    reader->csv = NULL;
    reader->bill = NULL;
}

void billing_reader_close(struct billing_reader *reader)
{
    leave_file(reader);
    dimension_store_close(reader->dimensions);
    free(reader->node_hashes);
    *reader = (struct billing_reader){ 0 };
}

static bool enter_file(struct billing_reader *reader, const struct bill_file *bill, struct error *error)
{
    if (reader->bill == bill)
        return true;
    leave_file(reader);
    reader->csv = csv_reader_open_text(bill->path, ',', &reader->settings->limits);
    if (reader->csv == NULL || !bill_file_understand(bill, &reader->file, error)) {
        leave_file(reader);
        return false;
    }
    reader->bill = bill;
    return true;
}

/* ---- keys ---- */

static const struct billing_period *find_period(struct billing_reader *reader, time_us start,
                                                struct error *error)
{
    if (reader->period == NULL || reader->period_start != start) {
        reader->period = billing_period_find(reader->periods, start, error);
        reader->period_start = start;
    }
    return reader->period;
}

static void note_dimension(struct billing_row *row, const struct csv_field *text, int which,
                           const char *problem)
{
    static const struct {
        int text;
        const char *column;
    } checked[] = { { TEXT_TAGS, "Tags" },
                    { TEXT_LIST_UNIT_PRICE, "ListUnitPrice" },
                    { TEXT_CONTRACTED_UNIT_PRICE, "ContractedUnitPrice" } };
    const char *column = NULL;
    char excerpt[80];
    for (size_t i = 0; i < sizeof checked / sizeof checked[0]; i++) {
        if (text + which == &row->texts[checked[i].text])
            column = checked[i].column;
    }
    utf8_excerpt(text[which].text, text[which].length, excerpt, sizeof excerpt);
    billing_note(row, column, "\"%s\" is %s", excerpt, problem);
}

static void fill_invoice(struct csv_field texts[5], const struct billing_reader *reader,
                         const struct billing_period *period, const struct csv_field invoice[3])
{
    const char *source = reader->settings->source;
    texts[0] = (struct csv_field){ source, strlen(source) };
    texts[1] = (struct csv_field){ period->text, strlen(period->text) };
    for (int i = 0; i < 3; i++)
        texts[2 + i] = invoice[i];
}

/* Columns that the format does not know, with their names. */
struct custom_texts {
    int count;
    const char *names[BILLING_FILE_COLUMNS_MAXIMUM];
    struct csv_field values[BILLING_FILE_COLUMNS_MAXIMUM];
};

static void fill_custom(struct custom_texts *custom, const struct billing_file *file,
                        const struct csv_record *record)
{
    custom->count = file->custom_count;
    for (int i = 0; i < file->custom_count; i++) {
        custom->names[i] = file->names[file->custom[i]];
        custom->values[i] = billing_text(record, file->custom[i]);
    }
}

/* If a text may not be stored, notes a problem of the row and returns false. */
static bool find_keys(struct billing_reader *reader, const struct csv_record *record, struct billing_row *row,
                      struct line_keys *keys)
{
    struct dimension_store *store = reader->dimensions;
    struct csv_field invoice[5];
    struct custom_texts custom;
    const struct csv_field *texts[DIMENSION_CUSTOM_COLUMNS];
    fill_invoice(invoice, reader, keys->period, &row->texts[TEXT_INVOICE_ISSUER_NAME]);
    for (enum dimension dimension = 0; dimension < DIMENSION_CUSTOM_COLUMNS; dimension++) {
        texts[dimension] = dimension == DIMENSION_INVOICE ? invoice : &row->texts[first_text[dimension]];
        dimension_prepare(store, dimension, texts[dimension]);
    }
    fill_custom(&custom, &reader->file, record);
    dimension_custom_prepare(store, custom.count, custom.names, custom.values);

    for (enum dimension dimension = 0; dimension < DIMENSION_CUSTOM_COLUMNS; dimension++) {
        int which;
        const char *problem;
        enum dimension_outcome outcome =
            dimension_key(store, dimension, texts[dimension], &keys->keys[dimension], &which, &problem);
        keys->known[dimension] = outcome == DIMENSION_KEY;
        if (outcome == DIMENSION_INVALID) {
            note_dimension(row, texts[dimension], which, problem);
            return false;
        }
    }
    keys->known[DIMENSION_CUSTOM_COLUMNS] =
        dimension_custom_key(store, custom.count, custom.names, custom.values,
                             &keys->keys[DIMENSION_CUSTOM_COLUMNS]) == DIMENSION_KEY;
    return true;
}

int64_t billing_invoice_key(struct billing_reader *reader, const struct billing_period *period,
                            const struct csv_field invoice[3])
{
    struct csv_field texts[5];
    int64_t key = 0;
    int which;
    const char *problem;
    fill_invoice(texts, reader, period, invoice);
    dimension_prepare(reader->dimensions, DIMENSION_INVOICE, texts);
    dimension_key(reader->dimensions, DIMENSION_INVOICE, texts, &key, &which, &problem);
    return key;
}

/* ---- rows ---- */

/* Whether a line covers used time. A line for the unused part of a commitment does not: already on
 * the first day of a month it is dated to the end of the month. */
static bool covers_time(const struct billing_row *row)
{
    return billing_text_is(&row->texts[TEXT_CHARGE_CATEGORY], "Usage") &&
           !billing_text_is(&row->texts[TEXT_COMMITMENT_DISCOUNT_STATUS], "Unused");
}

/* Whether a line shows that its source has delivered usage up to the end of the line. A month of
 * support is dated to the end of the month from the first day on, too, and a correction is about
 * earlier time. */
static bool states_usage(const struct billing_row *row)
{
    const time_us week = INT64_C(7) * 24 * 3600 * 1000000;
    return covers_time(row) && !billing_text_is(&row->texts[TEXT_CHARGE_CLASS], "Correction") &&
           row->times[TIME_CHARGE_PERIOD_END] - row->times[TIME_CHARGE_PERIOD_START] <= week;
}

/* Widens a span to include the row; `known` is false while it is empty. */
static void widen(bool *known, time_us *from, time_us *to, const struct billing_row *row)
{
    time_us start = row->times[TIME_CHARGE_PERIOD_START], end = row->times[TIME_CHARGE_PERIOD_END];
    if (!*known || start < *from)
        *from = start;
    if (!*known || end > *to)
        *to = end;
    *known = true;
}

static void count_row(struct chunk_period *sums, int64_t line, const struct billing_row *row,
                      XXH128_hash_t hash)
{
    sums->rows++;
    billing_content_add(&sums->lines_sum, hash);
    sums->last_line = line;
    if (covers_time(row))
        widen(&sums->has_usage, &sums->covered_from, &sums->covered_to, row);
    if (states_usage(row))
        widen(&sums->states_usage, &sums->usage_from, &sums->usage_to, row);
}

static void count_content(struct billing_chunk *chunk, const struct billing_row *row,
                          const struct line_keys *keys)
{
    int64_t account_key = keys->known[DIMENSION_ACCOUNT] ? keys->keys[DIMENSION_ACCOUNT] : 0;
    uint64_t custom =
        keys->known[DIMENSION_CUSTOM_COLUMNS] ? (uint64_t)keys->keys[DIMENSION_CUSTOM_COLUMNS] : 0;
    struct chunk_account *account =
        billing_chunk_account(chunk, keys->period, account_key, &row->texts[TEXT_BILLING_CURRENCY]);
    account->money_rows += row->amounts[AMOUNT_BILLED_COST].group_count != 0 ||
                           row->amounts[AMOUNT_EFFECTIVE_COST].group_count != 0;
    decimal_sum_add(&account->billed, &row->amounts[AMOUNT_BILLED_COST]);
    billing_content_add(&account->content, billing_content_of(row, keys->period->day, custom));
}

/* The hash keeps together the lines of a node, and lines without a resource that have the same
 * tags. */
static int64_t hash_of_node(struct node_hashes *hashes, const struct billing_row *row,
                            const struct line_keys *keys, int64_t chunk_id)
{
    const struct csv_field *id = &row->texts[TEXT_RESOURCE_ID];
    if (id->text != NULL)
        return node_hash_of(hashes, keys->keys[DIMENSION_RESOURCE], id->text, id->length);
    return keys->known[DIMENSION_TAG_SET] ? keys->keys[DIMENSION_TAG_SET] : chunk_id;
}

static void add_row(struct billing_chunk *chunk, int64_t line, int row_in_record, int64_t node_hash,
                    const struct billing_row *row, const struct line_keys *keys)
{
    struct copy_stream *out = &chunk->rows;
    /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): dimension_key fills it or fails */
    struct chunk_invoice *invoice = billing_chunk_invoice(chunk, keys->period, keys->keys[DIMENSION_INVOICE]);
    decimal_sum_add(&invoice->billed, &row->amounts[AMOUNT_BILLED_COST]);
    decimal_sum_add(&invoice->effective, &row->amounts[AMOUNT_EFFECTIVE_COST]);
    const size_t begin = out->used;
    copy_row(out, BILLING_LINE_COLUMNS);
    copy_date(out, keys->period->day);
    copy_int8(out, chunk->chunk_id);
    copy_int4(out, (int32_t)line);
    copy_int2(out, (int16_t)row_in_record);
    copy_timestamptz(out, row->times[TIME_CHARGE_PERIOD_START]);
    copy_timestamptz(out, row->times[TIME_CHARGE_PERIOD_END]);
    for (int dimension = 0; dimension < DIMENSION_COUNT; dimension++) {
        if (keys->known[dimension])
            copy_int8(out, keys->keys[dimension]);
        else
            copy_null(out);
    }
    for (int amount = 0; amount < AMOUNT_COUNT; amount++) {
        if (row->amount_known[amount])
            copy_decimal(out, &row->amounts[amount]);
        else
            copy_null(out);
    }
    copy_int8(out, node_hash);
    count_row(billing_chunk_period(chunk, keys->period), line, row,
              line_hash(out->buffer + begin, out->used - begin));
    count_content(chunk, row, keys);
    chunk->latest = keys->period;
}

/* ---- records without rows ---- */

static void count_cancelled(struct billing_chunk *chunk, const struct billing_period *period,
                            int64_t invoice_key, const struct decimal *cost)
{
    struct chunk_invoice *invoice = billing_chunk_invoice(chunk, period, invoice_key);
    decimal_sum_add(&invoice->cancelled, cost);
}

/* Adds the cancelled cost of a record to an invoice: its own, if the format fills in rows[0] (also
 * for a record without rows), otherwise that of an earlier row in the chunk. Without either, the
 * cost is quarantined as a row. */
static bool add_cancelled(struct billing_reader *reader, struct billing_chunk *chunk,
                          const struct csv_record *record, int64_t line, const struct line_keys *keys,
                          int count, struct error *error)
{
    struct billing_row *row = &reader->rows[0];
    const struct decimal cost = reader->file.cancelled;
    const struct billing_period *period = NULL;
    int64_t invoice = 0;
    reader->file.cancelled = (struct decimal){ 0 };
    if (count > 0) {
        period = keys->period;
        invoice = keys->keys[DIMENSION_INVOICE];
    } else if (row->time_known[TIME_BILLING_PERIOD_START] && row->texts[TEXT_BILLING_CURRENCY].text != NULL) {
        period = find_period(reader, row->times[TIME_BILLING_PERIOD_START], error);
        if (period == NULL)
            return false;
        invoice = billing_invoice_key(reader, period, &row->texts[TEXT_INVOICE_ISSUER_NAME]);
    } else if (chunk->invoice_count > 0) {
        period = chunk->invoices[chunk->invoice_count - 1].period;
        invoice = chunk->invoices[chunk->invoice_count - 1].invoice_key;
    }
    if (period != NULL) {
        count_cancelled(chunk, period, invoice, &cost);
        return true;
    }
    billing_note(row, NULL, "the record takes back money of an invoice that it does not name");
    for (int i = 0; i < 2; i++) {
        row->amounts[AMOUNT_BILLED_COST + i] = cost;
        row->amount_known[AMOUNT_BILLED_COST + i] = true;
    }
    billing_chunk_quarantine(chunk, record, line, row, NULL);
    return true;
}

/* Another record still takes back the cancelled cost of a quarantined record. If the invoice is
 * unknown, the cancelled cost is added to the cost of the quarantined row. */
static void keep_cancelled(struct billing_reader *reader, struct billing_chunk *chunk,
                           const struct billing_period *own)
{
    struct billing_row *row = &reader->rows[0];
    const struct decimal cost = reader->file.cancelled;
    struct decimal *billed = &row->amounts[AMOUNT_BILLED_COST];
    bool *known = &row->amount_known[AMOUNT_BILLED_COST];
    reader->file.cancelled = (struct decimal){ 0 };
    if (own != NULL && row->invoice_known) {
        int64_t invoice = billing_invoice_key(reader, own, &row->texts[TEXT_INVOICE_ISSUER_NAME]);
        count_cancelled(chunk, own, invoice, &cost);
    } else {
        *known = *known && decimal_add(billed, &cost, billed);
    }
}

/* Finds period and keys of all rows before storing the first: a record is stored whole or not at
 * all. If a text may not be stored, `*usable` is false and rows[0] has the problem. */
static bool prepare_rows(struct billing_reader *reader, const struct csv_record *record, int count,
                         struct line_keys *keys, bool *usable, struct error *error)
{
    for (int i = 0; *usable && i < count; i++) {
        struct billing_row *row = &reader->rows[i];
        keys[i].period = find_period(reader, row->times[TIME_BILLING_PERIOD_START], error);
        if (keys[i].period == NULL)
            return error_in(error, "%s, line %lld", reader->bill->path, (long long)record->line);
        *usable = find_keys(reader, record, row, &keys[i]);
        if (!*usable)
            billing_merge_rows(reader->rows, count);
    }
    return true;
}

static bool read_record(struct billing_reader *reader, struct billing_chunk *chunk,
                        const struct csv_record *record, int64_t line, struct error *error)
{
    struct line_keys keys[BILLING_ROWS_MAXIMUM];
    struct billing_row *rows = reader->rows;
    int count = billing_read_rows(&reader->file, record, rows);
    bool usable = count == 0 || rows[0].problem.reason[0] == '\0';
    if (usable && !prepare_rows(reader, record, count, keys, &usable, error))
        return false;
    if (!usable) {
        const struct billing_period *own = NULL;
        if (rows[0].time_known[TIME_BILLING_PERIOD_START]) {
            own = find_period(reader, rows[0].times[TIME_BILLING_PERIOD_START], error);
            if (own == NULL)
                return error_in(error, "%s, line %lld", reader->bill->path, (long long)record->line);
        }
        if (reader->file.cancelled.group_count != 0)
            keep_cancelled(reader, chunk, own);
        billing_chunk_quarantine(chunk, record, line, &rows[0], own);
        return true;
    }
    for (int i = 0; i < count; i++)
        add_row(chunk, line, i, hash_of_node(reader->node_hashes, &rows[i], &keys[i], chunk->chunk_id),
                &rows[i], &keys[i]);
    if (reader->file.cancelled.group_count != 0)
        return add_cancelled(reader, chunk, record, line, keys, count, error);
    return true;
}

/* ---- chunks ---- */

/* Reads records until the text ends or the room for rows is full. */
static enum chunk_state read_records(struct billing_reader *reader, struct billing_chunk *chunk,
                                     int64_t first_line, struct error *error)
{
    struct csv_record record;
    while (chunk->rows.used < CHUNK_ROW_BYTES && chunk->quarantine_count < CHUNK_QUARANTINED) {
        switch (csv_reader_next(reader->csv, &record, error)) {
        case CSV_RECORD:
            chunk->records++;
            if (!read_record(reader, chunk, &record, record.line - first_line, error))
                return CHUNK_FAILED;
            break;
        case CSV_END:
            return CHUNK_READ;
        case CSV_UNFINISHED:
            return CHUNK_UNFINISHED;
        case CSV_FAILED:
            return CHUNK_FAILED;
        }
    }
    return CHUNK_PART;
}

void billing_reader_read(struct billing_reader *reader, struct billing_chunk *chunk, int64_t first_line,
                         struct error *error)
{
    if (!enter_file(reader, chunk->bill, error)) {
        chunk->state = CHUNK_FAILED;
        return;
    }
    struct csv_text text = { .bytes = chunk->text.bytes + chunk->read,
                             .length = chunk->text.length - chunk->read,
                             .line = first_line + chunk->lines,
                             .lines_end_in_cr = chunk->bill->rows.lines_end_in_cr,
                             .is_last = chunk->text.is_last };
    csv_reader_give(reader->csv, &text);
    reader->file.cancelled = (struct decimal){ 0 };
    chunk->state = read_records(reader, chunk, first_line, error);
    struct csv_place place = csv_reader_place(reader->csv);
    chunk->read += (size_t)place.offset;
    chunk->lines = place.line - first_line;
}
