/* ingest/bill/billing.c: see billing.h.
 *
 *     transaction A   delivery, files, loads, lines (COPY) ─ chunks, quarantine ─ current, COMMIT
 *     transaction B                                         dimensions, COMMIT
 *
 * If kstar is killed before B's commit, nothing is stored. Between the commits, dimension rows are
 * stored that no line uses yet; the next run finds them. After A's commit everything is stored.
 */
#include "ingest/bill/billing.h"

#include "base/log.h"
#include "base/postgres/database.h"
#include "base/progress.h"
#include "ingest/bill/billing_prefetch.h"
#include "ingest/bill/billing_moved.h"
#include "ingest/bill/billing_replace.h"
#include "ingest/bill/billing_source.h"
#include "ingest/bill/billing_writer.h"
#include "ingest/delivery.h"
#include "ingest/delivery_answers.h"
#include "ingest/delivery_content.h"
#include "ingest/delivery_guard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* State for reading the files of a delivery. */
struct reading {
    const struct delivery_request *request;
    struct delivery *delivery;
    struct billing_settings settings;
    struct source_clock clock;
    struct billing_periods periods;
    struct known_chunks known;
    struct billing_writer *writer;
    struct ingest_summary *summary;
};

static bool check_row_limit(const struct reading *reading, struct error *error)
{
    int64_t limit = reading->settings.rows;
    if (limit == 0 || reading->writer->rows + reading->writer->quarantined <= limit)
        return true;
    error_set(error, ERROR_INPUT, "%s: more rows than the limit of %lld", reading->request->label,
              (long long)limit);
    error_hint(error, "setting limit_rows bounds a delivery");
    return false;
}

static bool put_chunks(struct reading *reading, struct billing_prefetch *prefetch, struct error *error)
{
    struct delivery *delivery = reading->delivery;
    struct progress progress;
    struct billing_chunk *chunk;
    int64_t bytes_before = 0;
    bool ok;
    progress_start(&progress, reading->request->label, delivery->bytes);
    while ((ok = billing_prefetch_next(prefetch, &chunk, error)) && chunk != NULL) {
        struct delivery_file *file = &delivery->files[chunk->file];
        ok = billing_writer_put(reading->writer, chunk, file, error);
        ok = ok && check_row_limit(reading, error);
        if (!ok)
            break;
        progress_update(&progress, bytes_before + chunk->position);
        if (chunk->text.is_last)
            bytes_before += file->bytes;
    }
    progress_end(&progress);
    return ok;
}

/* A manifest may state how many records a part has. Any other number is an incomplete or wrong
 * file. */
static bool check_records(const struct delivery *delivery, struct error *error)
{
    for (int i = 0; i < delivery->file_count; i++) {
        const struct delivery_file *file = &delivery->files[i];
        if (file->expected_records < 0 || file->expected_records == file->records)
            continue;
        error_set(error, ERROR_INPUT, "%s: %lld records, but its manifest counts %lld", file->path,
                  (long long)file->records, (long long)file->expected_records);
        error_detail(error, "nothing was loaded; what was there before stays");
        return false;
    }
    return true;
}

/* A delivery in which no row can be read is refused: its format or source is wrong, or its files
 * are broken. */
static bool check_readable(const struct reading *reading, struct error *error)
{
    const struct billing_writer *writer = reading->writer;
    int64_t records = 0;
    for (int i = 0; i < reading->delivery->file_count; i++)
        records += reading->delivery->files[i].records;
    if (records > writer->quarantined || writer->quarantined == 0)
        return true;
    if (writer->quarantined == 1)
        error_set(error, ERROR_INPUT, "%s: its only row cannot be read", reading->request->label);
    else
        error_set(error, ERROR_INPUT, "%s: none of its %lld rows can be read", reading->request->label,
                  (long long)writer->quarantined);
    error_detail(error, "the first: %s", writer->first_quarantined);
    error_hint(error,
               "what was loaded before stays; mend the files, or see whether sources.csv names their format");
    return false;
}

/* The billing periods of the label's last delivery that this one does not replace
 * (ingest/billing_left.sql). */
static PGresult *find_left(const struct reading *reading, PGconn *connection, struct error *error)
{
    char id[16];
    const char *const parameters[] = { reading->request->source, reading->request->label, id };
    snprintf(id, sizeof id, "%d", reading->delivery->id);
    return database_query_file(connection, "ingest/billing_left.sql", 3, parameters, error);
}

/* A delivery of headers without rows withdraws its label. Each billing period that the label had
 * gets a load without lines. Like any load that covers less than before, it is held until a person
 * accepts it. */
