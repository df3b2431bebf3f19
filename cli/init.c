/* cli/init.c: kstar init: brings the schema up to date, on request sets up roles or distributes the
 * tables, and prints what it did. */
#include "base/postgres/database.h"
#include "base/postgres/database_roles.h"
#include "base/postgres/distribution.h"
#include "base/postgres/migration.h"
#include "base/system/file.h"
#include "cli/command.h"
#include "cli/connect.h"
#include "ingest/reference/reference_template.h"
#include "print/print_line.h"

#include <stdio.h>
#include <stdlib.h>

/* Distributed databases have no roles: Citus's servers connect as the current role, and nobody logs
 * in as the groups of --roles. */
static bool set_up_roles(PGconn *connection, const char *prefix, bool quiet, struct error *error)
{
    bool is_distributed = false;
    if (!distribution_exists(connection, &is_distributed, error))
        return false;
    if (is_distributed) {
        error_set(error, ERROR_DATABASE, "database %s is distributed: it takes no roles", PQdb(connection));
        error_hint(error, "give readers the workbooks, or another database: docs/distributed.md");
        return false;
    }
    if (!roles_set_up(connection, prefix, error))
        return false;
    if (!quiet)
        printf("the roles and their rights are as docs/security.md says\n");
    return true;
}

/* Prints the place of each table, and what stays on the coordinator. */
static bool print_distribution(PGconn *connection, struct error *error)
{
    PGresult *placement = database_query_file(connection, "distributed/placement.sql", 0, NULL, error);
    PGresult *workers =
        placement != NULL ? database_query_file(connection, "distributed/workers.sql", 0, NULL, error) : NULL;
    if (workers != NULL) {
        printf("distributed over %s workers\n", PQgetvalue(workers, 0, 0));
        for (int row = 0; row < PQntuples(placement); row++)
            printf("  %s\n", PQgetvalue(placement, row, 0));
        printf(
            "  on the coordinator: all else: loads, statements and results, reference files, closed months\n"
            "  a month's lines are read on the workers, by resource; what is worked out of their charges, on the "
            "coordinator\n");
    }
    PQclear(workers);
    PQclear(placement);
    return workers != NULL;
}

static bool distribute(PGconn *connection, bool quiet, struct error *error)
{
    bool is_new = false;
    if (!distribution_set_up(connection, &is_new, error))
        return false;
    if (quiet)
        return true;
    if (!is_new)
        printf("nothing to do: the tables are distributed already\n");
    return print_distribution(connection, error);
}

/* Applies missing migrations. Also restores the rights of roles in a restored database, unless
 * --roles sets them up anyway. */
static bool bring_up_to_date(PGconn *connection, bool with_roles, bool quiet, struct error *error)
{
    struct migration_status status = { 0 };
    bool was_amiss = false;
    bool ok = migration_apply(connection, &status, error);
    if (ok && !with_roles)
        ok = roles_mend(connection, &was_amiss, error);
    if (!ok || quiet)
        return ok;
    if (status.recorded == 0)
        printf("schema %s created\n", KSTAR_VERSION);
    for (int number = status.recorded + 1; status.recorded > 0 && number <= status.known; number++)
        printf("applied %s\n", migration_file_name(number));
    if (was_amiss)
        printf("tables and views belong to the roles again, as docs/security.md says\n");
    else if (status.recorded == status.known)
        printf("nothing to do: the schema is up to date\n");
    return true;
}

/* Writes an example inbox, without a database. */
static bool write_template(const char *inbox, struct error *error)
{
    static const char *const folders[] = { "billing", "jobs", "nodes", "efficiency", "reference" };
    int written = 0, kept = 0;
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof folders / sizeof folders[0]; i++) {
        char *path = path_join(inbox, folders[i]);
        ok = directory_make(path, error);
        if (ok && i == sizeof folders / sizeof folders[0] - 1)
            ok = reference_template_write(path, &written, &kept, error);
        free(path);
    }
    if (!ok)
        return false;
    print_line(stdout, "%s/reference: %d files to fill in, %d that were there left as they are", inbox,
               written, kept);
    print_line(stdout, "put bills into %s/billing/SOURCE/MONTH/ and job records into %s/jobs/CLUSTER/", inbox,
               inbox);
    print_line(stdout, "then: kstar nightly %s --out out && kstar suggest %s", inbox, inbox);
    return true;
}

