/* forecast/forecast_book.c: see forecast_book.h. Makes the lists of scenarios, bridge, back-test
 * and totals. */
#include "forecast/forecast_book.h"

#include "base/postgres/database.h"
#include "forecast/forecast_book_lists.h"
#include "forecast/scenario_members.h"

#include <math.h>
#include <stdio.h>

enum { ROWS_MAXIMUM = 1000000 }; /* formulas look up rows of one sheet */

/* ---- scenarios side by side, bridge, back-test ---- */

static void add_range(cJSON *row, const struct forecast_range *range)
{
    json_add_minor(row, "p10", llround(range->p10));
    json_add_minor(row, "p50", llround(range->p50));
    json_add_minor(row, "p90", llround(range->p90));
}

/* The months of each scenario. The row after the last month is the total. */
static cJSON *scenarios_json(const struct forecast_result *results, int count, int which)
{
    cJSON *list = cJSON_CreateArray();
    for (int i = 0; i < count; i++) {
        const struct forecast_result *result = &results[i];
        for (unsigned ahead = 1; ahead <= result->months + 1; ahead++) {
            bool all = ahead > result->months;
            cJSON *row = row_added(list);
            json_add_number(row, "scenario_no", i + 1);
            row_text(row, "scenario", result->scenario.name);
            row_optional(row, "description", result->scenario.description);
            cJSON_AddBoolToObject(row, "is_own", i == which);
            json_add_number(row, "ahead", ahead);
            row_month(row, "month", all ? 0 : result->forecast.first + (int)ahead - 1);
            json_add_minor(row, "cost", forecast_result_sum(result, all ? -1 : (int)ahead - 1, -1, -1));
            add_range(row, &result->ranges[ahead - 1]);
        }
    }
    return list;
}

/* "every job at its K*" as "Every job at its K*". */
static void add_label(cJSON *row, const char *name)
{
    char label[64];
    snprintf(label, sizeof label, "%s", name);
    label[0] = (char)(label[0] - 'a' + 'A');
    row_text(row, "label", label);
}

static cJSON *bridge_json(const struct forecast_result *result)
{
    cJSON *list = cJSON_CreateArray();
    for (int step = 0; step < FORECAST_LEVERS + 2; step++) {
        cJSON *row = row_added(list);
        json_add_number(row, "step_no", step + 1);
        add_label(row, step == 0 ? "base"
                       : step == FORECAST_LEVERS + 1
                           ? "rounding"
                           : forecast_lever_title((enum forecast_lever)(step - 1), result->scenario.policy));
        json_add_minor(row, "minor_units", result->bridge[step]);
        json_add_minor(row, "freed", step > 0 && step <= FORECAST_LEVERS ? result->freed[step - 1] : 0);
    }
    return list;
}

static cJSON *back_test_json(const struct book_rows *rows)
{
    const struct back_test *test = &rows->result->back_test;
    scenario_month last =
        rows->history->first + (int)(rows->result->base_from + rows->result->base_months) - 1;
    cJSON *list = cJSON_CreateArray();
    for (unsigned i = 0; i < test->held_back; i++) {
        cJSON *row = row_added(list);
        row_month(row, "month", last - (int)test->held_back + 1 + (int)i);
        json_add_minor(row, "forecast", llround(test->forecast[i]));
        json_add_minor(row, "actual", llround(test->actual[i]));
    }
    return list;
}

static cJSON *history_json(const struct book_rows *rows)
{
    const struct forecast_history *history = rows->history;
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < history->months; i++) {
        int64_t effects[COST_EFFECTS] = { 0 };
        cJSON *row = row_added(list);
        row_month(row, "month", history->first + (int)i);
        json_add_minor(row, "cost", forecast_history_cost(history, i));
        if (i == 0)
            continue;
        forecast_history_change(history, i, effects);
        for (int effect = 0; effect < COST_EFFECTS; effect++)
            json_add_minor(row, cost_effect_name((enum cost_effect)effect), effects[effect]);
    }
    return list;
}

