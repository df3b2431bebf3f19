/* cli/ingest_print.c: see ingest_print.h. */
#include "cli/ingest_print.h"

#include "print/json_print.h"
#include "print/print_line.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>

static void add_text(cJSON *object, const char *name, const char *text)
{
    if (text != NULL && text[0] != '\0')
        cJSON_AddStringToObject(object, name, text);
}

static cJSON *summary_json(const char *source, const struct ingest_summary *summary)
{
    cJSON *object = cJSON_CreateObject();
    add_text(object, "source", source);
    add_text(object, "label", summary->label);
    if (summary->dry_run)
        cJSON_AddBoolToObject(object, "dry_run", true);
    cJSON_AddBoolToObject(object, "unchanged", summary->unchanged);
    cJSON_AddNumberToObject(object, "rows", (double)summary->rows);
    cJSON_AddNumberToObject(object, "quarantined", (double)summary->quarantined);
    cJSON_AddNumberToObject(object, "ignored", (double)summary->ignored);
    return object;
}

bool ingest_print_json(const char *source, const struct ingest_summary *summary, bool with_files,
                       struct error *error)
{
    cJSON *object = summary_json(source, summary);
    if (with_files)
        cJSON_AddNumberToObject(object, "files", (double)summary->files);
    add_text(object, "fewer_files", summary->fewer_files);
    add_text(object, "decided", summary->decided);
    return json_print_line(object, error);
}

bool ingest_print_unchanged(const struct ingest_summary *summary)
{
    if (summary->unchanged)
        print_line(stdout, "%s: already there, nothing done", summary->label);
    return summary->unchanged;
}

/* ---- --dry-run ---- */

static int64_t shown_quarantined(const struct ingest_preview *preview)
{
    return preview->quarantined < PREVIEW_QUARANTINED ? preview->quarantined : PREVIEW_QUARANTINED;
}

static void print_amount(const struct preview_amount *amount)
{
    char billed[DECIMAL_TEXT_BYTES], effective[DECIMAL_TEXT_BYTES], quarantined[DECIMAL_TEXT_BYTES];
    decimal_format(&amount->billed, billed);
    decimal_format(&amount->effective, effective);
    decimal_format(&amount->quarantined, quarantined);
    print_line(stdout, "  %-10s %s  billed %s, effective %s, quarantined %s; %" PRId64 " row%s",
               amount->billing_period[0] != '\0' ? amount->billing_period : "no period", amount->currency,
               billed, effective, quarantined, amount->rows, amount->rows == 1 ? "" : "s");
}

static void print_text(const char *source, const struct ingest_preview *preview)
{
    print_line(stdout,
               "%s: %" PRId64 " row%s of source %s from %" PRId64 " file%s, %" PRId64 " to quarantine",
               preview->label, preview->rows, preview->rows == 1 ? "" : "s", source, preview->files,
               preview->files == 1 ? "" : "s", preview->quarantined);
    print_line(stdout, "  format     %s%s", preview->format,
               preview->is_detected ? ", as the file shows" : "");
    if (preview->work[0] != '\0')
        print_line(stdout, "  work       %s", preview->work);
    for (int i = 0; i < preview->amount_count; i++)
        print_amount(&preview->amounts[i]);
    for (int64_t i = 0; i < shown_quarantined(preview); i++)
        print_line(stdout, "  quarantine %s", preview->quarantine[i]);
    if (preview->quarantined > PREVIEW_QUARANTINED)
        print_line(stdout, "  quarantine %" PRId64 " more", preview->quarantined - PREVIEW_QUARANTINED);
    if (preview->held[0] != '\0')
        print_line(stdout, "  held       %s; --accept loads it all the same", preview->held);
    print_line(stdout, "  nothing was changed");
}

static void add_decimal(cJSON *object, const char *name, const struct decimal *value)
{
    char text[DECIMAL_TEXT_BYTES];
    decimal_format(value, text);
    cJSON_AddStringToObject(object, name, text);
}

static cJSON *preview_json(const char *source, const struct ingest_preview *preview)
{
    struct ingest_summary summary = { .dry_run = true,
                                      .rows = preview->rows,
                                      .quarantined = preview->quarantined,
                                      .ignored = preview->ignored };
    snprintf(summary.label, sizeof summary.label, "%s", preview->label);
    cJSON *object = summary_json(source, &summary);
    cJSON_AddNumberToObject(object, "files", (double)preview->files);
    cJSON_AddStringToObject(object, "format", preview->format);
    cJSON_AddStringToObject(object, "work", preview->work);
    cJSON_AddStringToObject(object, "held", preview->held);
    cJSON *amounts = cJSON_AddArrayToObject(object, "amounts"), *quarantine;
    for (int i = 0; i < preview->amount_count; i++) {
        const struct preview_amount *amount = &preview->amounts[i];
        cJSON *row = cJSON_CreateObject();
        cJSON_AddStringToObject(row, "billing_period", amount->billing_period);
        cJSON_AddStringToObject(row, "currency", amount->currency);
        cJSON_AddNumberToObject(row, "rows", (double)amount->rows);
        add_decimal(row, "billed", &amount->billed);
        add_decimal(row, "effective", &amount->effective);
        add_decimal(row, "quarantined", &amount->quarantined);
        cJSON_AddItemToArray(amounts, row);
    }
    quarantine = cJSON_AddArrayToObject(object, "quarantine");
    for (int64_t i = 0; i < shown_quarantined(preview); i++)
        cJSON_AddItemToArray(quarantine, cJSON_CreateString(preview->quarantine[i]));
    return object;
}

bool ingest_print_preview(const char *source, const struct ingest_preview *preview, bool json,
                          struct error *error)
{
    if (!json)
        print_text(source, preview);
    else if (!json_print_line(preview_json(source, preview), error))
        return false;
    if (preview->quarantined > 0 || preview->held[0] != '\0')
        error->kind = ERROR_ATTENTION;
    return true;
}
