/* cli/ingest_print.h: what `kstar ingest` prints about a delivery. */
#ifndef KSTAR_CLI_INGEST_PRINT_H
#define KSTAR_CLI_INGEST_PRINT_H

#include "base/error.h"
#include "ingest/preview.h"
#include "ingest/summary.h"

/* Prints what was loaded as a line of JSON: source and label where there are any, what became of
 * the records, and `with_files` how many files they were. */
bool ingest_print_json(const char *source, const struct ingest_summary *summary, bool with_files,
                       struct error *error);

/* Says so where a delivery was there already. Returns whether it was. */
bool ingest_print_unchanged(const struct ingest_summary *summary);

/* Prints what --dry-run saw, as text or as a line of JSON. True with error->kind ERROR_ATTENTION
 * where rows would be quarantined, or the delivery held. */
bool ingest_print_preview(const char *source, const struct ingest_preview *preview, bool json,
                          struct error *error);

#endif
