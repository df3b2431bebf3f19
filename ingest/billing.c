/* ingest/billing.c: see billing.h.
 *
 *     transaction A   delivery, files, loads, lines (COPY) ─────────────────── rejects, current_load, COMMIT
 *     transaction B                                        dimensions, COMMIT
 *
 * Killed before B's commit: nothing. Between the commits: dimension rows that no line uses yet; the next run
 * finds them. After A's: everything.
 */
#include "ingest/billing.h"

#include "base/csv_ahead.h"
#include "base/database.h"
#include "base/log.h"
#include "ingest/billing_format.h"
#include "ingest/billing_writer.h"
#include "ingest/delivery.h"
#include "ingest/delivery_guard.h"

#include <stdio.h>
#include <string.h>

enum { ROWS_BETWEEN_PROGRESS = 4096 };

/* What sources.csv says, with the defaults of a source that is not in it. */
struct source_settings {
    char format[64], time_zone[64], currency[16];
    bool has_currency;
    char text[192]; /* all of it, for the delivery's hash */
};

static bool read_settings(PGconn *connection, const struct billing_request *request,
                          struct source_settings *settings, struct error *error)
{
    PGresult *result =
        database_query_file(connection, "ingest/billing_source.sql", 1, &request->source, error);
    if (result == NULL)
        return false;
    bool declared = PQntuples(result) == 1;
    settings->has_currency = declared && !PQgetisnull(result, 0, 2);
    snprintf(settings->format, sizeof settings->format, "%s",
             request->format ? request->format
             : declared      ? PQgetvalue(result, 0, 0)
                             : "focus");
    snprintf(settings->time_zone, sizeof settings->time_zone, "%s",
             declared ? PQgetvalue(result, 0, 1) : "UTC");
    snprintf(settings->currency, sizeof settings->currency, "%s",
             settings->has_currency ? PQgetvalue(result, 0, 2) : "");
    snprintf(settings->text, sizeof settings->text, "\nformat=%s\ntime_zone=%s\ncurrency=%s\n",
             settings->format, settings->time_zone, settings->currency);
    PQclear(result);
    return true;
}

/* What reading a delivery's files needs. */
struct reading {
    const struct billing_request *request;
    const struct billing_format *format;
    const struct source_settings *settings;
    struct billing_writer *writer;
    struct progress progress;
    int64_t bytes_before; /* of the files already read */
};

static bool read_file(struct reading *reading, const struct delivery_file *delivered, struct error *error)
{
    static const struct csv_limits limits = { .columns = BILLING_FILE_COLUMNS_MAXIMUM };
    char label[512];
    struct csv_record record;
    struct billing_file file = { 0 };
    struct billing_row rows[BILLING_ROWS_MAXIMUM];
    bool ok = false;
    snprintf(label, sizeof label, "%s", delivered->path);
    struct csv_ahead *reader = csv_ahead_open(delivered->path, ',', &limits, error);
    if (reader == NULL || csv_ahead_next(reader, &record, error) != CSV_RECORD ||
        !billing_file_open(&file, reading->format, label,
                           reading->settings->has_currency ? reading->settings->currency : NULL, &record,
                           error) ||
        !billing_writer_begin_file(reading->writer, error))
        goto done;
    int64_t count = 0;
    enum csv_outcome outcome;
    while ((outcome = csv_ahead_next(reader, &record, error)) == CSV_RECORD) {
        if (count == 0 && !billing_file_begin(&file, &record, error))
            goto done;
        int row_count = billing_read_rows(&file, &record, rows);
        if (!billing_writer_put(reading->writer, &file, delivered->file_id, label, &record, rows, row_count,
                                error))
            goto done;
        if (++count % ROWS_BETWEEN_PROGRESS == 0)
            progress_update(&reading->progress, reading->bytes_before + csv_ahead_position(reader));
    }
    ok = outcome == CSV_END &&
         billing_writer_end_file(reading->writer, delivered->file_id, record.line + 1, error);
    reading->bytes_before += delivered->bytes;
done:
    billing_file_free(&file);
    csv_ahead_close(reader);
    return ok;
}

