/* night/month/month_parts.c: the parts of a month's charges (month.h, docs/explain.md). */
#include "night/month/month.h"

#include "allocate/month_charges.h"
#include "base/postgres/database.h"

bool month_parts_find(PGconn *connection, month_question *ask, void *context, struct error *error)
{
    struct parts_wanted wanted = { 0 };
    if (!month_steps(connection, MONTH_ASK, error) ||
        (ask != NULL && !ask(connection, &wanted, context, error)))
        return false;
    return database_run_query(connection, "explain/asked_places.sql", 1, &wanted.places, error) &&
           month_steps(connection, MONTH_EXPLAIN, error) &&
           database_run_file(connection, "explain/line_part.sql", error) &&
           month_parts(connection, month_readers(), &wanted, error) &&
           database_run_file(connection, "explain/parts.sql", error);
}

bool month_parts_check(PGconn *connection, const char *month, struct error *error)
{
    bool is_current;
    if (!month_is_current(connection, month, &is_current, error))
        return false;
    if (is_current)
        return true;
    error_set(error, ERROR_INPUT, "the statement of %.7s is of earlier data, or of another version of kstar",
              month);
    error_hint(error, "run kstar model --period %.7s or the night, then ask again", month);
    return false;
}
