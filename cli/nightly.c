/* cli/nightly.c: kstar nightly: the main job. It ingests everything new in the inbox, models and
 * publishes every open month whose data or rules changed, and writes the workbooks.
 *
 * A refused delivery, or a statement that does not add up, stops only its own part of the night.
 * The exit code is that of the gravest problem, and the summary on standard output lists all of
 * them.
 */
#include "base/postgres/database.h"
#include "base/system/delivered_file.h"
#include "base/system/file.h"
#include "base/time_text.h"
#include "cli/budget_alerts.h"
#include "cli/command.h"
#include "cli/connect.h"
#include "night/inbox.h"
#include "night/inbox_stages.h"
#include "night/ledger/run_ledger.h"
#include "night/month/month.h"
#include "night/nightly_summary.h"
#include "report/report.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct night_request {
    const char *inbox, *out;
    const char *as_of;         /* NULL: from the data */
    const char *on_alert;      /* the site's hook for budgets; NULL: none */
    const char *metrics;       /* a file for Prometheus; NULL: none */
    struct option_list follow; /* folders outside the inbox that links may lead to */
    int jobs;                  /* readers, and writers of workbooks; 0: one per processor */
};

/* Whether the night goes on after this refusal. `error` is set if it does not. */
static bool goes_on(struct night *night, const struct error *refused, struct error *error)
{
    if (refused->kind == ERROR_INPUT || refused->kind == ERROR_CONSERVATION) {
        night_trouble(night, refused);
        return true;
    }
    *error = *refused;
    return false;
}

/* A closed month that cannot be replayed (no rate, for example) keeps its adjustments. */
static bool replay_closed_months(PGconn *connection, struct night *night, struct error *error)
{
    struct month_list list;
    if (!month_replay_list(connection, &list, error))
        return false;
    for (int i = 0; i < list.count; i++) {
        struct error refused = { 0 };
        if (!month_replay(connection, list.months[i].month, &refused) && !goes_on(night, &refused, error))
            return false;
    }
    return true;
}

/* Publishes changed months. A month that cannot be published keeps its previous statement. */
static bool publish_months(PGconn *connection, const char *as_of, struct month_list *list,
                           struct night *night, struct error *error)
{
    if (!replay_closed_months(connection, night, error))
        return false;
    /* compares the run id of each statement with the one of the present data */
    run_stage_begin("compare", "open");
    bool listed = month_list(connection, NULL, as_of, list, error);
    run_stage_end(listed ? NULL : error, NULL);
    if (!listed)
        return false;
    for (int i = 0; i < list->count; i++) {
        struct error refused = { 0 };
        if (list->months[i].is_current)
            continue;
        if (month_publish(connection, list->months[i].month, as_of, &refused)) {
            night->months_published++;
            continue;
        }
        if (!goes_on(night, &refused, error))
            return false;
        night->months_refused++;
    }
    return true;
}

/* Adds up the reports from `first` on. */
static struct run_counts count_reports(const struct report_summary *reports, int first)
{
    struct run_counts counts = { 0 };
    for (int i = first; i < reports->file_count; i++) {
        struct stat found;
        if (reports->files[i].changed && stat(reports->files[i].path, &found) == 0) {
            counts.files++;
            counts.bytes += found.st_size;
        }
    }
    return counts;
}

/* If a month's workbooks are refused (an amount is too large for a cell, for example), its
 * statement stays published and the night goes on with other months. */
static bool write_month(PGconn *connection, const char *month, const struct night_request *request,
                        struct night *night, struct error *error)
{
    char period[8];
    bool published;
    period_of_day(month, period);
    if (!month_has_statement(connection, month, &published, error))
        return false;
    if (!published)
        return true;
    int first = night->reports.file_count;
    run_stage_begin("workbooks", period);
    struct error refused = { 0 };
    bool ok =
        report_write(connection, period, request->out, REPORT_ALL, request->jobs, &night->reports, &refused);
    const struct run_counts counts = count_reports(&night->reports, first);
    run_stage_end(ok ? NULL : &refused, &counts);
    return ok || goes_on(night, &refused, error);
}

/* Workbooks of a closed month say that it is final, so they are written once more after the close,
 * and again after its journal is issued, because they show the issue. An issue made meanwhile is
 * for the next night. */
static bool write_closed(PGconn *connection, const struct night_request *request, struct night *night,
                         struct error *error)
{
    char *folder = realpath(request->out, NULL); /* one folder may have several paths */
    if (folder == NULL)
        return error_set_errno(error, "%s", request->out);
    const char *const wanted[] = { folder };
    PGresult *months = database_query_file(connection, "close/to_write.sql", 1, wanted, error);
    bool ok = months != NULL;
    for (int i = 0; ok && i < PQntuples(months); i++) {
        const char *issue = PQgetisnull(months, i, 1) ? NULL : PQgetvalue(months, i, 1);
        const char *const written[] = { PQgetvalue(months, i, 0), folder, issue };
        /* one more trouble: the workbooks were refused and not written */
        int troubles = night->trouble_count;
        ok = write_month(connection, written[0], request, night, error) &&
             (night->trouble_count > troubles ||
              database_run_query(connection, "close/written.sql", 3, written, error));
    }
    PQclear(months);
    free(folder);
    return ok;
}

