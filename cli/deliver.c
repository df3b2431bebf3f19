/* cli/deliver.c: kstar deliver: hands each cost centre's workbook to its owner, each version once.
 *
 * A version of a workbook is known by its bytes. Only the last version at a place counts: a version
 * that returns after another one is handed over again. Handing over and recording it are one
 * transaction. If kstar is killed after the mailer has taken a message and before the commit, the
 * next run sends it again, with the same Message-ID. So each version arrives at least once: a lost
 * chargeback would be worse than one that arrives twice. In a folder the same file is written
 * again, which nobody notices.
 */
#include "base/log.h"
#include "base/postgres/database.h"
#include "base/system/file.h"
#include "base/time_text.h"
#include "cli/command.h"
#include "cli/connect.h"
#include "night/deliver/hand_over.h"
#include "night/deliver/recipients.h"
#include "night/ledger/run_ledger.h"
#include "print/print_line.h"
#include "report/mail_message.h"
#include "report/workbook_name.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct request {
    const char *out, *recipients, *directory, *mailer, *from, *period;
    /* --informed: a cost centre whose owner was informed of a charge that was taken back */
    const char *informed;
    bool only_final, dry_run, json;
};

struct round {
    PGconn *connection;
    const struct request *request;
    struct recipients recipients;
    const char *directory; /* absolute if it exists */
    int handed, before, waiting, informed;
    struct run_counts counts; /* of the current month, for the run ledger */
    bool mailer_hangs;        /* the mailer did not end in time: no other message is tried */
};

/* A JSON line: what happened to a workbook ("handed over", "due", "waits", "informed" …), and its
 * text. */
static void print_json(const char *kind, const struct workbook_copy *copy, const char *name, const char *text)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "kind", kind);
    cJSON_AddStringToObject(object, "period", copy->centres->period);
    cJSON_AddStringToObject(object, "cost_centre", copy->centres->centres[copy->i].cost_centre);
    cJSON_AddStringToObject(object, "file", copy->path);
    cJSON_AddStringToObject(object, "sha256", copy->sha256);
    cJSON_AddStringToObject(object, name, text);
    char *line = cJSON_PrintUnformatted(object);
    puts(line);
    free(line);
    cJSON_Delete(object);
}

/* Reports a workbook that a person must look at. The others go on. */
static void wait_for(struct round *round, const struct workbook_copy *copy, const char *why)
{
    if (round->request->json)
        print_json("waits", copy, "why", why);
    else
        print_line(stdout, "waits: %s: %s", copy->path, why);
    round->waiting++;
}

/* ---- one version to one destination ---- */

static bool hand(struct round *round, const struct workbook_copy *copy, const char *address,
                 struct error *error)
{
    const struct request *request = round->request;
    return address == NULL ? hand_over_into(copy, round->directory, error)
                           : hand_over_by_mail(copy, request->mailer, request->from, address,
                                               &round->mailer_hangs, error);
}

static void say(const struct round *round, const struct workbook_copy *copy, const char *address)
{
    const struct report_centre *centre = &copy->centres->centres[copy->i];
    const char *would = round->request->dry_run ? "would be " : "";
    if (round->request->json)
        print_json(round->request->dry_run ? "due" : "handed over", copy, "to",
                   address != NULL ? address : round->directory);
    else if (address != NULL)
        print_line(stdout, "%s: %smailed to %s", centre->file_name, would, address);
    else
        print_line(stdout, "%s: %sput into %s/%s", centre->file_name, would, round->directory,
                   centre->folder_name);
    if (!round->request->dry_run)
        log_event(LOG_INFO, "deliver", "file=\"%s\" sha256=%s to=\"%s\"", centre->file_name, copy->sha256,
                  address != NULL ? address : round->directory);
}

enum { KEY_COLUMNS = 4, CLAIM_COLUMNS = 7 };

