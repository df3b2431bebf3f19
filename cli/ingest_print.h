/* cli/ingest_print.h: what `kstar ingest` prints about a delivery. */
#ifndef KSTAR_CLI_INGEST_PRINT_H
#define KSTAR_CLI_INGEST_PRINT_H

#include "base/error.h"
#include "ingest/preview.h"
#include "ingest/summary.h"

#include <cjson/cJSON.h>

/* For --json: source and label, where they are not NULL, and what became of the records. The
 * caller's, who may add to it. */
cJSON *ingest_summary_json(const char *source, const char *label, const struct ingest_summary *summary);

/* Prints what --dry-run saw, as text or as a line of JSON. True with error->kind ERROR_ATTENTION
 * where rows would be quarantined, or the delivery held. */
bool ingest_print_preview(const char *source, const struct ingest_preview *preview, bool json,
                          struct error *error);

#endif
