/* ingest/jobs/jobs.c: see jobs.h.
 *
 * One transaction: job_source.c finds out how the file is to be read, job_records.c stages its
 * records, and job_store.c makes attempts of them. A delivery that is held is rolled back, and its
 * hold is recorded in another transaction.
 */
#include "ingest/jobs/jobs.h"

#include "base/postgres/database.h"
#include "ingest/delivery_answers.h"
#include "ingest/delivery_of_file.h"
#include "ingest/jobs/job_load.h"
#include "ingest/jobs/job_records.h"
#include "ingest/jobs/job_store.h"

static bool load_delivery(struct job_load *load, struct error *error)
{
    struct ingest_summary *summary = load->summary;
    struct delivery *delivery = &load->delivery;
    struct job_source *source = &load->source;
    if (!job_source_read(load->connection, load->request, source, error))
        return false;
    known_deliveries_note(load->request->known, source->is_of_file ? NULL : source->text);
    if (!delivery_of_file_open(delivery, load->connection, "jobs", load->request->source, load->path,
                               source->text, summary, error) ||
        !delivery_guard_forget(load->connection, load->request->source, summary->label, error))
        return false;
    return summary->unchanged ||
           (job_quarantine_begin(&load->quarantine, delivery->id, delivery->files[0].file_id, error) &&
            job_records_stage(load, error) && job_store(load, error) &&
            job_source_remember(load->connection, source, load->request, error) &&
            job_quarantine_end(&load->quarantine, load->connection, error) &&
            delivery_close(delivery, load->connection, summary->rows, summary->quarantined, error));
}

/* Records that the delivery is held. Returns false. */
static bool hold_back(struct job_load *load, struct error *error)
{
    const struct delivery_request *request = load->request;
    const char *label = load->summary->label;
    const struct delivery_named named = { .kind = "jobs",
                                          .answered = "",
                                          .source = request->source,
                                          .label = label,
                                          .inbox = request->inbox,
                                          .path_count = 1,
                                          .paths = &load->path };
    delivery_answers_write(&named, &load->hold);
    return delivery_guard_remember(&load->delivery, load->connection, request->source, label, request->inbox,
                                   &load->hold, error) &&
           delivery_guard_refuse(label, &load->hold, error);
}

bool ingest_jobs(PGconn *connection, const struct delivery_request *request, struct ingest_summary *summary,
                 struct error *error)
{
    struct job_load load = {
        .connection = connection, .request = request, .path = request->paths[0], .summary = summary
    };
    delivery_of_file_label(summary, request->label, load.path, "jobs/%s/", request->source);
    if (job_columns_is(load.path)) {
        summary->unchanged = true;
        return true;
    }
    if (!delivery_of_file_check(load.path, "jobs", error))
        return false;
    if (known_deliveries_has(request->known, load.path, summary->label)) {
        delivery_of_file_unchanged("jobs", request->source, summary);
        return true;
    }
    bool ok = database_begin(connection, error) && load_delivery(&load, error) &&
              database_commit(connection, error);
    database_rollback(connection);
    if (load.hold.reason[0] != '\0')
        hold_back(&load, error);
    else if (!ok)
        job_source_hint(&load.source, request, error);
    job_quarantine_discard(&load.quarantine);
    delivery_free(&load.delivery);
    job_source_free(&load.source);
    return ok;
}
