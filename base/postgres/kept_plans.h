/* base/postgres/kept_plans.h: queries that are run again and again on a connection, planned once.
 *
 * A month's files ask the same of each cost centre. Reading and planning such a question takes
 * longer than its answer, so a query that is run a second time is prepared.
 *
 * Only for a time in which the tables that are asked stay as large as they are: a plan made for ten
 * rows is a bad one for ten million.
 */
#ifndef KSTAR_BASE_POSTGRES_KEPT_PLANS_H
#define KSTAR_BASE_POSTGRES_KEPT_PLANS_H

#include <libpq-fe.h>
#include <stdbool.h>

/* From now on database_query_file and kept_plans_send prepare what they run again on this
 * connection. Plans kept before are dropped. Where that fails, so does the next statement. */
void kept_plans_begin(PGconn *connection);

/* From now on each run is planned anew. */
void kept_plans_end(PGconn *connection);

/* Runs a query for the second time or later, by its plan. NULL where it is the first time, or no
 * plans are kept. The server's log names the plan by `file`, where the query is from. The caller
 * clears the result, which may be an error. */
PGresult *kept_plans_run(PGconn *connection, const char *file, const char *query, int count,
                         const char *const *parameters);

/* Begins a query as PQsendQueryParams does, by its plan if one is kept. If it fails, the connection
 * has the message. */
bool kept_plans_send(PGconn *connection, const char *file, const char *query, int count,
                     const char *const *parameters);

#endif
