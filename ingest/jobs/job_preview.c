/* ingest/jobs/job_preview.c: see job_preview.h. */
#include "ingest/jobs/job_preview.h"

#include "base/postgres/database.h"
#include "ingest/delivery_of_file.h"
#include "ingest/jobs/job_load.h"
#include "ingest/jobs/job_records.h"
#include "ingest/jobs/job_store.h"

#include <stdio.h>
#include <string.h>

/* Finds out whether the delivery would be held, and why: mostly unreadable, or by known runs. */
static bool preview_hold(struct job_load *load, struct ingest_preview *preview, struct error *error)
{
    const struct ingest_summary *summary = load->summary;
    delivery_guard_unreadable(delivery_of_file_name(load->path), summary->quarantined,
                              summary->quarantined + summary->rows + summary->ignored,
                              load->quarantine.shown[0], preview->held, sizeof preview->held);
    if (preview->held[0] != '\0')
        return true;
    if (!job_store_find_hold(load, error))
        return false;
    snprintf(preview->held, sizeof preview->held, "%.*s", (int)sizeof preview->held - 1, load->hold.reason);
    return true;
}

/* Shows what loading would store, as far as the records alone show it. */
static bool preview_delivery(struct job_load *load, struct ingest_preview *preview, struct error *error)
{
    const struct ingest_summary *summary = load->summary;
    if (!job_source_read(load->connection, load->request, &load->source, error) ||
        !job_quarantine_begin(&load->quarantine, 0, 0, error) || !job_records_stage(load, error) ||
        !job_records_place(load, error))
        return false;
    preview->files = 1;
    preview->rows = summary->rows;
    preview->quarantined = summary->quarantined;
    preview->ignored = summary->ignored;
    preview->is_detected = load->source.is_detected;
    snprintf(preview->format, sizeof preview->format, "%s", load->source.format->name);
    _Static_assert(sizeof preview->quarantine <= sizeof load->quarantine.shown, "as many are shown");
    memcpy(preview->quarantine, load->quarantine.shown, sizeof preview->quarantine);
    if (!preview_hold(load, preview, error))
        return false;
    PGresult *work = database_query_file(load->connection, "ingest/jobs_preview.sql", 0, NULL, error);
    if (work != NULL && PQntuples(work) == 1)
        snprintf(preview->work, sizeof preview->work, "%s", PQgetvalue(work, 0, 0));
    PQclear(work);
    return work != NULL;
}

bool ingest_jobs_preview(PGconn *connection, const struct delivery_request *request,
                         struct ingest_preview *preview, struct error *error)
{
    struct ingest_summary summary;
    struct job_load load = {
        .connection = connection, .request = request, .path = request->paths[0], .summary = &summary
    };
    *preview = (struct ingest_preview){ 0 };
    delivery_of_file_label(&summary, request->label, load.path, "jobs/%s/", request->source);
    snprintf(preview->label, sizeof preview->label, "%s", summary.label);
    bool ok = delivery_of_file_check(load.path, "jobs", error) && database_begin(connection, error) &&
              preview_delivery(&load, preview, error);
    if (!ok)
        job_source_hint(&load.source, request, error);
    job_quarantine_discard(&load.quarantine);
    job_source_free(&load.source);
    database_rollback(connection);
    return ok;
}
