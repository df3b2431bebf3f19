/* cli/suggest.c: kstar suggest: proposed rows of reference files, into *.suggested.csv. */
#include "base/system/file.h"
#include "cli/command.h"
#include "cli/connect.h"
#include "print/print_line.h"
#include "suggest/suggest.h"

#include <stdio.h>

static void print_files(const struct suggestion files[SUGGESTIONS])
{
    int written = 0;
    for (int i = 0; i < SUGGESTIONS; i++) {
        if (files[i].rows == 0)
            continue;
        written++;
        if (files[i].is_kept)
            print_line(stdout, "%s: is there, and stays as it is; move it away for %d new rows",
                       files[i].path, files[i].rows);
        else
            print_line(stdout, "%s: %d row%s proposed", files[i].path, files[i].rows,
                       files[i].rows == 1 ? "" : "s");
    }
    if (written == 0)
        print_line(stdout, "nothing to propose: rows cover all that was loaded, or nothing matches exactly");
}

static bool run(const struct command *command, int argc, char **argv, struct error *error)
{
    const struct option_entry entries[] = { { 0 } };
    struct common_options options;
    struct suggestion files[SUGGESTIONS];
    int first;
    if (!options_read(command, entries, argc, argv, &options, &first, error))
        return false;
    if (argc - first != 1)
        return error_set(error, ERROR_USAGE, "suggest: takes one inbox");
    if (!path_is_directory(argv[first]))
        return error_set(error, ERROR_INPUT, "%s: is not a folder", argv[first]);
    PGconn *connection = connect_existing(&options, error);
    bool ok = connection != NULL && suggest_write(connection, argv[first], files, error);
    connect_close(connection);
    if (ok)
        print_files(files);
    return ok;
}

const struct command command_suggest = {
    .name = "suggest",
    .summary = "propose rows of reference files from the bills and jobs that were loaded",
    .usage = "kstar suggest INBOX [options]",
    .description =
        "Writes INBOX/reference/NAME.suggested.csv: cost centres and mapping rules from tags, accounts and\n"
        "Slurm accounts, nodes whose names are on the bill, pools from services that name nobody, families\n"
        "from job names that repeat. Each row covers what no row covers yet, and has above it the money\n"
        "behind it. kstar never reads these files, and overwrites none: fill in what is empty, and copy the\n"
        "rows that are right. Owner, GL account and split stay empty; a file without them is refused.",
    .examples = "kstar nightly inbox --out out && kstar suggest inbox",
    .run = run,
};
