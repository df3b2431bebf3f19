/* ingest/job_horizon.h: the last time that a source's job records cover, and which of their times set none. */
#ifndef KSTAR_INGEST_JOB_HORIZON_H
#define KSTAR_INGEST_JOB_HORIZON_H

#include "base/error.h"
#include "ingest/job_format.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* Warns in the log of objects of `snapshot` that tell of times far after all others. `label` is its file's. */
void job_horizon_warn_snapshot(const char *source, const char *label, const struct job_snapshot *snapshot);

/* Works out the horizon of `source` from its records as they stand, and warns in the log of records that tell of times far beyond it. */
bool job_horizon_put(PGconn *connection, const char *source, struct error *error);

/* The same for every source of job records: after a setting changed. */
bool job_horizon_put_all(PGconn *connection, struct error *error);

#endif
