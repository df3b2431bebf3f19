/* cli/report_forecast.c: kstar report forecast: coming months by scenario (docs/scenarios.md). */
#include "base/postgres/database.h"
#include "cli/command.h"
#include "cli/connect.h"
#include "forecast/forecast_book.h"
#include "forecast/forecast_json.h"
#include "forecast/forecast_print.h"
#include "forecast/forecast_run.h"
#include "forecast/scenario_catalogue.h"
#include "forecast/scenario_file.h"
#include "print/json_print.h"
#include "print/print_line.h"
#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_MONTHS = 12, NOT_GIVEN = -1 };

/* `all` takes the scenarios as JSON; NULL: they are printed. */
static bool list_scenarios(cJSON *all, struct error *error)
{
    for (const struct scenario_text *ready = scenario_catalogue; ready->name != NULL; ready++) {
        struct scenario scenario;
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(ready->name, "."), ready->name);
        bool ok = scenario_read(name, &scenario, error);
        const char *description = ok && scenario.description != NULL ? scenario.description : "";
        if (ok && all != NULL) {
            cJSON *one = cJSON_CreateObject();
            cJSON_AddStringToObject(one, "name", name);
            cJSON_AddStringToObject(one, "description", description);
            cJSON_AddItemToArray(all, one);
        } else if (ok) {
            print_line(stdout, "%-14s %s", name, description);
        }
        scenario_free(&scenario);
        if (!ok) {
            cJSON_Delete(all);
            return false;
        }
    }
    return all == NULL || json_print(all, error);
}

static bool print_json(const struct forecast_history *history, cJSON *scenarios, struct error *error)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "currency", history->currency);
    cJSON_AddNumberToObject(root, "minor_unit_digits", history->digits);
    cJSON_AddItemToObject(root, "history", forecast_history_json(history));
    cJSON_AddItemToObject(root, "scenarios", cJSON_Duplicate(scenarios, true));
    return json_print(root, error);
}

static void print_text(const struct forecast_history *history, const struct forecast_result *results,
                       int count)
{
    forecast_print_history(history);
    for (int i = 0; i < count; i++)
        forecast_print_result(history, &results[i]);
    if (count > 1)
        forecast_print_comparison(history, results, count);
}

/* Reports the written workbooks: as a line each, or in JSON as a member of their scenario. */
static void say_books(const struct report_summary *summary, cJSON *scenarios, bool json)
{
    for (int i = 0; i < summary->file_count; i++) {
        const struct report_file *file = &summary->files[i];
        if (json)
            cJSON_AddStringToObject(cJSON_GetArrayItem(scenarios, i), "workbook", file->path);
        else
            print_written(file->path, file->changed);
    }
}

/* The work of one call. */
struct forecasting {
    const struct option_list *names;
    unsigned months;
    bool json;
    const char *out; /* NULL: no workbooks */
    struct forecast_history history;
    struct forecast_result *results;
    cJSON *scenarios;
    struct forecast_book *books; /* one for each scenario; without `out` they have no rows */
};

static bool make_book(PGconn *connection, struct forecasting *work, int i, struct error *error)
{
    const cJSON *id = cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(work->scenarios, i), "forecast_id");
    cJSON *rows = forecast_book_json(connection, &work->history, work->results, work->names->count, i,
                                     id->valuestring, error);
    work->books[i] = (struct forecast_book){ work->results[i].scenario.name, cJSON_PrintUnformatted(rows) };
    cJSON_Delete(rows);
    return error->kind == ERROR_NONE;
}

/* All scenarios are forecast before any is stored. */
static bool forecast_each(PGconn *connection, struct forecasting *work, struct error *error)
{
    int count = work->names->count;
    bool ok = forecast_history_open(connection, &work->history, error) &&
              forecast_history_fit(connection, &work->history, error);
    for (int i = 0; ok && i < count; i++)
        ok = forecast_run(connection, &work->history, work->names->values[i], work->months, &work->results[i],
                          error);
    for (int i = 0; ok && i < count; i++) {
        cJSON *result = forecast_result_json(&work->history, &work->results[i]);
        cJSON_AddItemToArray(work->scenarios, result);
        ok = forecast_keep(connection, &work->history, &work->results[i], result, error);
    }
    for (int i = 0; ok && work->out != NULL && i < count; i++)
        ok = make_book(connection, work, i, error);
    return ok;
}

/* Uses one snapshot: a night that publishes meanwhile changes all of the forecast or nothing. */
static bool forecast_all(PGconn *connection, struct forecasting *work, struct error *error)
{
    if (!database_execute(connection, "BEGIN ISOLATION LEVEL REPEATABLE READ", error))
        return false;
    bool ok = forecast_each(connection, work, error) && database_commit(connection, error);
    if (!ok)
        database_rollback(connection);
    return ok;
}

static bool write_books(PGconn *connection, const struct forecasting *work, struct error *error)
{
    struct report_summary summary = { 0 };
    bool ok = report_forecast(connection, work->books, work->names->count, work->out, &summary, error);
    say_books(&summary, work->scenarios, work->json);
    report_summary_free(&summary);
    return ok;
}

