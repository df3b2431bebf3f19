/* ingest/delivery_of_file.h: a delivery that is one file (delivery.h). */
#ifndef KSTAR_INGEST_DELIVERY_OF_FILE_H
#define KSTAR_INGEST_DELIVERY_OF_FILE_H

#include "ingest/delivery.h"
#include "ingest/summary.h"

/* The name of the file, without its folder. */
const char *delivery_of_file_name(const char *path);

/* Zeroes `summary` and sets its label: `label` or, if that is NULL, the format ("jobs/SOURCE/") and
 * the name of the file. */
void delivery_of_file_label(struct ingest_summary *summary, const char *label, const char *path,
                            const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Whether the file is readable and no folder; `what` is the kind of delivery: "jobs". */
bool delivery_of_file_check(const char *path, const char *what, struct error *error);

/* Notes in `summary` that the delivery is stored already, and logs that (--verbose). */
void delivery_of_file_unchanged(const char *kind, const char *source, struct ingest_summary *summary);

/* Gathers and opens the delivery under the label of `summary`, which then shows whether it is
 * unchanged. */
bool delivery_of_file_open(struct delivery *delivery, PGconn *connection, const char *kind,
                           const char *source, const char *path, const char *configuration,
                           struct ingest_summary *summary, struct error *error);

#endif
