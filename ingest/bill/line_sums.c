/* ingest/bill/line_sums.c: see line_sums.h.
 *
 * Lines of a chunk are mostly stored together, so each run of lines of one chunk has a sum. When
 * there are many runs, and at the end, they are sorted and added up.
 */
#include "ingest/bill/line_sums.h"

#include "base/postgres/database.h"
#include "base/postgres/sql_catalogue.h"
#include "ingest/bill/billing_content.h"

#include <stdio.h>
#include <stdlib.h>

const char billing_line_columns[] =
    "billing_period, chunk_id, line_in_chunk, row_in_record, charge_period_start, charge_period_end,"
    " account_key, invoice_key, resource_key, sku_key, commitment_key, charge_kind_key,"
    " charge_description_key, tag_set_key, custom_columns_key, billed_cost, effective_cost, list_cost,"
    " contracted_cost, consumed_quantity, pricing_quantity, node_hash";

/* The places of the first two columns of a row, after its field count and their lengths. */
enum { HEADER_BYTES = 19, DAY_PLACE = 2 + 4, CHUNK_PLACE = DAY_PLACE + 4 + 4, KEY_BYTES = CHUNK_PLACE + 8 };

XXH128_hash_t line_hash(const void *row, size_t length)
{
    return XXH3_128bits(row, length);
}

/* ---- sums ---- */

static int by_key(const void *a, const void *b)
{
    const struct line_sum *left = a, *right = b;
    if (left->chunk_id != right->chunk_id)
        return left->chunk_id < right->chunk_id ? -1 : 1;
    return left->day < right->day ? -1 : left->day > right->day;
}

static void add_up_runs(struct line_sums *sums)
{
    size_t kept = 0;
    if (sums->count > 0)
        qsort(sums->sums, sums->count, sizeof *sums->sums, by_key);
    for (size_t i = 0; i < sums->count; i++) {
        struct line_sum *last = kept > 0 ? &sums->sums[kept - 1] : NULL;
        if (last != NULL && by_key(last, &sums->sums[i]) == 0) {
            last->lines += sums->sums[i].lines;
            billing_content_add(&last->sum, sums->sums[i].sum);
        } else {
            sums->sums[kept++] = sums->sums[i];
        }
    }
    sums->count = kept;
}

/* ---- rows ---- */

static uint64_t number_at(const unsigned char *bytes, int size)
{
    uint64_t number = 0;
    for (int i = 0; i < size; i++)
        number = number << 8 | bytes[i];
    return number;
}

static void make_room(struct line_sums *sums)
{
    add_up_runs(sums);
    if (2 * sums->count < sums->capacity)
        return;
    sums->capacity = 2 * sums->capacity + 1024;
    sums->sums = realloc(sums->sums, sums->capacity * sizeof *sums->sums);
}

static struct line_sum *sum_of(struct line_sums *sums, int64_t chunk_id, int32_t day)
{
    if (sums->count > 0) {
        struct line_sum *last = &sums->sums[sums->count - 1];
        if (last->chunk_id == chunk_id && last->day == day)
            return last;
    }
    if (sums->count == sums->capacity)
        make_room(sums);
    struct line_sum *added = &sums->sums[sums->count++];
    *added = (struct line_sum){ .chunk_id = chunk_id, .day = day };
    return added;
}

/* False if this is not a row of lines. */
static bool add_row(struct line_sums *sums, const unsigned char *row, size_t length)
{
    if (length < KEY_BYTES || number_at(row, 2) != BILLING_LINE_COLUMNS)
        return false;
    struct line_sum *sum =
        sum_of(sums, (int64_t)number_at(row + CHUNK_PLACE, 8), (int32_t)number_at(row + DAY_PLACE, 4));
    sum->lines++;
    billing_content_add(&sum->sum, line_hash(row, length));
    return true;
}

/* A message of the COPY: a row (the first one after the header of the stream), or the two bytes
 * that end the stream. */
static bool add_message(struct line_sums *sums, const char *message, size_t length, bool is_first)
{
    const unsigned char *row = (const unsigned char *)message;
    size_t skipped = is_first && length >= HEADER_BYTES ? HEADER_BYTES : 0;
    length -= skipped;
    bool is_end = length == 2 && number_at(row + skipped, 2) == UINT16_MAX;
    return length == 0 || is_end || add_row(sums, row + skipped, length);
}

bool line_sums_read(PGconn *connection, const char *file, struct line_sums *sums, struct error *error)
{
    char *message;
    int length;
    bool is_first = true, is_readable = true;
    PGresult *begun = PQexec(connection, sql_text(file));
    bool ok = PQresultStatus(begun) == PGRES_COPY_OUT || database_error(connection, begun, file, error);
    PQclear(begun);
    while (ok && (length = PQgetCopyData(connection, &message, 0)) > 0) {
        is_readable = is_readable && add_message(sums, message, (size_t)length, is_first);
        is_first = false;
        PQfreemem(message);
    }
    for (PGresult *end; ok && (end = PQgetResult(connection)) != NULL; PQclear(end))
        ok = PQresultStatus(end) == PGRES_COMMAND_OK || database_error(connection, end, file, error);
    if (ok && !is_readable)
        ok = error_set(error, ERROR_DATABASE, "%s: the server sends no lines of a bill", file);
    add_up_runs(sums);
    return ok;
}

void line_sums_free(struct line_sums *sums)
{
    free(sums->sums);
    *sums = (struct line_sums){ 0 };
}

const struct line_sum *line_sums_find(const struct line_sums *sums, int64_t chunk_id, int32_t day)
{
    const struct line_sum wanted = { .chunk_id = chunk_id, .day = day };
    return sums->count == 0 ? NULL : bsearch(&wanted, sums->sums, sums->count, sizeof wanted, by_key);
}

void line_sum_text(XXH128_hash_t sum, char text[LINE_SUM_BYTES])
{
    snprintf(text, LINE_SUM_BYTES, "\\x%016llx%016llx", (unsigned long long)sum.high64,
             (unsigned long long)sum.low64);
}
