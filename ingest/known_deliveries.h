/* ingest/known_deliveries.h: a source's deliveries of one file each, asked for together.
 *
 * A night looks at every file of the inbox, and nearly all are known. Asking the database for each
 * takes 2 ms of it; so a night asks once for all of a source. A file is known if its label's latest
 * delivery has the same hash (delivery.h), with how the source's files are read: that is noted of
 * the first file that was looked at by itself. What is held, or to be read again, is not listed, and
 * neither is a source whose files each show their own format.
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
