/* base/postgres/database.c: see database.h. */
#include "base/postgres/database.h"

#include "base/postgres/kept_plans.h"
#include "base/postgres/sql_catalogue.h"

#include <string.h>

/* The first line of a message of libpq. The rest (CONTEXT, LINE) helps programmers, not users. */
static int first_line(const char *text)
{
    return (int)strcspn(text, "\n");
}

/* kstar's SQL raises KS001 if a statement does not add up, and KS002 if inputs are missing. */
static enum error_kind kind_of_state(const char *state)
{
    if (state != NULL && strcmp(state, "KS001") == 0)
        return ERROR_CONSERVATION;
    if (state != NULL && strcmp(state, "KS002") == 0)
        return ERROR_INPUT;
    if (state != NULL && strcmp(state, "55P03") == 0) /* lock_timeout */
        return ERROR_BUSY;
    return ERROR_DATABASE;
}

/* Hints for errors for which the server has none, by the beginning of the SQLSTATE. */
static const struct {
    const char *state, *hint;
} hints[] = {
    { "53100", "the disk of the database is full: make room there, then run again" },
    { "53200", "the database server has no memory left: give it more, then run again" },
    { "57014",
      "a statement_timeout of the role, the database or PGOPTIONS is too short for kstar, or somebody "
      "cancelled the statement; then run again" },
    { "55P03", "a lock_timeout of the role, the database or PGOPTIONS ran out, or somebody holds the table; "
               "then run again" },
    { "25006",
      "this server takes no changes: a standby, or default_transaction_read_only; name the primary" },
    { "57P", "run again once the server is back; nothing is half-done" },
};
/* For errors whose SQL has no hint. */
static const char rights_hint[] =
    "docs/security.md, Roles: which role runs which command, and what kstar init needs";
static const char lost_hint[] = "the connection was lost: run again; nothing is half-done";

static const char *hint_for(const PGconn *connection, const char *state)
{
    for (size_t i = 0; state != NULL && i < sizeof hints / sizeof hints[0]; i++)
        if (strncmp(state, hints[i].state, strlen(hints[i].state)) == 0)
            return hints[i].hint;
    return PQstatus(connection) == CONNECTION_BAD ? lost_hint : NULL;
}

bool database_error(PGconn *connection, const PGresult *result, const char *what, struct error *error)
{
    const char *cause = result ? PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY) : NULL;
    if (cause == NULL)
        cause = PQerrorMessage(connection);
    const char *state = result ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
    enum error_kind kind = kind_of_state(state);
    if (kind == ERROR_DATABASE)
        error_set(error, kind, "%s: %.*s", what, first_line(cause), cause);
    else /* the cause is in the data, not the server: the raised text is the message */
        error_set(error, kind, "%.*s", first_line(cause), cause);
    const char *hint = hint_for(connection, state);
    if (hint == NULL && result != NULL)
        hint = PQresultErrorField(result, PG_DIAG_MESSAGE_HINT);
    if (hint == NULL && state != NULL && strcmp(state, "42501") == 0) /* insufficient_privilege */
        hint = rights_hint;
    if (hint != NULL)
        error_hint(error, "%.*s", first_line(hint), hint);
    const char *detail = result ? PQresultErrorField(result, PG_DIAG_MESSAGE_DETAIL) : NULL;
    const char *context = result ? PQresultErrorField(result, PG_DIAG_CONTEXT) : NULL;
    if (detail != NULL)
        error_detail(error, "%.*s", first_line(detail), detail);
    else if (context != NULL)
        error_detail(error, "%.*s", first_line(context), context);
    return false;
}

/* A server may have several addresses. For each, libpq reports on a line why the connection failed;
 * these lines begin alike. The last of them becomes the message; for "localhost" it is that of the
 * IPv4 address. The detail is the text after it, such as where a wrong password came from,
 * otherwise the line of the first address. */
static void connection_error(PGconn *connection, struct error *error)
{
    static const char begin[] = "connection to server ";
    const char *first = PQerrorMessage(connection), *reason = first, *last = first;
    for (const char *line = first; *line != '\0'; line += first_line(line), line += *line == '\n') {
        last = *line == '\t' ? last : line;
        if (strncmp(line, begin, sizeof begin - 1) == 0)
            reason = line;
    }
    error_set(error, ERROR_DATABASE, "database: %.*s", first_line(reason), reason);
    const char *detail = last != reason ? last : first;
    if (detail != reason)
        error_detail(error, "%.*s", first_line(detail), detail);
}

static void discard_notice(void *argument, const PGresult *result)
{
    (void)argument;
    (void)result;
}

bool database_check_version(int version, struct error *error)
{
    enum { OF_MAJOR = 10000 };
    if (version >= DATABASE_OLDEST_SERVER * OF_MAJOR)
        return true;
    error_set(error, ERROR_DATABASE, "database: the server is PostgreSQL %d, kstar needs %d or newer",
              version / OF_MAJOR, DATABASE_OLDEST_SERVER);
    error_hint(error, "name a newer server with --dsn, or install postgresql-%d or newer for kstar's own",
               DATABASE_OLDEST_SERVER);
    return false;
}

