/* allocate/month_charges.c: see month_charges.h. */
#define _GNU_SOURCE /* pthread_timedjoin_np */
#include "allocate/month_charges.h"

#include "allocate/month_reader.h"
#include "allocate/part_rows.h"
#include "allocate/payer.h"
#include "allocate/wire.h"
#include "allocate/worker_readers.h"
#include "base/postgres/copy_stream.h"
#include "base/postgres/database.h"
#include "base/system/thread.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define DAYS_TO_2000         10957
#define MICROSECONDS_PER_DAY INT64_C(86400000000)

enum { READERS_MAXIMUM = 64, SECONDS_DIGITS = 6 };

/* The catalogue and the charges of all readers may use 150 MB; with the rest, kstar stays below 256
 * MiB. The more charges a reader keeps, the fewer it writes twice. Above CHARGES_MOST the run gets
 * no faster. */
enum { MEMORY_BYTES = 150000000, CHARGE_BYTES = 420, CHARGES_LEAST = 10000, CHARGES_MOST = 100000 };

struct writer {
    PGconn *connection;
    const struct catalogue *catalogue;
    size_t charges_in_memory; /* of a reader; it writes them when there are more */
    bool shows_parts;
    struct parts_wanted wanted; /* if shows_parts */
};

static void copy_microseconds(struct copy_stream *rows, int64_t microseconds)
{
    mpz_t units;
    mpz_init_set_si(units, microseconds);
    copy_exact(rows, units, SECONDS_DIGITS);
    mpz_clear(units);
}

static void copy_sum(struct copy_stream *rows, const struct exact_decimal *sum)
{
    copy_exact(rows, sum->units, sum->scale);
}

static void copy_charge_group(struct copy_stream *rows, const struct catalogue *catalogue,
                              const struct charge_key *key)
{
    const struct line_group *group = &catalogue->groups[key->group];
    copy_int8(rows, group->invoice);
    copy_name(rows, key->target == CHARGE_TAX || key->target == CHARGE_PREPAID
                        ? "other"
                        : catalogue_name(catalogue, group->charge_part));
    if (group->has_closed_month)
        copy_date(rows, (group->closed_month + (int64_t)DAYS_TO_2000) * MICROSECONDS_PER_DAY);
    else
        copy_null(rows);
}

#define COPY_CHARGES                                                                                         \
    "COPY charge_sum (invoice_key, charge_part, closed_month, rule, target, attempt_id, pool, "              \
    "cost_centre, reason, resource_key, is_of_another_statement, line_count, billed_cost, "                  \
    "effective_cost, charged_cost, committed_cost, spot_cost, priced_seconds) FROM STDIN (FORMAT binary)"

static void copy_charge(struct copy_stream *rows, const struct catalogue *catalogue,
                        const struct charge *charge)
{
    const struct charge_key *key = &charge->key;
    copy_row(rows, 18);
    copy_charge_group(rows, catalogue, key);
    copy_int2(rows, key->rule);
    copy_payer(rows, catalogue, key);
    copy_int8(rows, (int64_t)key->node);
    copy_bool(rows, key->is_of_another_statement);
    copy_int8(rows, (int64_t)charge->line_count);
    copy_sum(rows, &charge->costs[COST_BILLED]);
    copy_sum(rows, &charge->costs[COST_EFFECTIVE]);
    copy_sum(rows, &charge->charged_cost);
    copy_sum(rows, &charge->committed_cost);
    copy_sum(rows, &charge->spot_cost);
    copy_microseconds(rows, (int64_t)charge->priced);
}

static void copy_class_charge(struct copy_stream *rows, const struct catalogue *catalogue,
                              const struct charge *charge)
{
    const struct line_group *group = &catalogue->groups[charge->key.group];
    copy_row(rows, 22);
    copy_charge_group(rows, catalogue, &charge->key);
    copy_int8(rows, group->charge_kind);
    copy_int8(rows, group->commitment);
    copy_name(rows, catalogue_name(catalogue, group->provider));
    copy_name(rows, catalogue_name(catalogue, group->service));
    copy_name(rows, catalogue_name(catalogue, group->service_category));
    copy_name(rows, catalogue_name(catalogue, group->sku_id));
    copy_bool(rows, charge->key.is_long);
    copy_class_payer(rows, catalogue, &charge->key);
    copy_int8(rows, (int64_t)charge->line_count);
    copy_int8(rows, (int64_t)charge->unlisted_count);
    for (int cost = 0; cost < COST_COUNT; cost++)
        copy_sum(rows, &charge->costs[cost]);
}

typedef void charge_copier(struct copy_stream *rows, const struct catalogue *catalogue,
                           const struct charge *charge);

