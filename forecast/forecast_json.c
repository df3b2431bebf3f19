/* forecast/forecast_json.c: see forecast_json.h. */
#include "forecast/forecast_json.h"

#include "base/postgres/database.h"
#include "base/system/file.h"
#include "forecast/forecast_floors.h"
#include "forecast/forecast_leaves.h"
#include "forecast/scenario_members.h"
#include "print/json_print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_month(cJSON *object, const char *name, scenario_month month)
{
    char text[8];
    cJSON_AddStringToObject(object, name, scenario_month_text(month, text));
}

static void add_day(cJSON *object, scenario_month month)
{
    char day[16];
    cJSON_AddStringToObject(object, "month", forecast_month_day(month, day));
}

static void add_range(cJSON *object, const struct forecast_range *range)
{
    json_add_minor(object, "p10_minor", llround(range->p10));
    json_add_minor(object, "p50_minor", llround(range->p50));
    json_add_minor(object, "p90_minor", llround(range->p90));
}

/* Sums by component; month below 0: all months. */
static cJSON *components_json(const struct forecast_result *result, int month)
{
    cJSON *object = cJSON_CreateObject();
    for (int component = 0; component < FORECAST_COMPONENTS; component++)
        json_add_minor(object, forecast_component_name((enum forecast_component)component),
                       forecast_result_sum(result, month, -1, component));
    return object;
}

/* Sums by cost centre. */
static cJSON *centres_json(const struct forecast_result *result, int month)
{
    cJSON *object = cJSON_CreateObject();
    size_t *first = forecast_leaves_of_centres(result);
    int64_t *sums = forecast_leaves_sums(result, first, month);
    for (size_t i = 0; i < result->leaf_count; i++)
        if (first[i] == i)
            json_add_minor(object, forecast_leaves_centre(result->leaves[i].cost_centre), sums[i]);
    free(sums);
    free(first);
    return object;
}

/* One month; if `month` equals the number of months, the total. */
static cJSON *month_json(const struct forecast_result *result, unsigned month)
{
    cJSON *object = cJSON_CreateObject();
    int one = month < result->months ? (int)month : -1;
    if (one >= 0)
        add_month(object, "month", result->forecast.first + one);
    json_add_minor(object, "cost_minor", forecast_result_sum(result, one, -1, -1));
    add_range(object, &result->ranges[month]);
    cJSON_AddItemToObject(object, "components", components_json(result, one));
    cJSON_AddItemToObject(object, "cost_centres", centres_json(result, one));
    return object;
}

/* ---- the stored rows ---- */

static cJSON *leaf_json(const struct forecast_leaf *leaf, scenario_month month,
                        enum forecast_component component, int64_t minor)
{
    cJSON *row = cJSON_CreateObject();
    add_day(row, month);
    cJSON_AddStringToObject(row, "cost_centre", leaf->cost_centre);
    cJSON_AddStringToObject(row, "family", leaf->family);
    cJSON_AddStringToObject(row, "training", leaf->training);
    cJSON_AddStringToObject(row, "component", forecast_component_name(component));
    json_add_minor(row, "minor_units", minor);
    return row;
}

/* Leaves of the same name (people, costs without a job) become one row. */
static cJSON *leaves_json(const struct forecast_result *result)
{
    cJSON *rows = cJSON_CreateArray();
    size_t count = result->leaf_count * FORECAST_COMPONENTS;
    size_t *first = forecast_leaves_of_places(result);
    for (unsigned month = 0; month < result->months; month++) {
        int64_t *sums = calloc(count + 1, sizeof *sums);
        for (size_t i = 0; i < count; i++)
            sums[first[i / FORECAST_COMPONENTS] * FORECAST_COMPONENTS + i % FORECAST_COMPONENTS] +=
                result->minor[month * count + i];
        for (size_t i = 0; i < count; i++)
            if (sums[i] != 0)
                cJSON_AddItemToArray(rows,
                                     leaf_json(&result->leaves[i / FORECAST_COMPONENTS],
                                               result->forecast.first + (int)month,
                                               (enum forecast_component)(i % FORECAST_COMPONENTS), sums[i]));
        free(sums);
    }
    free(first);
    return rows;
}

/* The work of a cost centre and family in a month: of its cell and of planned trainings. `cell`
 * equals the number of cells if there is no cell. */
