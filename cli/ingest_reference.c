/* cli/ingest_reference.c: kstar ingest reference: the files of finance and the platform team. */
#include "base/postgres/database.h"
#include "cli/command.h"
#include "cli/ingest_run.h"
#include "ingest/reference/reference.h"
#include "print/print_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Prints the decisions of a review workbook. */
static bool print_decisions(PGconn *connection, const char *path, struct error *error)
{
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    if (strncmp(name, "review-", strlen("review-")) != 0)
        return true;
    PGresult *decisions = database_query_file(connection, "ingest/decisions.sql", 1, &name, error);
    for (int i = 0; decisions != NULL && i < PQntuples(decisions); i++)
        print_line(stdout, "%s: %s", name, PQgetvalue(decisions, i, 0));
    bool ok = decisions != NULL;
    PQclear(decisions);
    return ok;
}

static bool print(PGconn *connection, const struct delivery_request *request,
                  const struct ingest_summary *summary, struct error *error)
{
    bool ok = true;
    if (summary->unchanged)
        printf("reference: already in force, nothing done\n");
    else
        printf("reference: %" PRId64 " row%s of %" PRId64 " file%s\n", summary->rows,
               summary->rows == 1 ? "" : "s", summary->files, summary->files == 1 ? "" : "s");
    if (summary->decided[0] != '\0')
        print_line(stdout, "  reviews     %s", summary->decided);
    for (int i = 0; ok && !request->dry_run && i < request->path_count; i++)
        ok = print_decisions(connection, request->paths[i], error);
    return ok;
}

static const struct ingest_kind kind = {
    .name = "reference", .label = "reference", .is_together = true, .load = ingest_reference, .print = print
};

static bool run(const struct command *command, int argc, char **argv, struct error *error)
{
    struct ingest_call call = { .command = command, .kind = &kind };
    const struct option_entry options[] = {
        { "dry-run", OPTION_FLAG, NULL, "show rows and what would be refused; change nothing",
          &call.request.dry_run },
        { "json", OPTION_FLAG, NULL, "print what was done as JSON", &call.json },
        { 0 },
    };
    if (!ingest_call_read(&call, options, argc, argv, error))
        return false;
    if (call.request.path_count == 0)
        return error_set(error, ERROR_USAGE, "ingest reference: no file or folder given");
    return ingest_run(&call, error);
}

const struct command command_ingest_reference = {
    .name = "ingest reference",
    .summary = "load reference CSVs: cost centres, rules, rates, families …; and reviews filled in",
    .usage = "kstar ingest reference [options] FILE…|FOLDER",
    .description = "Each file is named after its table and replaces it; all files given are loaded together "
                   "or not at all.\n"
                   "One bad row refuses them with exit code 3, naming file, line, column and value. The "
                   "table of a file\n"
                   "that is not given stays as it is. A review workbook that a manager has filled in "
                   "(review-YYYY-MM.xlsx)\n"
                   "gives its decisions. docs/reference.md describes every file.",
    .examples = "kstar ingest reference inbox/reference\n"
                "kstar ingest reference pools.csv pool_rules.csv\n"
                "kstar ingest reference review-2026-09.xlsx",
    .run = run,
};