static bool read_files(struct reading *reading, struct delivery *delivery, struct error *error)
{
    struct billing_writer *writer = reading->writer;
    bool ok = true;
    progress_start(&reading->progress, reading->request->label, delivery->bytes);
    for (int i = 0; ok && i < delivery->file_count; i++) {
        int64_t before = writer->rows;
        ok = read_file(reading, &delivery->files[i], error);
        delivery->files[i].rows = writer->rows - before;
    }
    progress_end(&reading->progress);
    if (ok && writer->load_count == 0 && writer->rejected > 0) {
        error_set(error, ERROR_INPUT, "%s: none of its %lld rows can be read", reading->request->label,
                  (long long)writer->rejected);
        error_detail(error, "the first: %s", writer->first_reject);
        ok = false;
    }
    return ok;
}

/* Everything between BEGIN and COMMIT of the delivery's transaction. */
static bool load_delivery(PGconn *connection, const struct billing_request *request,
                          const struct source_settings *settings, struct delivery *delivery,
                          struct billing_writer *writer, bool *unchanged, struct error *error)
{
    struct reading reading = { .request = request, .settings = settings, .writer = writer };
    reading.format = billing_format_find(settings->format, error);
    if (reading.format == NULL ||
        !delivery_open(delivery, connection, "billing", request->source, request->label, unchanged, error))
        return false;
    if (*unchanged)
        return true;
    if (!billing_writer_open(writer, connection, request->source, settings->time_zone, delivery->id, error))
        return false;
    writer->strict = request->strict;
    writer->accept = request->accept;
    if (!read_files(&reading, delivery, error))
        return false;
    PGconn *second = database_connect_again(connection, error);
    bool ok = second != NULL && billing_writer_finish(writer, second, error) &&
              delivery_guard_forget(connection, request->source, request->label, error) &&
              delivery_close(delivery, connection, writer->rows, writer->rejected, error);
    PQfinish(second);
    return ok;
}

/* Whether the delivery can be loaded at all: complete, and not held already. */
static bool is_ready(PGconn *connection, const struct billing_request *request, struct delivery *delivery,
                     struct error *error)
{
    struct delivery_hold hold = { 0 };
    if (delivery->waiting[0] != '\0') {
        error_set(error, ERROR_ATTENTION, "%s waits for all of its parts: %s", request->label,
                  delivery->waiting);
        error_hint(error, "nothing of it is loaded until the parts that its manifest names are there");
        return false;
    }
    if (request->accept)
        return true;
    if (!delivery_guard_known(delivery, connection, request->source, request->label, &hold, error))
        return false;
    return hold.reason[0] == '\0' || delivery_guard_refuse(request->label, &hold, error);
}

bool ingest_billing(PGconn *connection, const struct billing_request *request, struct ingest_summary *summary,
                    struct error *error)
{
    static const char *const suffixes[] = { ".csv", ".csv.gz", NULL };
    struct source_settings settings;
    struct delivery delivery = { 0 };
    struct billing_writer writer = { 0 };
    bool ok = false;
    *summary = (struct ingest_summary){ 0 };
    snprintf(summary->label, sizeof summary->label, "%s", request->label);
    if (!read_settings(connection, request, &settings, error) ||
        !delivery_gather(&delivery, request->path_count, request->paths, suffixes, settings.text, error) ||
        !is_ready(connection, request, &delivery, error))
        goto done;
    ok = database_begin(connection, error) &&
         load_delivery(connection, request, &settings, &delivery, &writer, &summary->unchanged, error);
    int64_t rows = writer.rows, rejected = writer.rejected, periods = writer.load_count;
    struct delivery_hold hold = writer.hold;
    billing_writer_close(&writer); /* ends a COPY that was given up */
    ok = ok && database_commit(connection, error);
    if (!ok) {
        database_rollback(connection);
        if (hold.reason[0] != '\0' &&
            delivery_guard_remember(&delivery, connection, request->source, request->label, &hold, error))
            delivery_guard_refuse(request->label, &hold, error);
        goto done;
    }
    summary->files = summary->unchanged ? 0 : delivery.file_count;
    summary->rows = rows;
    summary->rejected = rejected;
    if (summary->unchanged)
        log_event(LOG_INFO, "unchanged", "kind=billing source=\"%s\" label=\"%s\"", request->source,
                  request->label);
    else
        log_event(LOG_INFO, "ingested",
                  "kind=billing source=\"%s\" label=\"%s\" delivery=%d files=%d periods=%lld rows=%lld "
                  "rejected=%lld",
                  request->source, request->label, delivery.id, delivery.file_count, (long long)periods,
                  (long long)rows, (long long)rejected);
done:
    delivery_free(&delivery);
    return ok;
}