static cJSON *driver_json(const struct forecast_result *result, unsigned month, const char *cost_centre,
                          const char *family, size_t cell)
{
    size_t cells = result->forecast.cell_count, place = month * cells + cell;
    double work = cell < cells ? result->work[place] : 0, hours = cell < cells ? result->hours[place] : 0;
    double paid = cell < cells ? hours * result->price[place] : 0;
    for (size_t i = 0; i < result->scenario.training_count; i++) {
        const struct forecast_training *training = &result->trainings[i];
        if (training->ahead != month + 1 || strcmp(training->cost_centre, cost_centre) != 0 ||
            strcmp(training->family, family) != 0)
            continue;
        double runs = fmax(result->scenario.trainings[i].runs, 1);
        work += runs * result->answers[i].ideal_node_hours;
        hours += runs * result->answers[i].ideal_node_hours / result->answers[i].efficiency;
        paid += training->parts[FORECAST_USEFUL] + training->parts[FORECAST_COORDINATION];
    }
    cJSON *row = cJSON_CreateObject();
    add_day(row, result->forecast.first + (int)month);
    cJSON_AddStringToObject(row, "cost_centre", cost_centre);
    cJSON_AddStringToObject(row, "family", family);
    json_add_number(row, "ideal_node_hours", work);
    json_add_number(row, "node_hours", hours);
    json_add_number(row, "price_per_node_hour", hours > 0 ? paid / hours : 0);
    return row;
}

/* Whether a training needs a row of its own: it is the first of its cost centre and family in a
 * month, and they have no cell. */
static bool needs_row(const struct forecast_result *result, size_t number)
{
    const struct forecast_training *training = &result->trainings[number];
    if (training->ahead == 0 || forecast_history_find(result->cells, result->forecast.cell_count,
                                                      training->cost_centre, training->family) != NULL)
        return false;
    for (size_t i = 0; i < number; i++) {
        const struct forecast_training *other = &result->trainings[i];
        if (other->ahead == training->ahead && strcmp(other->cost_centre, training->cost_centre) == 0 &&
            strcmp(other->family, training->family) == 0)
            return false;
    }
    return true;
}

static cJSON *drivers_json(const struct forecast_result *result)
{
    cJSON *rows = cJSON_CreateArray();
    size_t cells = result->forecast.cell_count;
    for (unsigned month = 0; month < result->months; month++) {
        for (size_t i = 0; i < cells; i++) {
            if (result->cells[i].family[0] != '\0')
                cJSON_AddItemToArray(rows, driver_json(result, month, result->cells[i].cost_centre,
                                                       result->cells[i].family, i));
        }
    }
    for (size_t i = 0; i < result->scenario.training_count; i++) {
        const struct forecast_training *training = &result->trainings[i];
        if (needs_row(result, i))
            cJSON_AddItemToArray(rows, driver_json(result, training->ahead - 1, training->cost_centre,
                                                   training->family, cells));
    }
    return rows;
}

static cJSON *ranges_json(const struct forecast_result *result)
{
    cJSON *rows = cJSON_CreateArray();
    for (unsigned month = 0; month < result->months; month++) {
        cJSON *row = cJSON_CreateObject();
        add_day(row, result->forecast.first + (int)month);
        add_range(row, &result->ranges[month]);
        cJSON_AddItemToArray(rows, row);
    }
    return rows;
}

/* ---- the whole forecast ---- */

static cJSON *back_test_json(const struct back_test *test)
{
    cJSON *object = cJSON_CreateObject();
    cJSON *forecast = cJSON_CreateArray(), *actual = cJSON_CreateArray();
    cJSON_AddNumberToObject(object, "held_back", test->held_back);
    json_add_number(object, "error", test->error);
    json_add_number(object, "bias", test->bias);
    json_add_number(object, "like_the_last_month_error", test->naive_error);
    for (unsigned i = 0; i < test->held_back; i++) {
        cJSON_AddItemToArray(forecast, cJSON_CreateNumber(round(test->forecast[i])));
        cJSON_AddItemToArray(actual, cJSON_CreateNumber(round(test->actual[i])));
    }
    cJSON_AddItemToObject(object, "forecast_minor", forecast);
    cJSON_AddItemToObject(object, "actual_minor", actual);
    return object;
}

