/* ingest/billing_writer.c: see billing_writer.h. */
#include "ingest/billing_writer.h"

#include "base/database.h"
#include "base/log.h"
#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINE_COLUMNS = 21,
    REJECT_COLUMNS = 11,
    RAW_BYTES_MAXIMUM = 64 << 10,
    REJECTS_LOGGED = 10,
};

static const char copy_lines[] = "COPY billing_line (billing_period, chunk_id, line_in_chunk, row_in_record, "
                                 "charge_period_start, charge_period_end,"
                                 " account_key, invoice_key, resource_key, sku_key, commitment_key, "
                                 "charge_kind_key, charge_description_key,"
                                 " tag_set_key, custom_columns_key, billed_cost, effective_cost, list_cost, "
                                 "contracted_cost, consumed_quantity,"
                                 " pricing_quantity) FROM STDIN (FORMAT binary)";

static const char copy_rejects[] =
    "COPY rejected_row (delivery_id, file_id, line_number, column_name, reason, raw, billing_period, "
    "invoice_key,"
    " billed_cost, effective_cost, billing_currency) FROM STDIN (FORMAT binary)";

/* Where each dimension's texts begin in a row. The invoice begins with two that are the loader's; custom
 * columns have none. */
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
    int64_t keys[DIMENSION_COUNT];
    bool known[DIMENSION_COUNT]; /* false: null */
};

bool billing_writer_open(struct billing_writer *writer, PGconn *connection, const char *source,
                         const char *time_zone, int delivery_id, struct error *error)
{
    *writer = (struct billing_writer){
        .connection = connection, .source = source, .time_zone = time_zone, .delivery_id = delivery_id
    };
    writer->dimensions = dimension_store_open(error);
    writer->rejects_open = writer->dimensions != NULL && copy_stream_to_spool(&writer->rejects, error);
    return writer->rejects_open;
}

void billing_writer_close(struct billing_writer *writer)
{
    if (writer->lines_open)
        copy_stream_discard(&writer->lines);
    if (writer->rejects_open)
        copy_stream_discard(&writer->rejects);
    dimension_store_close(writer->dimensions);
    *writer = (struct billing_writer){ 0 };
}

/* ---- loads ---- */

static bool end_lines(struct billing_writer *writer, struct error *error)
{
    if (!writer->lines_open)
        return true;
    writer->lines_open = false;
    return copy_stream_end(&writer->lines, NULL, error);
}

static struct billing_load *add_load(struct billing_writer *writer, PGresult *result)
{
    int load_id = (int)strtol(PQgetvalue(result, 0, 0), NULL, 10);
    for (int i = 0; i < writer->load_count; i++) {
        if (writer->loads[i].load_id == load_id)
            return &writer->loads[i];
    }
    struct billing_load *load = &writer->loads[writer->load_count++];
    *load = (struct billing_load){ .load_id = load_id };
    snprintf(load->period_text, sizeof load->period_text, "%s", PQgetvalue(result, 0, 1));
    time_parse(load->period_text, strlen(load->period_text), &load->period);
    return load;
}

/* The load of the billing period that starts at `start`; NULL on failure. */
static struct billing_load *find_load(struct billing_writer *writer, time_us start, struct error *error)
{
    for (int i = 0; i < writer->period_count; i++) {
        if (writer->periods[i].start == start)
            return writer->periods[i].load;
    }
    if (writer->period_count == BILLING_PERIODS_MAXIMUM) {
        error_set(error, ERROR_INPUT, "one delivery holds more than %d billing periods",
                  BILLING_PERIODS_MAXIMUM);
        return NULL;
    }
    char delivery_id[16], start_text[32];
    snprintf(delivery_id, sizeof delivery_id, "%d", writer->delivery_id);
    time_format(start, start_text);
    const char *parameters[] = { delivery_id, writer->source, start_text, writer->time_zone };
    if (!end_lines(writer, error))
        return NULL;
    PGresult *result =
        database_query_file(writer->connection, "ingest/billing_load_open.sql", 4, parameters, error);
    if (result == NULL)
        return NULL;
    struct billing_load *load = add_load(writer, result);
    PQclear(result);
    writer->periods[writer->period_count].start = start;
    writer->periods[writer->period_count++].load = load;
    return load;
}

/* ---- keys ---- */

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

/* The texts of a line's dimensions that are not spans of the row. */
struct other_texts {
    struct csv_field invoice[5];
    int custom_count;
    const char *custom_names[BILLING_FILE_COLUMNS_MAXIMUM];
    struct csv_field custom[BILLING_FILE_COLUMNS_MAXIMUM];
};

