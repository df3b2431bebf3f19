/* ingest/bill/billing_writer.c: see billing_writer.h. */
#include "ingest/bill/billing_writer.h"

#include "base/postgres/database.h"
#include "base/system/thread.h"
#include "ingest/bill/billing_content.h"
#include "ingest/bill/billing_quarantine.h"
#include "ingest/bill/line_sums.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char copy_chunks[] =
    "COPY chunk (chunk_id, billing_period, source, content_key, line_count, "
    "record_count, last_line, row_count,"
    " covered_from, covered_to, usage_from, usage_to, lines_sum) FROM STDIN (FORMAT binary)";
static const char copy_invoices[] =
    "COPY chunk_invoice (chunk_id, billing_period, invoice_key, billed_cost, effective_cost, cancelled_cost)"
    " FROM STDIN (FORMAT binary)";
static const char copy_contents[] =
    "COPY chunk_content (chunk_id, billing_period, account_key, billing_currency, money_rows, billed_cost, content)"
    " FROM STDIN (FORMAT binary)";
static const char copy_places[] = "COPY load_chunk (load_id, file_id, first_line, chunk_id, billing_period)"
                                  " FROM STDIN (FORMAT binary)";

bool billing_writer_open(struct billing_writer *writer, PGconn *connection,
                         const struct billing_settings *settings, struct billing_periods *periods,
                         int delivery_id, struct error *error)
{
    *writer = (struct billing_writer){ .connection = connection,
                                       .settings = settings,
                                       .periods = periods,
                                       .delivery_id = delivery_id,
                                       .file = -1 };
    return copy_stream_to_spool(&writer->chunks, error) && copy_stream_to_spool(&writer->invoices, error) &&
           copy_stream_to_spool(&writer->contents, error) && copy_stream_to_spool(&writer->places, error) &&
           copy_stream_to_spool(&writer->quarantine, error);
}

void billing_writer_close(struct billing_writer *writer)
{
    copy_stream_discard(&writer->lines);
    copy_stream_discard(&writer->chunks);
    copy_stream_discard(&writer->invoices);
    copy_stream_discard(&writer->contents);
    copy_stream_discard(&writer->places);
    copy_stream_discard(&writer->quarantine);
    for (int i = 0; i < BILLING_PERIODS_MAXIMUM; i++)
        PQfreemem(writer->loads[i].partition);
    billing_reader_close(&writer->reader);
    free(writer->tail);
    *writer = (struct billing_writer){ 0 };
}

/* ---- lines ---- */

/* Directs `lines` to the partition of one load, or to the parent table if `only` is NULL and lines
 * are of several. Lines of a new partition are stored frozen: otherwise the first reader would mark
 * each row as committed, and the server would log all of its pages. */
static bool aim_lines(struct billing_writer *writer, const struct billing_load *only, struct error *error)
{
    char statement[1024];
    const char *table = only != NULL ? only->partition : "billing_line";
    if (writer->target != NULL && strcmp(writer->target, table) == 0)
        return true;
    if (!billing_writer_pause(writer, error))
        return false;
    snprintf(statement, sizeof statement, "COPY %s (%s) FROM STDIN (FORMAT binary%s)", table,
             billing_line_columns, only != NULL && only->partition_is_new ? ", FREEZE" : "");
    if (!copy_stream_to_connection(&writer->lines, writer->connection, statement, error))
        return false;
    writer->target = table;
    return true;
}

/* Stores the rows made of a chunk so far. Rows of a single period go straight to its partition. */
static bool put_made(struct billing_writer *writer, struct billing_chunk *chunk, struct error *error)
{
    for (int i = 0; i < chunk->period_count; i++) {
        if (!billing_writer_load(writer, chunk->periods[i].period, error))
            return false;
    }
    for (int i = 0; i < chunk->quarantine_count; i++) {
        if (!billing_quarantine_put(writer, chunk, &chunk->quarantine[i], error))
            return false;
    }
    billing_chunk_drop_quarantine(chunk);
    if (chunk->latest != NULL)
        writer->latest = chunk->latest;
    if (chunk->rows.rows == 0)
        return true;
    const struct billing_load *only =
        chunk->period_count == 1 ? &writer->loads[chunk->periods[0].period->number] : NULL;
    writer->rows += chunk->rows.rows;
    if (only != NULL && only->is_of_pruned_month) {
        copy_stream_empty(&chunk->rows);
        return true;
    }
    return aim_lines(writer, only, error) && copy_stream_forward(&writer->lines, &chunk->rows, error);
}

/* ---- chunks ---- */

static void put_place(struct billing_writer *writer, const struct billing_period *period, int64_t chunk_id)
{
    struct copy_stream *places = &writer->places;
    copy_row(places, 5);
    copy_int4(places, writer->loads[period->number].load_id);
    copy_int4(places, writer->file_id);
    copy_int8(places, writer->line);
    copy_int8(places, chunk_id);
    copy_date(places, period->day);
}

