/* cli/report_variance.c: kstar report variance: stored forecasts compared with actual cost, by
 * month, cost centre and lever (docs/scenarios.md). The levers are those of
 * model/cost/cost_change.h, from the forecast to the actual month. */
#include "base/postgres/database.h"
#include "base/time_text.h"
#include "cli/command.h"
#include "cli/connect.h"
#include "forecast/forecast_history.h"
#include "forecast/forecast_leaves.h"
#include "print/json_print.h"
#include "print/print_line.h"
#include "print/text_amount.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCENARIO, FORECAST_ID, MONTH, AHEAD, P10, P90 }; /* sql/forecast/variance_choice.sql */
enum {
    CENTRE,
    FAMILY,
    WORK,
    HOURS,
    HARDWARE,
    FEES,
    FAILED,
    CANCELLED,
    REST
}; /* sql/forecast/variance_cells.sql */

struct request {
    const char *scenario, *period;
    int ahead;
    bool json;
};

/* A forecast and the actual cost, of all cost centres (cost_centre NULL) or of one. */
struct compared {
    const char *cost_centre;
    int64_t forecast, actual, effects[COST_EFFECTS];
};

/* Sums over a scenario's months, for its accuracy. A month without cost has no share. */
struct accuracy {
    int months, months_with_cost, within;
    double off, bias, actual, shares;
};

static void add_accuracy(struct accuracy *accuracy, const struct compared *whole, const PGresult *choice,
                         int row)
{
    double error = (double)(whole->actual - whole->forecast);
    accuracy->months++;
    accuracy->within += whole->actual >= strtoll(PQgetvalue(choice, row, P10), NULL, 10) &&
                        whole->actual <= strtoll(PQgetvalue(choice, row, P90), NULL, 10);
    accuracy->off += fabs(error);
    accuracy->bias += error;
    accuracy->actual += fabs((double)whole->actual);
    if (whole->actual != 0) {
        accuracy->months_with_cost++;
        accuracy->shares += fabs(error / (double)whole->actual);
    }
}

/* ---- cells of a month, forecast and actual, side by side ---- */

struct pair {
    const char *cost_centre, *family;
    struct cost_drivers forecast, actual;
};

static struct cost_drivers kept_drivers(const PGresult *rows, int row)
{
    return (struct cost_drivers){ .ideal_node_hours = strtod(PQgetvalue(rows, row, WORK), NULL),
                                  .node_hours = strtod(PQgetvalue(rows, row, HOURS), NULL),
                                  .hardware = strtoll(PQgetvalue(rows, row, HARDWARE), NULL, 10),
                                  .fees = strtoll(PQgetvalue(rows, row, FEES), NULL, 10),
                                  .failed = strtoll(PQgetvalue(rows, row, FAILED), NULL, 10),
                                  .cancelled = strtoll(PQgetvalue(rows, row, CANCELLED), NULL, 10),
                                  .rest = strtoll(PQgetvalue(rows, row, REST), NULL, 10) };
}

static struct pair *find_pair(struct pair *pairs, size_t count, const char *cost_centre, const char *family)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(pairs[i].cost_centre, cost_centre) == 0 && strcmp(pairs[i].family, family) == 0)
            return &pairs[i];
    }
    return NULL;
}

/* A pair for every cell of the forecast or the actual month. The caller frees them. */
static struct pair *make_pairs(const struct forecast_history *history, size_t month, const PGresult *kept,
                               size_t *count)
{
    size_t rows = (size_t)PQntuples(kept);
    struct pair *pairs = calloc(history->cell_count + rows + 1, sizeof *pairs);
    *count = 0;
    for (size_t i = 0; i < history->cell_count; i++) {
        const struct forecast_cell *cell = &history->cells[i];
        pairs[(*count)++] = (struct pair){ .cost_centre = cell->cost_centre,
                                           .family = cell->family,
                                           .actual = forecast_facts_drivers(&cell->months[month]) };
    }
    for (int row = 0; row < (int)rows; row++) {
        const char *centre = PQgetvalue(kept, row, CENTRE), *family = PQgetvalue(kept, row, FAMILY);
        struct pair *pair = find_pair(pairs, *count, centre, family);
        if (pair == NULL) {
            pair = &pairs[(*count)++];
            *pair = (struct pair){ .cost_centre = centre, .family = family };
        }
        pair->forecast = kept_drivers(kept, row);
    }
    return pairs;
}

