/* ingest/jobs/job_rejects.c: see job_rejects.h. */
#include "ingest/jobs/job_rejects.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { RAW_MAXIMUM = 64 << 10 };

static const char reject_copy[] =
    "COPY rejected_row (delivery_id, file_id, line_number, column_name, reason, raw) FROM STDIN (FORMAT binary)";

bool job_rejects_begin(struct job_rejects *rejects, int delivery_id, int file_id, struct error *error)
{
    *rejects = (struct job_rejects){ .delivery_id = delivery_id, .file_id = file_id };
    return copy_stream_to_spool(&rejects->spool, error);
}

void job_rejects_put(struct job_rejects *rejects, int64_t line, const char *column, const char *reason,
                     struct text_slice raw)
{
    struct copy_stream *spool = &rejects->spool;
    if (rejects->count < JOB_REJECTS_SHOWN)
        snprintf(rejects->shown[rejects->count], sizeof rejects->shown[0], "line %" PRId64 "%s%s: %s", line,
                 column ? ", column " : "", column ? column : "", reason);
    rejects->count++;
    copy_row(spool, 6);
    copy_int4(spool, rejects->delivery_id);
    copy_int4(spool, rejects->file_id);
    copy_int8(spool, line);
    if (column != NULL)
        copy_text(spool, column, strlen(column));
    else
        copy_null(spool);
    copy_text(spool, reason, strlen(reason));
    copy_text(spool, raw.text, raw.length < RAW_MAXIMUM ? raw.length : RAW_MAXIMUM);
}

bool job_rejects_end(struct job_rejects *rejects, PGconn *connection, struct error *error)
{
    return copy_stream_end(&rejects->spool, NULL, error) &&
           copy_stream_send_spool(&rejects->spool, connection, reject_copy, error);
}

void job_rejects_discard(struct job_rejects *rejects)
{
    copy_stream_discard(&rejects->spool);
}
