/* ingest/jobs/job_source.h: how the job records of a source are to be read: format, time zone,
 * delimiter, columns and limits.
 *
 * The format is the one that --format or sources.csv names; or else the one that an earlier
 * delivery showed; or else the one that this file shows (job_detect.h). A file that no format
 * recognises is read as sacct, whose error names what is missing.
 *
 *     struct job_source source = { 0 };
 *     if (!job_source_read(connection, request, &source, error)) …
 *     … after a refusal: job_source_hint(&source, request, error)
 *     job_source_free(&source);                    after a failure, too
 */
#ifndef KSTAR_INGEST_JOBS_JOB_SOURCE_H
#define KSTAR_INGEST_JOBS_JOB_SOURCE_H

#include "ingest/delivery_request.h"
#include "ingest/jobs/job_columns.h"
#include "ingest/jobs/job_format.h"
#include "ingest/jobs/job_limits.h"

struct job_source {
    const struct job_format *format; /* NULL until it is found */
    bool is_declared;                /* sources.csv or --format names the format */
    bool is_detected;                /* this file showed the format, which is to be remembered */
    bool is_of_file;                 /* the source has no known format: each file shows its own */
    struct job_format_options options;
    const char *time_zone;
    struct job_limits limits; /* before the first record */
    char columns[JOB_COLUMNS_BYTES];
    /* all of it, for the delivery's hash: a file that is read in another way is another delivery */
    char text[JOB_COLUMNS_BYTES + 256];
    PGresult *settings; /* owns texts from sources.csv */
};

/* Reads the settings of the source of a request and, if needed, its file. False (ERROR_INPUT) if
 * the format is unknown, if two formats fit equally, or if the file `columns` cannot be read. */
bool job_source_read(PGconn *connection, const struct delivery_request *request, struct job_source *source,
                     struct error *error);

/* After a refusal: hints at the row of sources.csv for another format. */
void job_source_hint(const struct job_source *source, const struct delivery_request *request,
                     struct error *error);

/* Remembers a detected format, in the loading transaction. */
bool job_source_remember(PGconn *connection, const struct job_source *source,
                         const struct delivery_request *request, struct error *error);

void job_source_free(struct job_source *source);

#endif
