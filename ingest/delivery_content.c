/* ingest/delivery_content.c: see delivery_content.h. */
#include "ingest/delivery_content.h"

#include "base/log.h"
#include "base/postgres/database.h"

#include <stdio.h>
#include <stdlib.h>

/* Runs a query whose only parameter is the delivery. */
static PGresult *query(PGconn *connection, const char *file, const struct delivery *delivery,
                       struct error *error)
{
    char id[16];
    const char *const parameters[] = { id };
    snprintf(id, sizeof id, "%d", delivery->id);
    return database_query_file(connection, file, 1, parameters, error);
}

bool delivery_content_store(PGconn *connection, const struct delivery *delivery, const char *label,
                            struct error *error)
{
    PGresult *stored = query(connection, "ingest/content_store.sql", delivery, error);
    PGresult *repeated =
        stored != NULL ? query(connection, "ingest/content_repeated_file.sql", delivery, error) : NULL;
    bool ok = repeated != NULL && PQntuples(repeated) == 0;
    if (repeated != NULL && !ok) {
        error_set(error, ERROR_INPUT, "%s: %s and %s have the same content: it would be charged twice", label,
                  PQgetvalue(repeated, 0, 0), PQgetvalue(repeated, 0, 1));
        error_hint(error, "leave one of them in the delivery");
    }
    PQclear(stored);
    PQclear(repeated);
    return ok;
}

bool delivery_content_find(PGconn *connection, const struct delivery *delivery, int *former,
                           struct error *error)
{
    PGresult *known = query(connection, "ingest/content_known.sql", delivery, error);
    *former = known != NULL && PQntuples(known) > 0 ? (int)strtol(PQgetvalue(known, 0, 0), NULL, 10) : 0;
    PQclear(known);
    return known != NULL;
}

bool delivery_content_other_files(PGconn *connection, int former, const struct delivery *delivery,
                                  struct error *error)
{
    char id[16], bytes[24];
    const char *const parameters[] = { id, delivery->sha256, bytes };
    snprintf(id, sizeof id, "%d", former);
    snprintf(bytes, sizeof bytes, "%lld", (long long)delivery->bytes);
    return database_run_query(connection, "ingest/content_other_files.sql", 3, parameters, error);
}

bool delivery_content_accept(PGconn *connection, const struct delivery *delivery, const char *label,
                             struct error *error)
{
    PGresult *accepted = query(connection, "ingest/content_accept.sql", delivery, error);
    for (int i = 0; accepted != NULL && i < PQntuples(accepted); i++)
        log_event(LOG_WARNING, "repeat_accepted", "label=\"%s\" repeated=\"%s\" note=\"both count\"", label,
                  PQgetvalue(accepted, i, 0));
    PQclear(accepted);
    return accepted != NULL;
}