static cJSON *trainings_json(const struct forecast_result *result)
{
    cJSON *rows = cJSON_CreateArray();
    for (size_t i = 0; i < result->scenario.training_count; i++) {
        const struct scenario_training *plan = &result->scenario.trainings[i];
        const struct training_answer *answer = &result->answers[i];
        if (answer->k == 0)
            continue;
        cJSON *row = cJSON_CreateObject();
        cJSON_AddStringToObject(row, "name", plan->name);
        cJSON_AddStringToObject(row, "cost_centre", plan->cost_centre);
        cJSON_AddStringToObject(row, "family", plan->family);
        add_month(row, "month", plan->month);
        cJSON_AddNumberToObject(row, "k", answer->k);
        json_add_number(row, "hours", answer->hours);
        json_add_number(row, "efficiency", answer->efficiency);
        json_add_number(row, "ideal_node_hours", answer->ideal_node_hours);
        json_add_minor(row, "cost_minor", llround(answer->cost));
        if (answer->k_star > 0) {
            cJSON_AddNumberToObject(row, "k_star", answer->k_star);
            json_add_minor(row, "cost_at_k_star_minor", llround(answer->cost_at_k_star));
        }
        cJSON_AddItemToArray(rows, row);
    }
    return rows;
}

/* The steps from the base's total to the scenario's. */
static cJSON *bridge_json(const struct forecast_result *result)
{
    cJSON *object = cJSON_CreateObject();
    json_add_minor(object, "base_minor", result->bridge[0]);
    for (int lever = 0; lever < FORECAST_LEVERS; lever++) {
        char name[48];
        snprintf(name, sizeof name, "%s_minor", forecast_lever_name((enum forecast_lever)lever));
        json_add_minor(object, name, result->bridge[lever + 1]);
    }
    json_add_minor(object, "rounding_minor", result->bridge[FORECAST_LEVERS + 1]);
    return object;
}

/* The capacity of committed and owned hardware that each lever frees. The bridge counts it as
 * paid. */
static cJSON *bridge_freed_json(const struct forecast_result *result)
{
    cJSON *object = cJSON_CreateObject();
    for (int lever = 0; lever < FORECAST_LEVERS; lever++) {
        char name[48];
        snprintf(name, sizeof name, "%s_minor", forecast_lever_name((enum forecast_lever)lever));
        json_add_minor(object, name, result->freed[lever]);
    }
    return object;
}

static void add_optional(cJSON *object, const char *name, const char *text)
{
    cJSON_AddItemToObject(object, name, text != NULL ? cJSON_CreateString(text) : cJSON_CreateNull());
}

/* Committed and owned hardware by month, provider and SKU; provider and SKU of own nodes are
 * null. */
static cJSON *floors_json(const struct forecast_result *result)
{
    cJSON *rows = cJSON_CreateArray();
    size_t count = result->forecast.floor_count;
    for (unsigned month = 0; month < result->months; month++) {
        for (size_t i = 0; i < count; i++) {
            cJSON *row = cJSON_CreateObject();
            add_day(row, result->forecast.first + (int)month);
            add_optional(row, "provider", result->forecast.floors[i].provider);
            add_optional(row, "sku", result->forecast.floors[i].sku);
            json_add_minor(row, "floor_minor", llround(result->floors[month * count + i].floor));
            json_add_minor(row, "left_minor", llround(result->floors[month * count + i].left));
            json_add_minor(row, "freed_minor", forecast_floors_freed(result, (int)month, i));
            cJSON_AddItemToArray(rows, row);
        }
    }
    return rows;
}

/* Adds "forecast_id": a hash of all other members. */
static void add_id(cJSON *object)
{
    char id[SHA256_HEX_BYTES];
    char *text = cJSON_PrintUnformatted(object);
    text_sha256(text, strlen(text), id);
    cJSON_free(text);
    cJSON_AddStringToObject(object, "forecast_id", id);
}

