/* cli/status.c: kstar status: whether the last night is good, which data are fresh, and what waits
 * or is held. Reads, never writes.
 *
 * On a terminal it is one screen: tables show their first rows. JSON has everything. The exit code
 * is for monitoring: 9 if the last night is not good.
 */
#include "base/exit_codes.h"
#include "base/postgres/database.h"
#include "base/postgres/identity.h"
#include "base/system/file.h"
#include "cli/command.h"
#include "cli/connect.h"
#include "night/inbox_news.h"
#include "print/json_print.h"
#include "print/print_line.h"
#include "print/result_table.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum parameter { NOTHING, RULES, MAXIMUM_AGE, LOADER };
enum { ROWS_SHOWN = 12, CHARACTERS_SHOWN = 72 };

/* The queries of the status, in the order in which they are shown. NIGHT and COVERAGE are printed
 * as sentences. */
enum {
    NIGHT,
    STAGES,
    RUNNING,
    SOURCES,
    DELIVERIES,
    HELD,
    STATEMENTS,
    BLOCKED,
    WAITING,
    OTHER_LOADER,
    COVERAGE,
    QUERIES
};
static const struct status_query {
    const char *key, *file;
    enum parameter parameter;
    const char *title;   /* NULL: only in JSON */
    bool only_with_rows; /* not printed on the terminal if it is empty */
} queries[QUERIES] = {
    [NIGHT] = { "night", "status/night.sql", MAXIMUM_AGE, NULL, false },
    [STAGES] = { "stages", "status/stages.sql", NOTHING, NULL, false },
    [RUNNING] = { "running", "status/running.sql", NOTHING, "at work now", true },
    [SOURCES] = { "sources", "status/sources.sql", NOTHING, "sources", false },
    [DELIVERIES] = { "deliveries", "status/deliveries.sql", NOTHING, NULL, false },
    [HELD] = { "held", "status/held.sql", NOTHING, NULL, false },
    [STATEMENTS] = { "statements", "status/statements.sql", RULES, "months", false },
    [BLOCKED] = { "blocked", "status/blocked.sql", NOTHING, NULL, false },
    [WAITING] = { "waiting", "status/waiting.sql", NOTHING, "what waits", true },
    [OTHER_LOADER] = { "other_loader", "status/other_loader.sql", LOADER, "read by another build of kstar",
                       true },
    [COVERAGE] = { "coverage", "status/coverage.sql", NOTHING, NULL, false },
};

struct status {
    PGresult *results[QUERIES];
    bool has_news; /* the inbox of the last night could be read */
    struct inbox_news news;
};

/* A field of the last night; "" if there was no night or the field is empty. */
static const char *night_field(const struct status *status, const char *name)
{
    const PGresult *night = status->results[NIGHT];
    return PQntuples(night) > 0 ? PQgetvalue(night, 0, PQfnumber(night, name)) : "";
}

/* The deliveries whose files are not in the inbox of the last night, as a JSON array. The caller
 * frees it. */
static char *missing_labels(const char *inbox, const PGresult *deliveries)
{
    cJSON *missing = cJSON_CreateArray();
    int column = PQfnumber(deliveries, "delivery");
    for (int i = 0; i < PQntuples(deliveries); i++) {
        struct stat found;
        const char *label = PQgetvalue(deliveries, i, column);
        char *path = path_join(inbox, label);
        if (inbox[0] == '\0' || stat(path, &found) != 0)
            cJSON_AddItemToArray(missing, cJSON_CreateString(label));
        free(path);
    }
    char *text = cJSON_PrintUnformatted(missing);
    cJSON_Delete(missing);
    return text;
}

/* Deliveries that another build has read. The query runs twice, because only the disk knows which
 * files are missing. */
static bool read_other_loader(PGconn *connection, struct status *status, struct error *error)
{
    PGresult **answer = &status->results[OTHER_LOADER];
    const char *const all[] = { loader_identity, "[]" };
    const char *file = queries[OTHER_LOADER].file;
    *answer = database_query_file(connection, file, 2, all, error);
    if (*answer == NULL || PQntuples(*answer) == 0)
        return *answer != NULL;
    char *missing = missing_labels(night_field(status, "inbox"), *answer);
    const char *const parameters[] = { loader_identity, missing };
    PQclear(*answer);
    *answer = database_query_file(connection, file, 2, parameters, error);
    free(missing);
    return *answer != NULL;
}

static bool read_status(PGconn *connection, double maximum_age, struct status *status, struct error *error)
{
    char hours[32];
    snprintf(hours, sizeof hours, "%g", maximum_age);
    for (int i = 0; i < QUERIES; i++) {
        const char *const parameter[] = { queries[i].parameter == RULES ? rules_identity : hours };
        if (queries[i].parameter == LOADER) {
            if (!read_other_loader(connection, status, error))
                return false;
            continue;
        }
        status->results[i] = database_query_file(connection, queries[i].file, queries[i].parameter != NOTHING,
                                                 parameter, error);
        if (status->results[i] == NULL)
            return false;
    }
    const int64_t began = strtoll(night_field(status, "began_microseconds"), NULL, 10);
    status->has_news = inbox_news(night_field(status, "inbox"), began, &status->news);
    return true;
}

/* ---- for scripts ---- */

static void add_news(cJSON *root, const struct status *status)
{
    cJSON *news = status->has_news ? cJSON_AddObjectToObject(root, "inbox_news") : NULL;
    if (news == NULL) {
        cJSON_AddNullToObject(root, "inbox_news");
        return;
    }
    cJSON_AddNumberToObject(news, "files", status->news.count);
    cJSON_AddStringToObject(news, "first", status->news.first);
}

