/* ingest/known_deliveries.h: the single-file deliveries of a source, read in one query.
 *
 * A night looks at every file of the inbox, and nearly all are known. So it asks the database once
 * per source, and not once per file. A file is known if the latest delivery of its label has the
 * same hash (delivery.h). The hash covers how files of the source are read. That is noted when a
 * file is ingested, as at least the first of each night is. Deliveries that are held, or to be read
 * again, are not listed. Files of a source without a known format are never known.
 *
 *     struct known_deliveries known;
 *     known_deliveries_open(&known, connection, "jobs", source, error)
 *     … per file: known_deliveries_has(&known, path, label), else it is ingested, which notes how …
 *     known_deliveries_close(&known);
 */
#ifndef KSTAR_INGEST_KNOWN_DELIVERIES_H
#define KSTAR_INGEST_KNOWN_DELIVERIES_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

struct known_deliveries {
    PGresult *latest;    /* by label; NULL: nothing is known */
    char *configuration; /* how files of the source are read; NULL: not noted yet; owned */
};

/* Reads the latest delivery of each label of a source. */
bool known_deliveries_open(struct known_deliveries *known, PGconn *connection, const char *kind,
                           const char *source, struct error *error);
void known_deliveries_close(struct known_deliveries *known); /* harmless on a zeroed one */

/* Notes how the files of the source are read (delivery.configuration). NULL: each file in its own
 * way. `known` may be NULL here and below. */
void known_deliveries_note(struct known_deliveries *known, const char *configuration);

/* Whether a file is the latest delivery of its label. False also if only ingesting it can show
 * that. */
bool known_deliveries_has(const struct known_deliveries *known, const char *path, const char *label);

#endif