static void fill_invoice(struct csv_field texts[5], const struct billing_writer *writer,
                         const struct billing_load *load, const struct billing_row *row)
{
    texts[0] = (struct csv_field){ writer->source, strlen(writer->source) };
    texts[1] = (struct csv_field){ load->period_text, strlen(load->period_text) };
    for (int i = 0; i < 3; i++)
        texts[2 + i] = row->texts[TEXT_INVOICE_ISSUER_NAME + i];
}

/* False with the row's problem noted where a text may not be stored. */
static bool find_keys(struct billing_writer *writer, const struct billing_file *file,
                      const struct csv_record *record, const struct billing_load *load,
                      struct billing_row *row, struct line_keys *keys)
{
    struct other_texts other;
    const struct csv_field *texts[DIMENSION_CUSTOM_COLUMNS];
    fill_invoice(other.invoice, writer, load, row);
    for (enum dimension dimension = 0; dimension < DIMENSION_CUSTOM_COLUMNS; dimension++) {
        texts[dimension] =
            dimension == DIMENSION_INVOICE ? other.invoice : &row->texts[first_text[dimension]];
        dimension_prepare(writer->dimensions, dimension, texts[dimension]);
    }
    other.custom_count = file->custom_count;
    for (int i = 0; i < file->custom_count; i++) {
        other.custom_names[i] = file->names[file->custom[i]];
        other.custom[i] = billing_text(record, file->custom[i]);
    }
    dimension_custom_prepare(writer->dimensions, other.custom_count, other.custom_names, other.custom);

    for (enum dimension dimension = 0; dimension < DIMENSION_CUSTOM_COLUMNS; dimension++) {
        int which;
        const char *problem;
        enum dimension_outcome outcome = dimension_key(writer->dimensions, dimension, texts[dimension],
                                                       &keys->keys[dimension], &which, &problem);
        keys->known[dimension] = outcome == DIMENSION_KEY;
        if (outcome == DIMENSION_INVALID) {
            note_dimension(row, texts[dimension], which, problem);
            return false;
        }
    }
    keys->known[DIMENSION_CUSTOM_COLUMNS] =
        dimension_custom_key(writer->dimensions, other.custom_count, other.custom_names, other.custom,
                             &keys->keys[DIMENSION_CUSTOM_COLUMNS]) == DIMENSION_KEY;
    return true;
}

/* The key of a rejected line's invoice. */
static int64_t invoice_key(struct billing_writer *writer, const struct billing_load *load,
                           const struct billing_row *row)
{
    struct csv_field texts[5];
    int64_t key = 0;
    int which;
    const char *problem;
    fill_invoice(texts, writer, load, row);
    dimension_prepare(writer->dimensions, DIMENSION_INVOICE, texts);
    dimension_key(writer->dimensions, DIMENSION_INVOICE, texts, &key, &which, &problem);
    return key;
}

/* ---- lines ---- */

static void copy_amount(struct copy_stream *stream, const struct billing_row *row, enum billing_amount amount)
{
    if (row->amount_known[amount])
        copy_decimal(stream, &row->amounts[amount]);
    else
        copy_null(stream);
}

static bool put_line(struct billing_writer *writer, int64_t line_number, int row_in_record,
                     struct billing_load *load, const struct billing_row *row, const struct line_keys *keys,
                     struct error *error)
{
    if (!writer->lines_open) {
        writer->lines_open = copy_stream_to_connection(&writer->lines, writer->connection, copy_lines, error);
        if (!writer->lines_open)
            return false;
    }
    struct copy_stream *lines = &writer->lines;
    time_us from = row->times[TIME_CHARGE_PERIOD_START];
    time_us to = row->times[TIME_CHARGE_PERIOD_END];
    copy_row(lines, LINE_COLUMNS);
    copy_date(lines, load->period);
    copy_int8(lines, writer->chunk_id);
    copy_int4(lines, (int32_t)line_number);
    copy_int2(lines, (int16_t)row_in_record);
    copy_timestamptz(lines, from);
    copy_timestamptz(lines, to);
    for (int dimension = 0; dimension < DIMENSION_COUNT; dimension++) {
        if (keys->known[dimension])
            copy_int8(lines, keys->keys[dimension]);
        else
            copy_null(lines);
    }
    for (int amount = 0; amount < AMOUNT_COUNT; amount++)
        copy_amount(lines, row, amount);
    load->rows++;
    load->rows_of_file++;
    load->last_line = line_number;
    writer->rows++;
    const struct csv_field *category = &row->texts[TEXT_CHARGE_CATEGORY];
    if (category->length == 5 && memcmp(category->text, "Usage", 5) == 0) {
        if (!load->has_usage || from < load->covered_from)
            load->covered_from = from;
        if (!load->has_usage || to > load->covered_to)
            load->covered_to = to;
        load->has_usage = true;
    }
    return true;
}