/* PostgreSQL's bytea of the hash, the more significant half first. */
static void copy_hash(struct copy_stream *stream, XXH128_hash_t hash)
{
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, hash);
    copy_text(stream, (const char *)canonical.digest, sizeof canonical.digest);
}

static void put_span(struct copy_stream *chunks, bool known, time_us from, time_us to)
{
    if (known) {
        copy_timestamptz(chunks, from);
        copy_timestamptz(chunks, to);
    } else {
        copy_null(chunks);
        copy_null(chunks);
    }
}

static void put_chunk(struct billing_writer *writer, const struct billing_chunk *chunk,
                      const struct chunk_period *sums)
{
    struct copy_stream *chunks = &writer->chunks;
    copy_row(chunks, 13);
    copy_int8(chunks, chunk->chunk_id);
    copy_date(chunks, sums->period->day);
    copy_text(chunks, writer->settings->source, strlen(writer->settings->source));
    if (chunk->shareable)
        copy_hash(chunks, chunk->key);
    else
        copy_null(chunks);
    copy_int4(chunks, (int32_t)chunk->lines);
    copy_int4(chunks, (int32_t)chunk->records);
    copy_int4(chunks, (int32_t)sums->last_line);
    copy_int4(chunks, (int32_t)sums->rows);
    put_span(chunks, sums->has_usage, sums->covered_from, sums->covered_to);
    put_span(chunks, sums->states_usage, sums->usage_from, sums->usage_to);
    copy_hash(chunks, sums->lines_sum);
    put_place(writer, sums->period, chunk->chunk_id);
}

static void put_contents(struct billing_writer *writer, const struct billing_chunk *chunk)
{
    struct copy_stream *contents = &writer->contents;
    for (size_t i = 0; i < chunk->account_count; i++) {
        const struct chunk_account *account = &chunk->accounts[i];
        struct decimal_sum content;
        billing_content_number(account->content, &content);
        copy_row(contents, 7);
        copy_int8(contents, chunk->chunk_id);
        copy_date(contents, account->period->day);
        copy_int8(contents, account->account_key);
        copy_text(contents, account->currency, strlen(account->currency));
        copy_int4(contents, (int32_t)account->money_rows);
        copy_decimal_sum(contents, &account->billed);
        copy_decimal_sum(contents, &content);
    }
}

static bool put_chunks(struct billing_writer *writer, struct billing_chunk *chunk, struct error *error)
{
    struct copy_stream *invoices = &writer->invoices;
    for (size_t i = 0; i < chunk->invoice_count; i++) {
        const struct chunk_invoice *invoice = &chunk->invoices[i];
        billing_chunk_period(chunk, invoice->period); /* the period may have no row in this chunk */
        if (!billing_writer_load(writer, invoice->period, error))
            return false;
        copy_row(invoices, 6);
        copy_int8(invoices, chunk->chunk_id);
        copy_date(invoices, invoice->period->day);
        copy_int8(invoices, invoice->invoice_key);
        copy_decimal_sum(invoices, &invoice->billed);
        copy_decimal_sum(invoices, &invoice->effective);
        copy_decimal_sum(invoices, &invoice->cancelled);
    }
    put_contents(writer, chunk);
    for (int i = 0; i < chunk->period_count; i++)
        put_chunk(writer, chunk, &chunk->periods[i]);
    return true;
}

static bool put_known(struct billing_writer *writer, const struct billing_chunk *chunk,
                      struct delivery_file *file, struct error *error)
{
    int64_t last_line = -1, rows = 0;
    for (int i = 0; i < chunk->period_count; i++) {
        const struct known_chunk *known = &chunk->known[i];
        const struct billing_period *period = billing_period_of_day(writer->periods, known->period, error);
        if (period == NULL || !billing_writer_load(writer, period, error))
            return false;
        put_place(writer, period, known->chunk_id);
        rows += known->rows;
        if (known->rows > 0 && known->last_line > last_line) {
            last_line = known->last_line;
            writer->latest = period;
        }
    }
    writer->rows += rows;
    file->rows += rows;
    file->records += chunk->known->records;
    writer->line += chunk->known->lines;
    writer->reused++;
    return true;
}

/* ---- chunks ---- */

/* Puts the unfinished record of the last chunk before this chunk, where reading continues. */
static void join_tail(struct billing_writer *writer, struct billing_chunk *chunk)
{
    struct csv_chunk *text = &chunk->text;
    size_t length = writer->tail_length + text->length;
    if (text->capacity < length) {
        text->bytes = realloc(text->bytes, length);
        text->capacity = length;
    }
    if (text->length > 0)
        memmove(text->bytes + writer->tail_length, text->bytes, text->length);
    memcpy(text->bytes, writer->tail, writer->tail_length);
    text->length = length;
    billing_chunk_restart(chunk);
    chunk->shareable = false;
}

