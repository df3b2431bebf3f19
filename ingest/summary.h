/* ingest/summary.h: the result of an ingest. Every ingest_* fills it, cli/ shows it, and nightly
 * adds it up. */
#ifndef KSTAR_INGEST_SUMMARY_H
#define KSTAR_INGEST_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>

/* "jobs/SOURCE/FILE" and the like: names of 255 bytes at most. */
enum { INGEST_LABEL_BYTES = 600 };

/* Every record read is in exactly one of rows, quarantined and ignored. */
struct ingest_summary {
    int64_t files;       /* files read */
    int64_t rows;        /* records loaded */
    int64_t quarantined; /* records quarantined in quarantined_row */
    int64_t ignored;     /* records ignored by design: steps of a job, for example */
    /* reference rows about closed months: they count from the first open one */
    int64_t late;
    int64_t pruned;           /* bills of pruned months that differ from the pruned ones */
    char pruned_differs[512]; /* the month of the first of them, and its difference; "" */
    char fewer_files
        [512];         /* of a folder without manifest: how many there were, are, and which are missing; "" */
    char decided[256]; /* of reviews: number, kind and cost of decisions; "": none */
    /* of job records: the latest time that does not set the horizon, its place, the horizon; "":
     * none */
    char time_beyond[1024];
    bool dry_run;                   /* nothing is stored */
    bool unchanged;                 /* the same content: nothing was done, the counts are 0 */
    char label[INGEST_LABEL_BYTES]; /* of the delivery: 'jobs/phillips/2026-09-30.txt' */
};

#endif
