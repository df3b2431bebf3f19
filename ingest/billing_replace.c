/* ingest/billing_replace.c: see billing_replace.h. */
#include "ingest/billing_replace.h"

#include "base/database.h"

#include <stdio.h>
#include <stdlib.h>

bool billing_replace_allowed(struct billing_writer *writer, struct error *error)
{
    for (int i = 0; i < BILLING_PERIODS_MAXIMUM; i++) {
        const struct billing_load *load = &writer->loads[i];
        if (!load->replaces)
            continue;
        if (!delivery_guard_compare(writer->connection, load->load_id, &writer->hold, error) ||
            writer->hold.reason[0] != '\0')
            return false;
    }
    return true;
}

/* How many chunks are to go; −1 on failure. */
static int64_t count_left(PGconn *connection, struct error *error)
{
    PGresult *result = database_query(connection, "SELECT count(*) FROM left_chunk", 0, NULL, error);
    int64_t count = result != NULL ? strtoll(PQgetvalue(result, 0, 0), NULL, 10) : -1;
    PQclear(result);
    return count;
}

/* The plan of the deletion goes by how much is in left_chunk. */
static bool prune(struct billing_writer *writer, const struct billing_load *load, struct error *error)
{
    char id[16];
    const char *parameters[] = { id, load->period->text };
    snprintf(id, sizeof id, "%d", load->load_id);
    PGconn *connection = writer->connection;
    if (!database_run_query(connection, "ingest/billing_load_prune.sql", 2, parameters, error) ||
        !database_run_query(connection, "ingest/billing_chunks_left.sql", 2, parameters, error))
        return false;
    int64_t left = count_left(connection, error);
    bool ok = left == 0 ||
              (left > 0 && database_execute(connection, "ANALYZE left_chunk", error) &&
               database_run_query(connection, "ingest/billing_chunks_prune.sql", 1, parameters + 1, error));
    return ok && database_execute(connection, "DROP TABLE left_chunk", error);
}

bool billing_replace(struct billing_writer *writer, struct error *error)
{
    for (int i = 0; i < BILLING_PERIODS_MAXIMUM; i++) {
        if (writer->loads[i].replaces && !prune(writer, &writer->loads[i], error))
            return false;
    }
    return billing_writer_each_load(writer, "ingest/billing_load_current.sql", error);
}
