/* base/postgres/database_roles.h: the server's roles that share the work on a database
 * (docs/security.md).
 *
 * PREFIX_owner has the tables and applies migrations; PREFIX_ingest loads and publishes;
 * PREFIX_report writes workbooks, journals and forecasts; PREFIX_reader reads the views, and of
 * them its cost centres; PREFIX_views owns the views and is nobody's. They are groups: the site
 * grants them to its logins. sql/roles/grant.sql alone lists what each may do.
 *
 * A database without them works as it always did: whoever made the tables does everything.
 */
#ifndef KSTAR_BASE_POSTGRES_DATABASE_ROLES_H
#define KSTAR_BASE_POSTGRES_DATABASE_ROLES_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

enum { ROLE_PREFIX_LONGEST = 40 }; /* bytes; a name of PostgreSQL has 63 */

/* Whether a prefix needs no quotes anywhere: a-z, 0-9 and _, beginning with a letter. */
bool role_prefix_is_plain(const char *prefix);

/* Makes the roles that are missing, gives them the tables and their rights, and remembers the
 * prefix. NULL: the one that the database remembers, else "kstar". In one transaction; a second
 * time there is nothing to change. Needs CREATEROLE where a role is missing, and the ownership of
 * the schema. */
bool roles_set_up(PGconn *connection, const char *prefix, struct error *error);

/* Before migrations: gives tables and views of a restored database back to its roles. */
bool roles_own(PGconn *connection, struct error *error);

/* After migrations: gives new objects to the roles, if the database has roles on this server. */
bool roles_refresh(PGconn *connection, struct error *error);

/* Refuses (ERROR_DATABASE) a database whose views do not belong to its PREFIX_views, as a restore
 * may leave them: row-level security is not below them then. */
bool roles_check(PGconn *connection, struct error *error);

/* Gives such a database to its roles again, and says whether it was one; refused where the server
 * has not all of the roles. */
bool roles_mend(PGconn *connection, bool *was_amiss, struct error *error);

/* Acts as the role that the schema belongs to, for what migrations make must belong to it;
 * roles_stop_owning ends that. Refused (ERROR_DATABASE) to whoever is no member of it. */
bool roles_become_owner(PGconn *connection, struct error *error);
bool roles_stop_owning(PGconn *connection, struct error *error);

#endif
