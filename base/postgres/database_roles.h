/* base/postgres/database_roles.h: the server's roles that share the work on a database
 * (docs/security.md).
 *
 * PREFIX_owner owns the tables and applies migrations. PREFIX_ingest loads and publishes.
 * PREFIX_report writes workbooks, journals and forecasts. PREFIX_reader reads its cost centres in
 * the views. PREFIX_views owns the views, and no login has it. The roles are groups, which the site
 * grants to its logins. Only sql/roles/grant.sql lists the rights of each.
 *
 * In a database without these roles, the creator of the tables does everything.
 */
#ifndef KSTAR_BASE_POSTGRES_DATABASE_ROLES_H
#define KSTAR_BASE_POSTGRES_DATABASE_ROLES_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

enum { ROLE_PREFIX_LONGEST = 40 }; /* bytes; a name of PostgreSQL has 63 */

/* Whether a prefix needs no quotes anywhere: a-z, 0-9 and _, beginning with a letter. */
bool role_prefix_is_plain(const char *prefix);

/* Makes missing roles, gives them the tables and their rights, and records the prefix, in one
 * transaction. A second call changes nothing. `prefix` NULL: the recorded one, else "kstar". Needs
 * CREATEROLE if a role is missing, and ownership of the schema. */
bool roles_set_up(PGconn *connection, const char *prefix, struct error *error);

/* Before migrations: gives tables and views of a restored database back to its roles. */
bool roles_own(PGconn *connection, struct error *error);

/* After migrations: gives new objects to the roles, if the database has roles on this server. */
bool roles_refresh(PGconn *connection, struct error *error);

/* Refuses (ERROR_DATABASE) a database whose views do not belong to its PREFIX_views, as a restore
 * may leave them: then row-level security does not apply to the views. */
bool roles_check(PGconn *connection, struct error *error);

/* Gives such a database back to its roles; *was_amiss: it was one. Refused if the server lacks a
 * role. */
bool roles_mend(PGconn *connection, bool *was_amiss, struct error *error);

/* Acts as the role that owns the schema, so that new objects of migrations belong to it, until
 * roles_stop_owning. Refused (ERROR_DATABASE) to anybody who is no member of the role. */
bool roles_become_owner(PGconn *connection, struct error *error);
bool roles_stop_owning(PGconn *connection, struct error *error);

#endif