/* Claims, hands over and commits. A workbook that fails waits. False if the database failed. */
static bool hand_once(struct round *round, const struct workbook_copy *copy, const char *address,
                      const char *const *claim, struct error *error)
{
    struct error refused = { 0 };
    PGresult *claimed = NULL;
    bool ok = database_begin(round->connection, error) &&
              (claimed = database_query_file(round->connection, "deliver/claim.sql", CLAIM_COLUMNS, claim,
                                             error)) != NULL;
    bool is_due = ok && PQntuples(claimed) > 0;
    struct workbook_copy due = *copy;
    if (is_due)
        due.handing = PQgetvalue(claimed, 0, 0);
    bool is_handed = is_due && hand(round, &due, address, &refused);
    PQclear(claimed);
    if (!ok || (is_due && !is_handed))
        database_rollback(round->connection);
    else
        ok = database_commit(round->connection, error);
    if (ok && is_handed)
        say(round, copy, address);
    else if (ok && is_due)
        wait_for(round, copy, refused.message);
    round->handed += is_handed;
    round->counts.files += is_handed;
    round->counts.bytes += is_handed ? copy->bytes : 0;
    round->before += ok && !is_due;
    return ok;
}

/* For --dry-run: reports what would be handed over. */
static bool look_once(struct round *round, const struct workbook_copy *copy, const char *address,
                      const char *const *key, struct error *error)
{
    PGresult *known = database_query_file(round->connection, "deliver/known.sql", KEY_COLUMNS, key, error);
    if (known == NULL)
        return false;
    bool is_due = PQntuples(known) == 0;
    if (is_due)
        say(round, copy, address);
    round->handed += is_due;
    round->before += !is_due;
    PQclear(known);
    return true;
}

/* The name of a destination in handed_over: of `address`, or if NULL, of the directory. The caller
 * frees it. */
static char *destination_of(const struct round *round, const char *address)
{
    return address != NULL ? text_of("mail:%s", address) : text_of("directory:%s", round->directory);
}

/* The address or folder of a destination. */
static const char *address_of(const char *destination)
{
    return destination + strcspn(destination, ":") + 1;
}

static bool deliver_to(struct round *round, const struct workbook_copy *copy, const char *address,
                       struct error *error)
{
    const struct report_centre *centre = &copy->centres->centres[copy->i];
    char month[sizeof "2026-09-01"];
    char *destination = destination_of(round, address);
    period_first_day(copy->centres->period, month);
    const char *const claim[CLAIM_COLUMNS] = { month,
                                               centre->cost_centre,
                                               destination,
                                               copy->sha256,
                                               copy->centres->status,
                                               copy->centres->run_id,
                                               centre->file_name };
    bool ok = (round->request->dry_run ? look_once : hand_once)(round, copy, address, claim, error);
    free(destination);
    return ok;
}

/* ---- one workbook ---- */

static bool deliver_by_mail(struct round *round, const struct workbook_copy *copy, struct error *error)
{
    const struct report_centre *centre = &copy->centres->centres[copy->i];
    bool ok = true, is_listed = false;
    for (int i = 0; ok && i < round->recipients.count; i++) {
        const struct recipient *recipient = &round->recipients.list[i];
        if (strcmp(recipient->cost_centre, centre->cost_centre) != 0)
            continue;
        is_listed = true;
        if (round->mailer_hangs && recipient->address != NULL)
            wait_for(round, copy, "the mailer did not end in time before");
        else
            ok = recipient->address == NULL || deliver_to(round, copy, recipient->address, error);
    }
    if (!is_listed)
        wait_for(round, copy, "no recipient for its cost centre in the file of recipients");
    return ok;
}

/* A workbook that is missing, or of another statement. The night writes only files of open
 * months. */
static void wait_for_book(struct round *round, const struct workbook_copy *copy, const char *why)
{
    char *text = text_of("%s: kstar report chargeback --period %s --out %s writes it", why,
                         copy->centres->period, round->request->out);
    wait_for(round, copy, text);
    free(text);
}

/* The workbook is hashed before it is compared with the statement, and only these bytes are handed
 * over later. */
static bool deliver_workbook(struct round *round, const struct report_centres *centres, int i,
                             struct error *error)
{
    const char *why = "is not there";
    struct workbook_copy copy = { .centres = centres, .i = i };
    char *path = path_join(round->request->out, centres->centres[i].file_name);
    struct stat status;
    copy.path = path;
    copy.bytes = stat(path, &status) == 0 ? status.st_size : 0;
    bool is_there = path_is_file(path);
    bool ok = !is_there || file_sha256(path, copy.sha256, error);
    if (ok && (!is_there || !report_centre_has_written(centres, i, path, &why)))
        wait_for_book(round, &copy, why);
    else if (ok)
        ok = round->directory != NULL ? deliver_to(round, &copy, NULL, error)
                                      : deliver_by_mail(round, &copy, error);
    free(path);
    return ok;
}

