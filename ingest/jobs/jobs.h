/* ingest/jobs/jobs.h: loads job records into the database; the interface of this folder.
 *
 * A delivery is one file. If the same content was delivered under the same label, nothing happens.
 * Otherwise the format of the source reads the records. Unreadable records are quarantined in
 * quarantined_row. The others become rows of job and job_hold, one per attempt; a later record of
 * an attempt replaces an earlier one. The horizon of the source moves to the last time that its
 * records cover. All of this is one transaction; memory does not grow with the file.
 *
 *     const char *file = "inbox/jobs/phillips/2026-09-30.txt";
 *     struct delivery_request request = {
 *         .source = "phillips", .path_count = 1, .paths = &file };
 *     if (!ingest_jobs(connection, &request, &summary, error)) …
 *
 * sources.csv has time zone, format and delimiter of a source. A file called `columns` in the
 * folder of a delivery names the columns of text without a header; it is no delivery itself. The
 * format interprets the fields: job_format.h, docs/formats.md.
 */
#ifndef KSTAR_INGEST_JOBS_JOBS_H
#define KSTAR_INGEST_JOBS_JOBS_H

#include "ingest/delivery_request.h"

/* Loads one delivery. False with ERROR_INPUT if it is refused: unknown format, missing column,
 * empty file, no readable record. False with ERROR_ATTENTION if it is held, because more than half
 * of its records are unreadable. The data in force stays. `summary->quarantined` counts quarantined
 * records, from which the caller derives the exit code. The connection must not be in a
 * transaction. */
bool ingest_jobs(PGconn *connection, const struct delivery_request *request, struct ingest_summary *summary,
                 struct error *error);

#endif
