/* ingest/known_deliveries.h: a source's deliveries of one file each, asked for together.
 *
 * A night looks at every file of the inbox, and nearly all are known. So it asks the database once
 * for a source, and not for each of its files. A file is known if its label's latest delivery has
 * the same hash (delivery.h). The hash covers how the source's files are read, which is noted when
 * a file is ingested: at least the first of each night is. Deliveries that are held, or to be read
 * again, are not listed. Nothing is known of a source whose files each show their own format.
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
    char *configuration; /* how the source's files are read; NULL: not noted yet; owned */
};

/* Asks for what source `source` delivered last under each label. */
bool known_deliveries_open(struct known_deliveries *known, PGconn *connection, const char *kind,
                           const char *source, struct error *error);
void known_deliveries_close(struct known_deliveries *known); /* harmless on a zeroed one */

/* Notes how the files of the source are read (delivery.configuration). NULL: each in its own way.
 * `known` may be NULL, as below. */
void known_deliveries_note(struct known_deliveries *known, const char *configuration);

/* Whether a file is what was delivered last under its label. False also where that is to be found
 * out by ingesting it. */
bool known_deliveries_has(const struct known_deliveries *known, const char *path, const char *label);

#endif
