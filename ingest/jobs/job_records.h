/* ingest/jobs/job_records.h: from the file to staged records. Every record of the file is staged
 * (job_staging.h), quarantined (job_quarantine.h) or ignored, and `summary` counts them. */
#ifndef KSTAR_INGEST_JOBS_JOB_RECORDS_H
#define KSTAR_INGEST_JOBS_JOB_RECORDS_H

#include "ingest/jobs/job_load.h"

/* Reads the file into the temporary tables, which it makes. False with ERROR_INPUT if the format
 * cannot read it. */
bool job_records_stage(struct job_load *load, struct error *error);

/* Converts clock times of staged records to points in time. Only here it shows which times the zone
 * of the source has: records with others are quarantined. */
bool job_records_place(struct job_load *load, struct error *error);

#endif