/* Writes the workbooks of open months with a statement, and of newly closed months. */
static bool write_reports(PGconn *connection, const struct month_list *list,
                          const struct night_request *request, struct night *night, struct error *error)
{
    for (int i = 0; i < list->count; i++) {
        if (!write_month(connection, list->months[i].month, request, night, error))
            return false;
    }
    return write_closed(connection, request, night, error) &&
           report_find_withdrawn(connection, request->out, &night->reports, error);
}

static void report_hook(void *context, const struct error *error)
{
    night_trouble(context, error);
}

/* Runs the site's hook, if there is one. */
static bool send_alerts(PGconn *connection, const char *hook, struct night *night, struct error *error)
{
    if (hook == NULL)
        return true;
    run_stage_begin("alerts", NULL);
    bool ok = budget_alerts_send(connection, hook, report_hook, night, error);
    run_stage_end(ok ? NULL : error, NULL);
    return ok;
}

/* Raises the exit code for crossings that no night has reported before. It is called after the
 * summary has listed them. */
static bool note_alerts(PGconn *connection, struct night *night, struct error *error)
{
    int count = 0;
    bool ok = budget_alerts_note(connection, &count, error);
    if (count > 0)
        night_raise(night, ERROR_BUDGET);
    return ok;
}

/* Opens the run's row. A folder that does not exist is recorded as it was given. */
static void note_begin(PGconn *connection, const struct night_request *request)
{
    char *inbox = realpath(request->inbox, NULL), *out = realpath(request->out, NULL);
    run_begin(connection, &(struct run_start){ .command = "nightly",
                                               .inbox = inbox != NULL ? inbox : request->inbox,
                                               .out_dir = out != NULL ? out : request->out });
    free(inbox);
    free(out);
}

static bool has_workbooks(const char *folder)
{
    struct directory_listing listing;
    struct error ignored;
    bool found = false;
    if (!directory_list(folder, &listing, &ignored))
        return false;
    for (int i = 0; i < listing.count; i++)
        found = found || fnmatch("chargeback-*.xlsx", listing.names[i], 0) == 0;
    directory_listing_free(&listing);
    return found;
}

/* If OUT has workbooks, but the database never published a statement, the database is the wrong
 * one: a disk is not mounted, or a setting is lost. Closed months and issued journals exist only in
 * the database that wrote the workbooks. */
static bool knows_its_workbooks(PGconn *connection, const char *out, struct error *error)
{
    PGresult *result = database_query_file(connection, "status/is_empty.sql", 0, NULL, error);
    bool ok = result != NULL;
    if (ok && result_flag(result, 0, 0) && has_workbooks(out)) {
        ok = error_set(error, ERROR_DATABASE,
                       "%s holds workbooks, but the database has no statement: it is not the one that they "
                       "were written from",
                       out);
        error_hint(error, "is its disk mounted, and KSTAR_DATA_DIR or the connection as it was? If it is to "
                          "be another one, give another --out");
    }
    PQclear(result);
    return ok;
}

static bool run_night(PGconn *connection, const struct night_request *request, struct error *error)
{
    struct month_list list = { 0 };
    struct night night = { .inbox = request->inbox, .out = request->out };
    note_begin(connection, request);
    bool ok = knows_its_workbooks(connection, request->out, error) &&
              inbox_ingest(connection, request->inbox, &night, error) &&
              publish_months(connection, request->as_of, &list, &night, error) &&
              write_reports(connection, &list, request, &night, error) &&
              send_alerts(connection, request->on_alert, &night, error) &&
              night_print(connection, &list, &night, error) && note_alerts(connection, &night, error);
    if (ok)
        error->kind = night.worst;
    report_summary_free(&night.reports);
    return ok;
}

/* Whether OUT is inside the inbox: the next night would read its workbooks as deliveries. */
static bool is_among_deliveries(const struct night_request *request)
{
    bool inside = false;
    char *out = realpath(request->out, NULL);
    for (int i = 0; out != NULL && !inside && i < INBOX_STAGES; i++) {
        char *name = path_join(request->inbox, inbox_stage_names[i]);
        char *folder = realpath(name, NULL);
        size_t length = folder != NULL ? strlen(folder) : 0;
        inside =
            length > 0 && strncmp(out, folder, length) == 0 && (out[length] == '\0' || out[length] == '/');
        free(folder);
        free(name);
    }
    free(out);
    return inside;
}

static bool make_out(const struct night_request *request, struct error *error)
{
    bool was_there = path_is_directory(request->out);
    if (!directory_make(request->out, error))
        return false;
    if (!is_among_deliveries(request))
        return true;
    if (!was_there)
        rmdir(request->out);
    error_set(error, ERROR_USAGE, "--out %s lies among the deliveries of %s", request->out, request->inbox);
    error_hint(error, "give the workbooks a folder beside the inbox");
    return false;
}

