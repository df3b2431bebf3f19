/* ingest/bill/billing_source.c: see billing_source.h. */
#include "ingest/bill/billing_source.h"

#include "base/postgres/database.h"
#include "ingest/bill/billing_detect.h"
#include "ingest/bill/billing_format.h"
#include "ingest/file_kind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool billing_source_read(PGconn *connection, const struct delivery_request *request,
                         struct billing_source *source, struct error *error)
{
    enum { DECLARED, TIME_ZONE, CURRENCY, DETECTED };
    *source = (struct billing_source){ 0 };
    PGresult *result =
        database_query_file(connection, "ingest/billing_source.sql", 1, &request->source, error);
    if (result == NULL)
        return false;
    source->is_declared = request->format != NULL || !PQgetisnull(result, 0, DECLARED);
    source->has_currency = !PQgetisnull(result, 0, CURRENCY);
    snprintf(source->format, sizeof source->format, "%s",
             request->format != NULL ? request->format
                                     : PQgetvalue(result, 0, source->is_declared ? DECLARED : DETECTED));
    snprintf(source->time_zone, sizeof source->time_zone, "%s", PQgetvalue(result, 0, TIME_ZONE));
    snprintf(source->currency, sizeof source->currency, "%s", PQgetvalue(result, 0, CURRENCY));
    PQclear(result);
    return true;
}

/* ---- the format ---- */

static bool refuse_tie(const struct billing_detection *found, const struct delivery_request *request,
                       struct error *error)
{
    const char *first = found->fits[0].format->name, *second = found->tied->name;
    error_set(error, ERROR_INPUT, "%s: may be of format %s or %s, and fits both", found->path, first, second);
    error_hint(error, "%sadd one of these rows to sources.csv: %s,billing,%s or %s,billing,%s",
               strncmp(first, "azure-", strlen("azure-")) != 0
                   ? ""
                   : "name the dataset in each file's path, actual or amortized; for one dataset alone, ",
               request->source, first, request->source, second);
    return false;
}

bool billing_source_settle(struct billing_source *source, const struct delivery_request *request,
                           const struct delivery *delivery, struct error *error)
{
    struct billing_detection found = { 0 };
    bool ok = true;
    if (source->format[0] == '\0' && delivery->file_count > 0) {
        ok = billing_detect(delivery->files[0].path, &found, error) &&
             (found.tied == NULL || refuse_tie(&found, request, error));
        source->is_detected = ok && found.format != NULL;
    }
    if (source->format[0] == '\0')
        snprintf(source->format, sizeof source->format, "%s",
                 found.format != NULL && source->is_detected ? found.format->name : focus_format.name);
    billing_detection_free(&found);
    snprintf(source->text, sizeof source->text, "\nformat=%s\ntime_zone=%s\ncurrency=%s\n", source->format,
             source->time_zone, source->currency);
    return ok;
}

/* Hints at the nearest format for a file that no format recognises. */
static void name_nearest(const struct billing_fit *nearest, const struct billing_source *source,
                         const struct delivery_request *request, const char *path, struct error *error)
{
    const char *name = nearest->format->name;
    if (nearest->known == 0)
        error_hint(error,
                   "no format recognises the file; docs/billing.md names the exports that kstar reads");
    else if (strcmp(name, source->format) == 0) /* the error names what is missing */
        error_hint(error, "no format recognises the file; %s is the nearest", name);
    else if (nearest->missing_count == 0)
        error_hint(error,
                   "no format recognises the file, and %s is the nearest; if it is that one, add the row "
                   "%s,billing,%s to sources.csv",
                   name, request->source, name);
    else {
        error_set(error, ERROR_INPUT, "%s: no format recognises the file; of %s, the nearest, it lacks %s",
                  path, name, nearest->missing);
        error_hint(error, "export these columns, too");
    }
}

void billing_source_hint(const struct billing_source *source, const struct delivery_request *request,
                         const struct delivery *delivery, struct error *error)
{
    struct billing_detection found = { 0 };
    struct error unreadable = { 0 };
    if (error->kind != ERROR_INPUT || request->format != NULL || delivery->file_count == 0 ||
        !billing_detect(delivery->files[0].path, &found, &unreadable))
        return;
    const struct table_kind *other = table_kind_find(found.names, found.column_count);
    if (found.format == NULL && other != NULL) { /* also with delimiters other than commas */
        error_set(error, ERROR_INPUT, "%s: this is %s", delivery->files[0].path, other->what);
        error_hint(error, "%s", other->hint);
    }
    if (error->hint[0] != '\0')
        ;
    else if (found.format != NULL && strcmp(found.format->name, source->format) != 0)
        error_hint(
            error,
            "it was read as %s, and is of format %s: sources.csv must have the row %s,billing,%s, and no "
            "other of this source and kind",
            source->format, found.format->name, request->source, found.format->name);
    else if (found.format == NULL && found.fit_count > 0 && !source->is_declared)
        name_nearest(&found.fits[0], source, request, delivery->files[0].path, error);
    billing_detection_free(&found);
}

bool billing_source_remember(PGconn *connection, const struct billing_source *source,
                             const struct delivery_request *request, struct error *error)
{
    const char *const parameters[] = { request->source, "billing", source->format };
    return !source->is_detected ||
           database_run_query(connection, "ingest/format_remember.sql", 3, parameters, error);
}

/* ---- limits and clocks ---- */

bool billing_source_limits(PGconn *connection, struct billing_settings *settings, struct error *error)
{
    enum { FIELD_BYTES, RECORD_BYTES, COLUMNS, ROWS, UNCOMPRESSED_BYTES, COMPRESSION_RATIO };
    PGresult *result = database_query_file(connection, "ingest/billing_limits.sql", 0, NULL, error);
    if (result == NULL)
        return false;
    int64_t columns = strtoll(PQgetvalue(result, 0, COLUMNS), NULL, 10);
    settings->limits = (struct csv_limits){
        .record_bytes = (size_t)strtoull(PQgetvalue(result, 0, RECORD_BYTES), NULL, 10),
        .columns = columns > 0 && columns < BILLING_FILE_COLUMNS_MAXIMUM ? (int)columns
                                                                         : BILLING_FILE_COLUMNS_MAXIMUM,
        .uncompressed_bytes = strtoll(PQgetvalue(result, 0, UNCOMPRESSED_BYTES), NULL, 10),
        .compression_ratio = strtoll(PQgetvalue(result, 0, COMPRESSION_RATIO), NULL, 10),
    };
    settings->field_bytes = (size_t)strtoull(PQgetvalue(result, 0, FIELD_BYTES), NULL, 10);
    settings->rows = strtoll(PQgetvalue(result, 0, ROWS), NULL, 10);
    PQclear(result);
    return true;
}

bool billing_source_clock(PGconn *connection, const char *time_zone, struct source_clock *clock,
                          struct error *error)
{
    const char *const parameters[] = { time_zone };
    *clock = (struct source_clock){ 0 };
    if (strcmp(time_zone, "UTC") == 0)
        return true;
    PGresult *result = database_query_file(connection, "ingest/source_clock.sql", 1, parameters, error);
    if (result == NULL)
        return false;
    clock->count = PQntuples(result);
    clock->changes = calloc((size_t)clock->count + 1, sizeof *clock->changes);
    for (int i = 0; i < clock->count; i++) {
        clock->changes[i].at = strtoll(PQgetvalue(result, i, 0), NULL, 10);
        clock->changes[i].offset = strtoll(PQgetvalue(result, i, 1), NULL, 10);
    }
    PQclear(result);
    return true;
}
