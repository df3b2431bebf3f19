/* cli/connect.c: see connect.h. */
#include "cli/connect.h"

#include "base/postgres/database.h"
#include "base/postgres/database_roles.h"
#include "base/postgres/migration.h"
#include "base/postgres/private_cluster.h"
#include "base/system/file.h"
#include "night/ledger/interrupt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

/* The variables that choose a server or database. PGOPTIONS, PGSSLMODE and their like only shape a
 * connection. */
static const char *const choosing_variables[] = {
    "PGHOST", "PGHOSTADDR", "PGPORT", "PGDATABASE", "PGUSER", "PGSERVICE",
};

static bool environment_chooses(void)
{
    for (size_t i = 0; i < sizeof choosing_variables / sizeof choosing_variables[0]; i++) {
        if (getenv(choosing_variables[i]) != NULL)
            return true;
    }
    return false;
}

bool connect_is_private(const struct common_options *options)
{
    return options->dsn == NULL && (options->data_dir != NULL || !environment_chooses());
}

bool connect_check_there(const struct common_options *options, struct error *error)
{
    struct private_cluster cluster;
    if (!connect_is_private(options))
        return true;
    bool ok = private_cluster_find(options->data_dir, &cluster, error);
    if (ok && !private_cluster_exists(&cluster)) {
        ok = error_set(error, ERROR_DATABASE, "there is no database in %s", cluster.home);
        error_hint(error,
                   "kstar nightly makes one; one elsewhere is named by --dsn, --data-dir or kstar.conf "
                   "(docs/operations.md, The database)");
    }
    private_cluster_free(&cluster);
    return ok;
}

/* libpq's message about an unreadable connection string is not shown, because it quotes the
 * string. */
bool connect_check_dsn(const char *dsn, struct error *error)
{
    static const char *const secrets[] = { "password", "sslpassword" };
    PQconninfoOption *parsed = dsn != NULL ? PQconninfoParse(dsn, NULL) : NULL;
    bool ok = dsn == NULL || parsed != NULL;
    if (!ok) {
        error_set(error, ERROR_USAGE, "--dsn is not a connection string of libpq");
        error_hint(error, "--dsn 'host=db.example.org dbname=finops', or postgresql://db.example.org/finops");
    }
    for (PQconninfoOption *option = parsed; ok && option != NULL && option->keyword != NULL; option++) {
        for (size_t i = 0; i < sizeof secrets / sizeof secrets[0]; i++) {
            if (option->val != NULL && strcmp(option->keyword, secrets[i]) == 0)
                ok = error_set(error, ERROR_USAGE,
                               "--dsn holds a %s, which everybody on this machine can see", secrets[i]);
        }
    }
    if (!ok && parsed != NULL)
        error_hint(error, "put it into ~/.pgpass, PGPASSFILE or a service file;"
                          " docs/operations.md, Secrets and permissions");
    PQconninfoFree(parsed);
    return ok;
}

static char private_data[4096]; /* data directory of kstar's own PostgreSQL, if it is used */

void connect_explain(struct error *error)
{
    /* PostgreSQL takes 16 MB at a time for its log, and ends if it cannot */
    enum { SMALL = 32 << 20 };
    struct statvfs volume;
    if (error->kind != ERROR_DATABASE && strncmp(error->message, "private PostgreSQL", 18) != 0)
        return;
    if (private_data[0] == '\0' || statvfs(private_data, &volume) != 0)
        return;
    unsigned long long left = (unsigned long long)volume.f_bavail * volume.f_frsize;
    if (left < SMALL)
        error_hint(error, "the disk of %s is full, it has %llu MB left: make room there, then run again",
                   private_data, left >> 20);
}

PGconn *connect_any_schema(const struct common_options *options, struct error *error)
{
    PGconn *connection = NULL;
    if (connect_is_private(options)) {
        struct private_cluster cluster;
        if (private_cluster_find(options->data_dir, &cluster, error)) {
            snprintf(private_data, sizeof private_data, "%s", cluster.data);
            connection = private_cluster_connect(&cluster, error);
        }
        private_cluster_free(&cluster);
    } else if (connect_check_dsn(options->dsn, error)) {
        connection = database_connect(options->dsn, error);
    }
    if (connection != NULL)
        interrupt_cancels(connection);
    return connection;
}

/* Checks that the schema is the one that this kstar knows, and that the rights of its roles are
 * complete. A private cluster's schema is brought up to date. */
static bool check_schema(PGconn *connection, const struct common_options *options, struct error *error)
{
    struct migration_status status;
    bool ok = migration_check(connection, &status, error);
    if (ok && status.recorded < status.known) {
        if (connect_is_private(options)) {
            ok = migration_apply(connection, &status, error);
        } else {
            ok = error_set(error, ERROR_DATABASE,
                           "the schema of database %s is not up to date: it has %d of %d steps",
                           PQdb(connection), status.recorded, status.known);
            error_hint(error, "run kstar init with the same --dsn or PG* variables");
        }
    }
    return ok && roles_check(connection, error);
}

PGconn *connect_database(const struct common_options *options, struct error *error)
{
    PGconn *connection = connect_any_schema(options, error);
    if (connection == NULL || check_schema(connection, options, error))
        return connection;
    connect_close(connection);
    return NULL;
}

PGconn *connect_existing_or_reader(const struct common_options *options, bool *is_reader, struct error *error)
{
    PGconn *connection = connect_check_there(options, error) ? connect_any_schema(options, error) : NULL;
    *is_reader = false;
    if (connection != NULL &&
        database_query_flag(connection, "explain/is_reader.sql", 0, NULL, is_reader, error) &&
        (*is_reader || check_schema(connection, options, error)))
        return connection;
    connect_close(connection);
    return NULL;
}

PGconn *connect_existing(const struct common_options *options, struct error *error)
{
    return connect_check_there(options, error) ? connect_database(options, error) : NULL;
}

void connect_close(PGconn *connection)
{
    interrupt_cancels(NULL);
    PQfinish(connection);
}