/* Checks and locks the folders, before the night asks the database. */
static bool take_folders(const struct night_request *request, int *lock, struct error *error)
{
    if (!path_is_directory(request->inbox)) {
        bool is_file = path_is_file(request->inbox);
        error_set(error, ERROR_INPUT, "%s: %s", request->inbox,
                  is_file ? "is a file, where the inbox is a folder" : "no such folder");
        error_hint(error, is_file ? "give the folder that holds billing/, jobs/ and reference/"
                                  : "check the name; or kstar init --template INBOX makes an inbox");
        return false;
    }
    char *lock_path = path_join(request->out, ".kstar.lock");
    bool ok = path_is_text(request->inbox, error) && make_out(request, error) &&
              delivered_files_bound(request->inbox, request->follow.count, request->follow.values, error) &&
              file_lock(lock_path, false, lock, error);
    free(lock_path);
    return ok;
}

/* Records a night that could not begin as a failed one, so that kstar status does not show the
 * night before it. A night that found another one at work is not recorded. */
static void note_failed(const struct common_options *options, const struct night_request *request,
                        const struct error *error)
{
    struct error unconnected = { 0 };
    PGconn *connection = NULL;
    if (error->kind != ERROR_BUSY)
        connection = connect_existing(options, &unconnected);
    if (connection != NULL)
        note_begin(connection, request);
    connect_close(connection);
}

/* The file of --metrics is replaced each night. Replacing a device, or a link such as /dev/stdout,
 * would remove it for everybody. */
static bool can_be_replaced(const char *metrics, struct error *error)
{
    struct stat status;
    if (lstat(metrics, &status) != 0 || S_ISREG(status.st_mode))
        return true;
    error_set(error, ERROR_USAGE, "nightly: --metrics %s is a folder, a link or a device", metrics);
    error_hint(error, "kstar replaces the file: name a new one in the folder of the textfile collector");
    return false;
}

static bool run(const struct command *command, int argc, char **argv, struct error *error)
{
    struct night_request request = { 0 };
    const struct option_entry entries[] = {
        { "out", OPTION_TEXT, "DIR", "where the workbooks go (required): a folder beside the deliveries",
          &request.out },
        { "follow", OPTION_LIST, "DIR",
          "follow links of the inbox that lead below this folder, too; may be given several times",
          &request.follow },
        { "as-of", OPTION_TIME, "TIME",
          "stamp statements with this time; must not be earlier than the data's own (the default); excludes no data",
          &request.as_of },
        { "on-alert", OPTION_TEXT, "COMMAND", "run it once for each threshold of a budget that is crossed",
          &request.on_alert },
        { "metrics", OPTION_TEXT, "FILE", "write it for Prometheus: how the night went, and what waits",
          &request.metrics },
        { "jobs", OPTION_PLACE, "N",
          "read the bill over at most so many connections, and write so many workbooks side by side; default: as "
          "many as processors, up to 16",
          &request.jobs },
        { 0 },
    };
    struct common_options options;
    int first_operand, lock = -1;
    bool ok = false;
    if (!options_read(command, entries, argc, argv, &options, &first_operand, error))
        return false;
    if (argc - first_operand != 1 || argv[first_operand][0] == '\0' || request.out == NULL) {
        error_set(error, ERROR_USAGE, "nightly: takes one INBOX and --out DIR");
        error_hint(error, "kstar nightly --help shows an example");
        return false;
    }
    if (request.metrics != NULL && !can_be_replaced(request.metrics, error))
        return false;
    month_set_readers(request.jobs);
    request.inbox = argv[first_operand];
    if (request.metrics != NULL)
        run_metrics(request.metrics);

    PGconn *connection = NULL;
    if (!take_folders(&request, &lock, error))
        note_failed(&options, &request, error);
    else if ((connection = connect_database(&options, error)) != NULL)
        ok = run_night(connection, &request, error);
    connect_close(connection);
    if (lock >= 0)
        close(lock);
    return ok;
}

const struct command command_nightly = {
    .name = "nightly",
    .summary = "the main job: ingest what is new, publish statements, write workbooks",
    .usage = "kstar nightly INBOX --out DIR [options]",
    .description =
        "INBOX holds billing/SOURCE/…, jobs/SOURCE/…, nodes/SOURCE/…, efficiency/ and reference/ "
        "(docs/operations.md). What "
        "has been\n"
        "ingested before is recognised by its content. A night without news changes nothing and says so.\n"
        "Exit codes: 0 clean, 2 a wrong command line, 3 a delivery was refused, 4 rows were quarantined or a "
        "delivery\n"
        "waits, 5 a statement does not add up and was not published, 6 another nightly runs, 7 database, 8 a "
        "budget has\n"
        "crossed a threshold, 128 and a signal's number, 1 anything else. The command of --on-alert is run "
        "by sh, and reads one JSON line on its standard input.",
    .examples = "kstar nightly /srv/finops/inbox --out /srv/finops/workbooks\n"
                "kstar nightly /srv/finops/inbox --out /srv/finops/workbooks --on-alert "
                "/usr/local/bin/mail-budget-alert",
    .run = run,
};
