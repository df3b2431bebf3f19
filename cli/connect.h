/* cli/connect.h: the database of a command.
 *
 * The first of these names it: --dsn; --data-dir; libpq's PG* variables, if one of them names a
 * server; else it is the private cluster (base/postgres/private_cluster.h). The private cluster is
 * started on demand, and made by commands that load data.
 */
#ifndef KSTAR_CLI_CONNECT_H
#define KSTAR_CLI_CONNECT_H

#include "base/error.h"
#include "base/options.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* Opens the database. Checks that its schema is the one that this kstar knows, and the rights of
 * its roles. The private cluster's schema is brought up to date. Another database is not changed:
 * the error says to run `kstar init`. NULL on failure. The caller ends it with connect_close. */
PGconn *connect_database(const struct common_options *options, struct error *error);

/* The same for a command that needs data which were loaded before. It makes no private cluster: an
 * empty one would answer the command and hide a wrong setting. */
PGconn *connect_existing(const struct common_options *options, struct error *error);

/* The same, also for readers of the views (docs/security.md): `is_reader` is true, without
 * checks. */
PGconn *connect_existing_or_reader(const struct common_options *options, bool *is_reader,
                                   struct error *error);
void connect_close(PGconn *connection); /* NULL is allowed */

/* Opens the database whatever its schema: for init and db. */
PGconn *connect_any_schema(const struct common_options *options, struct error *error);

/* Refuses (ERROR_USAGE) a --dsn with a password: everybody on the machine can read the arguments of
 * a process. No message has the text of the --dsn. The functions above call it themselves. */
bool connect_check_dsn(const char *dsn, struct error *error); /* NULL is allowed */

/* Whether options and environment name no server, so that kstar uses its private cluster. */
bool connect_is_private(const struct common_options *options);

/* Refuses (ERROR_DATABASE) if no server was named and the private cluster does not exist. */
bool connect_check_there(const struct common_options *options, struct error *error);

/* Adds a hint to a failure of the database if the disk of kstar's own PostgreSQL is full: a server
 * that ends for that reason says so only in its log. */
void connect_explain(struct error *error);

#endif