static bool write_sums(struct writer *writer, struct charge_sums *sums, const char *copy,
                       charge_copier *copy_one, struct error *error)
{
    struct copy_stream rows;
    int64_t count;
    if (!copy_stream_to_connection(&rows, writer->connection, copy, error))
        return false;
    for (size_t i = 0; i < charge_sums_count(sums); i++)
        copy_one(&rows, writer->catalogue, charge_sums_at(sums, i));
    charge_sums_empty(sums);
    return copy_stream_end(&rows, &count, error);
}

static bool write_charges(struct writer *writer, const struct node_charges *charges, struct error *error)
{
    return write_sums(writer, node_charges_sums(charges), COPY_CHARGES, copy_charge, error) &&
           write_sums(writer, node_charges_class_sums(charges),
                      "COPY class_charge_sum FROM STDIN (FORMAT binary)", copy_class_charge, error);
}

static bool write_spans(struct writer *writer, const struct node_charges *charges, struct error *error)
{
    size_t count;
    const struct billed_span *spans = node_charges_spans(charges, &count);
    struct copy_stream rows;
    int64_t written;
    if (!copy_stream_to_connection(&rows, writer->connection, "COPY billed_span FROM STDIN (FORMAT binary)",
                                   error))
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct catalogue_presence *presence = &writer->catalogue->presences[spans[i].presence];
        copy_row(&rows, 4);
        copy_name(&rows, catalogue_name(writer->catalogue, presence->cluster));
        copy_name(&rows, catalogue_name(writer->catalogue, presence->node_name));
        copy_timestamptz(&rows, spans[i].from);
        copy_timestamptz(&rows, spans[i].to);
    }
    return copy_stream_end(&rows, &written, error);
}

static bool write_centre_classes(struct writer *writer, const struct node_charges *charges,
                                 struct error *error)
{
    struct copy_stream rows;
    int64_t written;
    if (!copy_stream_to_connection(&rows, writer->connection, "COPY centre_class FROM STDIN (FORMAT binary)",
                                   error))
        return false;
    for (size_t i = 0; i < writer->catalogue->class_count; i++) {
        if (node_charges_centre_class(charges, i)) {
            copy_row(&rows, 1);
            copy_int8(&rows, writer->catalogue->classes[i].id);
        }
    }
    return copy_stream_end(&rows, &written, error);
}

/* Copies microseconds as seconds with 12 places, rounded half up. */
static void copy_excess(struct copy_stream *rows, mpq_srcptr microseconds)
{
    mpz_t units, divisor;
    mpz_init_set(units, mpq_numref(microseconds));
    mpz_init_set(divisor, mpq_denref(microseconds));
    mpz_mul_ui(units, units, 2000000); /* 10^12 / 10^6, times 2 for rounding */
    mpz_add(units, units, divisor);
    mpz_mul_2exp(divisor, divisor, 1);
    mpz_fdiv_q(units, units, divisor);
    copy_exact(rows, units, 12);
    mpz_clears(units, divisor, NULL);
}

static bool write_excess(struct writer *writer, const struct node_charges *charges, struct error *error)
{
    size_t count;
    const struct node_excess *excess = node_charges_excess(charges, &count);
    struct copy_stream rows;
    int64_t written;
    if (!copy_stream_to_connection(&rows, writer->connection, "COPY node_excess FROM STDIN (FORMAT binary)",
                                   error))
        return false;
    for (size_t i = 0; i < count; i++) {
        copy_row(&rows, 2);
        copy_name(&rows, catalogue_name(writer->catalogue, excess[i].node));
        copy_excess(&rows, excess[i].microseconds);
    }
    return copy_stream_end(&rows, &written, error);
}

/* Writes the reader's other results: billed spans, excess of nodes, classes of cost centres. */
static bool write_rest(struct writer *writer, const struct node_charges *charges, struct error *error)
{
    return write_spans(writer, charges, error) && write_excess(writer, charges, error) &&
           write_centre_classes(writer, charges, error);
}

/* ---- Readers ---- */

struct reader {
    struct line_readers *all;
    PGconn *connection;
    PGcancel *cancel;
    struct month_share share;
    struct month_reader *begun; /* NULL until it has its first rows */
    struct node_charges *charges;
    struct part_rows parts;
    pthread_t thread;
    bool is_running, ok;
    struct error error;
};

/* Readers write their charges one after the other, on the statement's connection. The holder of the
 * lock may use the connection. From line_readers_charge to month_charges the statement holds it. */
