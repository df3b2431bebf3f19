/* ingest/bill/billing_preview.c: see billing_preview.h. */
#include "ingest/bill/billing_preview.h"

#include "base/decimal_arithmetic.h"
#include "ingest/bill/billing_period.h"
#include "ingest/bill/billing_source.h"
#include "ingest/delivery_guard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A delivery that is previewed. */
struct viewing {
    struct billing_settings settings;
    struct source_clock clock;
    struct billing_periods periods;
    struct ingest_preview *preview;
};

/* The sum of a currency and billing period, added if new. NULL if there are too many. */
static struct preview_amount *find_amount(struct ingest_preview *preview, const char *currency,
                                          const char *billing_period, struct error *error)
{
    for (int i = 0; i < preview->amount_count; i++) {
        struct preview_amount *amount = &preview->amounts[i];
        if (strcmp(amount->currency, currency) == 0 && strcmp(amount->billing_period, billing_period) == 0)
            return amount;
    }
    if (preview->amount_count == PREVIEW_AMOUNTS) {
        error_set(error, ERROR_INPUT, "%s: more than %d currencies and billing periods", preview->label,
                  PREVIEW_AMOUNTS);
        return NULL;
    }
    struct preview_amount *amount = &preview->amounts[preview->amount_count++];
    snprintf(amount->currency, sizeof amount->currency, "%s", currency);
    snprintf(amount->billing_period, sizeof amount->billing_period, "%s", billing_period);
    return amount;
}

static bool add_row(struct viewing *viewing, const struct billing_row *row, bool is_quarantined,
                    struct error *error)
{
    char currency[16];
    const struct csv_field *text = &row->texts[TEXT_BILLING_CURRENCY];
    const struct billing_period *period = NULL;
    if (is_quarantined && (!row->invoice_known || !row->amount_known[AMOUNT_BILLED_COST]))
        return true;
    if (row->time_known[TIME_BILLING_PERIOD_START]) {
        period = billing_period_find(&viewing->periods, row->times[TIME_BILLING_PERIOD_START], error);
        if (period == NULL)
            return false;
    }
    snprintf(currency, sizeof currency, "%.*s", (int)text->length, text->text != NULL ? text->text : "");
    struct preview_amount *amount =
        find_amount(viewing->preview, currency, period != NULL ? period->text : "", error);
    if (amount == NULL)
        return false;
    const struct decimal *billed = &row->amounts[AMOUNT_BILLED_COST];
    if (is_quarantined)
        return decimal_add(&amount->quarantined, billed, &amount->quarantined);
    amount->rows++;
    return decimal_add(&amount->billed, billed, &amount->billed) &&
           decimal_add(&amount->effective, &row->amounts[AMOUNT_EFFECTIVE_COST], &amount->effective);
}

static void note_quarantined(struct ingest_preview *preview, const char *name, int64_t line,
                             const struct billing_problem *problem)
{
    if (preview->quarantined < PREVIEW_QUARANTINED)
        snprintf(preview->quarantine[preview->quarantined], sizeof preview->quarantine[0],
                 "%.120s, line %lld%s%.100s: %s", name, (long long)line,
                 problem->column != NULL ? ", column " : "", problem->column != NULL ? problem->column : "",
                 problem->reason);
    preview->quarantined++;
}

static bool view_record(struct viewing *viewing, struct billing_file *file, const struct csv_record *record,
                        const char *name, struct error *error)
{
    struct billing_row rows[BILLING_ROWS_MAXIMUM];
    int count = billing_read_rows(file, record, rows);
    bool is_quarantined = rows[0].problem.reason[0] != '\0', ok = true;
    if (is_quarantined)
        note_quarantined(viewing->preview, name, record->line, &rows[0].problem);
    for (int i = 0; ok && i < count; i++) {
        ok = add_row(viewing, &rows[i], is_quarantined, error);
        viewing->preview->rows += !is_quarantined;
    }
    if (!ok && error->kind == ERROR_NONE)
        error_set(error, ERROR_INPUT, "%s, line %lld: the sum of its money is too large", name,
                  (long long)record->line);
    return ok;
}

