/* cli/ingest_nodes.c: kstar ingest nodes: which cloud resource a node was, from when to when. */
#include "cli/command.h"
#include "cli/connect.h"
#include "cli/ingest_print.h"
#include "ingest/nodes/nodes.h"
#include "night/deliver/delivery_place.h"
#include "night/ledger/run_ledger.h"
#include "print/json_print.h"
#include "print/print_line.h"

#include <inttypes.h>
#include <stdio.h>

static bool print_summary(const char *source, const struct ingest_summary *summary, bool json,
                          struct error *error)
{
    if (json)
        return json_print_line(ingest_summary_json(source, summary->label, summary), error);
    if (summary->unchanged)
        print_line(stdout, "%s: already there, nothing done", summary->label);
    else
        print_line(stdout,
                   "%s: %" PRId64 " nodes of source %s, %" PRId64 " quarantined, %" PRId64
                   " without an instance passed over",
                   summary->label, summary->rows, source, summary->rejected, summary->ignored);
    return true;
}

static bool run(const struct command *command, int argc, char **argv, struct error *error)
{
    struct nodes_request request = { 0 };
    struct common_options common;
    bool json = false, ok = true;
    int64_t rejected = 0;
    int first;
    const struct option_entry options[] = {
        { "source", OPTION_TEXT, "CLUSTER", "who delivered it: the cluster (required)", &request.source },
        { "format", OPTION_TEXT, "NAME",
          "its format (default: what sources.csv says, else what it looks like)", &request.format },
        { "strict", OPTION_FLAG, NULL, "refuse the delivery where a record cannot be read", &request.strict },
        { "dry-run", OPTION_FLAG, NULL, "show nodes and what would be quarantined; change nothing",
          &request.dry_run },
        { "json", OPTION_FLAG, NULL, "print what was done as JSON, a line per file", &json },
        { 0 },
    };
    if (!options_read(command, options, argc, argv, &common, &first, error))
        return false;
    if (first == argc || request.source == NULL)
        return error_set(error, ERROR_USAGE, "ingest nodes: takes --source CLUSTER and FILE…");
    if (!delivery_source_check(request.source, error))
        return false;
    PGconn *connection = connect_database(&common, error);
    if (connection == NULL)
        return false;
    if (!request.dry_run)
        run_begin(connection, &(struct run_start){ .command = command->name });
    run_stage_begin("nodes", NULL);
    for (int i = first; ok && i < argc; i++) {
        struct ingest_summary summary;
        request.path = argv[i];
        ok = ingest_nodes(connection, &request, &summary, error);
        run_delivery("nodes", request.source, summary.label, &summary, ok ? NULL : error);
        summary.dry_run = request.dry_run;
        ok = ok && print_summary(request.source, &summary, json, error);
        if (ok && request.dry_run && !json)
            printf("  nothing was changed\n");
        rejected += summary.rejected;
    }
    run_stage_end(ok ? NULL : error, NULL);
    connect_close(connection);
    if (ok && rejected > 0)
        error->kind = ERROR_ATTENTION;
    return ok;
}

const struct command command_ingest_nodes = {
    .name = "ingest nodes",
    .summary = "load node inventory: Slurm's instances, Kubernetes nodes",
    .usage = "kstar ingest nodes --source CLUSTER [options] FILE…",
    .description =
        "Each file is a delivery of its own, loaded in one transaction: sacctmgr -P show instance, "
        "slurmrestd's\n"
        "instances, or kubectl get nodes -o json (docs/nodes.md). The same content again changes nothing.\n"
        "Records that cannot be read are quarantined, with exit code 4. nodes.csv wins where both speak.",
    .examples = "kstar ingest nodes --source phillips inbox/nodes/phillips/2026-09-30.txt",
    .run = run,
};