static bool print_json(const struct status *status, struct error *error)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "version", KSTAR_VERSION);
    for (int i = 0; i < QUERIES; i++) {
        cJSON *rows = result_table_json(status->results[i]);
        if (i == NIGHT) { /* one row, or none */
            cJSON *night = cJSON_DetachItemFromArray(rows, 0);
            cJSON_Delete(rows);
            cJSON_AddItemToObject(root, queries[i].key, night != NULL ? night : cJSON_CreateNull());
        } else {
            cJSON_AddItemToObject(root, queries[i].key, rows);
        }
    }
    add_news(root, status);
    return json_print(root, error);
}

/* ---- for people ---- */

/* "3.0 s", "12 min 5 s", "26 h 10 min" */
static const char *duration_text(double seconds, char text[48])
{
    long whole = (long)seconds;
    if (seconds < 60)
        snprintf(text, 48, "%.1f s", seconds);
    else if (seconds < 3600)
        snprintf(text, 48, "%ld min %ld s", whole / 60, whole % 60);
    else if (seconds < 72 * 3600)
        snprintf(text, 48, "%ld h %ld min", whole / 3600, whole / 60 % 60);
    else
        snprintf(text, 48, "%ld days", whole / 86400);
    return text;
}

static void print_night(const struct status *status)
{
    char took[48], ago[48];
    const char *verdict = night_field(status, "verdict");
    if (verdict[0] == '\0') {
        printf("last night  none yet: kstar nightly INBOX --out DIR\n");
        return;
    }
    duration_text(strtod(night_field(status, "hours_ago"), NULL) * 3600, ago);
    if (night_field(status, "exit_code")[0] == '\0') {
        printf("last night  killed: it began %s and did not finish (%s ago)\n", night_field(status, "began"),
               ago);
        return;
    }
    int code = (int)strtol(night_field(status, "exit_code"), NULL, 10);
    duration_text(strtod(night_field(status, "seconds"), NULL), took);
    printf("last night  %s: began %s, took %s, ended with %d (%s) %s ago\n", verdict,
           night_field(status, "began"), took, code, exit_code_outcome(code), ago);
    if (night_field(status, "message")[0] != '\0')
        print_line(stdout, "            %s", night_field(status, "message"));
    print_line(stdout, "            %s rows of %s deliveries loaded, %s files written to %s",
               night_field(status, "rows"), night_field(status, "deliveries"),
               night_field(status, "files_written"), night_field(status, "out"));
}

static void print_news(const struct status *status)
{
    if (status->has_news && status->news.count > 0)
        print_line(stdout, "inbox       %d file%s since then for the next night: %s%s", status->news.count,
                   status->news.count == 1 ? "" : "s", status->news.first,
                   status->news.count > 1 ? " …" : "");
}

static void print_coverage(const PGresult *coverage)
{
    if (PQntuples(coverage) > 0)
        print_line(stdout, "%s     %s", PQgetvalue(coverage, 0, 0), PQgetvalue(coverage, 0, 1));
}

static void print_screen(const struct status *status)
{
    print_night(status);
    print_coverage(status->results[COVERAGE]);
    print_news(status);
    for (int i = 0; i < QUERIES; i++) {
        if (queries[i].title != NULL && (PQntuples(status->results[i]) > 0 || !queries[i].only_with_rows))
            result_table_print_short(queries[i].title, status->results[i], ROWS_SHOWN, CHARACTERS_SHOWN);
    }
}

/* A missing night is bad only if the user gave --max-age. */
static bool is_good(const struct status *status, bool asked_for_age)
{
    const char *verdict = night_field(status, "verdict");
    return strcmp(verdict, "good") == 0 || (verdict[0] == '\0' && !asked_for_age);
}

static bool run(const struct command *command, int argc, char **argv, struct error *error)
{
    const double default_age = 36;
    double maximum_age = NAN;
    bool json = false;
    const struct option_entry entries[] = {
        { "json", OPTION_FLAG, NULL, "print JSON", &json },
        { "max-age", OPTION_NUMBER, "HOURS", "how long ago the last night may be (default: 36; 0: any time)",
          &maximum_age },
        { 0 },
    };
    struct common_options options;
    struct status status = { 0 };
    if (!options_read_alone(command, entries, argc, argv, &options, error))
        return false;
    bool asked_for_age = maximum_age > 0;
    if (maximum_age < 0)
        return error_set(error, ERROR_USAGE, "status: --max-age %g is less than 0", maximum_age);

    PGconn *connection = connect_existing(&options, error);
    bool ok = connection != NULL &&
              read_status(connection, isnan(maximum_age) ? default_age : maximum_age, &status, error);
    if (ok && json)
        ok = print_json(&status, error);
    else if (ok)
        print_screen(&status);
    if (ok && !is_good(&status, asked_for_age))
        error->kind = ERROR_NIGHT;
    for (int i = 0; i < QUERIES; i++)
        PQclear(status.results[i]);
    connect_close(connection);
    return ok;
}

const struct command command_status = {
    .name = "status",
    .summary = "is the last night good, what is fresh, what waits and what is held",
    .usage = "kstar status [options]",
    .description =
        "One screen: how the last night ended, up to when each source has records, the months and whether\n"
        "their statements are up to date, and the open tasks: refused and held deliveries, quarantined rows,\n"
        "what prevents a close, unallocated cost, budgets crossed. The exit code is 9 if the last night failed,\n"
        "was killed, or is longer ago than --max-age; with that option also if there was none. Otherwise it is\n"
        "0, also with open tasks.",
    .examples = "kstar status\n"
                "kstar status --json\n"
                "kstar status --max-age 26 >/dev/null || mail-the-engineer",
    .run = run,
};
