/* ingest/known_deliveries.c: see known_deliveries.h. */
#include "ingest/known_deliveries.h"

#include "base/postgres/database.h"
#include "ingest/delivery.h"

#include <stdlib.h>
#include <string.h>

enum { LABEL, SHA256, BYTES }; /* ingest/known_deliveries.sql */

bool known_deliveries_open(struct known_deliveries *known, PGconn *connection, const char *kind,
                           const char *source, struct error *error)
{
    const char *const parameters[] = { kind, source };
    *known = (struct known_deliveries){ 0 };
    known->latest = database_query_file(connection, "ingest/known_deliveries.sql", 2, parameters, error);
    return known->latest != NULL;
}

void known_deliveries_close(struct known_deliveries *known)
{
    PQclear(known->latest);
    free(known->configuration);
    *known = (struct known_deliveries){ 0 };
}

void known_deliveries_note(struct known_deliveries *known, const char *configuration)
{
    if (known == NULL)
        return;
    free(known->configuration);
    known->configuration = configuration != NULL ? strdup(configuration) : NULL;
}

/* The row of a label; −1: none. */
static int find(const PGresult *latest, const char *label)
{
    int low = 0, high = PQntuples(latest);
    while (low < high) {
        int middle = low + (high - low) / 2;
        int order = strcmp(PQgetvalue(latest, middle, LABEL), label);
        if (order == 0)
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

bool known_deliveries_has(const struct known_deliveries *known, const char *path, const char *label)
{
    static const char *const any_name[] = { "", NULL };
    struct delivery delivery = { 0 };
    struct error unread = { 0 }; /* ingesting the file reports it */
    if (known == NULL || known->configuration == NULL)
        return false;
    int row = find(known->latest, label);
    bool has = row >= 0 && delivery_gather(&delivery, 1, &path, any_name, known->configuration, &unread) &&
               strtoll(PQgetvalue(known->latest, row, BYTES), NULL, 10) == delivery.bytes &&
               delivery_hash(&delivery, &unread) &&
               strcmp(PQgetvalue(known->latest, row, SHA256), delivery.sha256) == 0;
    delivery_free(&delivery);
    return has;
}