struct line_readers {
    struct month_lines lines;
    struct catalogue catalogue;
    struct writer writer;
    int wanted;
    pthread_mutex_t writing;
    bool statement_writes;
    PGconn *connections[READERS_MAXIMUM];
    struct reader readers[READERS_MAXIMUM];
    int count; /* 0: the statement's own connection reads */
};

static bool write_reader(struct reader *reader, bool is_end, struct error *error)
{
    struct writer *writer = &reader->all->writer;
    size_t count = charge_sums_count(node_charges_sums(reader->charges)) +
                   charge_sums_count(node_charges_class_sums(reader->charges));
    if (!is_end && count < writer->charges_in_memory && !part_rows_are_many(&reader->parts))
        return true;
    pthread_mutex_lock(&reader->all->writing);
    bool ok = part_rows_write(&reader->parts, writer->connection, error) &&
              write_charges(writer, reader->charges, error) &&
              (!is_end || write_rest(writer, reader->charges, error));
    pthread_mutex_unlock(&reader->all->writing);
    return ok;
}

static bool write_if_many(void *context, struct error *error)
{
    return write_reader(context, false, error);
}

static bool begin_reading(struct reader *reader)
{
    reader->begun = month_reader_open(reader->connection, &reader->all->lines, reader->share, &reader->error);
    return reader->begun != NULL;
}

static bool charge_share(struct reader *reader)
{
    const struct writer *writer = &reader->all->writer;
    reader->charges = node_charges_open(writer->catalogue);
    part_rows_open(&reader->parts, writer->catalogue, &writer->wanted);
    if (writer->shows_parts)
        node_charges_show_parts(reader->charges, part_rows_take, &reader->parts);
    bool ok = (reader->begun != NULL || begin_reading(reader)) &&
              month_reader_charge(reader->begun, writer->catalogue, reader->charges, write_if_many, reader,
                                  &reader->error) &&
              write_reader(reader, true, &reader->error);
    node_charges_close(reader->charges);
    part_rows_close(&reader->parts);
    return ok;
}

static void *run_beginning(void *argument)
{
    struct reader *reader = argument;
    reader->ok = begin_reading(reader);
    return NULL;
}

static void *run_charging(void *argument)
{
    struct reader *reader = argument;
    reader->ok = charge_share(reader);
    return NULL;
}

static bool start_threads(struct line_readers *readers, void *(*run)(void *), struct error *error)
{
    for (int i = 0; i < readers->count; i++) {
        struct reader *reader = &readers->readers[i];
        reader->is_running = thread_start(&reader->thread, run, reader);
        if (!reader->is_running)
            return error_set_errno(error, "a reader of the bill");
    }
    return true;
}

/* Waits for all readers. Returns the error of the first reader that has one. */
static bool join_threads(struct line_readers *readers, struct error *error)
{
    bool ok = true;
    for (int i = 0; i < readers->count; i++) {
        struct reader *reader = &readers->readers[i];
        if (!reader->is_running)
            continue;
        pthread_join(reader->thread, NULL);
        reader->is_running = false;
        if (ok && !reader->ok)
            *error = reader->error;
        ok = ok && reader->ok;
    }
    return ok;
}

/* Opens connections that see the same data as the statement's transaction. If max_connections or
 * the role's CONNECTION LIMIT allows no further connection, the open ones do all the work. */
