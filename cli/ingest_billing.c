/* cli/ingest_billing.c: kstar ingest billing: loads one delivery of cloud bills. */
#include "base/postgres/database.h"
#include "cli/billing_inspect.h"
#include "cli/command.h"
#include "cli/ingest_print.h"
#include "cli/ingest_run.h"
#include "ingest/bill/billing.h"
#include "ingest/bill/billing_preview.h"
#include "print/print_line.h"

#include <stdio.h>

static bool print(PGconn *connection, const struct delivery_request *request,
                  const struct ingest_summary *summary, struct error *error)
{
    (void)connection, (void)error;
    if (!ingest_print_unchanged(summary))
        print_line(stdout, "%s: %lld row%s of source %s from %lld file%s, %lld quarantined", summary->label,
                   (long long)summary->rows, summary->rows == 1 ? "" : "s", request->source,
                   (long long)summary->files, summary->files == 1 ? "" : "s",
                   (long long)summary->quarantined);
    if (summary->fewer_files[0] != '\0')
        print_line(stdout, "  %s", summary->fewer_files);
    return true;
}

static bool preview(PGconn *connection, const struct delivery_request *request, struct ingest_preview *seen,
                    struct error *error)
{
    return database_execute(connection, "SET default_transaction_read_only = on", error) &&
           ingest_billing_preview(connection, request, seen, error);
}

static const struct ingest_kind kind = {
    .name = "billing", .is_together = true, .load = ingest_billing, .preview = preview, .print = print
};

/* Whether the options go together. */
static bool check_options(const struct ingest_call *call, bool detect, bool check, struct error *error)
{
    const struct delivery_request *request = &call->request;
    const bool loads = request->dry_run || request->accept || request->moved || request->both ||
                       request->strict || request->format != NULL;
    if (request->path_count == 0)
        return error_set(error, ERROR_USAGE, "ingest billing: no file or folder given");
    if (detect && check)
        return error_set(error, ERROR_USAGE, "ingest billing: --detect or --check, not both");
    if (request->moved && request->both)
        return error_set(error, ERROR_USAGE, "ingest billing: --moved or --both, not both of them");
    if (detect && loads)
        return error_set(error, ERROR_USAGE, "ingest billing: --detect takes --source and --json alone");
    if (check && (loads || request->source != NULL))
        return error_set(error, ERROR_USAGE, "ingest billing: --check takes --json alone");
    return true;
}

static bool run(const struct command *command, int argc, char **argv, struct error *error)
{
    struct ingest_call call = { .command = command, .kind = &kind };
    struct delivery_request *request = &call.request;
    struct delivery_place place;
    bool detect = false, check = false;
    const struct option_entry options[] = {
        { "source", OPTION_TEXT, "NAME",
          "who delivered it (default: from the place in the inbox, else the folder)", &request->source },
        { "format", OPTION_TEXT, "NAME",
          "its format (default: what sources.csv says, else what the files show)", &request->format },
        { "accept", OPTION_FLAG, NULL,
          "let in a delivery that is held: it covers less than before, repeats another source, or most of it "
          "cannot be read",
          &request->accept },
        { "moved", OPTION_FLAG, NULL,
          "let in a held delivery whose lines stood under another billing period: withdraw them there",
          &request->moved },
        { "both", OPTION_FLAG, NULL, "let it in, and keep these lines under both billing periods",
          &request->both },
        { "strict", OPTION_FLAG, NULL, "refuse the delivery where a row cannot be read", &request->strict },
        { "detect", OPTION_FLAG, NULL, "only say what the files are; needs no database", &detect },
        { "check", OPTION_FLAG, NULL, "only hold FOCUS files against the specification; needs no database",
          &check },
        { "dry-run", OPTION_FLAG, NULL, "show rows, money and what would be quarantined; change nothing",
          &request->dry_run },
        { "json", OPTION_FLAG, NULL, "print what was done as JSON", &call.json },
        { 0 },
    };
    if (!ingest_call_read(&call, options, argc, argv, error) || !check_options(&call, detect, check, error))
        return false;
    if (detect)
        return billing_inspect_detect(request->path_count, request->paths, request->source, call.json, error);
    if (check)
        return billing_inspect_check(request->path_count, request->paths, call.json, error);
    if (!delivery_place_of_bill(request->paths[0], request->source, &place, error))
        return false;
    request->source = place.source;
    request->label = place.label;
    request->inbox = place.inbox[0] != '\0' ? place.inbox : NULL;
    return ingest_run(&call, error);
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
