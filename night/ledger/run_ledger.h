/* night/ledger/run_ledger.h: records what a run does (sql/schema/17_runs.sql).
 *
 *     struct run_start start = { .command = "nightly", .inbox = inbox, .out_dir = out };
 *     run_begin(connection, &start);
 *     run_stage_begin("billing", NULL);
 *     run_delivery("billing", source, label, &summary, NULL);
 *     run_stage_end(NULL, NULL);
 *     …                                     main calls run_end with the exit code
 *
 * A process has one run, and one stage at a time. The ledger has its own session, so its rows stay
 * even if the work's transaction is rolled back. On SIGINT and SIGTERM it records the interrupt
 * itself. If the ledger cannot be written, kstar only warns: a night should not fail because it
 * could not be recorded. Without run_begin nothing is recorded.
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

/* Opens the run's row, with a second connection to the same database as the first. Rows of runs
 * that were killed are marked as such. */
void run_begin(PGconn *connection, const struct run_start *start);

/* What a stage did, if the database cannot know it: files written, their bytes. */
struct run_counts {
    int64_t files, bytes;
};

/* `stage` is not copied. `subject`: the month ("2026-09"), or which months, or NULL. `failure`
 * NULL: the stage is done; inbox stages then have the outcome of their worst delivery. `counts`
 * NULL: the database has the counts. */
void run_stage_begin(const char *stage, const char *subject);
void run_stage_end(const struct error *failure, const struct run_counts *counts);

/* Records a delivery that was loaded (`failure` NULL), refused, or waits. Unchanged deliveries are
 * not recorded. */
void run_delivery(const char *kind, const char *source, const char *label,
                  const struct ingest_summary *summary, const struct error *failure);

/* Sets the file for Prometheus that run_end writes (metrics.h), even without a run. Not copied. */
void run_metrics(const char *path);

/* Ends the run with its exit code and message. main calls it. */
void run_end(const struct error *error);

#endif