/* Reads the rows of a file after its header. */
static bool view_rows(struct viewing *viewing, struct billing_file *file,
                      const struct delivery_file *delivered, struct error *error)
{
    struct csv_record record;
    enum csv_outcome outcome = CSV_FAILED;
    struct ingest_preview *preview = viewing->preview;
    const int64_t before = preview->quarantined;
    int64_t records = 0;
    struct csv_reader *reader = csv_reader_open(delivered->path, ',', &viewing->settings.limits, error);
    bool ok = reader != NULL && csv_reader_next(reader, &record, error) == CSV_RECORD;
    while (ok && (outcome = csv_reader_next(reader, &record, error)) == CSV_RECORD) {
        ok = view_record(viewing, file, &record, delivered->name, error);
        records++;
    }
    csv_reader_close(reader);
    if (preview->held[0] == '\0')
        delivery_guard_unreadable(delivered->name, preview->quarantined - before, records,
                                  before < PREVIEW_QUARANTINED ? preview->quarantine[before] : "see above",
                                  preview->held, sizeof preview->held);
    return ok && outcome == CSV_END;
}

static bool view_file(struct viewing *viewing, const struct delivery_file *delivered, struct error *error)
{
    struct bill_file bill = { 0 };
    struct billing_file file = { 0 };
    bool ok = bill_file_open(&bill, &viewing->settings, delivered->path, error) &&
              bill_file_understand(&bill, &file, error) && view_rows(viewing, &file, delivered, error);
    billing_file_free(&file);
    bill_file_close(&bill);
    viewing->preview->files += ok;
    return ok;
}

static bool view_delivery(PGconn *connection, const struct billing_source *source,
                          const struct delivery *delivery, struct viewing *viewing, struct error *error)
{
    viewing->settings.format = billing_format_find(source->format, error);
    viewing->settings.clock = &viewing->clock;
    bool ok = viewing->settings.format != NULL &&
              billing_source_limits(connection, &viewing->settings, error) &&
              billing_source_clock(connection, source->time_zone, &viewing->clock, error);
    billing_periods_open(&viewing->periods, connection, source->time_zone);
    for (int i = 0; ok && i < delivery->file_count; i++)
        ok = view_file(viewing, &delivery->files[i], error);
    billing_periods_close(&viewing->periods);
    free(viewing->clock.changes);
    return ok;
}

bool ingest_billing_preview(PGconn *connection, const struct delivery_request *request,
                            struct ingest_preview *preview, struct error *error)
{
    static const char *const suffixes[] = { ".csv", ".csv.gz", NULL };
    struct billing_source source;
    struct delivery delivery = { 0 };
    *preview = (struct ingest_preview){ 0 };
    snprintf(preview->label, sizeof preview->label, "%s", request->label);
    bool ok = billing_source_read(connection, request, &source, error) &&
              delivery_gather(&delivery, request->path_count, request->paths, suffixes, source.text, error) &&
              billing_source_settle(&source, request, &delivery, error);
    if (ok && delivery.waiting[0] != '\0')
        ok = error_set(error, ERROR_ATTENTION, "%s waits for all of its parts: %s", request->label,
                       delivery.waiting);
    if (ok) {
        struct viewing viewing = { .preview = preview,
                                   .settings = { .source = request->source,
                                                 .time_zone = source.time_zone,
                                                 .currency = source.has_currency ? source.currency : NULL } };
        snprintf(preview->format, sizeof preview->format, "%s", source.format);
        preview->is_detected = source.is_detected;
        ok = view_delivery(connection, &source, &delivery, &viewing, error);
        if (!ok)
            billing_source_hint(&source, request, &delivery, error);
    }
    delivery_free(&delivery);
    return ok;
}
