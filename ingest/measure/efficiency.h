/* ingest/measure/efficiency.h: measured scaling into the database: the CSVs of docs/formats.md.
 *
 * A file is a delivery: it replaces what an earlier delivery under the same label held, all or
 * nothing; the same content again changes nothing. A file with a header alone withdraws what it
 * held. Times are stored in hours. What says nothing (times and throughputs of one job alone) is
 * counted as ignored.
 *
 *     const char *file = "inbox/efficiency/llm-2026-08.csv";
 *     struct delivery_request request = { .path_count = 1, .paths = &file };
 *     if (!ingest_efficiency(connection, &request, &summary, error)) …
 */
#ifndef KSTAR_INGEST_MEASURE_EFFICIENCY_H
#define KSTAR_INGEST_MEASURE_EFFICIENCY_H

#include "ingest/delivery_request.h"

/* Loads one file: its source is "efficiency". One bad row refuses it (ERROR_INPUT with file, line,
 * column and value); what was there stays. The connection must not be in a transaction. */
bool ingest_efficiency(PGconn *connection, const struct delivery_request *request,
                       struct ingest_summary *summary, struct error *error);

#endif
