/* ingest/bill/billing_quarantine.c: see billing_quarantine.h. */
#include "ingest/bill/billing_quarantine.h"

#include "base/log.h"
#include "base/postgres/database.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    QUARANTINE_COLUMNS = 12,
    RAW_BYTES_MAXIMUM = 64 << 10,
    QUARANTINED_LOGGED = 10,
};

const char billing_copy_quarantine[] =
    "COPY quarantined_row (delivery_id, file_id, line_number, column_name, reason, raw, billing_period,"
    " invoice_key, billed_cost, effective_cost, billing_currency, commitment_discount_id) FROM STDIN (FORMAT binary)";

/* Finds the billing period of a quarantined row: the first of these that is known.
 * - the period on the row
 * - the period of the row before
 * - the month in which its charge period begins
 * - the first period in the chunk whose month is not pruned
 * NULL if none is known.
 */
static bool quarantine_period(struct billing_writer *writer, const struct billing_chunk *chunk,
                              const struct quarantined_row *quarantined, const struct billing_period **period,
                              struct error *error)
{
    *period = quarantined->period != NULL ? quarantined->period : writer->latest;
    if (*period == NULL && quarantined->charge_known) {
        *period = billing_period_find(writer->periods, time_month_start(quarantined->charge_start), error);
        return *period != NULL;
    }
    for (int i = 0; i < chunk->period_count && *period == NULL; i++) {
        if (!writer->loads[chunk->periods[i].period->number].is_of_pruned_month)
            *period = chunk->periods[i].period;
    }
    return true;
}

static void copy_optional_text(struct copy_stream *stream, const char *text)
{
    if (text != NULL)
        copy_text(stream, text, strlen(text));
    else
        copy_null(stream);
}

static void copy_cost(struct copy_stream *stream, const struct quarantined_row *quarantined, int which)
{
    if (quarantined->cost_known[which])
        copy_decimal(stream, &quarantined->cost[which]);
    else
        copy_null(stream);
}

static void copy_quarantined(struct billing_writer *writer, const struct billing_chunk *chunk,
                             const struct quarantined_row *quarantined, const struct billing_period *period)
{
    struct copy_stream *quarantine = &writer->quarantine;
    copy_row(quarantine, QUARANTINE_COLUMNS);
    copy_int4(quarantine, writer->delivery_id);
    copy_int4(quarantine, writer->file_id);
    copy_int8(quarantine, writer->line + quarantined->line);
    copy_optional_text(quarantine, quarantined->column);
    copy_text(quarantine, quarantined->reason, strlen(quarantined->reason));
    copy_text(quarantine, chunk->text.bytes + quarantined->offset,
              quarantined->length < RAW_BYTES_MAXIMUM ? quarantined->length : RAW_BYTES_MAXIMUM);
    if (period != NULL)
        copy_date(quarantine, period->day);
    else
        copy_null(quarantine);
    if (period != NULL && quarantined->invoice_known) {
        struct csv_field invoice[3];
        for (int i = 0; i < 3; i++)
            invoice[i] = (struct csv_field){ quarantined->invoice[i],
                                             quarantined->invoice[i] ? strlen(quarantined->invoice[i]) : 0 };
        copy_int8(quarantine, billing_invoice_key(&writer->reader, period, invoice));
    } else {
        copy_null(quarantine);
    }
    copy_cost(quarantine, quarantined, 0);
    copy_cost(quarantine, quarantined, 1);
    copy_optional_text(quarantine, quarantined->invoice_known ? quarantined->invoice[2] : NULL);
    copy_optional_text(quarantine, quarantined->commitment);
}

/* Counts a quarantined row; with --strict it refuses the delivery. */
static bool note_quarantined(struct billing_writer *writer, const char *message, struct error *error)
{
    if (writer->strict) {
        error_set(error, ERROR_INPUT, "%s", message);
        error_detail(error, "nothing was loaded: --strict refuses a delivery with a row that cannot be read");
        error_hint(error, "without --strict the row is quarantined and the rest is loaded");
        return false;
    }
    if (writer->quarantined++ == 0)
        snprintf(writer->first_quarantined, sizeof writer->first_quarantined, "%s", message);
    if (writer->quarantined <= QUARANTINED_LOGGED)
        log_event(LOG_WARNING, "quarantined", "message=\"%s\"", message);
    return true;
}

bool billing_quarantine_put(struct billing_writer *writer, const struct billing_chunk *chunk,
                            const struct quarantined_row *quarantined, struct error *error)
{
    char message[512];
    const struct billing_period *period;
    snprintf(message, sizeof message, "%s, line %lld%s%s: %s", writer->path,
             (long long)(writer->line + quarantined->line), quarantined->column ? ", column " : "",
             quarantined->column ? quarantined->column : "", quarantined->reason);
    if (!note_quarantined(writer, message, error) || !billing_writer_reader(writer, error) ||
        !quarantine_period(writer, chunk, quarantined, &period, error) ||
        (period != NULL && !billing_writer_load(writer, period, error)))
        return false;
    copy_quarantined(writer, chunk, quarantined, period);
    return true;
}

bool billing_quarantine_cancelled(struct billing_writer *writer, struct error *error)
{
    char id[16], message[512];
    const char *parameters[] = { id, writer->settings->format->cancel_hint };
    snprintf(id, sizeof id, "%d", writer->delivery_id);
    PGresult *result = database_query_file(writer->connection, "ingest/billing_quarantine_cancelled.sql", 2,
                                           parameters, error);
    if (result == NULL)
        return false;
    bool ok = true;
    for (int i = 0; ok && i < PQntuples(result); i++) {
        snprintf(message, sizeof message, "%s, line %s: %s", PQgetvalue(result, i, 0),
                 PQgetvalue(result, i, 1), PQgetvalue(result, i, 2));
        ok = note_quarantined(writer, message, error);
    }
    PQclear(result);
    return ok;
}
