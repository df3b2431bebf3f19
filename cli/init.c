/* cli/init.c: kstar init: brings the schema up to date and says what it did. */
#include "base/migration.h"
#include "cli/command.h"
#include "cli/connect.h"

#include <stdio.h>

static bool run(const struct command *command, int argc, char **argv, struct error *error)
{
    struct common_options options;
    int first_operand;
    if (!options_read(command, NULL, argc, argv, &options, &first_operand, error))
        return false;
    if (first_operand < argc)
        return error_set(error, ERROR_USAGE, "init: takes no operand, but got %s", argv[first_operand]);

    struct migration_status status;
    PGconn *connection = connect_any_schema(&options, error);
    if (connection == NULL)
        return false;
    bool ok = migration_apply(connection, &status, error);
    for (int number = status.recorded + 1; ok && number <= status.known; number++)
        printf("applied %s\n", migration_file_name(number));
    if (ok && status.recorded == status.known)
        printf("nothing to do: the schema has all %d migrations\n", status.known);
    connect_close(connection);
    return ok;
}

const struct command command_init = {
    .name = "init",
    .summary = "bring the database's schema up to date",
    .usage = "kstar init [options]",
    .description =
        "Applies the migrations that the database has not had, each in a transaction of its own. A second\n"
        "run finds nothing to do. A migration that has changed since, or that a newer kstar applied, is\n"
        "refused by name with exit code 7.",
    .examples = "kstar init\n"
                "kstar init --dsn 'host=db.example.org dbname=finops'",
    .run = run,
};
