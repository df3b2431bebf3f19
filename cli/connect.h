/* cli/connect.h: the database of a command.
 *
 * Which one: --dsn; else --data-dir; else, where any PG* variable names a server, what libpq makes
 * of them; else the private cluster (base/postgres/private_cluster.h), started on demand, and made
 * by what reads something in.
 */
#ifndef KSTAR_CLI_CONNECT_H
#define KSTAR_CLI_CONNECT_H

#include "base/error.h"
#include "base/options.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* Opens it and sees that its schema is the one that this kstar knows, and that its roles hold. The
 * private cluster's schema is brought up to date here; anybody else's is not touched: the error
 * says to run `kstar init`. NULL on failure. The caller ends it with connect_close. */
PGconn *connect_database(const struct common_options *options, struct error *error);

/* The same for a command that asks of what was read before. It makes no private cluster: an empty
 * one would answer it, and hide that the setting is wrong. */
PGconn *connect_existing(const struct common_options *options, struct error *error);

/* The same for readers of the views alone (docs/security.md): then `is_reader`, without checks. */
PGconn *connect_existing_or_reader(const struct common_options *options, bool *is_reader,
                                   struct error *error);
void connect_close(PGconn *connection); /* NULL is fine */

/* Opens it whatever its schema is: for init and db. */
PGconn *connect_any_schema(const struct common_options *options, struct error *error);

/* Refuses (ERROR_USAGE) a --dsn that holds a password: everybody on the machine can read the
 * arguments of a process. Its text is in no message. The functions above do so by themselves. */
bool connect_check_dsn(const char *dsn, struct error *error); /* NULL is fine */

/* Whether the options and the environment leave the choice to kstar. */
bool connect_is_private(const struct common_options *options);

/* Refuses (ERROR_DATABASE) where there is none to ask: no server was named, and nobody has made the
 * private cluster. */
bool connect_check_there(const struct common_options *options, struct error *error);

/* What helps against a failure of the database, where it is the disk of kstar's own PostgreSQL that
 * is full: a server that dies of it says so to its log alone. */
void connect_explain(struct error *error);

#endif