/* Adds up the cells of one cost centre, or of all, and their effects. */
static void compare_cells(const struct pair *pairs, size_t count, const char *cost_centre,
                          struct compared *compared)
{
    struct cost_drivers *drivers = calloc(2 * count + 1, sizeof *drivers);
    size_t used = 0;
    *compared = (struct compared){ .cost_centre = cost_centre };
    for (size_t i = 0; i < count; i++) {
        if (cost_centre != NULL && strcmp(pairs[i].cost_centre, cost_centre) != 0)
            continue;
        drivers[used] = pairs[i].forecast;
        drivers[count + used++] = pairs[i].actual;
        compared->forecast += cost_drivers_total(&pairs[i].forecast);
        compared->actual += cost_drivers_total(&pairs[i].actual);
    }
    cost_change(drivers, drivers + count, used, compared->effects);
    free(drivers);
}

/* ---- as text ---- */

static void print_percentage(double part, double whole)
{
    if (whole != 0)
        printf(" %8.1f%%", percent_of(part / whole));
    else
        printf(" %9s", "-");
}

/* Prints a row: a month, or below it a cost centre. */
static void print_compared(const char *name, const struct compared *compared, int digits)
{
    int64_t variance = compared->actual - compared->forecast;
    (compared->cost_centre != NULL ? text_part_name_print : text_name_print)(name);
    text_amount_print(compared->forecast, digits);
    text_amount_print(compared->actual, digits);
    text_amount_print(variance, digits);
    print_percentage((double)variance, (double)compared->forecast);
    for (int i = 0; i < COST_EFFECTS; i++)
        text_amount_print(compared->effects[i], digits);
    printf("\n");
}

static void print_head(const char *scenario, const char *currency)
{
    print_line(stdout, "scenario %s, in %s: what came against what was forecast, and why", scenario,
               currency);
    text_name_print("month");
    printf(" %*s %*s %*s %9s", TEXT_AMOUNT, "forecast", TEXT_AMOUNT, "actual", TEXT_AMOUNT, "variance", "");
    for (int i = 0; i < COST_EFFECTS; i++)
        printf(" %*s", TEXT_AMOUNT, cost_effect_name((enum cost_effect)i));
    printf("\n");
}

/* "12.3 %" of part and whole; "-" if the whole is 0. */
static const char *share_text(double part, double whole, bool with_sign, char text[32])
{
    if (whole != 0)
        snprintf(text, 32, with_sign ? "%+.1f %%" : "%.1f %%", percent_of(part / whole));
    else
        snprintf(text, 32, "-");
    return text;
}

static void print_accuracy(const struct accuracy *accuracy)
{
    char off[32], mean[32], bias[32];
    printf("  off by %s (weighted), %s (mean of the months), bias %s; %d of %d months between P10 and P90\n",
           share_text(accuracy->off, accuracy->actual, false, off),
           share_text(accuracy->shares, accuracy->months_with_cost, false, mean),
           share_text(accuracy->bias, accuracy->actual, true, bias), accuracy->within, accuracy->months);
}

/* ---- as JSON ---- */

static cJSON *compared_json(const struct compared *compared)
{
    cJSON *object = cJSON_CreateObject();
    if (compared->cost_centre != NULL)
        cJSON_AddStringToObject(object, "cost_centre", forecast_leaves_centre(compared->cost_centre));
    json_add_minor(object, "forecast_minor", compared->forecast);
    json_add_minor(object, "actual_minor", compared->actual);
    json_add_minor(object, "variance_minor", compared->actual - compared->forecast);
    for (int i = 0; i < COST_EFFECTS; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s_minor", cost_effect_name((enum cost_effect)i));
        json_add_minor(object, name, compared->effects[i]);
    }
    return object;
}

