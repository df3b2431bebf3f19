/* cli/ingest_run.c: see ingest_run.h. */
#include "cli/ingest_run.h"

#include "cli/connect.h"
#include "cli/ingest_print.h"
#include "night/ledger/run_ledger.h"

#include <stdio.h>
#include <stdlib.h>

bool ingest_call_read(struct ingest_call *call, const struct option_entry *options, int argc, char **argv,
                      struct error *error)
{
    int first;
    if (!options_read(call->command, options, argc, argv, &call->common, &first, error))
        return false;
    call->request.path_count = argc - first;
    call->request.paths = (const char *const *)(argv + first);
    return true;
}

static bool preview(PGconn *connection, const struct ingest_call *call,
                    const struct delivery_request *request, struct error *error)
{
    struct ingest_preview *seen = calloc(1, sizeof *seen);
    bool ok = call->kind->preview(connection, request, seen, error) &&
              ingest_print_preview(request->source, seen, call->json, error);
    free(seen);
    return ok;
}

static bool load(PGconn *connection, const struct ingest_call *call, const struct delivery_request *request,
                 struct ingest_summary *summary, struct error *error)
{
    const struct ingest_kind *kind = call->kind;
    bool ok = kind->load(connection, request, summary, error);
    run_delivery(kind->name, kind->source != NULL ? kind->source : request->source,
                 kind->label != NULL ? kind->label : summary->label, summary, ok ? NULL : error);
    summary->dry_run = request->dry_run;
    if (!ok || call->json)
        return ok && ingest_print_json(request->source, summary, kind->is_together, error);
    ok = kind->print(connection, request, summary, error);
    if (ok && request->dry_run)
        printf("  nothing was changed\n");
    return ok;
}

static bool take_deliveries(PGconn *connection, const struct ingest_call *call, bool previews,
                            struct error *error)
{
    const struct ingest_kind *kind = call->kind;
    bool needs_attention = false;
    for (int i = 0; i < (kind->is_together ? 1 : call->request.path_count); i++) {
        struct delivery_request request = call->request;
        struct delivery_place place;
        struct ingest_summary summary = { 0 };
        request.paths += i;
        request.path_count = kind->is_together ? request.path_count : 1;
        if (kind->place != NULL) {
            if (!kind->place(request.paths[0], request.source, &place, error))
                return false;
            request.source = place.source;
            request.label = place.label;
        }
        if (!(previews ? preview(connection, call, &request, error)
                       : load(connection, call, &request, &summary, error)))
            return false;
        needs_attention = needs_attention || summary.quarantined > 0 || summary.pruned > 0;
    }
    if (needs_attention)
        error->kind = ERROR_ATTENTION;
    return true;
}

bool ingest_run(const struct ingest_call *call, struct error *error)
{
    const struct ingest_kind *kind = call->kind;
    const bool previews = call->request.dry_run && kind->preview != NULL;
    PGconn *connection = connect_database(&call->common, error);
    if (connection == NULL)
        return false;
    if (!call->request.dry_run)
        run_begin(connection, &(struct run_start){ .command = call->command->name });
    if (!previews)
        run_stage_begin(kind->name, NULL);
    bool ok = take_deliveries(connection, call, previews, error);
    if (!previews)
        run_stage_end(ok ? NULL : error, NULL);
    connect_close(connection);
    return ok;
}
