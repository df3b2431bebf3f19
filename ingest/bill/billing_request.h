/* ingest/bill/billing_request.h: the delivery of a bill, as it is asked for. */
#ifndef KSTAR_INGEST_BILL_BILLING_REQUEST_H
#define KSTAR_INGEST_BILL_BILLING_REQUEST_H

#include <stdbool.h>

struct billing_request {
    const char *source; /* who delivers; reference file sources.csv may say more about it */
    const char
        *label; /* where the delivery was found: what replaces what is seen here by people, not by kstar */
    const char *inbox;  /* the inbox in which it lies, absolute; NULL: elsewhere */
    const char *format; /* NULL: what sources.csv says, else what the source's files show */
    int path_count;
    const char *const *paths; /* files, or folders whose *.csv and *.csv.gz are meant */
    bool strict;              /* a row that cannot be read refuses the delivery */
    bool accept;              /* also what would be held (delivery_guard.h) */
    bool moved, both;         /* lines that reappear under another period: withdraw them, or let both stand */
};

#endif
