/* ingest/jobs/jobs.h: job records into the database: the folder's face for schedulers.
 *
 * A delivery is one file. The same content under the same label again: nothing happens. Otherwise
 * its records are read in the source's format, records that cannot be read are quarantined in
 * quarantined_row, and the others become rows of job and job_hold: one per attempt, a later record
 * of an attempt replacing an earlier one. The source's horizon moves to the last time that its
 * records cover. All of it is one transaction; memory does not grow with the file.
 *
 *     const char *file = "inbox/jobs/phillips/2026-09-30.txt";
 *     struct delivery_request request = {
 *         .source = "phillips", .path_count = 1, .paths = &file };
 *     if (!ingest_jobs(connection, &request, &summary, error)) …
 *
 * Time zone, format and delimiter of a source stand in sources.csv. A file called `columns` in the
 * folder of a delivery names the columns of text without a header; given as a delivery itself, it
 * is passed over. What the fields mean is the format's matter: job_format.h, docs/formats.md.
 */
#ifndef KSTAR_INGEST_JOBS_JOBS_H
#define KSTAR_INGEST_JOBS_JOBS_H

#include "ingest/delivery_request.h"
#include "ingest/preview.h"

/* Loads one delivery. False with ERROR_INPUT where it is refused: no such format, a missing column,
 * an empty file, not a single readable record; with ERROR_ATTENTION where it is held, because more
 * than half of its records cannot be read. What was there stays. `summary->quarantined` counts the
 * records quarantined: the caller decides what that means for the exit code. The connection must
 * not be in a transaction. */
bool ingest_jobs(PGconn *connection, const struct delivery_request *request, struct ingest_summary *summary,
                 struct error *error);

/* What loading it would bring: its records are read and placed in time in a transaction that is
 * rolled back. Nothing is stored. */
bool ingest_jobs_preview(PGconn *connection, const struct delivery_request *request,
                         struct ingest_preview *preview, struct error *error);

#endif
