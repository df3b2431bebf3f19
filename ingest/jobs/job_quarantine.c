/* ingest/jobs/job_quarantine.c: see job_quarantine.h. */
#include "ingest/jobs/job_quarantine.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { RAW_MAXIMUM = 64 << 10 };

static const char quarantine_copy[] =
    "COPY quarantined_row (delivery_id, file_id, line_number, column_name, reason, raw) FROM STDIN (FORMAT binary)";

bool job_quarantine_begin(struct job_quarantine *quarantine, int delivery_id, int file_id,
                          struct error *error)
{
    *quarantine = (struct job_quarantine){ .delivery_id = delivery_id, .file_id = file_id };
    return copy_stream_to_spool(&quarantine->spool, error);
}

void job_quarantine_put(struct job_quarantine *quarantine, int64_t line, const char *column,
                        const char *reason, struct text_slice raw)
{
    struct copy_stream *spool = &quarantine->spool;
    if (quarantine->count < JOB_QUARANTINE_SHOWN)
        snprintf(quarantine->shown[quarantine->count], sizeof quarantine->shown[0],
                 "line %" PRId64 "%s%s: %s", line, column ? ", column " : "", column ? column : "", reason);
    quarantine->count++;
    copy_row(spool, 6);
    copy_int4(spool, quarantine->delivery_id);
    copy_int4(spool, quarantine->file_id);
    copy_int8(spool, line);
    if (column != NULL)
        copy_text(spool, column, strlen(column));
    else
        copy_null(spool);
    copy_text(spool, reason, strlen(reason));
    copy_text(spool, raw.text, raw.length < RAW_MAXIMUM ? raw.length : RAW_MAXIMUM);
}

bool job_quarantine_end(struct job_quarantine *quarantine, PGconn *connection, struct error *error)
{
    return copy_stream_end(&quarantine->spool, NULL, error) &&
           copy_stream_send_spool(&quarantine->spool, connection, quarantine_copy, error);
}

void job_quarantine_discard(struct job_quarantine *quarantine)
{
    copy_stream_discard(&quarantine->spool);
}