cJSON *forecast_result_json(const struct forecast_history *history, const struct forecast_result *result)
{
    const struct scenario *scenario = &result->scenario;
    cJSON *object = cJSON_CreateObject(), *months = cJSON_CreateArray();
    cJSON_AddStringToObject(object, "scenario", scenario->name);
    cJSON_AddStringToObject(object, "kstar_version", KSTAR_VERSION);
    cJSON_AddStringToObject(object, "currency", history->currency);
    cJSON_AddNumberToObject(object, "minor_unit_digits", history->digits);
    add_month(object, "base_from", history->first + (int)result->base_from);
    add_month(object, "base_to", history->first + (int)(result->base_from + result->base_months) - 1);
    for (unsigned month = 0; month < result->months; month++)
        cJSON_AddItemToArray(months, month_json(result, month));
    cJSON_AddItemToObject(object, "months", months);
    cJSON_AddItemToObject(object, "total", month_json(result, result->months));
    cJSON_AddItemToObject(object, "bridge", bridge_json(result));
    cJSON_AddItemToObject(object, "bridge_freed", bridge_freed_json(result));
    cJSON_AddItemToObject(object, "committed_and_owned", floors_json(result));
    cJSON_AddItemToObject(object, "trainings", trainings_json(result));
    cJSON_AddItemToObject(object, "back_test", back_test_json(&result->back_test));
    cJSON_AddItemToObject(object, "notes", cJSON_Duplicate(result->notes, true));
    cJSON_AddItemToObject(object, "content", scenario_json(scenario));
    cJSON_AddItemToObject(object, "leaves", leaves_json(result));
    cJSON_AddItemToObject(object, "drivers", drivers_json(result));
    cJSON_AddItemToObject(object, "ranges", ranges_json(result));
    add_id(object);
    return object;
}

cJSON *forecast_history_json(const struct forecast_history *history)
{
    cJSON *rows = cJSON_CreateArray();
    for (size_t month = 0; month < history->months; month++) {
        int64_t effects[COST_EFFECTS] = { 0 };
        cJSON *row = cJSON_CreateObject();
        add_month(row, "month", history->first + (int)month);
        json_add_minor(row, "cost_minor", forecast_history_cost(history, month));
        if (month > 0) {
            forecast_history_change(history, month, effects);
            json_add_minor(row, "change_minor",
                           forecast_history_cost(history, month) - forecast_history_cost(history, month - 1));
            for (int i = 0; i < COST_EFFECTS; i++) {
                char name[32];
                snprintf(name, sizeof name, "%s_minor", cost_effect_name((enum cost_effect)i));
                json_add_minor(row, name, effects[i]);
            }
        }
        cJSON_AddItemToArray(rows, row);
    }
    return rows;
}

/* ---- storing ---- */

static bool keep_rows(PGconn *connection, const char *file, cJSON *rows, const char *id, struct error *error)
{
    cJSON *row;
    cJSON_ArrayForEach(row, rows)
    {
        cJSON_AddStringToObject(row, "forecast_id", id);
    }
    char *text = cJSON_PrintUnformatted(rows);
    const char *const parameters[] = { text };
    bool ok = database_run_query(connection, file, 1, parameters, error);
    cJSON_free(text);
    cJSON_Delete(rows);
    return ok;
}

static cJSON *head_json(const struct forecast_history *history, const struct forecast_result *result,
                        const char *id)
{
    char day[16];
    scenario_month last = history->first + (int)(result->base_from + result->base_months) - 1;
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "forecast_id", id);
    cJSON_AddStringToObject(row, "scenario", result->scenario.name);
    cJSON_AddItemToObject(row, "content", scenario_json(&result->scenario));
    cJSON_AddStringToObject(row, "base_to", forecast_month_day(last, day));
    cJSON_AddStringToObject(row, "statement_currency", history->currency);
    cJSON_AddNumberToObject(row, "minor_unit_digits", history->digits);
    cJSON_AddStringToObject(row, "kstar_version", KSTAR_VERSION);
    return row;
}

bool forecast_keep(PGconn *connection, const struct forecast_history *history,
                   const struct forecast_result *result, const cJSON *json, struct error *error)
{
    const char *id = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(json, "forecast_id"));
    cJSON *head = head_json(history, result, id);
    char *text = cJSON_PrintUnformatted(head);
    const char *const parameters[] = { text };
    PGresult *kept = database_query_file(connection, "forecast/keep.sql", 1, parameters, error);
    bool is_new = kept != NULL && PQntuples(kept) == 1, ok = kept != NULL;
    PQclear(kept);
    cJSON_free(text);
    cJSON_Delete(head);
    if (is_new)
        ok = keep_rows(connection, "forecast/keep_months.sql", leaves_json(result), id, error) &&
             keep_rows(connection, "forecast/keep_drivers.sql", drivers_json(result), id, error) &&
             keep_rows(connection, "forecast/keep_ranges.sql", ranges_json(result), id, error);
    const char *const last[] = { id };
    PGresult *kept_last =
        ok ? database_query_file(connection, "forecast/keep_last.sql", 1, last, error) : NULL;
    PQclear(kept_last);
    return kept_last != NULL;
}
