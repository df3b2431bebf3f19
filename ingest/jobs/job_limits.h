/* ingest/jobs/job_limits.h: what a record of a job may have. A record with a typing error is
 * quarantined, so that it does not stop every night.
 *
 * Names in keys and numbers have limits of kstar, and the nodes in lists have limits of
 * settings.csv: each node is stored, but a hundred bytes can name 65,536 nodes, and a small file
 * enough to fill a disk.
 */
#ifndef KSTAR_INGEST_JOBS_JOB_LIMITS_H
#define KSTAR_INGEST_JOBS_JOB_LIMITS_H

#include "ingest/jobs/job_format.h"

#include <stdbool.h>
#include <stdint.h>

/* The limits of a file, and what its records have named so far. */
struct job_limits {
    int64_t record_nodes_maximum, file_nodes_maximum; /* bounds of names in node lists */
    int64_t named_nodes, naming_records;              /* so far */
    int64_t nodes_left;                               /* for the next record */
};

/* Sets nodes_left. Call before each record is read. */
void job_limits_next(struct job_limits *limits);

/* Whether the record is within the limits, and counts its nodes. If not, wrong_column and reason
 * are set. */
bool job_limits_allow(struct job_limits *limits, struct job_record *record);

#endif
