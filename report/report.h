/* report/report.h: the workbooks of a month, written from its published statement.
 *
 *     chargeback-2026-09.xlsx               all cost centres
 *     chargeback-2026-09-<cost centre>.xlsx one per cost centre: its rows and nobody else's
 *     review-2026-09.xlsx                   the flagged jobs, for managers
 *     forecast-<scenario>.xlsx              a budget scenario beside others, and inputs to change
 *     journal-2026-09.csv                   debit and credit lines, for the ledger
 *
 * All workbooks of a call are read in one REPEATABLE READ transaction, so they show one statement.
 * Each file appears whole or not at all. What is as it was written, from the same facts, is not
 * written again (written.h); else a file is left untouched where its bytes would not change: the
 * only time in it is the statement's as-of.
 */
#ifndef KSTAR_REPORT_REPORT_H
#define KSTAR_REPORT_REPORT_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

enum report_kind {
    REPORT_CHARGEBACK = 1, /* everyone's and each cost centre's */
    REPORT_REVIEW = 2,
    REPORT_JOURNAL = 4, /* its file, as a preview where it was not issued */
    REPORT_ALL = REPORT_CHARGEBACK | REPORT_REVIEW | REPORT_JOURNAL,
};

enum { REPORT_WAIT_SECONDS = 600 }; /* for another kstar that writes the same files aside; then ERROR_BUSY */

struct report_file {
    char *path;
    bool changed; /* false: the same bytes stood there already */
};

/* A file that is left from before: of a cost centre that its month's statement no longer has, or of
 * a month that has none any more. */
struct report_stale {
    char *path;
    const char *what; /* "is of …" */
};

/* What a call wrote. Starts as { 0 }; calls may add to one. Free with report_summary_free. */
struct report_summary {
    int file_count, changed_count;
    struct report_file *files;
    /* Files in the folder that show what is published no longer. They are left where they are (a
     * person may have renamed or signed one) and must be told to the user. */
    int stale_count;
    struct report_stale *stale;
};

/* Writes the workbooks of `period` ("2026-09") into `out_dir`, which is made where it is not there;
 * at most so many `writers` side by side, 0: as many as processors. The connection must be outside
 * a transaction and is so afterwards. A period without a statement is ERROR_INPUT. After a failure
 * `summary` holds the files that were published before it. */
bool report_write(PGconn *connection, const char *period, const char *out_dir, enum report_kind kinds,
                  int writers, struct report_summary *summary, struct error *error);

/* Adds to `stale` the files of months without a statement, whose bill was withdrawn. */
bool report_find_withdrawn(PGconn *connection, const char *out_dir, struct report_summary *summary,
                           struct error *error);

/* The workbooks of forecasts: forecast-NAME.xlsx of each. `rows` is what its sheets show
 * (forecast/forecast_book.h), `name` the scenario's: two of one name are ERROR_INPUT. The
 * connection and what is left after a failure are as above. */
struct forecast_book {
    const char *name, *rows;
};
bool report_forecast(PGconn *connection, const struct forecast_book *books, int count, const char *out_dir,
                     struct report_summary *summary, struct error *error);

/* The journal alone (docs/journal.md): what the statement gives, or issue `number` as it was;
 * `issue` gives it a posting key and keeps it, before the file appears (ERROR_ATTENTION where it
 * has none yet and an open month's statement is not what the data say). `posting_keys` (of its
 * documents; NULL: a preview) and `lacking` (settings without which an account is only named, or
 * NULL) are the caller's to free. */
struct journal_request {
    bool issue;
    int number; /* 0: what the statement gives */
    char *posting_keys, *lacking;
};
bool report_journal(PGconn *connection, const char *period, const char *out_dir,
                    struct journal_request *request, struct report_summary *summary, struct error *error);

/* Adds a file; the summary owns its path. */
void report_summary_add(struct report_summary *summary, char *path, bool changed);
void report_summary_free(struct report_summary *summary);

#endif
