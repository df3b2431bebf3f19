/* ingest/measure/efficiency.h: loads measured scaling into the database: the CSVs of
 * docs/formats.md.
 *
 * A file is a delivery. It replaces the rows of an earlier delivery under the same label, all or
 * nothing. The same content again changes nothing. A file with only a header withdraws its earlier
 * rows. Times are stored in hours. Rows that are not used (times and throughputs of a single job)
 * are counted as ignored.
 *
 *     const char *file = "inbox/efficiency/llm-2026-08.csv";
 *     struct delivery_request request = { .path_count = 1, .paths = &file };
 *     if (!ingest_efficiency(connection, &request, &summary, error)) …
 */
#ifndef KSTAR_INGEST_MEASURE_EFFICIENCY_H
#define KSTAR_INGEST_MEASURE_EFFICIENCY_H

#include "ingest/delivery_request.h"

/* Loads one file; its source is "efficiency". One bad row refuses the file (ERROR_INPUT with
 * file, line, column and value), and the data in force stay. The connection must not be in a
 * transaction. */
bool ingest_efficiency(PGconn *connection, const struct delivery_request *request,
                       struct ingest_summary *summary, struct error *error);

#endif
