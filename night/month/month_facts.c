/* night/month/month_facts.c: see month_facts.h. */
#include "night/month/month_facts.h"

#include "base/postgres/database.h"

#include <string.h>

/* Compares on a new connection, which sees everything that is committed by now. */
static bool compare(PGconn *connection, const char *month, const char *facts, struct error *error)
{
    PGconn *other = database_connect_again(connection, error);
    PGresult *now =
        other != NULL ? database_query(other, "SELECT statement_facts($1::date)", 1, &month, error) : NULL;
    bool ok = now != NULL;
    if (ok && strcmp(PQgetvalue(now, 0, 0), facts) != 0) {
        ok = error_set(error, ERROR_BUSY, "the data of %.7s changed while its statement was made", month);
        error_hint(error, "nothing was published: run the same command again");
    }
    PQclear(now);
    PQfinish(other);
    return ok;
}

bool month_facts_compare(PGconn *connection, struct error *error)
{
    PGresult *read =
        database_query(connection, "SELECT statement_month, facts FROM facts_read", 0, NULL, error);
    bool ok = read != NULL && (PQntuples(read) == 0 ||
                               compare(connection, PQgetvalue(read, 0, 0), PQgetvalue(read, 0, 1), error));
    PQclear(read);
    return ok;
}
