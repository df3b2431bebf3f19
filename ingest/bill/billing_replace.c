/* ingest/bill/billing_replace.c: see billing_replace.h. */
#include "ingest/bill/billing_replace.h"

#include "base/log.h"
#include "base/postgres/database.h"

#include <stdio.h>
#include <stdlib.h>

/* Whether a load may replace the one before it, by days and cost. If the earlier load has another
 * label, and may be another bill, the accounts with its money are compared, too. */
static bool load_allowed(struct billing_writer *writer, const struct billing_load *load, struct error *error)
{
    struct delivery_hold *hold = &writer->hold;
    bool ok = delivery_guard_compare(writer->connection, load->load_id, hold, error);
    if (ok && hold->reason[0] == '\0' && load->replaces_another_label)
        ok = delivery_guard_compare_accounts(writer->connection, load->load_id, load->period->text, hold,
                                             error);
    return ok && hold->reason[0] == '\0';
}

bool billing_replace_allowed(struct billing_writer *writer, struct error *error)
{
    for (int i = 0; i < BILLING_PERIODS_MAXIMUM; i++) {
        if (writer->loads[i].replaces && !load_allowed(writer, &writer->loads[i], error))
            return false;
    }
    return true;
}

/* The number of chunks to delete; −1 on failure. */
static int64_t count_left(PGconn *connection, struct error *error)
{
    PGresult *result = database_query(connection, "SELECT count(*) FROM left_chunk", 0, NULL, error);
    int64_t count = result != NULL ? strtoll(PQgetvalue(result, 0, 0), NULL, 10) : -1;
    PQclear(result);
    return count;
}

/* Deletes the chunks of a source and period that no load uses any more: $1 is the load's id, $2 its
 * period. left_chunk is analyzed, so that the plan of the deletion suits its size. */
static bool delete_left(PGconn *connection, const char *const *parameters, struct error *error)
{
    if (!database_run_query(connection, "ingest/billing_chunks_left.sql", 2, parameters, error))
        return false;
    int64_t left = count_left(connection, error);
    bool ok = left == 0 ||
              (left > 0 && database_execute(connection, "ANALYZE left_chunk", error) &&
               database_run_query(connection, "ingest/billing_chunks_prune.sql", 1, parameters + 1, error));
    return ok && database_execute(connection, "DROP TABLE left_chunk", error);
}

bool billing_replace_load(PGconn *connection, int load_id, const char *billing_period, struct error *error)
{
    char id[16];
    const char *const parameters[] = { id, billing_period };
    snprintf(id, sizeof id, "%d", load_id);
    return database_run_query(connection, "ingest/billing_load_prune.sql", 2, parameters, error) &&
           delete_left(connection, parameters, error) &&
           database_run_query(connection, "ingest/billing_load_current.sql", 2, parameters, error);
}

bool billing_replace(struct billing_writer *writer, struct error *error)
{
    for (int i = 0; i < BILLING_PERIODS_MAXIMUM; i++) {
        const struct billing_load *load = &writer->loads[i];
        if (load->replaces &&
            !billing_replace_load(writer->connection, load->load_id, load->period->text, error))
            return false;
    }
    return billing_writer_each_load(writer, "ingest/billing_load_current.sql", error);
}

/* ---- months that were pruned ---- */

/* Removes a load from the delivery, with its rows, quarantined rows and chunks. */
static bool drop_load(struct billing_writer *writer, struct billing_load *load, struct error *error)
{
    char id[16];
    const char *parameters[] = { id, load->period->text };
    snprintf(id, sizeof id, "%d", load->load_id);
    PGresult *dropped =
        database_query_file(writer->connection, "ingest/billing_pruned_drop.sql", 2, parameters, error);
    if (dropped == NULL)
        return false;
    writer->rows -= strtoll(PQgetvalue(dropped, 0, 0), NULL, 10);
    writer->quarantined -= strtoll(PQgetvalue(dropped, 0, 1), NULL, 10);
    PQclear(dropped);
    bool ok =
        delete_left(writer->connection, parameters, error) &&
        database_run_query(writer->connection, "ingest/billing_pruned_forget.sql", 1, parameters, error);
    load->load_id = 0;
    writer->load_count--;
    return ok;
}

/* Compares a delivered pruned month with the closed one; the writer describes the first
 * difference. */
static bool compare_pruned(struct billing_writer *writer, const struct billing_load *load, const char *label,
                           struct error *error)
{
    char id[16];
    const char *parameters[] = { id };
    snprintf(id, sizeof id, "%d", load->load_id);
    PGresult *difference =
        database_query_file(writer->connection, "ingest/billing_pruned_differs.sql", 1, parameters, error);
    if (difference == NULL)
        return false;
    bool differs = PQntuples(difference) > 0;
    const char *words = differs ? PQgetvalue(difference, 0, 0) : "as it was when its month was pruned";
    log_event(differs ? LOG_WARNING : LOG_INFO, differs ? "pruned_differs" : "pruned_same",
              "source=\"%s\" label=\"%s\" period=%s note=\"%s: nothing of it is taken\"",
              writer->settings->source, label, load->period->text, words);
    if (differs && writer->differing++ == 0)
        snprintf(writer->first_differing, sizeof writer->first_differing,
                 "%.7s was pruned, and what is delivered of it differs: %s", load->period->text, words);
    PQclear(difference);
    return true;
}

bool billing_drop_pruned(struct billing_writer *writer, const char *label, struct error *error)
{
    for (int i = 0; i < BILLING_PERIODS_MAXIMUM; i++) {
        struct billing_load *load = &writer->loads[i];
        if (load->load_id == 0 || !load->is_of_pruned_month)
            continue;
        if (!compare_pruned(writer, load, label, error) || !drop_load(writer, load, error))
            return false;
    }
    if (writer->differing == 0 || writer->load_count > 0)
        return true;
    error_set(error, ERROR_INPUT, "%s: %s", label, writer->first_differing);
    error_detail(error, "its statement stays as it was closed");
    error_hint(error, "book the difference outside of kstar, and take the delivery out of the inbox");
    return false;
}
