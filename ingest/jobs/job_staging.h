/* ingest/jobs/job_staging.h: puts job records into temporary tables
 * (sql/ingest/jobs_staging.sql).
 *
 * Jobs go to the server at once, by binary COPY. Their nodes wait in a spool for their own COPY.
 */
#ifndef KSTAR_INGEST_JOBS_JOB_STAGING_H
#define KSTAR_INGEST_JOBS_JOB_STAGING_H

#include "base/postgres/copy_stream.h"
#include "ingest/jobs/job_format.h"

struct job_staging {
    PGconn *connection;
    struct copy_stream jobs;  /* under way on the connection */
    struct copy_stream rows;  /* in memory: rows of jobs to be sent */
    struct copy_stream nodes; /* a spool */
    int64_t record_count;
    uint64_t zone_hash;
    /* whether clocks of the zone go back: then the bytes of a record are kept until its times are
     * placed */
    bool clock_may_go_back;
};

/* Clock times of the records are of `time_zone`. */
bool job_staging_begin(struct job_staging *staging, PGconn *connection, const char *time_zone,
                       bool clock_may_go_back, struct error *error);

/* Puts a record of `source` with its nodes. A failure shows at the end. */
void job_staging_put(struct job_staging *staging, const char *source, const struct job_record *record);

/* Ends the COPY and sends the nodes. *jobs: records put. */
bool job_staging_end(struct job_staging *staging, int64_t *jobs, struct error *error);

/* Stores the rest of a snapshot after its records. The connection must be free. */
bool job_staging_put_snapshot(PGconn *connection, const struct job_snapshot *snapshot, struct error *error);

void job_staging_discard(struct job_staging *staging);

#endif
