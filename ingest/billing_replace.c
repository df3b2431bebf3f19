/* ingest/billing_replace.c: see billing_replace.h. */
#include "ingest/billing_replace.h"

#include "base/database.h"

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

static bool replaces_any(const struct billing_writer *writer)
{
    for (int i = 0; i < BILLING_PERIODS_MAXIMUM; i++) {
        if (writer->loads[i].replaces)
            return true;
    }
    return false;
}

/* The plans of what follows go by how much is in left_chunk. */
static bool prune(struct billing_writer *writer, struct error *error)
{
    return database_run_file(writer->connection, "ingest/billing_left_chunk.sql", error) &&
           billing_writer_each_load(writer, "ingest/billing_load_left.sql", true, error) &&
           database_execute(writer->connection, "ANALYZE left_chunk", error) &&
           billing_writer_each_load(writer, "ingest/billing_load_prune.sql", true, error);
}

bool billing_replace(struct billing_writer *writer, struct error *error)
{
    return (!replaces_any(writer) || prune(writer, error)) &&
           billing_writer_each_load(writer, "ingest/billing_load_current.sql", false, error);
}
