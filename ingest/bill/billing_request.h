/* ingest/bill/billing_request.h: the delivery of a bill, as it is asked for. */
#ifndef KSTAR_INGEST_BILL_BILLING_REQUEST_H
#define KSTAR_INGEST_BILL_BILLING_REQUEST_H

#include <stdbool.h>

struct billing_request {
    const char *source; /* who delivers; reference file sources.csv may say more about it */
    const char *label;  /* the delivery's place: a later delivery with the same label replaces it */
    const char *inbox;  /* the inbox in which it lies, absolute; NULL: elsewhere */
    const char *format; /* NULL: what sources.csv says, else what the source's files show */
    int path_count;
    const char *const *paths; /* files, or folders whose *.csv and *.csv.gz are meant */
    bool strict;              /* a row that cannot be read refuses the delivery */
    bool accept;              /* loads a delivery that would be held, too (delivery_guard.h) */
    /* lines that reappear under another period: withdraw them, or let both stand */
    bool moved, both;
};

#endif
