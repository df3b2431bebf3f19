/* ingest/jobs/job_load.h: the state of one load of job records, which its steps share: jobs.c and
 * job_preview.c begin it, job_records.c stages the records, and job_store.c stores them. */
#ifndef KSTAR_INGEST_JOBS_JOB_LOAD_H
#define KSTAR_INGEST_JOBS_JOB_LOAD_H

#include "ingest/delivery_guard.h"
#include "ingest/delivery_request.h"
#include "ingest/jobs/job_quarantine.h"
#include "ingest/jobs/job_source.h"

struct job_load {
    PGconn *connection;
    const struct delivery_request *request;
    const char *path; /* its file */
    struct job_source source;
    struct delivery delivery; /* not of a preview */
    struct job_quarantine quarantine;
    struct delivery_hold hold; /* filled if the delivery must wait for a person */
    struct ingest_summary *summary;
};

#endif
