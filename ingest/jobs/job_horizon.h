/* ingest/jobs/job_horizon.h: until when a source has job records, and times that do not count. */
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

/* Works out the horizon of `source` from its records as they stand. Warns of records that have
 * times far beyond it: in the log, and of the latest in `summary`, which may be NULL. */
bool job_horizon_put(PGconn *connection, const char *source, struct ingest_summary *summary,
                     struct error *error);

/* The same for every source of job records: after a setting changed. */
bool job_horizon_put_all(PGconn *connection, struct error *error);

#endif