static bool run(const struct command *command, int argc, char **argv, struct error *error)
{
    bool with_roles = false, distributed = false;
    const char *prefix = NULL, *inbox = NULL;
    const struct option_entry entries[] = {
        { "roles", OPTION_FLAG, NULL, "make the roles owner, ingest, report and reader, and their rights",
          &with_roles },
        { "role-prefix", OPTION_TEXT, "NAME", "what their names begin with; default: kstar", &prefix },
        { "template", OPTION_TEXT, "DIR",
          "write an inbox with commented reference files instead; needs no database", &inbox },
        { "distributed", OPTION_FLAG, NULL, "distribute the tables over the workers of Citus", &distributed },
        { 0 },
    };
    struct common_options options;
    if (!options_read_alone(command, entries, argc, argv, &options, error))
        return false;
    if (inbox != NULL && (with_roles || distributed || prefix != NULL))
        return error_set(error, ERROR_USAGE, "init: --template goes with no other option");
    if (inbox != NULL)
        return write_template(inbox, error);
    if (prefix != NULL && !with_roles)
        return error_set(error, ERROR_USAGE, "init: --role-prefix goes with --roles");
    if (prefix != NULL && !role_prefix_is_plain(prefix))
        return error_set(
            error, ERROR_USAGE,
            "init: --role-prefix %s: a letter, then letters, digits and _, all small, %d at most", prefix,
            ROLE_PREFIX_LONGEST);

    if (with_roles && distributed)
        return error_set(error, ERROR_USAGE, "init: --roles does not go with --distributed");
    if (distributed && connect_is_private(&options)) {
        error_set(error, ERROR_USAGE,
                  "init: --distributed needs a server: kstar's own PostgreSQL is a single one");
        error_hint(error, "--dsn 'host=coordinator.example.org dbname=finops'");
        return false;
    }

    PGconn *connection = connect_any_schema(&options, error);
    if (connection == NULL)
        return false;
    bool ok = bring_up_to_date(connection, with_roles, options.quiet, error) &&
              (!with_roles || set_up_roles(connection, prefix, options.quiet, error));
    if (ok && distributed)
        ok = distribute(connection, options.quiet, error);
    connect_close(connection);
    return ok;
}

const struct command command_init = {
    .name = "init",
    .summary = "bring the database's schema up to date, set up roles, distribute it",
    .usage = "kstar init [options]",
    .description =
        "Creates the schema, or applies the missing migrations, in one transaction. A second run does nothing. A\n"
        "schema that is not the one of this kstar, or that a newer kstar changed, is refused with exit code 7.\n"
        "--roles makes the groups kstar_owner, kstar_ingest, kstar_report and kstar_reader where they\n"
        "are missing and gives each its rights, to readers the rows of their cost centres alone. A second\n"
        "kstar init --roles changes nothing; later migrations grant the rights on what they add. If a restored\n"
        "database no longer belongs to its roles, kstar init gives it to them again, also without --roles. It\n"
        "must own the database, and needs CREATEROLE if a role is missing. Roles belong to the whole server:\n"
        "each of several databases there has its own --role-prefix. docs/security.md says what each role may do.\n"
        "--template DIR writes an inbox: its folders, and each reference file with its header, an example and\n"
        "what its columns take, as comments. An existing file stays as it is.\n"
        "--distributed cuts the tables that grow with bills and jobs into shards on the workers of Citus, in a\n"
        "database that holds no delivery yet; the extension and the workers must be there. kstar then prints\n"
        "which tables are on the workers and what stays on the coordinator. docs/distributed.md has the cost\n"
        "and the gain.",
    .examples = "kstar init\n"
                "kstar init --template inbox\n"
                "kstar init --dsn 'host=db.example.org dbname=finops'\n"
                "kstar init --roles --dsn 'host=db.example.org dbname=finops'\n"
                "kstar init --distributed --dsn 'host=coordinator.example.org dbname=finops'",
    .run = run,
};