/* Checks and prepares a connection that libpq has opened, or closes it and returns NULL. */
static PGconn *prepare_session(PGconn *connection, struct error *error)
{
    if (PQstatus(connection) != CONNECTION_OK) {
        connection_error(connection, error);
        error_hint(error, "check --dsn or the PG* variables, or give neither to use kstar's own PostgreSQL");
        PQfinish(connection);
        return NULL;
    }
    PQsetNoticeReceiver(connection, discard_notice, NULL);
    if (!database_check_version(PQserverVersion(connection), error) ||
        !database_run_file(connection, "session.sql", error)) {
        PQfinish(connection);
        return NULL;
    }
    return connection;
}

PGconn *database_connect(const char *dsn, struct error *error)
{
    return prepare_session(PQconnectdb(dsn ? dsn : ""), error);
}

/* The value that replaces that of the first connection for an option. */
static const char *option_value(const PQconninfoOption *option, const char *host, const char *port)
{
    if (host != NULL && strcmp(option->keyword, "host") == 0)
        return host;
    if (host != NULL && strcmp(option->keyword, "port") == 0)
        return port;
    if (host != NULL && strcmp(option->keyword, "hostaddr") == 0)
        return NULL;
    return option->val;
}

/* `host` NULL: the server of the first connection. */
static PGconn *connect_like(PGconn *connection, const char *host, const char *port, struct error *error)
{
    enum { OPTIONS_MAXIMUM = 128 }; /* libpq knows about forty */
    const char *names[OPTIONS_MAXIMUM + 1] = { 0 };
    const char *values[OPTIONS_MAXIMUM + 1] = { 0 };
    PQconninfoOption *options = PQconninfo(connection);
    int count = 0;
    for (PQconninfoOption *option = options; option != NULL && option->keyword != NULL; option++) {
        const char *value = option_value(option, host, port);
        if (value != NULL && count < OPTIONS_MAXIMUM) {
            names[count] = option->keyword;
            values[count++] = value;
        }
    }
    PGconn *again = options != NULL ? PQconnectdbParams(names, values, 0) : NULL;
    PQconninfoFree(options);
    return prepare_session(again, error);
}

PGconn *database_connect_again(PGconn *connection, struct error *error)
{
    return connect_like(connection, NULL, NULL, error);
}

PGconn *database_connect_to(PGconn *connection, const char *host, const char *port, struct error *error)
{
    return connect_like(connection, host, port, error);
}

bool database_execute(PGconn *connection, const char *sql, struct error *error)
{
    PGresult *result = PQexec(connection, sql);
    ExecStatusType status = PQresultStatus(result);
    bool ok = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
    if (!ok)
        database_error(connection, result, "database", error);
    PQclear(result);
    return ok;
}

bool database_run_file(PGconn *connection, const char *name, struct error *error)
{
    bool ok = database_execute(connection, sql_text(name), error);
    if (!ok && error->kind == ERROR_DATABASE)
        error_in(error, "%s", name);
    return ok;
}

/* The result, unless it is an error. */
static PGresult *unless_failed(PGconn *connection, PGresult *result, struct error *error)
{
    ExecStatusType status = PQresultStatus(result);
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK)
        return result;
    database_error(connection, result, "database", error);
    PQclear(result);
    return NULL;
}

PGresult *database_query(PGconn *connection, const char *sql, int count, const char *const *parameters,
                         struct error *error)
{
    return unless_failed(connection, PQexecParams(connection, sql, count, NULL, parameters, NULL, NULL, 0),
                         error);
}

PGresult *database_query_file(PGconn *connection, const char *name, int count, const char *const *parameters,
                              struct error *error)
{
    const char *query = sql_text(name);
    PGresult *result = kept_plans_run(connection, name, query, count, parameters);
    result = result != NULL ? unless_failed(connection, result, error)
                            : database_query(connection, query, count, parameters, error);
    if (result == NULL && error->kind == ERROR_DATABASE)
        error_in(error, "%s", name);
    return result;
}

bool database_run_query(PGconn *connection, const char *name, int count, const char *const *parameters,
                        struct error *error)
{
    PGresult *result = database_query_file(connection, name, count, parameters, error);
    PQclear(result);
    return result != NULL;
}

bool database_query_flag(PGconn *connection, const char *name, int count, const char *const *parameters,
                         bool *flag, struct error *error)
{
    PGresult *result = database_query_file(connection, name, count, parameters, error);
    *flag = result != NULL && PQntuples(result) > 0 && result_flag(result, 0, 0);
    PQclear(result);
    return result != NULL;
}

bool database_set(PGconn *connection, const char *name, const char *value, struct error *error)
{
    const char *const parameters[] = { name, value ? value : "" };
    PGresult *result = database_query(connection, "SELECT set_config($1, $2, true)", 2, parameters, error);
    PQclear(result);
    return result != NULL;
}

bool result_flag(const PGresult *result, int row, int column)
{
    return strcmp(PQgetvalue(result, row, column), "t") == 0;
}

bool database_begin(PGconn *connection, struct error *error)
{
    return database_execute(connection, "BEGIN", error);
}

bool database_commit(PGconn *connection, struct error *error)
{
    return database_execute(connection, "COMMIT", error);
}

void database_rollback(PGconn *connection)
{
    struct error ignored;
    if (PQtransactionStatus(connection) != PQTRANS_IDLE)
        database_execute(connection, "ROLLBACK", &ignored);
}
