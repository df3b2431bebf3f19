/* cli/ingest_billing.c: kstar ingest billing: one delivery of cloud bills into the database. */
#include "base/postgres/database.h"
#include "base/system/file.h"
#include "cli/billing_inspect.h"
#include "cli/command.h"
#include "cli/connect.h"
#include "cli/ingest_print.h"
#include "ingest/bill/billing.h"
#include "ingest/bill/billing_preview.h"
#include "night/deliver/delivery_place.h"
#include "night/ledger/run_ledger.h"
#include "print/json_print.h"
#include "print/print_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool print_summary(const struct delivery_place *place, const struct ingest_summary *summary, bool json,
                          struct error *error)
{
    if (json) {
        cJSON *object = ingest_summary_json(place->source, place->label, summary);
        cJSON_AddNumberToObject(object, "files", (double)summary->files);
        if (summary->fewer_files[0] != '\0')
            cJSON_AddStringToObject(object, "fewer_files", summary->fewer_files);
        return json_print_line(object, error);
    }
    if (summary->unchanged)
        print_line(stdout, "%s: already there, nothing done", place->label);
    else
        print_line(stdout, "%s: %lld rows of source %s from %lld file%s, %lld quarantined", place->label,
                   (long long)summary->rows, place->source, (long long)summary->files,
                   summary->files == 1 ? "" : "s", (long long)summary->rejected);
    if (summary->fewer_files[0] != '\0')
        print_line(stdout, "  %s", summary->fewer_files);
    return true;
}

/* The connection's end, too. */
static bool preview(PGconn *connection, const struct billing_request *request, bool json, struct error *error)
{
    struct ingest_preview *seen = calloc(1, sizeof *seen);
    bool ok = database_execute(connection, "SET default_transaction_read_only = on", error) &&
              ingest_billing_preview(connection, request, seen, error) &&
              ingest_print_preview(request->source, seen, json, error);
    free(seen);
    connect_close(connection);
    return ok;
}

static bool run(const struct command *command, int argc, char **argv, struct error *error)
{
    struct billing_request request = { 0 };
    struct ingest_summary summary;
    struct common_options common;
    struct delivery_place place;
    bool json = false, detect = false, check = false, dry_run = false;
    int first;
    const struct option_entry options[] = {
        { "source", OPTION_TEXT, "NAME",
          "who delivered it (default: from the place in the inbox, else the folder)", &request.source },
        { "format", OPTION_TEXT, "NAME",
          "its format (default: what sources.csv says, else what the files show)", &request.format },
        { "accept", OPTION_FLAG, NULL,
          "let in a delivery that is held: it covers less than before, repeats another source, or most of it "
          "cannot be read",
          &request.accept },
        { "moved", OPTION_FLAG, NULL,
          "let in a held delivery whose lines stood under another billing period: withdraw them there",
          &request.moved },
        { "both", OPTION_FLAG, NULL, "let it in, and keep these lines under both billing periods",
          &request.both },
        { "strict", OPTION_FLAG, NULL, "refuse the delivery where a row cannot be read", &request.strict },
        { "detect", OPTION_FLAG, NULL, "only say what the files are; needs no database", &detect },
        { "check", OPTION_FLAG, NULL, "only hold FOCUS files against the specification; needs no database",
          &check },
        { "dry-run", OPTION_FLAG, NULL, "show rows, money and what would be quarantined; change nothing",
          &dry_run },
        { "json", OPTION_FLAG, NULL, "print what was done as JSON", &json },
        { 0 },
    };
    if (!options_read(command, options, argc, argv, &common, &first, error))
        return false;
    if (first == argc)
        return error_set(error, ERROR_USAGE, "ingest billing: no file or folder given");
    if (detect && check)
        return error_set(error, ERROR_USAGE, "ingest billing: --detect or --check, not both");
    if (request.moved && request.both)
        return error_set(error, ERROR_USAGE, "ingest billing: --moved or --both, not both of them");
    const bool loads = dry_run || request.accept || request.moved || request.both || request.strict ||
                       request.format != NULL;
    if (detect && loads)
        return error_set(error, ERROR_USAGE, "ingest billing: --detect takes --source and --json alone");
    if (check && (loads || request.source != NULL))
        return error_set(error, ERROR_USAGE, "ingest billing: --check takes --json alone");
    if (detect)
        return billing_inspect_detect(argc - first, argv + first, request.source, json, error);
    if (check)
        return billing_inspect_check(argc - first, argv + first, json, error);
    if (!delivery_place_of_bill(argv[first], request.source, &place, error))
        return false;
    request.source = place.source;
    request.label = place.label;
    request.inbox = place.inbox[0] != '\0' ? place.inbox : NULL;
    request.path_count = argc - first;
    request.paths = (const char *const *)(argv + first);
    PGconn *connection = connect_database(&common, error);
    if (connection == NULL)
        return false;
    if (dry_run)
        return preview(connection, &request, json, error);
    run_begin(connection, &(struct run_start){ .command = command->name });
    run_stage_begin("billing", NULL);
    bool ok = ingest_billing(connection, &request, &summary, error);
    run_delivery("billing", place.source, place.label, &summary, ok ? NULL : error);
    run_stage_end(ok ? NULL : error, NULL);
    connect_close(connection);
    if (!ok || !print_summary(&place, &summary, json, error))
        return false;
    if (summary.rejected > 0 || summary.pruned > 0)
        error->kind = ERROR_ATTENTION;
    return true;
}

const struct command command_ingest_billing = {
    .name = "ingest billing",
    .summary = "load one delivery of cloud bills (FOCUS, AWS, Azure, Google), or say what they are",
    .usage = "kstar ingest billing [options] FILE…|FOLDER",
    .description = "The files given, or the *.csv and *.csv.gz of a folder, are one delivery: together they "
                   "replace what the\n"
                   "source delivered before for the same billing periods, in one transaction. The same "
                   "lines again change\n"
                   "nothing, however they are packed or sorted; lines that count under another source are "
                   "held. Rows that\n"
                   "cannot be read are quarantined, with exit code 4; a file without a required column is "
                   "refused, with exit\n"
                   "code 3.",
    .examples = "kstar ingest billing inbox/billing/aws/2026-09\n"
                "kstar ingest billing --source aws part-00001.csv.gz part-00002.csv.gz\n"
                "kstar ingest billing --detect inbox/billing/*/*\n"
                "kstar ingest billing --dry-run inbox/billing/aws/2026-09\n"
                "kstar ingest billing --check focus.csv.gz",
    .run = run,
};
