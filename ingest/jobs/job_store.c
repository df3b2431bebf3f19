/* ingest/jobs/job_store.c: see job_store.h. */
#include "ingest/jobs/job_store.h"

#include "base/postgres/database.h"
#include "base/utf8.h"
#include "ingest/delivery_of_file.h"
#include "ingest/jobs/job_counts.h"
#include "ingest/jobs/job_horizon.h"
#include "ingest/jobs/job_records.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool is_snapshot(const struct job_load *load)
{
    return load->source.format->snapshot != NULL;
}

/* ---- checks ---- */

/* A file without a readable record is refused: it has another format than the source. A file whose
 * records are mostly unreadable is held. */
static bool check_readable(struct job_load *load, struct error *error)
{
    const struct ingest_summary *summary = load->summary;
    int64_t readable = summary->rows + summary->ignored;
    if (summary->quarantined == 0)
        return true;
    if (!load->request->strict && readable > 0) {
        if (!load->request->accept)
            delivery_guard_unreadable(delivery_of_file_name(load->path), summary->quarantined,
                                      summary->quarantined + readable, load->quarantine.shown[0],
                                      load->hold.reason, sizeof load->hold.reason);
        return load->hold.reason[0] == '\0';
    }
    error_set(error, ERROR_INPUT, "%s, %s", load->path, load->quarantine.shown[0]);
    if (readable == 0)
        error_detail(error, "none of its %" PRId64 " records could be read", summary->quarantined);
    else
        error_detail(error, "the first of %" PRId64 " records that cannot be read (--strict)",
                     summary->quarantined);
    return false;
}

static bool check_collision(struct job_load *load, struct error *error)
{
    const char *parameters[] = { load->request->source };
    PGresult *result =
        database_query_file(load->connection, "ingest/jobs_collision.sql", 1, parameters, error);
    if (result == NULL)
        return false;
    bool ok = PQntuples(result) == 0;
    if (!ok)
        error_set(error, ERROR_INPUT, "%s: attempts \"%s\" and \"%s\" have the same number (attempt_id)",
                  load->path, PQgetvalue(result, 0, 0), PQgetvalue(result, 0, 1));
    PQclear(result);
    return ok;
}

/* Runs a query that returns a row with a reason if the delivery must wait. Returns false if it
 * must, or if the query fails. */
static bool hold_for(struct job_load *load, const char *query, struct error *error)
{
    const char *parameters[] = { load->request->source };
    PGresult *result = database_query_file(load->connection, query, 1, parameters, error);
    if (result == NULL)
        return false;
    bool held = PQntuples(result) > 0;
    const char *reason = held ? PQgetvalue(result, 0, 0) : "";
    utf8_excerpt(reason, strlen(reason), load->hold.reason, sizeof load->hold.reason);
    PQclear(result);
    return !held;
}

/* Holds a file if over a tenth of its runs are known under another source or cluster, or if its
 * records lack a fact, such as the nodes, that is known of most of its runs. Two files are not
 * held: a snapshot, which shows the state of its own source, and a file that was loaded before and
 * is read again by another build of kstar. */
static bool check_known(struct job_load *load, struct error *error)
{
    return load->request->accept || is_snapshot(load) || load->delivery.former != 0 ||
           (hold_for(load, "ingest/jobs_repeated.sql", error) &&
            hold_for(load, "ingest/jobs_poorer.sql", error));
}

/* ---- steps ---- */

/* If the format lists all running jobs (job_format.h): records up to when this file reports, for
 * the running jobs that it names and for its clusters. */
static bool note_listed(struct job_load *load, const char *const *source, struct error *error)
{
    return !load->source.format->lists_runs ||
           (database_run_query(load->connection, "ingest/jobs_extent.sql", 1, source, error) &&
            database_run_file(load->connection, "ingest/jobs_exported_to.sql", error) &&
            database_run_query(load->connection, "ingest/jobs_listing.sql", 1, source, error));
}

/* A running attempt ends at the latest when a later attempt of its job begins. A snapshot itself
 * shows which of its jobs run on. */
static bool note_followed(struct job_load *load, const char *const *source, struct error *error)
{
    return is_snapshot(load) ||
           (database_run_query(load->connection, "ingest/jobs_open.sql", 1, source, error) &&
            database_run_query(load->connection, "ingest/jobs_followed.sql", 1, source, error));
}

/* For a file that another version of kstar read: keeps attempts that began in a closed month, or
 * that a later delivery has a record of. */
static bool keep_others(struct job_load *load, struct error *error)
{
    char former[16];
    const char *const parameters[] = { former };
    snprintf(former, sizeof former, "%d", load->delivery.former);
    return load->delivery.former == 0 ||
           (database_run_query(load->connection, "ingest/jobs_kept.sql", 1, parameters, error) &&
            database_run_file(load->connection, "ingest/jobs_without_kept.sql", error));
}

bool job_store(struct job_load *load, struct error *error)
{
    char delivery_id[16];
    snprintf(delivery_id, sizeof delivery_id, "%d", load->delivery.id);
    const char *const source[] = { load->request->source };
    const char *const delivery[] = { delivery_id, is_snapshot(load) ? "true" : "false" };
    return database_run_file(load->connection, "ingest/jobs_recorded.sql", error) &&
           database_run_file(load->connection, "ingest/jobs_unchanged.sql", error) &&
           job_records_place(load, error) && check_readable(load, error) &&
           (is_snapshot(load) ||
            database_run_query(load->connection, "ingest/jobs_same_run.sql", 1, source, error)) &&
           database_run_query(load->connection, "ingest/jobs_attempts.sql", 1, source, error) &&
           check_collision(load, error) && check_known(load, error) && keep_others(load, error) &&
           (!is_snapshot(load) ||
            database_run_query(load->connection, "ingest/jobs_known.sql", 1, source, error)) &&
           database_run_query(load->connection, "ingest/jobs_store.sql", 1, source, error) &&
           database_run_query(load->connection, "ingest/jobs_places.sql", 1, delivery, error) &&
           database_run_file(load->connection, "ingest/jobs_store_nodes.sql", error) &&
           (!is_snapshot(load) || database_run_file(load->connection, "ingest/jobs_over.sql", error)) &&
           database_run_query(load->connection, "ingest/jobs_resized.sql", 1, source, error) &&
           database_run_query(load->connection, "ingest/jobs_records_to.sql", 2, delivery, error) &&
           job_horizon_put(load->connection, load->request->source, load->summary, error) &&
           note_listed(load, source, error) && note_followed(load, source, error) &&
           job_counts_log(load->connection, load->request->source, load->delivery.id, load->summary, error);
}

bool job_store_find_hold(struct job_load *load, struct error *error)
{
    const char *const source[] = { load->request->source };
    return is_snapshot(load) ||
           (database_run_file(load->connection, "ingest/jobs_recorded.sql", error) &&
            database_run_query(load->connection, "ingest/jobs_same_run.sql", 1, source, error) &&
            database_run_query(load->connection, "ingest/jobs_attempts.sql", 1, source, error) &&
            (check_known(load, error) || load->hold.reason[0] != '\0'));
}
