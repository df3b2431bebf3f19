/* ingest/jobs/job_preview.h: shows what a delivery of job records would store. Records are read and
 * placed in time, and compared with known runs, in a transaction that is rolled back. */
#ifndef KSTAR_INGEST_JOBS_JOB_PREVIEW_H
#define KSTAR_INGEST_JOBS_JOB_PREVIEW_H

#include "ingest/delivery_request.h"
#include "ingest/preview.h"

/* False if the delivery would be refused. The connection must not be in a transaction. */
bool ingest_jobs_preview(PGconn *connection, const struct delivery_request *request,
                         struct ingest_preview *preview, struct error *error);

#endif
