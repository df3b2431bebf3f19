/* ingest/jobs/job_records.c: see job_records.h. */
#include "ingest/jobs/job_records.h"

#include "base/postgres/database.h"
#include "base/progress.h"
#include "base/system/file.h"
#include "ingest/jobs/job_horizon.h"
#include "ingest/jobs/job_staging.h"

#include <stdlib.h>

static bool put_records(struct job_load *load, void *reader, int64_t bytes, struct job_limits *limits,
                        struct job_staging *staging, struct error *error)
{
    const struct job_format *format = load->source.format;
    struct job_record record;
    struct progress progress;
    enum job_outcome outcome;
    progress_start(&progress, load->summary->label, bytes);
    job_limits_next(limits);
    while ((outcome = format->next(reader, &record, error)) != JOB_END && outcome != JOB_FAILED) {
        if (outcome == JOB_RECORD && job_limits_allow(limits, &record))
            job_staging_put(staging, load->request->source, &record);
        else if (outcome == JOB_RECORD || outcome == JOB_QUARANTINED)
            job_quarantine_put(&load->quarantine, record.line, record.wrong_column, record.reason,
                               record.raw);
        else
            load->summary->ignored++;
        job_limits_next(limits);
        progress_update(&progress, format->position(reader));
    }
    progress_end(&progress);
    return outcome == JOB_END;
}

static bool read_file(struct job_load *load, struct error *error)
{
    const struct job_source *source = &load->source;
    const struct job_format *format = source->format;
    struct job_limits limits = source->limits;
    struct job_format_options options = source->options;
    struct job_staging staging = { 0 };
    struct file_stamp stamp;
    bool ok = false;
    options.nodes_left = &limits.nodes_left;
    void *reader = format->open(format, load->path, &options, error);
    if (reader == NULL || !file_stamp(load->path, &stamp, error) ||
        !job_staging_begin(&staging, load->connection, source->time_zone, options.clock_may_go_back, error))
        goto done;
    if (!put_records(load, reader, stamp.bytes, &limits, &staging, error))
        goto done;
    ok = job_staging_end(&staging, &load->summary->rows, error);
    if (ok && format->snapshot != NULL) {
        struct job_snapshot snapshot = { 0 };
        format->snapshot(reader, &snapshot);
        job_horizon_warn_snapshot(load->request->source, &snapshot, load->summary);
        ok = job_staging_put_snapshot(load->connection, &snapshot, error);
    }
done:
    job_staging_discard(&staging);
    format->close(reader);
    return ok;
}

bool job_records_stage(struct job_load *load, struct error *error)
{
    return database_run_file(load->connection, "ingest/jobs_staging.sql", error) && read_file(load, error);
}

bool job_records_place(struct job_load *load, struct error *error)
{
    const char *zone[] = { load->source.time_zone };
    if (!database_run_query(load->connection, "ingest/jobs_time.sql", 1, zone, error))
        return false;
    PGresult *unplaced = database_query_file(load->connection, "ingest/jobs_unplaced.sql", 1, zone, error);
    if (unplaced == NULL)
        return false;
    for (int i = 0; i < PQntuples(unplaced); i++) {
        size_t length = 0;
        unsigned char *raw = PQunescapeBytea((const unsigned char *)PQgetvalue(unplaced, i, 3), &length);
        job_quarantine_put(&load->quarantine, strtoll(PQgetvalue(unplaced, i, 0), NULL, 10),
                           PQgetvalue(unplaced, i, 1), PQgetvalue(unplaced, i, 2),
                           (struct text_slice){ (const char *)raw, raw ? length : 0 });
        PQfreemem(raw);
        load->summary->rows--;
    }
    load->summary->quarantined = load->quarantine.count;
    PQclear(unplaced);
    return true;
}