static bool withdraw(struct reading *reading, PGconn *connection, struct error *error)
{
    struct billing_writer *writer = reading->writer;
    if (writer->load_count > 0 || writer->quarantined > 0)
        return true;
    PGresult *left = find_left(reading, connection, error);
    bool ok = left != NULL;
    for (int i = 0; ok && i < PQntuples(left); i++) {
        time_us day = strtoll(PQgetvalue(left, i, 0), NULL, 10);
        const struct billing_period *period = billing_period_of_day(&reading->periods, day, error);
        ok = period != NULL && billing_writer_load(writer, period, error);
    }
    PQclear(left);
    return ok;
}

/* Whether the delivery has this billing period, and its month was pruned. */
static bool was_dropped(const struct billing_writer *writer, const char *period)
{
    for (int i = 0; i < BILLING_PERIODS_MAXIMUM; i++) {
        const struct billing_load *load = &writer->loads[i];
        if (load->is_of_pruned_month && strcmp(load->period->text, period) == 0)
            return true;
    }
    return false;
}

/* Missing months are only reported: some people use one folder for one month after the other, and a
 * rolling export drops its oldest month. */
static bool report_missing_months(const struct reading *reading, PGconn *connection, struct error *error)
{
    PGresult *left = find_left(reading, connection, error);
    for (int i = 0; left != NULL && i < PQntuples(left); i++) {
        if (was_dropped(reading->writer, PQgetvalue(left, i, 1)))
            continue;
        log_event(LOG_WARNING, "period_left",
                  "source=\"%s\" label=\"%s\" period=%s note=\"not in this delivery: it stays as it was "
                  "delivered before\"",
                  reading->request->source, reading->request->label, PQgetvalue(left, i, 1));
    }
    PQclear(left);
    return left != NULL;
}

/* Without a manifest the number of files is not known. If there are fewer than before, that may be
 * intended, or a file is lost. */
static bool report_fewer_files(const struct reading *reading, PGconn *connection, struct error *error)
{
    char id[16];
    const char *const parameters[] = { id };
    char *words = reading->summary->fewer_files;
    if (reading->delivery->has_manifest)
        return true;
    snprintf(id, sizeof id, "%d", reading->delivery->id);
    PGresult *fewer =
        database_query_file(connection, "ingest/delivery_fewer_files.sql", 1, parameters, error);
    if (fewer != NULL && PQntuples(fewer) > 0) {
        snprintf(words, sizeof reading->summary->fewer_files, "%s", PQgetvalue(fewer, 0, 0));
        log_event(LOG_WARNING, "fewer_files", "source=\"%s\" label=\"%s\" note=\"%s\"",
                  reading->request->source, reading->request->label, words);
    }
    PQclear(fewer);
    return fewer != NULL;
}

/* Reads the files and stores their lines; the loads are not current yet. */
static bool read_files(struct reading *reading, PGconn *connection, PGconn *second, struct error *error)
{
    const struct delivery *delivery = reading->delivery;
    struct dimension_store *stores[BILLING_PREFETCH_THREADS];
    struct billing_prefetch *prefetch = NULL;
    bool ok = false;
    const char **paths = calloc((size_t)delivery->file_count + 1, sizeof *paths);
    for (int i = 0; i < delivery->file_count; i++)
        paths[i] = delivery->files[i].path;
    reading->settings.clock = &reading->clock;
    billing_periods_open(&reading->periods, second, reading->settings.time_zone);
    if (!billing_source_clock(connection, reading->settings.time_zone, &reading->clock, error) ||
        !known_chunks_open(&reading->known, connection, reading->settings.source, error))
        goto done;
    prefetch = billing_prefetch_open(&reading->settings, &reading->periods, &reading->known, paths,
                                     delivery->file_count, error);
    if (prefetch == NULL || !billing_writer_open(reading->writer, connection, &reading->settings,
                                                 &reading->periods, delivery->id, error))
        goto done;
    reading->writer->strict = reading->request->strict;
    if (!put_chunks(reading, prefetch, error) || !check_records(delivery, error) ||
        !check_readable(reading, error) || !billing_writer_pause(reading->writer, error) ||
        !delivery_settle(reading->delivery, connection, error) || !withdraw(reading, connection, error))
        goto done;
    billing_prefetch_dimensions(prefetch, stores);
    ok = billing_writer_finish(reading->writer, stores, BILLING_PREFETCH_THREADS, second, error);
done:
    billing_prefetch_close(prefetch);
    known_chunks_close(&reading->known);
    free(reading->clock.changes);
    billing_periods_close(&reading->periods);
    free(paths);
    return ok;
}

