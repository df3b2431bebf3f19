/* night/nightly_summary.h: what a night did, counted while it runs and printed once at its end. */
#ifndef KSTAR_NIGHT_NIGHTLY_SUMMARY_H
#define KSTAR_NIGHT_NIGHTLY_SUMMARY_H

#include "base/error.h"
#include "ingest/summary.h"
#include "night/inbox_stages.h"
#include "night/month/month.h"
#include "report/report.h"

#include <libpq-fe.h>
#include <stdbool.h>

enum { NIGHT_TROUBLES_MAXIMUM = 32 };

struct night {
    const char *inbox, *out;
    /* in the order of inbox_stages.h */
    struct night_stage {
        const char *name;
        int new_deliveries, known_deliveries;
        int64_t rows, quarantined, ignored, late, pruned;
    } stages[INBOX_STAGES];
    int months_published, months_refused; /* a refused month keeps its previous statement */
    struct report_summary reports;
    /* what was refused, waits or needs a look, in words: "refused     …", "waits       …", "fewer
     * files …", "time beyond …"; trouble_count also counts those without room */
    int trouble_count;
    char troubles[NIGHT_TROUBLES_MAXIMUM][1024];
    enum error_kind worst; /* the exit code */
};

/* Raises the exit code if this outcome is graver than the present one. */
void night_raise(struct night *night, enum error_kind kind);

/* Notes something that was refused, or waits (ERROR_ATTENTION), and logs it; the night goes on. */
void night_trouble(struct night *night, const struct error *refused);

/* Adds what one ingest did to a stage. Quarantined rows need attention. */
void night_add(struct night *night, int stage, const struct ingest_summary *summary);

/* The summary on standard output. */
bool night_print(PGconn *connection, const struct month_list *list, const struct night *night,
                 struct error *error);

#endif
