/* base/postgres/database_roles.c: see database_roles.h. */
#include "base/postgres/database_roles.h"

#include "base/postgres/database.h"

#include <stdio.h>
#include <string.h>

bool role_prefix_is_plain(const char *prefix)
{
    size_t length = strlen(prefix);
    return length > 0 && length <= ROLE_PREFIX_LONGEST && strchr("0123456789_", prefix[0]) == NULL &&
           strspn(prefix, "abcdefghijklmnopqrstuvwxyz0123456789_") == length;
}

/* Sets kstar.role_prefix for sql/roles. *is_known: the prefix is given or recorded. */
static bool set_prefix(PGconn *connection, const char *asked, const char *otherwise, bool *is_known,
                       struct error *error)
{
    const char *parameters[] = { asked, otherwise };
    PGresult *result = database_query_file(connection, "roles/prefix.sql", 2, parameters, error);
    *is_known = result != NULL && PQntuples(result) == 1;
    PQclear(result);
    return result != NULL;
}

/* The roles of the database on this server. */
struct role_state {
    bool are_there;
    /* the first view with a wrong owner, in words; "": none, or the database has no roles */
    char amiss[256];
};

static bool read_state(PGconn *connection, struct role_state *state, struct error *error)
{
    PGresult *result = database_query_file(connection, "roles/state.sql", 0, NULL, error);
    *state = (struct role_state){ 0 };
    if (result != NULL && PQntuples(result) == 1) {
        state->are_there = result_flag(result, 0, 0);
        snprintf(state->amiss, sizeof state->amiss, "%s", PQgetvalue(result, 0, 1));
    }
    PQclear(result);
    return result != NULL;
}

bool roles_set_up(PGconn *connection, const char *prefix, struct error *error)
{
    bool is_known;
    bool ok = database_begin(connection, error) &&
              set_prefix(connection, prefix, "kstar", &is_known, error) &&
              database_run_file(connection, "roles/create.sql", error) &&
              database_run_file(connection, "roles/own.sql", error) &&
              database_run_file(connection, "roles/grant.sql", error) && database_commit(connection, error);
    if (!ok)
        database_rollback(connection);
    return ok;
}

static bool run_for_roles(PGconn *connection, const char *name, struct error *error)
{
    bool is_known;
    return set_prefix(connection, NULL, NULL, &is_known, error) && database_run_file(connection, name, error);
}

bool roles_own(PGconn *connection, struct error *error)
{
    struct role_state state;
    return read_state(connection, &state, error) &&
           (!state.are_there || state.amiss[0] == '\0' || run_for_roles(connection, "roles/own.sql", error));
}

bool roles_refresh(PGconn *connection, struct error *error)
{
    struct role_state state;
    return read_state(connection, &state, error) &&
           (!state.are_there || (run_for_roles(connection, "roles/own.sql", error) &&
                                 run_for_roles(connection, "roles/grant.sql", error)));
}

bool roles_check(PGconn *connection, struct error *error)
{
    struct role_state state;
    if (!read_state(connection, &state, error))
        return false;
    if (state.amiss[0] == '\0')
        return true;
    error_set(error, ERROR_DATABASE, "%s: the roles of database %s do not hold", state.amiss,
              PQdb(connection));
    error_hint(error, "run kstar init --roles as its owner; docs/operations.md, The database");
    return false;
}

bool roles_mend(PGconn *connection, bool *was_amiss, struct error *error)
{
    struct role_state state;
    if (!read_state(connection, &state, error))
        return false;
    *was_amiss = state.amiss[0] != '\0';
    return !*was_amiss || (roles_refresh(connection, error) && roles_check(connection, error));
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
