/* night/month/month_parts.c: what the charges of a month are made of (month.h, docs/explain.md). */
#include "night/month/month.h"

#include "allocate/month_charges.h"
#include "base/postgres/database.h"

#include <stdlib.h>

/* The steps of month.c up to the merge. Its readers begin in month_parts. What is published stays
 * as it is. */
static const char *const before_merge[] = {
    "allocate/01_rules.sql",   "allocate/02_month.sql",       "allocate/04_local_jobs.sql",
    "allocate/05_lines.sql",   "allocate/07_nodes.sql",       "allocate/08_jobs.sql",
    "allocate/09_refunds.sql", "allocate/10_charge_sums.sql", "explain/line_part.sql",
};

bool month_parts_find(PGconn *connection, month_places *places, void *context, struct error *error)
{
    char *wanted = NULL;
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof before_merge / sizeof before_merge[0]; i++)
        ok = database_run_file(connection, before_merge[i], error);
    ok = ok && (places == NULL || places(connection, &wanted, context, error)) &&
         month_parts(connection, month_readers(), wanted, error) &&
         database_run_file(connection, "explain/parts.sql", error);
    free(wanted);
    return ok;
}
