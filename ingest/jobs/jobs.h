/* ingest/jobs/jobs.h: job records into the database: the folder's face for schedulers.
 *
 * A delivery is one file. The same content under the same label again: nothing happens. Otherwise
 * its records are read in the source's format, records that cannot be read are quarantined in
 * rejected_row, and the others become rows of job and job_hold: one per attempt, a later record of
 * an attempt replacing an earlier one. The source's horizon moves to the last time that its records
 * cover. All of it is one transaction; memory does not grow with the file.
 *
 *     struct jobs_request request = { .source = "phillips",
 *                                     .path = "inbox/jobs/phillips/2026-09-30.txt" };
 *     if (!ingest_jobs(connection, &request, &summary, error)) …
 *
 * Time zone, format and delimiter of a source stand in sources.csv. A file called `columns` in the
 * folder of a delivery names the columns of text without a header; given as a delivery itself, it
 * is passed over. What the fields mean is the format's matter: job_format.h, docs/formats.md.
 */
#ifndef KSTAR_INGEST_JOBS_JOBS_H
#define KSTAR_INGEST_JOBS_JOBS_H

#include "base/error.h"
#include "ingest/known_deliveries.h"
#include "ingest/preview.h"
#include "ingest/summary.h"

#include <libpq-fe.h>
#include <stdbool.h>

struct jobs_request {
    /* who delivers: usually the cluster; its name is the cluster of records that name none */
    const char *source;
    const char *path;
    const char *label; /* NULL: "jobs/SOURCE/NAME" of the file */
    const char *inbox; /* the inbox in which it lies, absolute; NULL: elsewhere */
    /* of the source, which is noted there; NULL: to be asked */
    struct known_deliveries *known;
    const char *format;    /* NULL: what sources.csv says, else what the source's files show */
    const char *delimiter; /* NULL: what sources.csv says, else the format's */
    const char *columns;   /* NULL: what the file `columns` beside it says, else the format's */
    bool strict;           /* a record that cannot be read refuses the delivery */
    bool accept;           /* loads a delivery that would be held, too (delivery_guard.h) */
};

/* Loads one delivery. False with ERROR_INPUT where it is refused: no such format, a missing column,
 * an empty file, not a single readable record; with ERROR_ATTENTION where it is held, because more
 * than half of its records cannot be read. What was there stays. `summary->rejected` counts the
 * records quarantined: the caller decides what that means for the exit code. The connection must
 * not be in a transaction. */
bool ingest_jobs(PGconn *connection, const struct jobs_request *request, struct ingest_summary *summary,
                 struct error *error);

/* What loading it would bring: its records are read and placed in time in a transaction that is
 * rolled back. Nothing is stored. */
bool ingest_jobs_preview(PGconn *connection, const struct jobs_request *request,
                         struct ingest_preview *preview, struct error *error);

#endif
