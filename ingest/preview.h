/* ingest/preview.h: what a delivery would store, for --dry-run, which stores nothing. */
#ifndef KSTAR_INGEST_PREVIEW_H
#define KSTAR_INGEST_PREVIEW_H

#include "base/decimal.h"
#include "ingest/summary.h"

enum { PREVIEW_QUARANTINED = 20, PREVIEW_AMOUNTS = 256 };

/* The money of a bill in one currency and billing period. */
struct preview_amount {
    char currency[16], billing_period[11]; /* "": of quarantined rows whose period cannot be read */
    int64_t rows;
    struct decimal billed, effective;
    struct decimal quarantined; /* readable billed cost of unreadable rows */
};

struct ingest_preview {
    char label[INGEST_LABEL_BYTES];
    char format[64];
    bool is_detected; /* the files showed the format */
    int64_t files, rows, quarantined, ignored;
    /* why the delivery would be held; "": no reason found */
    char held[512];
    char work[256]; /* of job records: their time and node-hours */
    int amount_count;
    struct preview_amount amounts[PREVIEW_AMOUNTS];
    char quarantine[PREVIEW_QUARANTINED][512]; /* the first ones, each with place and reason */
};

#endif
