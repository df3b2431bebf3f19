/* report/report.h: writes the workbooks of a month from its published statement.
 *
 *     chargeback-2026-09.xlsx               all cost centres
 *     chargeback-2026-09-<cost centre>.xlsx one for each cost centre, with its own rows only
 *     data-2026-09….xlsx                    beside each of them, the data in detail
 *     review-2026-09.xlsx                   the flagged jobs, for managers
 *     page-2026-09.html                     the first thing to read (report/page/page.h)
 *     page-2026-09-<cost centre>.html       the same for each cost centre, with its own rows only
 *     lines-2026-09-<cost centre>.csv       the rows behind that page, by job, SKU and day
 *     forecast-<scenario>.xlsx              a budget scenario, compared with others, with inputs
 *     journal-2026-09.csv                   debit and credit lines, for the ledger
 *
 * All workbooks of a call are read in one REPEATABLE READ transaction, so they show one statement.
 * Each file appears whole or not at all.
 *
 * If a file is unchanged since kstar wrote it from the same facts, it is not written again
 * (written.h). Otherwise it is written, and replaced only if its bytes differ. Bytes repeat because
 * the only time in a file is the statement's as-of time.
 */
#ifndef KSTAR_REPORT_REPORT_H
#define KSTAR_REPORT_REPORT_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

enum report_kind {
    REPORT_CHARGEBACK = 1, /* the common workbooks and those of each cost centre, with their data */
    REPORT_REVIEW = 2,
    REPORT_JOURNAL = 4, /* its file; a preview if the journal was not issued */
    REPORT_PAGE = 8,    /* pages, and the CSV beside the page of each cost centre */
    REPORT_ALL = REPORT_CHARGEBACK | REPORT_REVIEW | REPORT_JOURNAL | REPORT_PAGE,
};

/* the longest wait for another kstar that writes the same files; then ERROR_BUSY */
enum { REPORT_WAIT_SECONDS = 600 };

struct report_file {
    char *path;
    bool changed; /* false: the file already had the same bytes */
};

/* A file from an earlier run that no statement supports any more: its cost centre is not in the
 * month's statement, or its month has no statement. */
struct report_stale {
    char *path;
    const char *what; /* "is of …" */
};

/* The files that a call wrote. Starts as { 0 }; several calls may add to one summary. Free it
 * with report_summary_free. */
struct report_summary {
    int file_count, changed_count;
    struct report_file *files;
    /* Files in the folder that no longer show published data. kstar does not delete them,
     * because a person may have renamed or signed them. The caller must report them to the user. */
    int stale_count;
    struct report_stale *stale;
};

/* Writes the workbooks of `period` ("2026-09") into `out_dir`, and makes the folder if it is
 * missing. Uses at most `writers` parallel writers; 0: one for each processor. The connection
 * must be outside a transaction, and is outside one afterwards. ERROR_INPUT if the period has no
 * statement. After a failure `summary` holds the files that were published before it. */
bool report_write(PGconn *connection, const char *period, const char *out_dir, enum report_kind kinds,
                  int writers, struct report_summary *summary, struct error *error);

/* Writes only the page and the CSV of `cost_centre`. ERROR_INPUT if the month's statement does not
 * have it. */
bool report_page_of(PGconn *connection, const char *period, const char *out_dir, const char *cost_centre,
                    struct report_summary *summary, struct error *error);

/* Adds to `stale` the files of months that no longer have a statement because their bill was
 * withdrawn. */
bool report_find_withdrawn(PGconn *connection, const char *out_dir, struct report_summary *summary,
                           struct error *error);

/* Writes the workbook forecast-NAME.xlsx for each forecast. `rows` is the data of its sheets
 * (forecast/forecast_book.h) and `name` the scenario's name. ERROR_INPUT if two forecasts have
 * the same name. The connection, and the files after a failure, are as for report_write. */
struct forecast_book {
    const char *name, *rows;
};
bool report_forecast(PGconn *connection, const struct forecast_book *books, int count, const char *out_dir,
                     struct report_summary *summary, struct error *error);

/* Writes only the journal (docs/journal.md): from the current statement, or issue `number` as it
 * was. `issue` gives the journal a posting key and stores it before the file appears. It fails
 * with ERROR_ATTENTION if the journal has no key yet and the statement of the open month is out
 * of date. The caller frees `posting_keys` (of its documents; NULL: a preview) and `lacking`
 * (missing settings, without which an account has only a name; or NULL). */
struct journal_request {
    bool issue;
    int number; /* 0: from the current statement */
    char *posting_keys, *lacking;
};
bool report_journal(PGconn *connection, const char *period, const char *out_dir,
                    struct journal_request *request, struct report_summary *summary, struct error *error);

/* Adds a file. The summary owns its path. */
void report_summary_add(struct report_summary *summary, char *path, bool changed);
void report_summary_free(struct report_summary *summary);

#endif
