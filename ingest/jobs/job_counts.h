/* ingest/jobs/job_counts.h: logs what a load of job records stored, and warns of jobs whose records
 * are doubtful: unknown states, node counts and times that do not fit, missing runs. */
#ifndef KSTAR_INGEST_JOBS_JOB_COUNTS_H
#define KSTAR_INGEST_JOBS_JOB_COUNTS_H

#include "base/error.h"
#include "ingest/summary.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* Call in the loading transaction, after its last step: the counts are those of the temporary
 * tables. */
bool job_counts_log(PGconn *connection, const char *source, int delivery_id,
                    const struct ingest_summary *summary, struct error *error);

#endif
