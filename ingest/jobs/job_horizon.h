/* ingest/jobs/job_horizon.h: the end of the job records of a source, and times that do not
 * count. */
#ifndef KSTAR_INGEST_JOBS_JOB_HORIZON_H
#define KSTAR_INGEST_JOBS_JOB_HORIZON_H

#include "base/error.h"
#include "ingest/jobs/job_format.h"
#include "ingest/summary.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* Warns of objects of `snapshot` with times far after all others: log, and first in `summary`. */
void job_horizon_warn_snapshot(const char *source, const struct job_snapshot *snapshot,
                               struct ingest_summary *summary);

/* Computes the horizon of `source` from its stored records. Warns of records with times far beyond
 * it: all in the log, and the latest in `summary`, which may be NULL. */
bool job_horizon_put(PGconn *connection, const char *source, struct ingest_summary *summary,
                     struct error *error);

/* The same for every source of job records, after a setting changed. */
bool job_horizon_put_all(PGconn *connection, struct error *error);

#endif
