/* ingest/bill/billing_detect.h: finds out what a file of an inbox is: a format of bill, or another
 * kind.
 *
 * The header is compared with every format in the table of billing_format.c: how many of its
 * columns the format knows, which required columns are missing, which columns only this format
 * knows. The best format lacks nothing and knows most columns. If two formats know equally many,
 * none is chosen. The first rows are read, too, for what a header cannot show, such as the order of
 * the parts of a date. Formats with the same columns are variants: the first in the table is
 * chosen, and the others are named. If the first refuses the file, the others are a tie. No
 * database is needed.
 *
 *     struct billing_detection found;
 *     if (!billing_detect(path, &found, error)) …      not to be opened
 *     … found.format != NULL: it is a bill; else found.what describes it …
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
    int own_count;                          /* of these, columns that no other format names */
    const char *own[DETECTION_OWN_MAXIMUM]; /* the first of those, as the header spells them */
    int missing_count;                      /* required columns that the header lacks */
    char missing[256];                      /* their names */
    bool currency_missing;                  /* the source must declare one */
    char refused[256];                      /* why the format refuses the file; "": it does not */
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
    /* sorted: formats that accept the file first, then by known and missing columns, then as in the
     * table */
    struct billing_fit fits[BILLING_FORMATS_MAXIMUM];
    int against_count;
    char against[DETECTION_AGAINST_MAXIMUM][320];
};

/* Examines the file. False only if the file cannot be opened or the machine failed (ERROR_FAILED):
 * any content is a finding. The same bytes always give the same answer. */
bool billing_detect(const char *path, struct billing_detection *detection, struct error *error);
void billing_detection_free(struct billing_detection *detection);

#endif
