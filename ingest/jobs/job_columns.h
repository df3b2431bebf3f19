/* ingest/jobs/job_columns.h: the file `columns` beside a delivery. It names the columns of text
 * without a header, one per line or separated by commas. It is no delivery itself. */
#ifndef KSTAR_INGEST_JOBS_JOB_COLUMNS_H
#define KSTAR_INGEST_JOBS_JOB_COLUMNS_H

#include "base/error.h"

#include <stdbool.h>

enum { JOB_COLUMNS_BYTES = 1 << 14 };

/* Whether this file is such a file. */
bool job_columns_is(const char *path);

/* Reads the file beside `path` into names separated by commas; "" if there is none. False with
 * ERROR_INPUT if it cannot be read or is too long. */
bool job_columns_read(const char *path, char names[JOB_COLUMNS_BYTES], struct error *error);

#endif