/* ---- cost centres that the statement no longer has ---- */

/* Records that the owner was informed. False if the database failed. */
static bool note_informed(struct round *round, const struct workbook_copy *copy, const char *destination,
                          struct error *error)
{
    const struct report_centre *centre = &copy->centres->centres[copy->i];
    char month[sizeof "2026-09-01"];
    period_first_day(copy->centres->period, month);
    const char *const claim[CLAIM_COLUMNS] = { month,       centre->cost_centre,   destination,      "",
                                               "Withdrawn", copy->centres->run_id, centre->file_name };
    if (!round->request->dry_run &&
        !database_run_query(round->connection, "deliver/claim.sql", CLAIM_COLUMNS, claim, error))
        return false;
    round->informed++;
    if (round->request->json)
        print_json(round->request->dry_run ? "to be informed" : "informed", copy, "to",
                   address_of(destination));
    else
        print_line(stdout, "%s: %s that its owner was informed", centre->file_name,
                   round->request->dry_run ? "would be noted" : "noted");
    if (!round->request->dry_run)
        log_event(LOG_INFO, "informed", "file=\"%s\" to=\"%s\"", centre->file_name, address_of(destination));
    return true;
}

static bool has_centre(const struct report_centres *centres, const char *cost_centre)
{
    for (int i = 0; i < centres->count; i++)
        if (strcmp(centres->centres[i].cost_centre, cost_centre) == 0)
            return true;
    return false;
}

/* A charge was taken back: the owner has a workbook with it, the statement no longer has the cost
 * centre, and no new workbook says so. A person must inform the owner. `notes`: notes the cost
 * centre of --informed; otherwise the others wait. */
static bool see_to_withdrawn(struct round *round, const struct report_centres *month, const PGresult *given,
                             int row, bool notes, struct error *error)
{
    struct report_centre centre = { .cost_centre = PQgetvalue(given, row, 0),
                                    .file_name = PQgetvalue(given, row, 2) };
    const char *destination = PQgetvalue(given, row, 1), *place = address_of(destination);
    struct report_centres gone = { .run_id = month->run_id != NULL ? month->run_id : "",
                                   .count = 1,
                                   .centres = &centre };
    bool is_mail = strncmp(destination, "mail:", strlen("mail:")) == 0, ok = true;
    if (has_centre(month, centre.cost_centre))
        return true;
    stpcpy(gone.period, month->period);
    char *path = path_join(round->request->out, centre.file_name);
    char *why = text_of(
        "was %s %s, and the statement no longer has it: inform its owner, then run with --informed %s",
        is_mail ? "mailed to" : "put into", place, centre.cost_centre);
    const struct workbook_copy copy = { .centres = &gone, .path = path };
    bool is_informed =
        round->request->informed != NULL && strcmp(round->request->informed, centre.cost_centre) == 0;
    if (notes)
        ok = !is_informed || note_informed(round, &copy, destination, error);
    else if (!is_informed)
        wait_for(round, &copy, why);
    free(why);
    free(path);
    return ok;
}

static bool see_to_all_withdrawn(struct round *round, const struct report_centres *month, bool notes,
                                 struct error *error)
{
    char first_day[sizeof "2026-09-01"];
    char *directory = round->directory != NULL ? destination_of(round, NULL) : NULL;
    period_first_day(month->period, first_day);
    const char *const parameters[] = { first_day, directory };
    PGresult *given = database_query_file(round->connection, "deliver/given.sql", 2, parameters, error);
    bool ok = given != NULL;
    for (int i = 0; ok && i < PQntuples(given); i++)
        ok = see_to_withdrawn(round, month, given, i, notes, error);
    PQclear(given);
    free(directory);
    return ok;
}

/* ---- all months ---- */

/* Lists a month's workbooks. `is_stated` false: the month has no statement any more, and so no cost
 * centres. *is_wanted: not left for later by --final. */
