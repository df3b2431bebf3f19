/* night/month/month_parts.c: what the charges of a month are made of (month.h, docs/explain.md). */
#include "night/month/month.h"

#include "allocate/month_charges.h"
#include "base/postgres/database.h"

/* The steps of month.c up to the merge, in two parts: between them is asked which places are
 * wanted. The readers begin in month_parts. What is published stays as it is. */
static const char *const of_month[] = { "allocate/01_rules.sql", "allocate/02_month.sql",
                                        "allocate/04_local_jobs.sql" };
static const char *const of_places[] = { "allocate/05_lines.sql",       "allocate/07_nodes.sql",
                                         "allocate/08_jobs.sql",        "allocate/09_refunds.sql",
                                         "allocate/10_charge_sums.sql", "explain/line_part.sql" };

static bool run_files(PGconn *connection, const char *const *files, size_t count, struct error *error)
{
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++)
        ok = database_run_file(connection, files[i], error);
    return ok;
}

bool month_parts_find(PGconn *connection, month_question *ask, void *context, struct error *error)
{
    struct parts_wanted wanted = { 0 };
    if (!run_files(connection, of_month, sizeof of_month / sizeof of_month[0], error) ||
        (ask != NULL && !ask(connection, &wanted, context, error)))
        return false;
    return database_run_query(connection, "explain/asked_places.sql", 1, &wanted.places, error) &&
           run_files(connection, of_places, sizeof of_places / sizeof of_places[0], error) &&
           month_parts(connection, month_readers(), &wanted, error) &&
           database_run_file(connection, "explain/parts.sql", error);
}