static void keep_tail(struct billing_writer *writer, struct billing_chunk *chunk)
{
    size_t length = chunk->state == CHUNK_UNFINISHED ? chunk->text.length - chunk->read : 0;
    free(writer->tail);
    writer->tail = NULL;
    writer->tail_length = length;
    if (length == 0)
        return;
    chunk->shareable = false;
    writer->tail = malloc(length);
    memcpy(writer->tail, chunk->text.bytes + chunk->read, length);
}

/* Reads the rest of a chunk after the place where its thread stopped. */
static bool read_on(struct billing_writer *writer, struct billing_chunk *chunk, struct error *error)
{
    if (!billing_writer_reader(writer, error))
        return false;
    billing_reader_read(&writer->reader, chunk, writer->line, error);
    return chunk->state != CHUNK_FAILED;
}

static bool put_read(struct billing_writer *writer, struct billing_chunk *chunk, struct delivery_file *file,
                     struct error *error)
{
    if (!put_made(writer, chunk, error))
        return false;
    while (chunk->state == CHUNK_PART) {
        if (!read_on(writer, chunk, error) || !put_made(writer, chunk, error))
            return false;
    }
    keep_tail(writer, chunk);
    if (!put_chunks(writer, chunk, error))
        return false;
    for (int i = 0; i < chunk->period_count; i++)
        file->rows += chunk->periods[i].rows;
    file->records += chunk->records;
    writer->line += chunk->lines;
    return true;
}

bool billing_writer_put(struct billing_writer *writer, struct billing_chunk *chunk,
                        struct delivery_file *file, struct error *error)
{
    if (writer->file != chunk->file) {
        writer->file = chunk->file;
        writer->file_id = file->file_id;
        writer->path = chunk->bill->path;
        writer->line = chunk->bill->rows.line;
    }
    writer->chunk_count++;
    if (writer->tail_length > 0)
        join_tail(writer, chunk);
    if (chunk->state == CHUNK_FAILED) {
        billing_chunk_restart(chunk);
        chunk->shareable = false;
    }
    const int64_t before = writer->quarantined;
    bool ok = chunk->state == CHUNK_KNOWN ? put_known(writer, chunk, file, error)
                                          : put_read(writer, chunk, file, error);
    file->quarantined += writer->quarantined - before;
    return ok;
}

/* ---- the end ---- */

static bool send_spools(struct billing_writer *writer, struct error *error)
{
    const struct {
        struct copy_stream *spool;
        const char *statement;
    } spools[] = { { &writer->chunks, copy_chunks },
                   { &writer->invoices, copy_invoices },
                   { &writer->contents, copy_contents },
                   { &writer->places, copy_places },
                   { &writer->quarantine, billing_copy_quarantine } };
    for (size_t i = 0; i < sizeof spools / sizeof spools[0]; i++) {
        if (!copy_stream_end(spools[i].spool, NULL, error) ||
            !copy_stream_send_spool(spools[i].spool, writer->connection, spools[i].statement, error))
            return false;
    }
    return true;
}

static bool close_quarantine(struct billing_writer *writer, struct error *error)
{
    char id[16];
    const char *parameters[] = { id };
    snprintf(id, sizeof id, "%d", writer->delivery_id);
    return database_run_query(writer->connection, "ingest/billing_quarantine_period.sql", 1, parameters,
                              error);
}

/* Dimensions are committed on a connection and thread of their own while chunks are stored. */
struct dimension_commit {
    struct dimension_store *stores[BILLING_PREFETCH_THREADS + 1];
    int count;
    PGconn *connection;
    pthread_t thread;
    bool ok;
    struct error error;
};

static void *run_commit(void *argument)
{
    struct dimension_commit *commit = argument;
    commit->ok = dimension_store_commit(commit->stores, commit->count, commit->connection, &commit->error);
    return NULL;
}

static bool await_commit(struct dimension_commit *commit, struct error *error)
{
    pthread_join(commit->thread, NULL);
    if (!commit->ok)
        *error = commit->error;
    return commit->ok;
}

bool billing_writer_finish(struct billing_writer *writer, struct dimension_store *const *stores,
                           int store_count, PGconn *second, struct error *error)
{
    struct dimension_commit commit = { .connection = second };
    for (int i = 0; i < store_count; i++)
        commit.stores[commit.count++] = stores[i];
    if (writer->reader.dimensions != NULL)
        commit.stores[commit.count++] = writer->reader.dimensions;
    if (!billing_writer_pause(writer, error))
        return false;
    if (!thread_start(&commit.thread, run_commit, &commit))
        return error_set_errno(error, "no thread to store dimensions");
    bool stored = send_spools(writer, error) &&
                  database_execute(writer->connection,
                                   "ANALYZE chunk, chunk_invoice, chunk_content, load_chunk", error);
    return await_commit(&commit, error) && stored && billing_quarantine_cancelled(writer, error) &&
           close_quarantine(writer, error) &&
           billing_writer_each_load(writer, "ingest/billing_load_close.sql", error);
}
