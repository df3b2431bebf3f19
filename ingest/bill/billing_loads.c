/* ingest/bill/billing_loads.c: see billing_loads.h. */
#include "ingest/bill/billing_loads.h"

#include "base/postgres/database.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool billing_writer_pause(struct billing_writer *writer, struct error *error)
{
    if (writer->target == NULL)
        return true;
    writer->target = NULL;
    return copy_stream_end(&writer->lines, NULL, error);
}

bool billing_writer_load(struct billing_writer *writer, const struct billing_period *period,
                         struct error *error)
{
    enum { LOAD_ID, PARTITION, REPLACES, OF_ANOTHER_LABEL, IS_PRUNED };
    struct billing_load *load = &writer->loads[period->number];
    if (load->load_id != 0)
        return true;
    char delivery_id[16];
    snprintf(delivery_id, sizeof delivery_id, "%d", writer->delivery_id);
    const char *parameters[] = { delivery_id, writer->settings->source, period->text };
    if (!billing_writer_pause(writer, error))
        return false;
    PGresult *result =
        database_query_file(writer->connection, "ingest/billing_load_open.sql", 3, parameters, error);
    if (result == NULL)
        return false;
    load->load_id = (int)strtol(PQgetvalue(result, 0, LOAD_ID), NULL, 10);
    load->period = period;
    load->is_of_pruned_month = result_flag(result, 0, IS_PRUNED);
    load->replaces = !load->is_of_pruned_month && result_flag(result, 0, REPLACES);
    load->replaces_another_label = load->replaces && result_flag(result, 0, OF_ANOTHER_LABEL);
    const char *name = PQgetvalue(result, 0, PARTITION);
    load->partition = PQescapeIdentifier(writer->connection, name, strlen(name));
    bool ok = database_query_flag(writer->connection, "ingest/billing_partition_new.sql", 1, &name,
                                  &load->partition_is_new, error);
    PQclear(result);
    writer->load_count++;
    return ok;
}

bool billing_writer_reader(struct billing_writer *writer, struct error *error)
{
    return writer->reader.dimensions != NULL ||
           billing_reader_open(&writer->reader, writer->settings, writer->periods, error);
}

bool billing_writer_each_load(struct billing_writer *writer, const char *file, struct error *error)
{
    for (int i = 0; i < BILLING_PERIODS_MAXIMUM; i++) {
        const struct billing_load *load = &writer->loads[i];
        if (load->load_id == 0)
            continue;
        char id[16];
        const char *parameters[] = { id, load->period->text };
        snprintf(id, sizeof id, "%d", load->load_id);
        if (!database_run_query(writer->connection, file, 2, parameters, error))
            return false;
    }
    return true;
}
