/* base/database_roles.c: see database_roles.h. */
#include "base/database_roles.h"

#include "base/database.h"

#include <string.h>

bool role_prefix_is_plain(const char *prefix)
{
    size_t length = strlen(prefix);
    return length > 0 && length <= ROLE_PREFIX_LONGEST && strchr("0123456789_", prefix[0]) == NULL &&
           strspn(prefix, "abcdefghijklmnopqrstuvwxyz0123456789_") == length;
}

/* Sets kstar.role_prefix for the files of sql/roles; *is_known false: neither asked for nor remembered. */
static bool set_prefix(PGconn *connection, const char *asked, const char *otherwise, bool *is_known,
                       struct error *error)
{
    const char *parameters[] = { asked, otherwise };
    PGresult *result = database_query_file(connection, "roles/prefix.sql", 2, parameters, error);
    *is_known = result != NULL && PQntuples(result) == 1;
    PQclear(result);
    return result != NULL;
}

bool roles_set_up(PGconn *connection, const char *prefix, struct error *error)
{
    bool is_known;
    bool ok = database_begin(connection, error) &&
              set_prefix(connection, prefix, "kstar", &is_known, error) &&
              database_run_file(connection, "roles/create.sql", error) &&
              database_run_file(connection, "roles/grant.sql", error) && database_commit(connection, error);
    if (!ok)
        database_rollback(connection);
    return ok;
}

bool roles_refresh(PGconn *connection, struct error *error)
{
    bool is_known;
    return set_prefix(connection, NULL, NULL, &is_known, error) &&
           (!is_known || database_run_file(connection, "roles/grant.sql", error));
}

bool roles_become_owner(PGconn *connection, struct error *error)
{
    if (database_run_query(connection, "roles/become_owner.sql", 0, NULL, error))
        return true;
    error_hint(error,
               "only a member of the role that schema kstar belongs to may change it: docs/security.md");
    return false;
}

bool roles_stop_owning(PGconn *connection, struct error *error)
{
    return database_execute(connection, "RESET ROLE", error);
}
