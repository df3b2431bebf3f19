/* report/beside.h: a second session on the snapshot of the caller's transaction, which fills tables
 * while the caller fills others.
 *
 * Each session keeps one processor of the server busy. The tables of the second session are then
 * copied to the caller's session (shared_tables.h).
 */
#ifndef KSTAR_REPORT_BESIDE_H
#define KSTAR_REPORT_BESIDE_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* Joins the snapshot that another transaction has exported, and makes the empty tables of the
 * session. */
bool beside_join(PGconn *connection, const char *snapshot, struct error *error);

/* The second session. NULL: there is none, and beside_end() does its work. */
struct beside {
    PGconn *connection;
    bool has_review;
};

/* Begins to fill the tables of runs and jobs of `month`, "2026-09-01" (sql/report/02_results.sql,
 * 03_jobs.sql, and with `has_review` 05_review.sql). `is_wanted` is false if kstar may use only one
 * connection. Fails only if the caller's own transaction fails. */
bool beside_begin(struct beside *beside, PGconn *connection, const char *month, bool has_review,
                  bool is_wanted, struct error *error);

/* Waits for these tables and copies them to the caller's session. Call it once, even after a
 * failure of the caller (`ok` is false): then it only closes the session. */
bool beside_end(struct beside *beside, PGconn *connection, bool ok, struct error *error);

#endif
