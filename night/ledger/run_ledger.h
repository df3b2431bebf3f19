/* night/ledger/run_ledger.h: what a run does, recorded beside the work
 * (sql/schema/17_runs.sql).
 *
 *     struct run_start start = { .command = "nightly", .inbox = inbox, .out_dir = out };
 *     run_begin(connection, &start);
 *     run_stage_begin("billing", NULL);
 *     run_delivery("billing", source, label, &summary, NULL);
 *     run_stage_end(NULL, NULL);
 *     …                                     main calls run_end with the exit code
 *
 * There is one run in a process, and one stage at a time. The ledger has a session of its own, so
 * that what it says stands whatever becomes of the work's transaction; on SIGINT and SIGTERM it
 * says so itself. A ledger that cannot be written is a warning and nothing more: nobody wants a
 * night that fails because it could not be noted. Without run_begin nothing is noted.
 */
#ifndef KSTAR_NIGHT_LEDGER_RUN_LEDGER_H
#define KSTAR_NIGHT_LEDGER_RUN_LEDGER_H

#include "base/error.h"
#include "ingest/summary.h"

#include <libpq-fe.h>
#include <stdbool.h>
#include <stdint.h>

struct run_start {
    const char *command;
    const char *inbox, *out_dir; /* of a night; NULL elsewhere */
};

/* Opens the run's row, by a second connection to where the first one goes. Rows of runs that were
 * killed are marked as such. */
void run_begin(PGconn *connection, const struct run_start *start);

/* What a stage did, where the database cannot know it: files written, their bytes. */
struct run_counts {
    int64_t files, bytes;
};

/* `stage` stays where it is. `subject`: the month ("2026-09") or which months, or NULL. `failure`
 * NULL: it is done; inbox stages then have the outcome of their worst delivery. `counts` NULL: the
 * database knows. */
void run_stage_begin(const char *stage, const char *subject);
void run_stage_end(const struct error *failure, const struct run_counts *counts);

/* A delivery that was loaded (`failure` NULL), refused, or waits. Unchanged ones are not kept. */
void run_delivery(const char *kind, const char *source, const char *label,
                  const struct ingest_summary *summary, const struct error *failure);

/* The file for Prometheus that run_end writes (metrics.h), even without a run. Not copied. */
void run_metrics(const char *path);

/* The end, with its exit code and message: main's. */
void run_end(const struct error *error);

#endif
