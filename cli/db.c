/* cli/db.c: kstar db start|stop|status|psql: the private cluster by hand. */
#include "base/postgres/private_cluster.h"
#include "cli/command.h"
#include "cli/connect.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Reads the options of the db commands except psql: no operands, and no other server. */
static bool read_options(const struct command *command, const struct option_entry *entries, int argc,
                         char **argv, struct private_cluster *cluster, struct error *error)
{
    struct common_options options;
    *cluster = (struct private_cluster){ 0 };
    if (!options_read_alone(command, entries, argc, argv, &options, error))
        return false;
    if (options.dsn != NULL)
        return error_set(error, ERROR_USAGE, "%s: is about kstar's own PostgreSQL, not about --dsn",
                         command->name);
    return private_cluster_find(options.data_dir, cluster, error);
}

static void print_status(const struct private_cluster *cluster, enum private_cluster_state state)
{
    static const char *const words[] = {
        [PRIVATE_CLUSTER_MISSING] = "not there: nothing has made it yet",
        [PRIVATE_CLUSTER_STOPPED] = "stopped",
        [PRIVATE_CLUSTER_RUNNING] = "running",
        [PRIVATE_CLUSTER_STARTING] = "accepts no connections: it is starting or stopping",
        [PRIVATE_CLUSTER_SILENT] = "runs, but does not answer",
        [PRIVATE_CLUSTER_HIDDEN] = "not known: you may not look into its data",
    };
    printf("%s\n"
           "data:     %s\n"
           "binaries: %s\n"
           "user:     %s\n"
           "dsn:      %s\n",
           words[state], cluster->data, cluster->binaries, cluster->user_name,
           cluster->dsn ? cluster->dsn : "none before the first start");
}

static bool start(const struct command *command, int argc, char **argv, struct error *error)
{
    struct private_cluster cluster;
    bool ok =
        read_options(command, NULL, argc, argv, &cluster, error) && private_cluster_start(&cluster, error);
    if (ok)
        print_status(&cluster, PRIVATE_CLUSTER_RUNNING);
    private_cluster_free(&cluster);
    return ok;
}

static bool stop(const struct command *command, int argc, char **argv, struct error *error)
{
    bool force = false;
    bool stopped = false;
    struct private_cluster cluster;
    const struct option_entry entries[] = {
        { "force", OPTION_FLAG, NULL, "even while sessions are connected; their transactions are dropped",
          &force },
        { 0 },
    };
    bool ok = read_options(command, entries, argc, argv, &cluster, error) &&
              private_cluster_stop(&cluster, force, &stopped, error);
    if (ok)
        printf("%s\n", stopped ? "stopped" : "was not running");
    private_cluster_free(&cluster);
    return ok;
}

static bool status(const struct command *command, int argc, char **argv, struct error *error)
{
    struct private_cluster cluster;
    bool ok = read_options(command, NULL, argc, argv, &cluster, error);
    if (ok)
        print_status(&cluster, private_cluster_look(&cluster));
    private_cluster_free(&cluster);
    return ok;
}

/* Becomes psql: `dsn` is its first argument, before the user's. Returns only on failure. */
static bool become_psql(const char *program, const char *dsn, char **arguments, int count,
                        struct error *error)
{
    char **all = calloc((size_t)count + 3, sizeof *all);
    int used = 0;
    all[used++] = (char *)"psql";
    if (dsn != NULL)
        all[used++] = (char *)dsn;
    for (int i = 0; i < count; i++)
        all[used++] = arguments[i];
    setenv("PGOPTIONS", "-c search_path=kstar,pg_catalog -c TimeZone=UTC", 0);
    execvp(program, all);
    free(all);
    return error_set_errno(error, "%s", program);
}

static bool psql(const struct command *command, int argc, char **argv, struct error *error)
{
    struct common_options options;
    int first_operand;
    if (!options_read(command, NULL, argc, argv, &options, &first_operand, error))
        return false;
    char **arguments = argv + first_operand;
    int count = argc - first_operand;
    if (!connect_is_private(&options))
        return connect_check_dsn(options.dsn, error) &&
               become_psql("psql", options.dsn, arguments, count, error);
    struct private_cluster cluster = { 0 };
    bool ok = connect_check_there(&options, error) &&
              private_cluster_find(options.data_dir, &cluster, error) &&
              private_cluster_start(&cluster, error);
    if (ok) {
        char program[4096];
        snprintf(program, sizeof program, "%s/psql", cluster.binaries);
        ok = become_psql(program, cluster.dsn, arguments, count, error);
    }
    private_cluster_free(&cluster);
    return ok;
}

const struct command command_db_start = {
    .name = "db start",
    .summary = "start kstar's own PostgreSQL, making it if need be",
    .usage = "kstar db start [options]",
    .description = "Every command that reads something in does this by itself where neither --dsn nor PG* "
                   "variables name\na server; the others start one that is there.",
    .examples = "kstar db start\n"
                "kstar db start --data-dir /srv/finops",
    .run = start,
};

const struct command command_db_stop = {
    .name = "db stop",
    .summary = "stop kstar's own PostgreSQL",
    .usage = "kstar db stop [options]",
    .description = "Refuses with exit code 6 while others are connected, or it does not answer when asked "
                   "for them. Exit code "
                   "0 also when it was not running.",
    .examples = "kstar db stop\n"
                "kstar db stop --force",
    .run = stop,
};

const struct command command_db_status = {
    .name = "db status",
    .summary = "say whether kstar's own PostgreSQL runs, and where it is",
    .usage = "kstar db status [options]",
    .examples = "kstar db status",
    .run = status,
};

const struct command command_db_psql = {
    .name = "db psql",
    .summary = "open psql on kstar's database",
    .usage = "kstar db psql [options] [-- PSQL-ARGUMENTS]",
    .description = "What follows -- goes to psql as it stands.",
    .examples = "kstar db psql\n"
                "kstar db psql -- -c 'SELECT * FROM schema_migration'",
    .run = psql,
};
