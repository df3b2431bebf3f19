/* cli/ingest_reference.c: kstar ingest reference: what finance and the platform team declare. */
#include "base/postgres/database.h"
#include "cli/command.h"
#include "cli/connect.h"
#include "cli/ingest_print.h"
#include "ingest/reference/reference.h"
#include "night/ledger/run_ledger.h"
#include "print/json_print.h"
#include "print/print_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool print_summary(const struct ingest_summary *summary, bool json, struct error *error)
{
    if (json) {
        cJSON *object = ingest_summary_json(NULL, NULL, summary);
        cJSON_AddNumberToObject(object, "files", (double)summary->files);
        if (summary->decided[0] != '\0')
            cJSON_AddStringToObject(object, "decided", summary->decided);
        return json_print_line(object, error);
    }
    if (summary->unchanged)
        printf("reference: already in force, nothing done\n");
    else
        printf("reference: %" PRId64 " rows of %" PRId64 " file%s\n", summary->rows, summary->files,
               summary->files == 1 ? "" : "s");
    if (summary->decided[0] != '\0')
        print_line(stdout, "  reviews     %s", summary->decided);
    return true;
}

/* Says what a review workbook decides. */
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

static bool run(const struct command *command, int argc, char **argv, struct error *error)
{
    struct common_options common;
    struct ingest_summary summary;
    bool json = false, dry_run = false;
    int first;
    const struct option_entry options[] = {
        { "dry-run", OPTION_FLAG, NULL, "show rows and what would be refused; change nothing", &dry_run },
        { "json", OPTION_FLAG, NULL, "print what was done as JSON", &json },
        { 0 },
    };
    if (!options_read(command, options, argc, argv, &common, &first, error))
        return false;
    if (first == argc)
        return error_set(error, ERROR_USAGE, "ingest reference: no file or folder given");
    PGconn *connection = connect_database(&common, error);
    if (connection == NULL)
        return false;
    struct reference_request request = { .path_count = argc - first,
                                         .paths = (const char *const *)(argv + first),
                                         .dry_run = dry_run };
    if (!dry_run)
        run_begin(connection, &(struct run_start){ .command = command->name });
    run_stage_begin("reference", NULL);
    bool ok = ingest_reference(connection, &request, &summary, error);
    run_delivery("reference", NULL, "reference", &summary, ok ? NULL : error);
    run_stage_end(ok ? NULL : error, NULL);
    summary.dry_run = dry_run;
    ok = ok && print_summary(&summary, json, error);
    if (ok && dry_run && !json)
        printf("  nothing was changed\n");
    for (int i = 0; ok && !json && !dry_run && i < request.path_count; i++)
        ok = print_decisions(connection, request.paths[i], error);
    connect_close(connection);
    return ok;
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