/* Notes the billing periods of a held delivery: they stay open until it is answered. */
static void note_periods(const struct billing_writer *writer, struct delivery_hold *hold)
{
    for (int i = 0; i < BILLING_PERIODS_MAXIMUM; i++) {
        const struct billing_load *load = &writer->loads[i];
        size_t used = strlen(hold->billing_periods);
        if (load->period != NULL)
            snprintf(hold->billing_periods + used, sizeof hold->billing_periods - used, "%s%s",
                     used > 0 ? " " : "", load->period->text);
    }
}

static bool is_mostly_readable(const struct delivery *delivery, struct billing_writer *writer)
{
    struct delivery_hold *hold = &writer->hold;
    for (int i = 0; i < delivery->file_count && hold->reason[0] == '\0'; i++) {
        const struct delivery_file *file = &delivery->files[i];
        delivery_guard_unreadable(file->name, file->quarantined, file->records, writer->first_quarantined,
                                  hold->reason, sizeof hold->reason);
    }
    if (hold->reason[0] != '\0')
        note_periods(writer, hold);
    return hold->reason[0] == '\0';
}

/* Whether the delivery may replace the current one and does not repeat another source. If it must
 * wait for a person, returns false and fills the hold of the writer. */
static bool may_count(const struct delivery *delivery, PGconn *connection, struct billing_writer *writer,
                      struct error *error)
{
    return delivery_guard_repeated(delivery, connection, &writer->hold, error) &&
           writer->hold.reason[0] == '\0' && billing_replace_allowed(writer, error) &&
           is_mostly_readable(delivery, writer);
}

/* The last delivery has the same content in other files: it stays, and this delivery is removed. */
static bool keep_former(PGconn *connection, const struct delivery_request *request, struct delivery *delivery,
                        int former, struct billing_writer *writer, struct error *error)
{
    billing_writer_close(writer);
    database_rollback(connection);
    log_event(LOG_INFO, "unchanged",
              "kind=billing source=\"%s\" label=\"%s\" note=\"its lines are those of the delivery before, in "
              "other files\"",
              request->source, request->label);
    return database_begin(connection, error) &&
           delivery_content_other_files(connection, former, delivery, error) &&
           delivery_guard_forget(connection, request->source, request->label, error);
}

/* Checks that no line would count twice: in a period that the delivery drops and in one that it
 * has. If a person confirmed that lines have moved, their old copies are withdrawn. If a person
 * must decide, returns false and fills the hold of the writer. */
static bool settle_moved(PGconn *connection, const struct delivery_request *request,
                         const struct delivery *delivery, struct billing_writer *writer, struct error *error)
{
    const struct moving_delivery moving = { delivery->id, request->source, request->label };
    struct delivery_hold hold = { 0 };
    if (request->both)
        return true;
    if (!billing_moved_find(connection, &moving, &hold, error))
        return false;
    if (hold.reason[0] == '\0')
        return true;
    if (request->moved)
        return billing_moved_withdraw(connection, &moving, error);
    writer->hold = hold;
    writer->hold.asks_if_moved = true;
    return false;
}

/* Makes the loads current, or fills the hold of the writer if they must wait. */
static bool let_in(PGconn *connection, const struct delivery_request *request, struct delivery *delivery,
                   struct reading *reading, struct error *error)
{
    struct billing_writer *writer = reading->writer;
    return billing_drop_pruned(writer, request->label, error) &&
           (request->accept ? delivery_content_accept(connection, delivery, request->label, error)
                            : may_count(delivery, connection, writer, error)) &&
           settle_moved(connection, request, delivery, writer, error) && billing_replace(writer, error) &&
           report_missing_months(reading, connection, error) &&
           report_fewer_files(reading, connection, error) &&
           delivery_guard_forget(connection, request->source, request->label, error) &&
           delivery_close(delivery, connection, writer->rows, writer->quarantined, error);
}

/* Everything between BEGIN and COMMIT of the delivery's transaction. */
static bool load_delivery(PGconn *connection, const struct delivery_request *request,
                          const struct billing_source *settings, struct delivery *delivery,
                          struct billing_writer *writer, struct ingest_summary *summary, struct error *error)
{
    bool *unchanged = &summary->unchanged;
    struct reading reading = {
        .request = request,
        .delivery = delivery,
        .writer = writer,
        .summary = summary,
        .settings = { .source = request->source,
                      .time_zone = settings->time_zone,
                      .currency = settings->has_currency ? settings->currency : NULL },
    };
    int former = 0;
    reading.settings.format = billing_format_find(settings->format, error);
    if (reading.settings.format == NULL || !billing_source_limits(connection, &reading.settings, error) ||
        !delivery_open(delivery, connection, "billing", request->source, request->label, unchanged, error))
        return false;
    if (*unchanged) { /* a later delivery may have been held */
        log_event(LOG_DEBUG, "unchanged", "kind=billing source=\"%s\" label=\"%s\"", request->source,
                  request->label);
        return delivery_guard_forget(connection, request->source, request->label, error);
    }
    PGconn *second = database_connect_again(connection, error);
    bool ok = second != NULL && read_files(&reading, connection, second, error) &&
              delivery_content_store(connection, delivery, request->label, error) &&
              (delivery->former != 0 || delivery_content_find(connection, delivery, &former, error));
    *unchanged = ok && former != 0;
    ok = ok &&
         (*unchanged ? keep_former(connection, request, delivery, former, writer, error)
                     : let_in(connection, request, delivery, &reading, error)) &&
         billing_source_remember(connection, settings, request, error);
    PQfinish(second);
    return ok;
}

