/* cli/ingest_run.h: what the commands `kstar ingest KIND` share: each operand, or all of them
 * together, is loaded as a delivery, noted in the run ledger and printed. A command has its
 * options and its `struct ingest_kind`. */
#ifndef KSTAR_CLI_INGEST_RUN_H
#define KSTAR_CLI_INGEST_RUN_H

#include "base/options.h"
#include "ingest/delivery_request.h"
#include "ingest/preview.h"
#include "night/deliver/delivery_place.h"

struct ingest_kind {
    const char *name;           /* of the stage, and in the ledger: "jobs" */
    const char *source, *label; /* in the ledger, of deliveries that have none; else NULL */
    bool is_together;           /* all operands are one delivery; else each of them is one */
    ingest_delivery *load;
    /* what --dry-run shows; NULL: `load` does, by request->dry_run */
    bool (*preview)(PGconn *connection, const struct delivery_request *request,
                    struct ingest_preview *preview, struct error *error);
    /* finds source and label of an operand; NULL: they are as requested */
    bool (*place)(const char *path, const char *source, struct delivery_place *place, struct error *error);
    /* prints what was loaded, as text */
    bool (*print)(PGconn *connection, const struct delivery_request *request,
                  const struct ingest_summary *summary, struct error *error);
};

/* A command as it was called. */
struct ingest_call {
    const struct command *command;
    const struct ingest_kind *kind;
    struct common_options common;
    struct delivery_request request; /* its paths are the operands */
    bool json;
};

/* Reads the command line: options into the table's values, operands into call->request. */
bool ingest_call_read(struct ingest_call *call, const struct option_entry *options, int argc, char **argv,
                      struct error *error);

/* Loads the operands, or with request.dry_run shows what would be loaded. True with error->kind
 * ERROR_ATTENTION where rows were quarantined, or would be. */
bool ingest_run(const struct ingest_call *call, struct error *error);

#endif