static cJSON *accuracy_json(const struct accuracy *accuracy)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "months", accuracy->months);
    cJSON_AddNumberToObject(object, "weighted_error", accuracy->off / accuracy->actual);
    cJSON_AddNumberToObject(object, "mean_error", accuracy->shares / accuracy->months_with_cost);
    cJSON_AddNumberToObject(object, "bias", accuracy->bias / accuracy->actual);
    cJSON_AddNumberToObject(object, "months_between_p10_and_p90", accuracy->within);
    return object;
}

/* ---- the report ---- */

struct report {
    struct forecast_history history;
    PGresult *choice;
    cJSON *json; /* scenarios; NULL: text is printed */
};

/* The cost centres of a month in the order of their first cell. */
static void report_centres(const struct report *report, const struct pair *pairs, size_t count, cJSON *list)
{
    for (size_t i = 0; i < count; i++) {
        struct compared compared;
        bool first = true;
        for (size_t j = 0; j < i && first; j++)
            first = strcmp(pairs[j].cost_centre, pairs[i].cost_centre) != 0;
        if (!first)
            continue;
        compare_cells(pairs, count, pairs[i].cost_centre, &compared);
        if (list != NULL)
            cJSON_AddItemToArray(list, compared_json(&compared));
        else if (compared.forecast != 0 || compared.actual != 0)
            print_compared(forecast_leaves_centre(pairs[i].cost_centre), &compared, report->history.digits);
    }
}

static bool report_month(PGconn *connection, const struct report *report, int row, cJSON *months,
                         struct accuracy *accuracy, struct error *error)
{
    char day[16], name[8];
    int month = (int)strtol(PQgetvalue(report->choice, row, MONTH), NULL, 10);
    const char *const parameters[] = { PQgetvalue(report->choice, row, FORECAST_ID),
                                       forecast_month_day(month, day) };
    PGresult *kept = database_query_file(connection, "forecast/variance_cells.sql", 2, parameters, error);
    size_t count;
    struct compared whole;
    if (kept == NULL)
        return false;
    struct pair *pairs = make_pairs(&report->history, (size_t)(month - report->history.first), kept, &count);
    compare_cells(pairs, count, NULL, &whole);
    cJSON *list = NULL;
    if (months != NULL) {
        cJSON *object = compared_json(&whole);
        cJSON_AddStringToObject(object, "month", scenario_month_text(month, name));
        cJSON_AddStringToObject(object, "forecast_id", parameters[0]);
        cJSON_AddNumberToObject(object, "months_ahead",
                                (int)strtol(PQgetvalue(report->choice, row, AHEAD), NULL, 10));
        list = cJSON_AddArrayToObject(object, "cost_centres");
        cJSON_AddItemToArray(months, object);
    } else {
        print_compared(scenario_month_text(month, name), &whole, report->history.digits);
    }
    add_accuracy(accuracy, &whole, report->choice, row);
    report_centres(report, pairs, count, list);
    free(pairs);
    PQclear(kept);
    return true;
}

/* Rows from..to - 1 are of one scenario. */
static bool report_scenario(PGconn *connection, const struct report *report, int from, int to,
                            struct error *error)
{
    struct accuracy accuracy = { 0 };
    const char *name = PQgetvalue(report->choice, from, SCENARIO);
    cJSON *object = report->json != NULL ? cJSON_CreateObject() : NULL;
    cJSON *months = object != NULL ? cJSON_CreateArray() : NULL;
    bool ok = true;
    if (object == NULL)
        print_head(name, report->history.currency);
    for (int row = from; ok && row < to; row++)
        ok = report_month(connection, report, row, months, &accuracy, error);
    if (object != NULL) {
        cJSON_AddStringToObject(object, "scenario", name);
        cJSON_AddStringToObject(object, "currency", report->history.currency);
        cJSON_AddNumberToObject(object, "minor_unit_digits", report->history.digits);
        cJSON_AddItemToObject(object, "months", months);
        cJSON_AddItemToObject(object, "accuracy", accuracy_json(&accuracy));
        cJSON_AddItemToArray(report->json, object);
    } else if (ok) {
        print_accuracy(&accuracy);
    }
    return ok;
}

