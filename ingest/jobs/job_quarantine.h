/* ingest/jobs/job_quarantine.h: unreadable records of jobs and nodes, for quarantined_row. They
 * wait in a spool while the COPY of readable records uses the connection. */
#ifndef KSTAR_INGEST_JOBS_JOB_QUARANTINE_H
#define KSTAR_INGEST_JOBS_JOB_QUARANTINE_H

#include "base/postgres/copy_stream.h"
#include "ingest/text_slice.h"

enum { JOB_QUARANTINE_SHOWN = 20 };

struct job_quarantine {
    struct copy_stream spool;
    int delivery_id, file_id;
    int64_t count;
    /* the first of them: "line 12, column End: \"…\" is before Start" */
    char shown[JOB_QUARANTINE_SHOWN][512];
};

bool job_quarantine_begin(struct job_quarantine *quarantine, int delivery_id, int file_id,
                          struct error *error);

/* Keeps a quarantined record: its line, its column (NULL: the whole record), the reason, and at
 * most 64 KiB of its bytes. */
void job_quarantine_put(struct job_quarantine *quarantine, int64_t line, const char *column,
                        const char *reason, struct text_slice raw);

/* Stores them. The connection must be free. */
bool job_quarantine_end(struct job_quarantine *quarantine, PGconn *connection, struct error *error);
void job_quarantine_discard(struct job_quarantine *quarantine);

#endif
