/* base/postgres/database.h: a connection and its statements, over libpq.
 *
 * This layer is thin: a connection is libpq's own PGconn, and a result its PGresult (the caller
 * clears it). It adds the session settings that kstar needs (UTC, search_path kstar, quiet
 * notices), statements by the name of their file, and errors of one line that name the failed
 * statement and the cause.
 */
#ifndef KSTAR_BASE_POSTGRES_DATABASE_H
#define KSTAR_BASE_POSTGRES_DATABASE_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

enum { DATABASE_OLDEST_SERVER = 15 };

/* Whether kstar's SQL runs on a server of this version: 150004 is 15.4 (PQserverVersion). Older
 * ones have no MERGE and are refused (ERROR_DATABASE). */
bool database_check_version(int version, struct error *error);

/* Opens a connection. `dsn` NULL or "" leaves it to libpq's PG* variables.
 * The caller closes it with PQfinish. NULL on failure (ERROR_DATABASE). */
PGconn *database_connect(const char *dsn, struct error *error);

/* Opens a second connection to the same server, for work that is committed separately. */
PGconn *database_connect_again(PGconn *connection, struct error *error);

/* The same to the server at another host and port. */
PGconn *database_connect_to(PGconn *connection, const char *host, const char *port, struct error *error);

/* Runs text that returns no rows; it may contain several statements. */
bool database_execute(PGconn *connection, const char *sql, struct error *error);

/* Runs the file `name` of sql/. It may contain several statements, without parameters. */
bool database_run_file(PGconn *connection, const char *name, struct error *error);

/* Runs one statement with text parameters $1, $2 … (NULL is SQL NULL). `name` is a file of sql/.
 * Returns a result that the caller clears with PQclear, NULL on failure. */
PGresult *database_query_file(PGconn *connection, const char *name, int count, const char *const *parameters,
                              struct error *error);

/* The same for a statement whose result nobody reads. */
bool database_run_query(PGconn *connection, const char *name, int count, const char *const *parameters,
                        struct error *error);

/* The same for a short statement given as text (BEGIN, SELECT pg_advisory_lock …). */
PGresult *database_query(PGconn *connection, const char *sql, int count, const char *const *parameters,
                         struct error *error);

/* Sets a value that SQL reads with current_setting, until the transaction ends; NULL is ''. */
bool database_set(PGconn *connection, const char *name, const char *value, struct error *error);

/* The boolean in the first row and column of a query; null and no row are false. */
bool database_query_flag(PGconn *connection, const char *name, int count, const char *const *parameters,
                         bool *flag, struct error *error);

/* A boolean of a result; null is false. */
bool result_flag(const PGresult *result, int row, int column);

/* Fills `error` (ERROR_DATABASE) from the result, or from the connection if NULL. Returns false. */
bool database_error(PGconn *connection, const PGresult *result, const char *what, struct error *error);

/* REPEATABLE READ is set by readers themselves */
bool database_begin(PGconn *connection, struct error *error);
bool database_commit(PGconn *connection, struct error *error);
void database_rollback(PGconn *connection); /* best effort: used on the way out of a failure */

#endif
