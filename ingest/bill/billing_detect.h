/* ingest/bill/billing_detect.h: what a file of an inbox is: which format of bill, or what else.
 *
 * The header is held against every format of billing_format.c's table: how many of its columns a
 * format knows, which required ones it lacks, which only that format knows. The best is the one
 * that lacks nothing and knows the most; two that know equally many are a tie, and nothing is
 * chosen. The first rows are read, too, for what a header cannot show, such as the order of a
 * date's parts. Formats with one set of columns are variants: the first of the table stands for
 * them, and the others are named; if it refuses the file, the others are a tie. No database
 * is needed.
 *
 *     struct billing_detection found;
 *     if (!billing_detect(path, &found, error)) …      memory
 *     … found.format != NULL: it is a bill; else found.what says what it is …
 *     billing_detection_free(&found);
 */
#ifndef KSTAR_INGEST_BILL_BILLING_DETECT_H
#define KSTAR_INGEST_BILL_BILLING_DETECT_H

#include "base/error.h"
#include "ingest/bill/billing_format.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    BILLING_FORMATS_MAXIMUM = 16,
    DETECTION_OWN_MAXIMUM = 8,     /* columns shown that only one format knows */
    DETECTION_AGAINST_MAXIMUM = 8, /* reasons */
    DETECTION_ROWS = 100,          /* that are read */
};

/* How a header fits one format. */
struct billing_fit {
    const struct billing_format *format;
    int known;                              /* columns of the header that the format names */
    int own_count;                          /* of which no other format names */
    const char *own[DETECTION_OWN_MAXIMUM]; /* the first of those, as the header spells them */
    int missing_count;                      /* required columns that the header lacks */
    char missing[256];                      /* their names */
    bool currency_missing;                  /* the source must declare one */
    char refused[256]; /* why the format refuses the file all the same; "": it does not */
};

struct billing_detection {
    const char *path;
    const struct billing_format *format; /* NULL: no bill that is known, or a tie */
    const struct billing_format *tied;   /* fits as well as the first of `fits`; NULL: none does */
    /* in words: "a bill of format focus", "an empty file", … */
    char what[256];
    bool is_gzip;
    char delimiter; /* '\0': no delimited text */
    int column_count;
    char **names;      /* of the header */
    int focus_version; /* focus_columns.h; 0: not FOCUS, or not to be seen */
    int fit_count;
    /* those that take the file first, then by known columns, missing ones, and place in the
     * table */
    struct billing_fit fits[BILLING_FORMATS_MAXIMUM];
    int against_count;
    char against[DETECTION_AGAINST_MAXIMUM][320];
};

/* Looks at the file. False where there is no memory or the file cannot be opened; whatever it holds
 * is a finding. Deterministic: the same bytes give the same answer. */
bool billing_detect(const char *path, struct billing_detection *detection, struct error *error);
void billing_detection_free(struct billing_detection *detection);

#endif
