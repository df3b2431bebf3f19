/* ingest/bill/billing_rejects.c: see billing_rejects.h. */
#include "ingest/bill/billing_rejects.h"

#include "base/log.h"
#include "base/postgres/database.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    REJECT_COLUMNS = 12,
    RAW_BYTES_MAXIMUM = 64 << 10,
    REJECTS_LOGGED = 10,
};

const char billing_copy_rejects[] =
    "COPY rejected_row (delivery_id, file_id, line_number, column_name, reason, raw, billing_period,"
    " invoice_key, billed_cost, effective_cost, billing_currency, commitment_discount_id) FROM STDIN (FORMAT binary)";

/* The period that a reject counts in: its own where that is readable, that of the row before
 * otherwise. Of the first one the month of its charge, else the period of the row behind it, which
 * is no pruned month's; NULL where none of these is in the chunk. */
static bool reject_period(struct billing_writer *writer, const struct billing_chunk *chunk,
                          const struct chunk_reject *reject, const struct billing_period **period,
                          struct error *error)
{
    *period = reject->period != NULL ? reject->period : writer->latest;
    if (*period == NULL && reject->charge_known) {
        *period = billing_period_find(writer->periods, time_month_start(reject->charge_start), error);
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

static void copy_cost(struct copy_stream *stream, const struct chunk_reject *reject, int which)
{
    if (reject->cost_known[which])
        copy_decimal(stream, &reject->cost[which]);
    else
        copy_null(stream);
}

static void copy_reject(struct billing_writer *writer, const struct billing_chunk *chunk,
                        const struct chunk_reject *reject, const struct billing_period *period)
{
    struct copy_stream *rejects = &writer->rejects;
    copy_row(rejects, REJECT_COLUMNS);
    copy_int4(rejects, writer->delivery_id);
    copy_int4(rejects, writer->file_id);
    copy_int8(rejects, writer->line + reject->line);
    copy_optional_text(rejects, reject->column);
    copy_text(rejects, reject->reason, strlen(reject->reason));
    copy_text(rejects, chunk->text.bytes + reject->offset,
              reject->length < RAW_BYTES_MAXIMUM ? reject->length : RAW_BYTES_MAXIMUM);
    if (period != NULL)
        copy_date(rejects, period->day);
    else
        copy_null(rejects);
    if (period != NULL && reject->invoice_known) {
        struct csv_field invoice[3];
        for (int i = 0; i < 3; i++)
            invoice[i] =
                (struct csv_field){ reject->invoice[i], reject->invoice[i] ? strlen(reject->invoice[i]) : 0 };
        copy_int8(rejects, billing_invoice_key(&writer->reader, period, invoice));
    } else {
        copy_null(rejects);
    }
    copy_cost(rejects, reject, 0);
    copy_cost(rejects, reject, 1);
    copy_optional_text(rejects, reject->invoice_known ? reject->invoice[2] : NULL);
    copy_optional_text(rejects, reject->commitment);
}

/* Counts a reject, or refuses the delivery for it. */
static bool note_reject(struct billing_writer *writer, const char *message, struct error *error)
{
    if (writer->strict) {
        error_set(error, ERROR_INPUT, "%s", message);
        error_detail(error, "nothing was loaded: --strict refuses a delivery with a row that cannot be read");
        error_hint(error, "without --strict the row is quarantined and the rest is loaded");
        return false;
    }
    if (writer->rejected++ == 0)
        snprintf(writer->first_reject, sizeof writer->first_reject, "%s", message);
    if (writer->rejected <= REJECTS_LOGGED)
        log_event(LOG_WARNING, "rejected", "message=\"%s\"", message);
    return true;
}

bool billing_put_reject(struct billing_writer *writer, const struct billing_chunk *chunk,
                        const struct chunk_reject *reject, struct error *error)
{
    char message[512];
    const struct billing_period *period;
    snprintf(message, sizeof message, "%s, line %lld%s%s: %s", writer->path,
             (long long)(writer->line + reject->line), reject->column ? ", column " : "",
             reject->column ? reject->column : "", reject->reason);
    if (!note_reject(writer, message, error) || !billing_writer_reader(writer, error) ||
        !reject_period(writer, chunk, reject, &period, error) ||
        (period != NULL && !billing_writer_load(writer, period, error)))
        return false;
    copy_reject(writer, chunk, reject, period);
    return true;
}

bool billing_reject_cancelled(struct billing_writer *writer, struct error *error)
{
    char id[16], message[512];
    const char *parameters[] = { id };
    snprintf(id, sizeof id, "%d", writer->delivery_id);
    PGresult *result =
        database_query_file(writer->connection, "ingest/billing_reject_cancelled.sql", 1, parameters, error);
    if (result == NULL)
        return false;
    bool ok = true;
    for (int i = 0; ok && i < PQntuples(result); i++) {
        snprintf(message, sizeof message, "%s, line %s: %s", PQgetvalue(result, i, 0),
                 PQgetvalue(result, i, 1), PQgetvalue(result, i, 2));
        ok = note_reject(writer, message, error);
    }
    PQclear(result);
    return ok;
}
