/* ingest/bill/billing_moved.c: see billing_moved.h. */
#include "ingest/bill/billing_moved.h"

#include "base/log.h"
#include "base/postgres/database.h"
#include "ingest/bill/billing_replace.h"
#include "ingest/bill/line_sums.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Makes a temporary table by a file of sql/ and analyzes it for the plans of later queries. */
static bool make_table(PGconn *connection, const char *file, const char *table, int delivery_id,
                       struct error *error)
{
    char id[16], analyze[64];
    const char *const parameters[] = { id };
    snprintf(id, sizeof id, "%d", delivery_id);
    snprintf(analyze, sizeof analyze, "ANALYZE %s", table);
    return database_run_query(connection, file, delivery_id != 0 ? 1 : 0, parameters, error) &&
           database_execute(connection, analyze, error);
}

/* Whether a query has a row. */
static bool is_any(PGconn *connection, const char *query, bool *any, struct error *error)
{
    PGresult *result = database_query(connection, query, 0, NULL, error);
    *any = result != NULL && PQntuples(result) > 0;
    PQclear(result);
    return result != NULL;
}

static bool log_late_usage(PGconn *connection, const struct moving_delivery *delivery, struct error *error)
{
    PGresult *alike = database_query_file(connection, "ingest/moved_alike.sql", 0, NULL, error);
    for (int i = 0; alike != NULL && i < PQntuples(alike); i++)
        log_event(LOG_INFO, "late_usage",
                  "source=\"%s\" label=\"%s\" period=%s lines=%s note=\"not in this delivery any more, which "
                  "has the same charges with other costs under another period: both count\"",
                  delivery->source, delivery->label, PQgetvalue(alike, i, 0), PQgetvalue(alike, i, 1));
    PQclear(alike);
    return alike != NULL;
}

/* Compares dropped lines with delivered ones, and fills period_again. */
static bool compare(PGconn *connection, const struct moving_delivery *delivery, struct error *error)
{
    return make_table(connection, "ingest/moved_compared.sql", "compared_line", delivery->id, error) &&
           make_table(connection, "ingest/moved_lines.sql", "line_again", 0, error) &&
           make_table(connection, "ingest/moved_summary.sql", "period_again", 0, error) &&
           log_late_usage(connection, delivery, error);
}

bool billing_moved_find(PGconn *connection, const struct moving_delivery *delivery,
                        struct delivery_hold *hold, struct error *error)
{
    bool any = false;
    if (!make_table(connection, "ingest/moved_periods.sql", "dropped_load", delivery->id, error) ||
        !is_any(connection, "SELECT FROM dropped_load LIMIT 1", &any, error) || !any)
        return !any && error->kind == ERROR_NONE;
    /* Millions of lines are compared: no wrong estimate may lead to a nested loop. */
    if (!database_execute(connection, "SET LOCAL enable_nestloop = off", error) ||
        !make_table(connection, "ingest/moved_chunks.sql", "chunk_again", delivery->id, error) ||
        !make_table(connection, "ingest/moved_brought.sql", "compared_line", delivery->id, error))
        return false;
    if (!is_any(connection, "(SELECT FROM compared_line LIMIT 1) UNION ALL (SELECT FROM chunk_again LIMIT 1)",
                &any, error))
        return false;
    return !any || (compare(connection, delivery, error) && delivery_guard_moved(connection, hold, error));
}

/* Fills a load with the lines that stay, and makes it the current load of its period. */
static bool keep_rest(PGconn *connection, const char *load_id, const char *billing_period,
                      struct error *error)
{
    const char *const parameters[] = { load_id, billing_period };
    return database_run_query(connection, "ingest/moved_rest.sql", 2, parameters, error) &&
           database_run_query(connection, "ingest/billing_load_close.sql", 2, parameters, error) &&
           billing_replace_load(connection, (int)strtol(load_id, NULL, 10), billing_period, error);
}

/* Records the sums of the chunks that keep_rest made; each chunk has one billing period. */
static bool add_up_rest(PGconn *connection, struct error *error)
{
    struct line_sums sums = { 0 };
    bool ok = line_sums_read(connection, "ingest/moved_sums.sql", &sums, error);
    for (size_t i = 0; ok && i < sums.count; i++) {
        char id[24], sum[LINE_SUM_BYTES];
        const char *const parameters[] = { id, sum };
        snprintf(id, sizeof id, "%" PRId64, sums.sums[i].chunk_id);
        line_sum_text(sums.sums[i].sum, sum);
        ok = database_run_query(connection, "ingest/moved_sum.sql", 2, parameters, error);
    }
    line_sums_free(&sums);
    return ok;
}

bool billing_moved_withdraw(PGconn *connection, const struct moving_delivery *delivery, struct error *error)
{
    enum { LOAD_ID, PERIOD, LINES, MONEY, REAPPEARS_IN };
    char id[16];
    const char *const parameters[] = { id };
    snprintf(id, sizeof id, "%d", delivery->id);
    PGresult *opened = database_query_file(connection, "ingest/moved_open.sql", 1, parameters, error);
    bool ok = opened != NULL;
    for (int i = 0; ok && i < PQntuples(opened); i++) {
        ok = keep_rest(connection, PQgetvalue(opened, i, LOAD_ID), PQgetvalue(opened, i, PERIOD), error);
        log_event(LOG_INFO, "lines_withdrawn",
                  "source=\"%s\" label=\"%s\" period=%s lines=%s money=\"%s\" moved_to=\"%s\"",
                  delivery->source, delivery->label, PQgetvalue(opened, i, PERIOD),
                  PQgetvalue(opened, i, LINES), PQgetvalue(opened, i, MONEY),
                  PQgetvalue(opened, i, REAPPEARS_IN));
    }
    PQclear(opened);
    return ok && add_up_rest(connection, error);
}