/* ---- rejects ---- */

/* The load that a reject counts in: of its own period where that is readable, of the row before it otherwise,
 * of the month of its charge where it is the first; NULL where none of these is known yet. */
static bool reject_load(struct billing_writer *writer, const struct billing_row *row,
                        struct billing_load **load, struct error *error)
{
    *load = writer->latest;
    if (row->time_known[TIME_BILLING_PERIOD_START])
        *load = find_load(writer, row->times[TIME_BILLING_PERIOD_START], error);
    else if (*load == NULL && row->time_known[TIME_CHARGE_PERIOD_START])
        *load = find_load(writer, time_month_start(row->times[TIME_CHARGE_PERIOD_START]), error);
    else
        return true;
    return *load != NULL;
}

static void copy_optional_text(struct copy_stream *stream, const char *text, size_t length)
{
    if (text != NULL)
        copy_text(stream, text, length);
    else
        copy_null(stream);
}

static void copy_reject(struct billing_writer *writer, int file_id, const struct csv_record *record,
                        const struct billing_load *load, const struct billing_row *row)
{
    const struct billing_problem *problem = &row->problem;
    struct copy_stream *rejects = &writer->rejects;
    copy_row(rejects, REJECT_COLUMNS);
    copy_int4(rejects, writer->delivery_id);
    copy_int4(rejects, file_id);
    copy_int8(rejects, record->line);
    copy_optional_text(rejects, problem->column, problem->column ? strlen(problem->column) : 0);
    copy_text(rejects, problem->reason, strlen(problem->reason));
    copy_text(rejects, record->raw,
              record->raw_length < RAW_BYTES_MAXIMUM ? record->raw_length : RAW_BYTES_MAXIMUM);
    if (load != NULL)
        copy_date(rejects, load->period);
    else
        copy_null(rejects);
    if (load != NULL && row->invoice_known)
        copy_int8(rejects, invoice_key(writer, load, row));
    else
        copy_null(rejects);
    copy_amount(rejects, row, AMOUNT_BILLED_COST);
    copy_amount(rejects, row, AMOUNT_EFFECTIVE_COST);
    const struct csv_field *currency = &row->texts[TEXT_BILLING_CURRENCY];
    copy_optional_text(rejects, row->invoice_known ? currency->text : NULL, currency->length);
}

static bool put_reject(struct billing_writer *writer, int file_id, const char *file_label,
                       const struct csv_record *record, const struct billing_row *row, struct error *error)
{
    char message[512];
    const char *column = row->problem.column;
    snprintf(message, sizeof message, "%s, line %lld%s%s: %s", file_label, (long long)record->line,
             column ? ", column " : "", column ? column : "", row->problem.reason);
    if (writer->strict) {
        error_set(error, ERROR_INPUT, "%s", message);
        error_detail(error, "nothing was loaded: --strict refuses a delivery with a row that cannot be read");
        error_hint(error, "without --strict the row is kept aside and the rest is loaded");
        return false;
    }
    struct billing_load *load;
    if (!reject_load(writer, row, &load, error))
        return false;
    copy_reject(writer, file_id, record, load, row);
    if (writer->rejected++ == 0)
        memcpy(writer->first_reject, message, sizeof message);
    if (writer->rejected <= REJECTS_LOGGED)
        log_event(LOG_WARNING, "rejected", "message=\"%s\"", message);
    return true;
}

/* Finds the load and the keys of every row before the first is stored: a record goes out whole or not at all.
 * `*usable` is false where a text may not be stored: that is then the problem of rows[0]. */
static bool prepare_rows(struct billing_writer *writer, const struct billing_file *file,
                         const struct csv_record *record, struct billing_row *rows, int row_count,
                         struct billing_load **loads, struct line_keys *keys, bool *usable,
                         struct error *error)
{
    *usable = true;
    for (int i = 0; *usable && i < row_count; i++) {
        loads[i] = find_load(writer, rows[i].times[TIME_BILLING_PERIOD_START], error);
        if (loads[i] == NULL)
            return false;
        writer->latest = loads[i];
        *usable = find_keys(writer, file, record, loads[i], &rows[i], &keys[i]);
        if (!*usable)
            billing_merge_rows(rows, row_count);
    }
    return true;
}

