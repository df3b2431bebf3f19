/* ingest/bill/billing_source.h: how the bills of a source are to be read: format, time zone,
 * currency and limits.
 *
 * The format is the one that --format or sources.csv names; or else the one that an earlier
 * delivery showed; or else the one that this delivery's first file shows (billing_detect.h).
 */
#ifndef KSTAR_INGEST_BILL_BILLING_SOURCE_H
#define KSTAR_INGEST_BILL_BILLING_SOURCE_H

#include "ingest/bill/bill_file.h"
#include "ingest/delivery_request.h"
#include "ingest/delivery.h"

struct billing_source {
    char format[64], time_zone[64], currency[16];
    bool has_currency;
    bool is_declared; /* sources.csv or --format names the format */
    bool is_detected; /* this delivery showed the format, which is to be remembered */
    char text[192];   /* all of it, for the delivery's hash */
};

/* Reads the settings of a source before its files; the format may be missing. */
bool billing_source_read(PGconn *connection, const struct delivery_request *request,
                         struct billing_source *source, struct error *error);

/* Finds a missing format, and writes `text`. False (ERROR_INPUT) if two formats fit equally. A file
 * of unknown format is read as FOCUS, whose error names what is missing. */
bool billing_source_settle(struct billing_source *source, const struct delivery_request *request,
                           const struct delivery *delivery, struct error *error);

/* After a refusal: hints at the row of sources.csv for another format. */
void billing_source_hint(const struct billing_source *source, const struct delivery_request *request,
                         const struct delivery *delivery, struct error *error);

/* Remembers a detected format, in the loading transaction. */
bool billing_source_remember(PGconn *connection, const struct billing_source *source,
                             const struct delivery_request *request, struct error *error);

/* The bounds that settings.csv declares, beside kstar's own. */
bool billing_source_limits(PGconn *connection, struct billing_settings *settings, struct error *error);

/* The clocks of a time zone. Free its changes after failure, too. */
bool billing_source_clock(PGconn *connection, const char *time_zone, struct source_clock *clock,
                          struct error *error);

#endif