static bool choose_forecasts(PGconn *connection, const struct request *request, struct report *report,
                             struct error *error)
{
    const struct forecast_history *history = &report->history;
    char from[16], to[16], ahead[16];
    forecast_month_day(history->first, from);
    forecast_month_day(history->first + (int)history->months - 1, to);
    if (request->period != NULL) {
        int month = scenario_month_of(request->period);
        if (month < history->first || month >= history->first + (int)history->months)
            return error_set(
                error, ERROR_INPUT,
                "report variance: the month is %s, but the whole statements in %s without a gap are %.7s to %.7s",
                request->period, history->currency, from, to);
        period_first_day(request->period, from);
        memcpy(to, from, sizeof to);
    }
    snprintf(ahead, sizeof ahead, "%d", request->ahead);
    const char *const parameters[] = { request->scenario != NULL ? request->scenario : "", from, to, ahead,
                                       history->currency };
    report->choice = database_query_file(connection, "forecast/variance_choice.sql", 5, parameters, error);
    if (report->choice != NULL && PQntuples(report->choice) == 0) {
        bool named = request->scenario != NULL;
        error_set(error, ERROR_INPUT,
                  "report variance: no forecast%s%s was kept of a month that has come since",
                  named ? " of scenario " : "", named ? request->scenario : "");
        error_hint(error, "kstar report forecast keeps one");
        return false;
    }
    return report->choice != NULL;
}

static bool report_variance(PGconn *connection, const struct request *request, struct error *error)
{
    struct report report = { .json = request->json ? cJSON_CreateArray() : NULL };
    bool ok = forecast_history_open(connection, &report.history, error) &&
              choose_forecasts(connection, request, &report, error);
    for (int from = 0, to; ok && from < PQntuples(report.choice); from = to) {
        for (to = from + 1;
             to < PQntuples(report.choice) &&
             strcmp(PQgetvalue(report.choice, to, SCENARIO), PQgetvalue(report.choice, from, SCENARIO)) == 0;)
            to++;
        ok = report_scenario(connection, &report, from, to, error);
    }
    if (ok && request->json)
        ok = json_print(report.json, error);
    else
        cJSON_Delete(report.json);
    PQclear(report.choice);
    forecast_history_close(&report.history);
    return ok;
}

static bool run(const struct command *command, int argc, char **argv, struct error *error)
{
    struct request request = { .ahead = 1 };
    const struct option_entry entries[] = {
        { "scenario", OPTION_TEXT, "NAME", "forecasts of this scenario alone (default: all)",
          &request.scenario },
        { "period", OPTION_PERIOD, "YYYY-MM", "this month alone", &request.period },
        { "ahead", OPTION_COUNT, "N", "as it was known N months before or earlier (default: 1)",
          &request.ahead },
        { "json", OPTION_FLAG, NULL, "print JSON", &request.json },
        { 0 },
    };
    struct common_options options;
    if (!options_read_alone(command, entries, argc, argv, &options, error))
        return false;
    if (request.ahead < 1)
        return error_set(error, ERROR_USAGE, "report variance: --ahead is at least 1");
    PGconn *connection = connect_existing(&options, error);
    bool ok = connection != NULL && report_variance(connection, &request, error);
    connect_close(connection);
    return ok;
}

const struct command command_report_variance = {
    .name = "report variance",
    .summary = "set forecasts that were kept against what came",
    .usage = "kstar report variance [--scenario NAME] [--period YYYY-MM] [--ahead N] [--json] [options]",
    .description =
        "For each month that has come, the latest forecast that was kept before it, against the statement: "
        "by "
        "cost centre and by\n"
        "lever (volume, mix, efficiency, price, fees, failures, rest), which add up to the variance; and how "
        "accurate the\n"
        "scenario's forecasts were. docs/scenarios.md explains it.",
    .examples = "kstar report variance --scenario base\n"
                "kstar report variance --period 2026-09 --ahead 3 --json",
    .run = run,
};