/* ---- the head, and the whole book ---- */

static cJSON *head_json(const struct book_rows *rows, const char *forecast_id)
{
    const struct forecast_result *result = rows->result;
    scenario_month from = rows->history->first + (int)result->base_from;
    cJSON *row = cJSON_CreateObject();
    row_text(row, "scenario", result->scenario.name);
    row_optional(row, "description", result->scenario.description);
    row_text(row, "forecast_id", forecast_id);
    row_text(row, "kstar_version", KSTAR_VERSION);
    row_text(row, "currency", rows->history->currency);
    json_add_number(row, "digits", rows->history->digits);
    row_month(row, "first_month", result->forecast.first);
    row_month(row, "last_month", result->forecast.first + (int)result->months - 1);
    row_month(row, "base_from", from);
    row_month(row, "base_to", from + (int)result->base_months - 1);
    json_add_number(row, "seed", result->scenario.uncertainty.seed);
    json_add_number(row, "draws", result->scenario.uncertainty.draws);
    json_add_number(row, "back_test_error", result->back_test.error);
    json_add_number(row, "back_test_bias", result->back_test.bias);
    json_add_number(row, "naive_error", result->back_test.naive_error);
    return row;
}

/* Adds the scenario as it would be written in one file. */
static void add_content(const struct scenario *scenario, cJSON *book)
{
    cJSON *content = scenario_json(scenario);
    char *written = cJSON_Print(content);
    row_text(book, "content", written);
    cJSON_free(written);
    cJSON_Delete(content);
}

static cJSON *lists_json(const struct book_rows *rows, const PGresult *by_k, struct month_families *families)
{
    cJSON *book = cJSON_CreateObject();
    book_add_inputs(rows, book);
    book_add_months(rows, book);
    book_add_floors(rows, book);
    book_add_trainings(rows, book);
    book_add_node_counts(rows, families, by_k, book);
    cJSON_AddItemToObject(book, "bridge", bridge_json(rows->result));
    cJSON_AddItemToObject(book, "back_test", back_test_json(rows));
    cJSON_AddItemToObject(book, "history", history_json(rows));
    cJSON_AddItemToObject(book, "notes", cJSON_Duplicate(rows->result->notes, true));
    add_content(&rows->result->scenario, book);
    return book;
}

cJSON *forecast_book_json(PGconn *connection, struct forecast_history *history,
                          const struct forecast_result *results, int count, int which,
                          const char *forecast_id, struct error *error)
{
    struct book_rows rows = { .history = history, .result = &results[which] };
    char from[16], last[16];
    forecast_result_trailing(history, rows.result, from, last);
    const char *const span[] = { from, last };
    PGresult *by_k = database_query_file(connection, "forecast/jobs_by_k.sql", 2, span, error);
    cJSON *book = NULL;
    if (by_k != NULL &&
        (rows.result->forecast.cell_count + rows.result->purchases.count) * rows.result->months >
            ROWS_MAXIMUM) {
        error_set(
            error, ERROR_INPUT,
            "scenario %s: %zu cost centres and families, and their purchases, over %u months have more rows than "
            "the formulas of a workbook cover",
            rows.result->scenario.name, rows.result->forecast.cell_count, rows.result->months);
    } else if (by_k != NULL) {
        book_rows_open(&rows);
        book = lists_json(&rows, by_k, &history->families.families);
    }
    if (book != NULL) {
        cJSON_AddItemToObject(book, "head", head_json(&rows, forecast_id));
        cJSON_AddItemToObject(book, "scenarios", scenarios_json(results, count, which));
    }
    if (error->kind != ERROR_NONE) {
        cJSON_Delete(book);
        book = NULL;
    }
    PQclear(by_k);
    book_rows_close(&rows);
    return book;
}
