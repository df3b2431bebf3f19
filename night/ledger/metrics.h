/* night/ledger/metrics.h: a file for Prometheus (the textfile collector of node_exporter) with the
 * outcome of the last night and all that waits. docs/operations.md lists its metrics.
 *
 * The file appears whole or not at all, readable by owner and group. If a night could not connect
 * to the database, the file has its end and exit code, and the time of the last success from the
 * file before it.
 */
#ifndef KSTAR_NIGHT_LEDGER_METRICS_H
#define KSTAR_NIGHT_LEDGER_METRICS_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>
#include <stdint.h>

struct metrics_run {
    const char *number; /* in the ledger; "": the ledger does not have the run */
    int exit_code;
    double seconds;
    int64_t peak_memory_bytes;
    /* kstar must end soon: a value that the database does not give within a second is omitted */
    bool is_interrupted;
};

/* `connection` NULL: there is no database to ask. */
bool metrics_write(const char *path, PGconn *connection, const struct metrics_run *run, struct error *error);

#endif