bool billing_writer_put(struct billing_writer *writer, const struct billing_file *file, int file_id,
                        const char *file_label, const struct csv_record *record, struct billing_row *rows,
                        int row_count, struct error *error)
{
    struct billing_load *loads[BILLING_ROWS_MAXIMUM];
    struct line_keys keys[BILLING_ROWS_MAXIMUM];
    bool usable = row_count == 0 || rows[0].problem.reason[0] == '\0';
    if (usable && !prepare_rows(writer, file, record, rows, row_count, loads, keys, &usable, error))
        return error_in(error, "%s, line %lld", file_label, (long long)record->line);
    if (!usable)
        return put_reject(writer, file_id, file_label, record, &rows[0], error);
    for (int i = 0; i < row_count; i++) {
        if (!put_line(writer, record->line, i, loads[i], &rows[i], &keys[i], error))
            return false;
    }
    return true;
}

/* ---- the end ---- */

static bool close_load(struct billing_writer *writer, const struct billing_load *load, struct error *error)
{
    char id[16], rows[24], from[32], to[32];
    snprintf(id, sizeof id, "%d", load->load_id);
    snprintf(rows, sizeof rows, "%lld", (long long)load->rows);
    time_format(load->covered_from, from);
    time_format(load->covered_to, to);
    const char *parameters[] = { id, rows, load->has_usage ? from : NULL, load->has_usage ? to : NULL };
    PGresult *result =
        database_query_file(writer->connection, "ingest/billing_load_close.sql", 4, parameters, error);
    PQclear(result);
    if (result == NULL)
        return false;
    if (!writer->accept && !delivery_guard_compare(writer->connection, load->load_id, &writer->hold, error))
        return false;
    if (writer->hold.reason[0] != '\0')
        return false; /* the caller says so */
    const char *current[] = { id, load->period_text };
    result = database_query_file(writer->connection, "ingest/billing_load_current.sql", 2, current, error);
    PQclear(result);
    return result != NULL;
}

bool billing_writer_begin_file(struct billing_writer *writer, struct error *error)
{
    PGresult *result =
        end_lines(writer, error)
            ? database_query(writer->connection, "SELECT nextval('chunk_number')", 0, NULL, error)
            : NULL;
    if (result == NULL)
        return false;
    writer->chunk_id = strtoll(PQgetvalue(result, 0, 0), NULL, 10);
    PQclear(result);
    return true;
}

bool billing_writer_end_file(struct billing_writer *writer, int file_id, int64_t line_count,
                             struct error *error)
{
    char load_id[16], file[16], chunk_id[24], rows[24], last_line[24], lines[24];
    const char *parameters[] = { load_id, file, chunk_id, lines, last_line, rows };
    if (!end_lines(writer, error))
        return false;
    snprintf(file, sizeof file, "%d", file_id);
    snprintf(chunk_id, sizeof chunk_id, "%lld", (long long)writer->chunk_id);
    snprintf(lines, sizeof lines, "%lld", (long long)line_count);
    for (int i = 0; i < writer->load_count; i++) {
        struct billing_load *load = &writer->loads[i];
        if (load->rows_of_file == 0)
            continue;
        snprintf(load_id, sizeof load_id, "%d", load->load_id);
        snprintf(rows, sizeof rows, "%lld", (long long)load->rows_of_file);
        snprintf(last_line, sizeof last_line, "%lld", (long long)load->last_line);
        load->rows_of_file = 0;
        PGresult *result =
            database_query_file(writer->connection, "ingest/billing_load_chunk.sql", 6, parameters, error);
        PQclear(result);
        if (result == NULL)
            return false;
    }
    return true;
}

bool billing_writer_finish(struct billing_writer *writer, PGconn *second, struct error *error)
{
    char id[16];
    const char *parameters[] = { id };
    snprintf(id, sizeof id, "%d", writer->delivery_id);
    if (!end_lines(writer, error))
        return false;
    if (!dimension_store_commit(writer->dimensions, second, error) ||
        !copy_stream_end(&writer->rejects, NULL, error) ||
        !copy_stream_send_spool(&writer->rejects, writer->connection, copy_rejects, error))
        return false;
    PGresult *result =
        database_query_file(writer->connection, "ingest/billing_reject_period.sql", 1, parameters, error);
    PQclear(result);
    if (result == NULL)
        return false;
    for (int i = 0; i < writer->load_count; i++) {
        if (!close_load(writer, &writer->loads[i], error))
            return false;
    }
    return true;
}