/* Records a hold and its folder, also if the hold was known (loaded by hand, for example). Returns
 * false. */
static bool hold_back(PGconn *connection, const struct delivery_request *request, struct delivery *delivery,
                      struct delivery_hold *hold, struct error *error)
{
    char answered[32];
    snprintf(answered, sizeof answered, "%s%s%s", request->accept ? " --accept" : "",
             request->moved ? " --moved" : "", request->both ? " --both" : "");
    const struct delivery_named named = { .kind = "billing",
                                          .answered = answered,
                                          .source = request->source,
                                          .label = request->label,
                                          .inbox = request->inbox,
                                          .path_count = request->path_count,
                                          .paths = request->paths };
    if (hold->answers[0] == '\0')
        delivery_answers_write(&named, hold);
    return delivery_guard_remember(delivery, connection, request->source, request->label, request->inbox,
                                   hold, error) &&
           delivery_guard_refuse(request->label, hold, error);
}

/* Whether the delivery can be loaded at all: complete, and not held already. */
static bool is_ready(PGconn *connection, const struct delivery_request *request, struct delivery *delivery,
                     struct error *error)
{
    struct delivery_hold hold = { 0 };
    if (delivery->waiting[0] != '\0') {
        error_set(error, ERROR_ATTENTION, "%s waits for all of its parts: %s", request->label,
                  delivery->waiting);
        error_hint(error, "nothing of it is loaded until the parts that its manifest names are there");
        return false;
    }
    if (request->accept || request->moved || request->both)
        return true;
    if (!delivery_guard_known(delivery, connection, request->source, request->label, &hold, error))
        return false;
    return hold.reason[0] == '\0' || hold_back(connection, request, delivery, &hold, error);
}

bool ingest_billing(PGconn *connection, const struct delivery_request *request,
                    struct ingest_summary *summary, struct error *error)
{
    static const char *const suffixes[] = { ".csv", ".csv.gz", NULL };
    struct billing_source settings;
    struct delivery delivery = { 0 };
    struct billing_writer writer = { 0 };
    bool ok = false;
    *summary = (struct ingest_summary){ 0 };
    snprintf(summary->label, sizeof summary->label, "%s", request->label);
    if (!billing_source_read(connection, request, &settings, error) ||
        !delivery_gather(&delivery, request->path_count, request->paths, suffixes, settings.text, error) ||
        !billing_source_settle(&settings, request, &delivery, error) ||
        !is_ready(connection, request, &delivery, error))
        goto done;
    ok = database_begin(connection, error) &&
         load_delivery(connection, request, &settings, &delivery, &writer, summary, error);
    int64_t rows = writer.rows, quarantined = writer.quarantined, periods = writer.load_count;
    int64_t differing = writer.differing;
    char differs[sizeof writer.first_differing];
    memcpy(differs, writer.first_differing, sizeof differs);
    struct delivery_hold hold = writer.hold;
    int64_t chunks = writer.chunk_count, reused = writer.reused;
    billing_writer_close(&writer); /* ends an unfinished COPY */
    ok = ok && database_commit(connection, error);
    if (!ok) {
        database_rollback(connection);
        if (hold.reason[0] != '\0')
            hold_back(connection, request, &delivery, &hold, error);
        billing_source_hint(&settings, request, &delivery, error);
        goto done;
    }
    summary->files = summary->unchanged ? 0 : delivery.file_count;
    summary->rows = rows;
    summary->quarantined = quarantined;
    summary->pruned = differing;
    snprintf(summary->pruned_differs, sizeof summary->pruned_differs, "%s", differs);
    if (!summary->unchanged)
        log_event(LOG_INFO, "ingested",
                  "kind=billing source=\"%s\" label=\"%s\" delivery=%d files=%d periods=%lld rows=%lld "
                  "quarantined=%lld chunks=%lld reused=%lld",
                  request->source, request->label, delivery.id, delivery.file_count, (long long)periods,
                  (long long)rows, (long long)quarantined, (long long)chunks, (long long)reused);
done:
    delivery_free(&delivery);
    return ok;
}
