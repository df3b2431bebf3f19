/* ingest/jobs/job_detect.h: the table of job formats, and detection of the format of a file.
 *
 * Each format looks at the beginning of the file itself (`recognises` in job_format.h). No database
 * is needed.
 *
 *     struct job_detection found;
 *     if (!job_detect(path, &options, &found, error)) …      the machine failed (ERROR_FAILED)
 *     … found.count 1: found.formats[0] is the format; more: these fit equally …
 */
#ifndef KSTAR_INGEST_JOBS_JOB_DETECT_H
#define KSTAR_INGEST_JOBS_JOB_DETECT_H

#include "ingest/jobs/job_format.h"

enum { JOB_FORMATS_MAXIMUM = 16, JOB_FORMAT_NAMES_BYTES = 256 };

struct job_detection {
    int count;
    const struct job_format *formats[JOB_FORMATS_MAXIMUM]; /* in the order of the table */
};

/* The format of that name; NULL: none. */
const struct job_format *job_format_find(const char *name);

/* The names of all formats: "sacct, sacct-json, …". */
const char *job_format_names(char names[JOB_FORMAT_NAMES_BYTES]);

/* `options` has the columns or delimiter that somebody declared for the file. */
bool job_detect(const char *path, const struct job_format_options *options, struct job_detection *found,
                struct error *error);

#endif
