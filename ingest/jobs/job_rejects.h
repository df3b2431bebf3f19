/* ingest/jobs/job_rejects.h: records of jobs and nodes that cannot be read, quarantined in
 * rejected_row. They wait in a spool while the COPY of the good ones holds the connection. */
#ifndef KSTAR_INGEST_JOBS_JOB_REJECTS_H
#define KSTAR_INGEST_JOBS_JOB_REJECTS_H

#include "base/postgres/copy_stream.h"
#include "ingest/text_slice.h"

enum { JOB_REJECTS_SHOWN = 20 };

struct job_rejects {
    struct copy_stream spool;
    int delivery_id, file_id;
    int64_t count;
    /* the first of them: "line 12, column End: \"…\" is before Start" */
    char shown[JOB_REJECTS_SHOWN][512];
};

bool job_rejects_begin(struct job_rejects *rejects, int delivery_id, int file_id, struct error *error);

/* Keeps a record that was rejected: its line, the column (NULL: as a whole), the reason, and at
 * most 64 KiB of its bytes. */
void job_rejects_put(struct job_rejects *rejects, int64_t line, const char *column, const char *reason,
                     struct text_slice raw);

/* Stores them. The connection must be free. */
bool job_rejects_end(struct job_rejects *rejects, PGconn *connection, struct error *error);
void job_rejects_discard(struct job_rejects *rejects);

#endif