static bool list_month(struct round *round, const char *period, bool is_stated,
                       struct report_centres *centres, bool *is_wanted, struct error *error)
{
    stpcpy(centres->period, period);
    bool ok = !is_stated || report_centres_list(round->connection, period, centres, error);
    bool is_final = ok && is_stated && strcmp(centres->status, "Final") == 0;
    *is_wanted = ok && (!round->request->only_final || is_final);
    return ok;
}

static bool note_month(struct round *round, const char *period, bool is_stated, struct error *error)
{
    struct report_centres centres = { 0 };
    bool is_wanted;
    bool ok = list_month(round, period, is_stated, &centres, &is_wanted, error) &&
              (!is_wanted || see_to_all_withdrawn(round, &centres, true, error));
    report_centres_free(&centres);
    return ok;
}

/* Notes --informed in all months. A cost centre that waits in none is refused. */
static bool note_months(struct round *round, const PGresult *months, struct error *error)
{
    bool ok = true;
    for (int i = 0; ok && i < PQntuples(months); i++)
        ok = note_month(round, PQgetvalue(months, i, 0), result_flag(months, i, 1), error);
    if (ok && round->informed == 0) {
        ok = error_set(error, ERROR_INPUT,
                       "--informed %s: nothing that it was given waits for its owner to be informed",
                       round->request->informed);
        error_hint(error, "nothing was handed over; kstar deliver without --informed lists what waits");
    }
    return ok;
}

static bool deliver_month(struct round *round, const char *period, bool is_stated, struct error *error)
{
    struct report_centres centres = { 0 };
    bool is_wanted;
    round->counts = (struct run_counts){ 0 };
    run_stage_begin("deliver", period);
    bool ok = list_month(round, period, is_stated, &centres, &is_wanted, error);
    for (int i = 0; ok && is_wanted && i < centres.count; i++)
        ok = deliver_workbook(round, &centres, i, error);
    if (is_wanted)
        ok = ok && see_to_all_withdrawn(round, &centres, false, error);
    run_stage_end(ok ? NULL : error, &round->counts);
    report_centres_free(&centres);
    return ok;
}

static void add_place(cJSON *places, const char *cost_centre, char *destination)
{
    cJSON *place = cJSON_CreateObject();
    if (cost_centre != NULL)
        cJSON_AddStringToObject(place, "cost_centre", cost_centre);
    if (destination != NULL)
        cJSON_AddStringToObject(place, "destination", destination);
    cJSON_AddItemToArray(places, place);
    free(destination);
}

/* The places where workbooks go, for deliver/months.sql. The caller frees it. */
static char *places_json(const struct round *round)
{
    cJSON *places = cJSON_CreateArray();
    if (round->directory != NULL)
        add_place(places, NULL, destination_of(round, NULL));
    for (int i = 0; i < round->recipients.count; i++) {
        const struct recipient *recipient = &round->recipients.list[i];
        add_place(places, recipient->cost_centre,
                  recipient->address != NULL ? destination_of(round, recipient->address) : NULL);
    }
    char *text = cJSON_PrintUnformatted(places);
    cJSON_Delete(places);
    return text;
}

static bool deliver_months(struct round *round, struct error *error)
{
    const struct request *request = round->request;
    char first_day[sizeof "2026-09-01"];
    char *places = places_json(round);
    period_first_day(request->period, first_day);
    const char *const parameters[] = { request->only_final ? "true" : "false", places,
                                       request->period != NULL ? first_day : NULL };
    PGresult *months = database_query_file(round->connection, "deliver/months.sql", 3, parameters, error);
    free(places);
    bool ok = months != NULL;
    if (ok && request->period != NULL && PQntuples(months) == 0)
        ok = error_set(error, ERROR_INPUT, "no statement is published for %s", request->period);
    if (ok && round->request->informed != NULL) /* before anything is handed over */
        ok = note_months(round, months, error);
    for (int i = 0; ok && i < PQntuples(months); i++)
        ok = deliver_month(round, PQgetvalue(months, i, 0), result_flag(months, i, 1), error);
    PQclear(months);
    return ok;
}

