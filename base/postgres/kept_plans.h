/* base/postgres/kept_plans.h: plans a query that is repeated on a connection only once.
 *
 * The files of a month need the same queries for each cost centre. Parsing and planning such a
 * query takes longer than running it, so a query that is run a second time is prepared.
 *
 * Use it only while the tables of the queries keep their size: a plan made for ten rows is a bad
 * one for ten million.
 */
#ifndef KSTAR_BASE_POSTGRES_KEPT_PLANS_H
#define KSTAR_BASE_POSTGRES_KEPT_PLANS_H

#include <libpq-fe.h>
#include <stdbool.h>

/* From now on database_query_file and kept_plans_send prepare repeated queries on this connection.
 * Earlier plans are dropped. If that fails, the next statement fails, too. */
void kept_plans_begin(PGconn *connection);

/* From now on each run is planned again. */
void kept_plans_end(PGconn *connection);

/* Runs a query for the second time or later, by its plan. NULL the first time, or if no plans are
 * kept. The log of the server names the plan by `file`, which contains the query. The caller clears
 * the result, which may be an error. */
PGresult *kept_plans_run(PGconn *connection, const char *file, const char *query, int count,
                         const char *const *parameters);

/* Begins a query as PQsendQueryParams does, by its plan if one is kept. If it fails, the connection
 * has the message. */
bool kept_plans_send(PGconn *connection, const char *file, const char *query, int count,
                     const char *const *parameters);

#endif
