/* cli/ingest_run.h: the common part of the commands `kstar ingest KIND`. Loads each operand, or all
 * of them together, as a delivery, records it in the run ledger and prints it. A command defines
 * its options and its `struct ingest_kind`. */
#ifndef KSTAR_CLI_INGEST_RUN_H
#define KSTAR_CLI_INGEST_RUN_H

#include "base/options.h"
#include "ingest/delivery_request.h"
#include "ingest/preview.h"
#include "night/deliver/delivery_place.h"

struct ingest_kind {
    const char *name;           /* of the stage in the ledger: "jobs" */
    const char *source, *label; /* in the ledger, for deliveries without their own; else NULL */
    bool is_together;           /* all operands are one delivery; else each is one */
    ingest_delivery *load;
    /* for --dry-run; NULL: `load` does it, by request->dry_run */
    bool (*preview)(PGconn *connection, const struct delivery_request *request,
                    struct ingest_preview *preview, struct error *error);
    /* finds source and label of an operand; NULL: as requested */
    bool (*place)(const char *path, const char *source, struct delivery_place *place, struct error *error);
    /* prints what was loaded, as text */
    bool (*print)(PGconn *connection, const struct delivery_request *request,
                  const struct ingest_summary *summary, struct error *error);
};

/* A call of a command. */
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
 * ERROR_ATTENTION if rows were quarantined, or would be. */
bool ingest_run(const struct ingest_call *call, struct error *error);

#endif