static bool check(const struct request *request, int operands, struct error *error)
{
    if (operands != 1 || (request->recipients == NULL) == (request->directory == NULL)) {
        error_set(error, ERROR_USAGE,
                  "deliver: takes one OUT, and either --recipients FILE or --directory DIR");
        error_hint(error, "kstar deliver --help shows examples");
        return false;
    }
    if (request->directory != NULL && (request->from != NULL || request->mailer != NULL))
        return error_set(error, ERROR_USAGE, "deliver: --from and --mailer go with --recipients");
    if (request->from != NULL && !mail_address_is_plain(request->from))
        return error_set(error, ERROR_USAGE, "deliver: --from \"%s\" is not a mail address name@host",
                         request->from);
    if (!path_is_directory(request->out))
        return error_set(error, ERROR_INPUT, "%s: no such folder", request->out);
    return true;
}

static bool run_round(const struct request *request, const struct common_options *options,
                      struct error *error)
{
    struct round round = { .request = request };
    char *directory = NULL;
    bool ok = request->recipients == NULL || recipients_read(request->recipients, &round.recipients, error);
    if (ok && request->directory != NULL) {
        ok = request->dry_run || directory_make(request->directory, error);
        directory = realpath(request->directory, NULL);
        round.directory = directory != NULL ? directory : request->directory;
    }
    ok = ok && (round.connection = connect_existing(options, error)) != NULL;
    if (ok && !request->dry_run)
        run_begin(round.connection, &(struct run_start){ .command = command_deliver.name });
    ok = ok && deliver_months(&round, error);
    if (ok && !request->json)
        printf("%d %s, %d before, %d wait\n", round.handed,
               request->dry_run ? "would be handed over" : "handed over", round.before, round.waiting);
    if (ok)
        error->kind = round.waiting > 0 ? ERROR_ATTENTION : ERROR_NONE;
    connect_close(round.connection);
    recipients_free(&round.recipients);
    free(directory);
    return ok;
}

static bool run(const struct command *command, int argc, char **argv, struct error *error)
{
    struct request request = { 0 };
    const struct option_entry entries[] = {
        { "recipients", OPTION_TEXT, "FILE", "by mail: a CSV with the columns cost_centre and address",
          &request.recipients },
        { "directory", OPTION_TEXT, "DIR", "into a folder per cost centre below DIR instead",
          &request.directory },
        { "from", OPTION_TEXT, "ADDRESS", "whom the mail is from; default: what the mailer says",
          &request.from },
        { "mailer", OPTION_TEXT, "FILE", "the mailer, run with -t -oi; default /usr/sbin/sendmail",
          &request.mailer },
        { "period", OPTION_PERIOD, "YYYY-MM", "only this month; default: open ones and the one closed last",
          &request.period },
        { "final", OPTION_FLAG, NULL, "only workbooks of closed months", &request.only_final },
        { "informed", OPTION_TEXT, "COST_CENTRE",
          "note that its owner was informed of a workbook that the statement no longer has",
          &request.informed },
        { "json", OPTION_FLAG, NULL, "print JSON lines", &request.json },
        { "dry-run", OPTION_FLAG, NULL, "only say what would be handed over", &request.dry_run },
        { 0 },
    };
    struct common_options options;
    int first_operand;
    if (!options_read(command, entries, argc, argv, &options, &first_operand, error))
        return false;
    request.out = argv[first_operand];
    if (!check(&request, argc - first_operand, error))
        return false;
    if (request.mailer == NULL)
        request.mailer = "/usr/sbin/sendmail";
    return run_round(&request, &options, error);
}

const struct command command_deliver = {
    .name = "deliver",
    .summary = "hand each cost centre's workbook to its owner, each version once",
    .usage = "kstar deliver OUT --recipients FILE [options]\n"
             "       kstar deliver OUT --directory DIR [options]",
    .description =
        "OUT is the folder with the workbooks of the night. kstar does not hand over a workbook that is not of\n"
        "the published statement, nor one that has the same bytes as the last one to the same address or\n"
        "folder. Exit code 4: kstar lists what was not handed over, and hands over the rest. Causes:\n"
        "- a cost centre has no recipient (the address none means that nobody wants its workbook);\n"
        "- the mailer refused;\n"
        "- a workbook is missing;\n"
        "- a workbook was handed over and the statement no longer has it: inform its owner, then record\n"
        "  that with --informed.",
    .examples = "kstar deliver out --recipients /etc/kstar/recipients.csv --dry-run\n"
                "kstar deliver out --recipients /etc/kstar/recipients.csv --from finops@example.org\n"
                "kstar deliver out --directory /srv/chargeback --final",
    .run = run,
};
