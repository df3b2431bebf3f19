/* ingest/jobs/job_store.h: from staged records to attempts.
 *
 * SQL works in steps over all records at once (sql/ingest/jobs_*.sql). It drops unchanged jobs and
 * turns clock times into points in time, records into attempts, attempts into rows of job, and
 * their nodes into rows of job_hold. The last steps are the horizon, and the runs that later
 * exports no longer name. Between the steps, checks may refuse or hold the delivery.
 */
#ifndef KSTAR_INGEST_JOBS_JOB_STORE_H
#define KSTAR_INGEST_JOBS_JOB_STORE_H

#include "ingest/jobs/job_load.h"

/* Stores what job_records_stage() has staged, in the loading transaction. False with ERROR_INPUT if
 * the delivery is refused. False with a reason in load->hold if the delivery must wait: then
 * `error` is unchanged. */
bool job_store(struct job_load *load, struct error *error);

/* For a preview: finds out whether known runs would hold the delivery. load->hold has the reason.
 * The records are staged and placed in time. */
bool job_store_find_hold(struct job_load *load, struct error *error);

#endif
