/* cli/ingest_print.h: what `kstar ingest` prints about a delivery. */
#ifndef KSTAR_CLI_INGEST_PRINT_H
#define KSTAR_CLI_INGEST_PRINT_H

#include "base/error.h"
#include "ingest/preview.h"
#include "ingest/summary.h"

/* Prints what was loaded as a line of JSON: source and label if there are any, the numbers of
 * records, and with `with_files` the number of files. */
bool ingest_print_json(const char *source, const struct ingest_summary *summary, bool with_files,
                       struct error *error);

/* Prints a note if the delivery is already loaded. Returns whether it is. */
bool ingest_print_unchanged(const struct ingest_summary *summary);

/* Prints the result of --dry-run, as text or as a line of JSON. True with error->kind
 * ERROR_ATTENTION if rows would be quarantined or the delivery would be held. */
bool ingest_print_preview(const char *source, const struct ingest_preview *preview, bool json,
                          struct error *error);

#endif
