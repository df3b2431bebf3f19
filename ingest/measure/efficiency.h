/* ingest/measure/efficiency.h: measured scaling into the database: the CSVs of docs/formats.md.
 *
 * A file is a delivery: it replaces what an earlier delivery under the same label held, all or
 * nothing; the same content again changes nothing. A file with a header alone withdraws what it
 * held. Times are stored in hours. What says nothing (times and throughputs of one job alone) is
 * counted as ignored.
 *
 *     struct efficiency_request request = { .source = "efficiency",
 *                                     .path = "inbox/efficiency/llm-2026-08.csv" };
 *     if (!ingest_efficiency(connection, &request, &summary, error)) …
 */
#ifndef KSTAR_INGEST_MEASURE_EFFICIENCY_H
#define KSTAR_INGEST_MEASURE_EFFICIENCY_H

#include "base/error.h"
#include "ingest/summary.h"

#include <libpq-fe.h>
#include <stdbool.h>

struct efficiency_request {
    const char *source; /* NULL: "efficiency" */
    const char *label;  /* NULL: "efficiency/NAME" of the file */
    const char *path;
    bool dry_run; /* nothing of it stays */
};

/* Loads one file. One bad row refuses it (ERROR_INPUT with file, line, column and value); what was
 * there stays. The connection must not be in a transaction. */
bool ingest_efficiency(PGconn *connection, const struct efficiency_request *request,
                       struct ingest_summary *summary, struct error *error);

#endif