static bool open_on_snapshot(struct line_readers *readers, int count, struct error *error)
{
    PGconn *connection = readers->writer.connection;
    char statement[128];
    struct error no_more = { 0 };
    PGresult *snapshot = database_query(connection, "SELECT pg_export_snapshot()", 0, NULL, error);
    bool ok = snapshot != NULL;
    int open = 0;
    if (ok)
        snprintf(statement, sizeof statement, "SET TRANSACTION SNAPSHOT '%s'", PQgetvalue(snapshot, 0, 0));
    while (ok && open < count) {
        PGconn *reader = readers->connections[open] = database_connect_again(connection, &no_more);
        if (reader == NULL)
            break;
        ok = database_execute(reader, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", error) &&
             database_execute(reader, statement, error);
        open += ok;
    }
    PQclear(snapshot);
    readers->count = ok ? open : 0;
    return ok;
}

/* A worker's connection holds only its share of the lines; all others see every line. */
static void share_out(struct line_readers *readers)
{
    const struct writer *writer = &readers->writer;
    bool is_alone = readers->lines.is_distributed;
    for (int i = 0; i < readers->count; i++)
        readers->readers[i] = (struct reader){
            .all = readers,
            .connection = readers->connections[i],
            .cancel = PQgetCancel(readers->connections[i]),
            .share = { is_alone ? 0 : i, is_alone ? 1 : readers->count, writer->shows_parts,
                       writer->wanted.places },
        };
}

static bool begin_side_by_side(struct line_readers *readers, int count, struct error *error)
{
    if (!open_on_snapshot(readers, count, error))
        return false;
    share_out(readers);
    return start_threads(readers, run_beginning, error);
}

static struct line_readers *begin(const struct writer *wanted, int count, struct error *error)
{
    struct line_readers *readers = calloc(1, sizeof *readers);
    readers->writer = *wanted;
    readers->wanted = count < READERS_MAXIMUM ? count : READERS_MAXIMUM;
    pthread_mutex_init(&readers->writing, NULL);
    if (month_lines_read(&readers->lines, wanted->connection, error) &&
        (readers->lines.is_distributed || readers->lines.is_replay || readers->wanted < 2 ||
         begin_side_by_side(readers, readers->wanted, error)))
        return readers;
    line_readers_close(readers);
    return NULL;
}

struct line_readers *line_readers_begin(PGconn *connection, int readers, struct error *error)
{
    return begin(&(struct writer){ .connection = connection }, readers, error);
}

static bool charge_alone(struct line_readers *readers, struct error *error)
{
    struct reader reader = { .all = readers,
                             .connection = readers->writer.connection,
                             .share = { 0, 1, readers->writer.shows_parts, readers->writer.wanted.places } };
    bool ok = charge_share(&reader);
    month_reader_close(reader.begun);
    if (!ok)
        *error = reader.error;
    return ok;
}

static size_t charges_in_memory(const struct catalogue *catalogue, int readers)
{
    size_t known = catalogue_bytes(catalogue);
    size_t charges = known < MEMORY_BYTES ? (MEMORY_BYTES - known) / CHARGE_BYTES : 0;
    charges /= (size_t)(readers > 0 ? readers : 1);
    return charges < CHARGES_LEAST ? CHARGES_LEAST : charges > CHARGES_MOST ? CHARGES_MOST : charges;
}

bool line_readers_charge(struct line_readers *readers, struct error *error)
{
    PGconn *connection = readers->writer.connection;
    bool is_distributed = readers->lines.is_distributed;
    readers->writer.catalogue = &readers->catalogue;
    if (!catalogue_load(&readers->catalogue, connection, error) ||
        (is_distributed && !worker_readers_open(connection, readers->wanted, readers->connections,
                                                READERS_MAXIMUM, &readers->count, error)))
        return false;
    if (is_distributed)
        share_out(readers);
    readers->writer.charges_in_memory = charges_in_memory(&readers->catalogue, readers->count);
    if (!join_threads(readers, error))
        return false;
    pthread_mutex_lock(&readers->writing);
    readers->statement_writes = true;
    return start_threads(readers, run_charging, error);
}

static void let_readers_write(struct line_readers *readers)
{
    if (readers->statement_writes)
        pthread_mutex_unlock(&readers->writing);
    readers->statement_writes = false;
}

bool month_charges(struct line_readers *readers, struct error *error)
{
    let_readers_write(readers);
    return readers->count > 0 ? join_threads(readers, error) : charge_alone(readers, error);
}

/* After a failure elsewhere a reader may still be running. A cancellation between two of its
 * queries has no effect, so it is repeated until the reader ends. */
static void stop_reader(struct reader *reader)
{
    enum { RETRY_NANOSECONDS = 100000000, SECOND = 1000000000 };
    char ignored[256];
    struct timespec until;
    while (reader->is_running) {
        PQcancel(reader->cancel, ignored, sizeof ignored);
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += RETRY_NANOSECONDS;
        until.tv_sec += until.tv_nsec / SECOND;
        until.tv_nsec %= SECOND;
        reader->is_running = pthread_timedjoin_np(reader->thread, NULL, &until) == ETIMEDOUT;
    }
}

void line_readers_close(struct line_readers *readers)
{
    if (readers == NULL)
        return;
    let_readers_write(readers);
    for (int i = 0; i < readers->count; i++) {
        stop_reader(&readers->readers[i]);
        month_reader_close(readers->readers[i].begun);
        PQfreeCancel(readers->readers[i].cancel);
    }
    for (int i = 0; i < READERS_MAXIMUM; i++)
        PQfinish(readers->connections[i]);
    pthread_mutex_destroy(&readers->writing);
    catalogue_free(&readers->catalogue);
    free(readers);
}

bool month_parts(PGconn *connection, int readers, const struct parts_wanted *wanted, struct error *error)
{
    const struct writer writer = { .connection = connection, .shows_parts = true, .wanted = *wanted };
    struct line_readers *begun = begin(&writer, readers, error);
    bool ok = begun != NULL && line_readers_charge(begun, error) && month_charges(begun, error);
    line_readers_close(begun);
    return ok;
}
