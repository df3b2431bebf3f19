/* cli/ingest_nodes.c: kstar ingest nodes: which cloud resource a node was, and from when to
 * when. */
#include "cli/command.h"
#include "cli/ingest_print.h"
#include "cli/ingest_run.h"
#include "ingest/nodes/nodes.h"
#include "print/print_line.h"

#include <inttypes.h>
#include <stdio.h>

static bool print(PGconn *connection, const struct delivery_request *request,
                  const struct ingest_summary *summary, struct error *error)
{
    (void)connection, (void)error;
    if (!ingest_print_unchanged(summary))
        print_line(stdout,
                   "%s: %" PRId64 " node%s of source %s, %" PRId64 " quarantined, %" PRId64
                   " without an instance passed over",
                   summary->label, summary->rows, summary->rows == 1 ? "" : "s", request->source,
                   summary->quarantined, summary->ignored);
    return true;
}

static const struct ingest_kind kind = { .name = "nodes", .load = ingest_nodes, .print = print };

static bool run(const struct command *command, int argc, char **argv, struct error *error)
{
    struct ingest_call call = { .command = command, .kind = &kind };
    struct delivery_request *request = &call.request;
    const struct option_entry options[] = {
        { "source", OPTION_TEXT, "CLUSTER", "who delivered it: the cluster (required)", &request->source },
        { "format", OPTION_TEXT, "NAME",
          "its format (default: what sources.csv says, else what it looks like)", &request->format },
        { "strict", OPTION_FLAG, NULL, "refuse the delivery where a record cannot be read",
          &request->strict },
        { "dry-run", OPTION_FLAG, NULL, "show nodes and what would be quarantined; change nothing",
          &request->dry_run },
        { "json", OPTION_FLAG, NULL, "print what was done as JSON, a line per file", &call.json },
        { 0 },
    };
    if (!ingest_call_read(&call, options, argc, argv, error))
        return false;
    if (request->path_count == 0 || request->source == NULL)
        return error_set(error, ERROR_USAGE, "ingest nodes: takes --source CLUSTER and FILE…");
    return delivery_source_check(request->source, error) && ingest_run(&call, error);
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