static bool say(PGconn *connection, const struct forecasting *work, struct error *error)
{
    if (work->out != NULL && !write_books(connection, work, error))
        return false;
    if (work->json)
        return print_json(&work->history, work->scenarios, error);
    if (work->out == NULL)
        print_text(&work->history, work->results, work->names->count);
    return true;
}

static bool forecast(PGconn *connection, struct forecasting *work, struct error *error)
{
    int count = work->names->count;
    work->results = calloc((size_t)count, sizeof *work->results);
    work->books = calloc((size_t)count, sizeof *work->books);
    work->scenarios = cJSON_CreateArray();
    bool ok = forecast_all(connection, work, error) && say(connection, work, error);
    for (int i = 0; i < count; i++) {
        forecast_result_free(&work->results[i]);
        cJSON_free((char *)work->books[i].rows);
    }
    free(work->results);
    free(work->books);
    cJSON_Delete(work->scenarios);
    forecast_history_close(&work->history);
    return ok;
}

/* Reads scenario files before the database is opened, so that an error in one is reported at
 * once. */
static bool check_scenarios(const struct option_list *names, struct error *error)
{
    bool ok = true;
    for (int i = 0; ok && i < names->count; i++) {
        struct scenario scenario;
        ok = scenario_read(names->values[i], &scenario, error);
        scenario_free(&scenario);
    }
    return ok;
}

/* Operands are scenarios, too: --scenario FILE FILE. */
static bool add_operands(int argc, char **argv, int first, struct option_list *names, struct error *error)
{
    if (names->count + argc - first > OPTION_LIST_LONGEST)
        return error_set(error, ERROR_USAGE, "report forecast: more than %d scenarios", OPTION_LIST_LONGEST);
    for (int i = first; i < argc; i++)
        names->values[names->count++] = argv[i];
    if (names->count == 0)
        names->values[names->count++] = "base";
    return true;
}

static bool run(const struct command *command, int argc, char **argv, struct error *error)
{
    struct option_list names = { .count = 0 };
    int months = NOT_GIVEN;
    const char *out = NULL;
    bool json = false, list = false;
    const struct option_entry entries[] = {
        { "scenario", OPTION_LIST, "FILE",
          "a scenario file or a ready-made one; may be repeated (default: base)", &names },
        { "months", OPTION_COUNT, "N", "how many months, 1 to 60 (default: 12)", &months },
        { "out", OPTION_TEXT, "DIR", "write forecast-NAME.xlsx of each scenario there instead", &out },
        { "list-scenarios", OPTION_FLAG, NULL, "name the ready-made scenarios instead", &list },
        { "json", OPTION_FLAG, NULL, "print JSON", &json },
        { 0 },
    };
    struct common_options options;
    int first_operand;
    if (!options_read(command, entries, argc, argv, &options, &first_operand, error))
        return false;
    if (list && (names.count > 0 || first_operand < argc || months != NOT_GIVEN || out != NULL))
        return error_set(error, ERROR_USAGE, "report forecast: only --json goes with --list-scenarios");
    if (list)
        return list_scenarios(json ? cJSON_CreateArray() : NULL, error);
    if (!add_operands(argc, argv, first_operand, &names, error))
        return false;
    if (months == NOT_GIVEN)
        months = DEFAULT_MONTHS;
    if (months < 1 || months > (int)FORECAST_MONTHS)
        return error_set(error, ERROR_USAGE, "report forecast: --months %d is not between 1 and %u", months,
                         FORECAST_MONTHS);
    if (!check_scenarios(&names, error))
        return false;
    PGconn *connection = connect_existing(&options, error);
    struct forecasting work = { .names = &names, .months = (unsigned)months, .json = json, .out = out };
    bool ok = connection != NULL && forecast(connection, &work, error);
    connect_close(connection);
    return ok;
}

const struct command command_report_forecast = {
    .name = "report forecast",
    .summary = "forecast the coming months by scenario",
    .usage = "kstar report forecast [--scenario FILE…] [--months N] [--out DIR] [--json] [options]\n"
             "       kstar report forecast --list-scenarios [--json]",
    .description = "Carries the published statements on, with each scenario's levers on them: cost by month "
                   "with P10, P50 "
                   "and P90, by component\n"
                   "and cost centre; why history changed; how far off the method would have been. Each "
                   "forecast is kept in "
                   "the database.\n"
                   "With --out, a workbook of each scenario instead, forecast-NAME.xlsx: the scenarios side "
                   "by side, and an "
                   "Inputs sheet whose cells drive\n"
                   "the projection by formulas (docs/workbooks.md). docs/scenarios.md describes scenario "
                   "files and the method.",
    .examples = "kstar report forecast --months 6\n"
                "kstar report forecast --scenario base k-star plans/autumn.json --json\n"
                "kstar report forecast --scenario base k-star --out out",
    .run = run,
};
