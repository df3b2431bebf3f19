/* base/postgres/kept_plans.h: files of sql/ that are run again and again on a connection, planned
 * once.
 *
 * A month's files ask the same of each cost centre. Reading and planning such a question takes
 * longer than its answer, so a file that is run a second time is prepared under its name.
 *
 * Only for a time in which the tables that are asked stay as large as they are: a plan made for ten
 * rows is a bad one for ten million.
 */
#ifndef KSTAR_BASE_POSTGRES_KEPT_PLANS_H
#define KSTAR_BASE_POSTGRES_KEPT_PLANS_H

#include <libpq-fe.h>
#include <stdbool.h>

/* From now on database_query_file prepares what it runs again on this connection. Plans kept
 * before are dropped. Where that fails, so does the next statement. */
void kept_plans_begin(PGconn *connection);

/* From now on each run is planned anew. */
void kept_plans_end(PGconn *connection);

/* Runs the file `name` of sql/ for the second time or later, by its plan. NULL where it is the
 * first time, or no plans are kept. The caller clears the result, which may be an error. */
PGresult *kept_plans_run(PGconn *connection, const char *name, int count, const char *const *parameters);

#endif
