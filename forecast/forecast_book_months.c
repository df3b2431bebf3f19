/* forecast/forecast_book_months.c: the projection in a forecast's workbook: cells and their
 * drivers, their months, costs of the company as a whole, people, and cost centres by month. */
#include "forecast/forecast_book_lists.h"

#include "model/forecast/forecast_price.h"

#include <stdio.h>
#include <string.h>

/* ---- the jobs' cells ---- */

static cJSON *cells_json(const struct book_rows *rows)
{
    const struct forecast *forecast = &rows->result->forecast;
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < forecast->cell_count; i++) {
        const struct forecast_cell *cell = &forecast->cells[i];
        const struct forecast_drivers *drivers = &forecast->drivers[i];
        if (rows->cell_numbers[i] == 0)
            continue;
        cJSON *row = row_added(list);
        json_add_number(row, "cell_no", rows->cell_numbers[i]);
        row_text(row, "cost_centre", cell->cost_centre);
        row_text(row, "family", cell->family);
        json_add_number(row, "growth", book_own_growth(forecast->scenario, cell));
        json_add_number(row, "penalty", book_penalty(forecast->scenario, cell));
        json_add_number(row, "recent_work", drivers->recent_work);
        json_add_number(row, "efficiency", drivers->efficiency);
        json_add_number(row, "recent_node_hours", drivers->recent_work / drivers->efficiency);
        json_add_number(row, "unmeasured_share", drivers->unmeasured_share);
        json_add_number(row, "fees_per_node_hour", book_units(rows, drivers->fees_per_node_hour));
        json_add_number(row, "failed_factor", drivers->failed_factor);
        json_add_number(row, "interrupted_factor", drivers->interrupted_factor);
        json_add_number(row, "cancelled_factor", drivers->cancelled_factor);
        json_add_number(row, "hardware_alone", book_units(rows, drivers->hardware_alone));
        json_add_number(row, "fees_alone", book_units(rows, drivers->fees_alone));
        json_add_number(row, "failed_alone", book_units(rows, drivers->failed_alone));
        json_add_number(row, "cancelled_alone", book_units(rows, drivers->cancelled_alone));
        json_add_number(row, "bought_on_spot", cell->bought_on_spot);
        json_add_number(row, "fixed_by_node_hours", drivers->fixed_by_node_hours);
        json_add_number(row, "policy_hours", cell->policy_hours);
        json_add_number(row, "policy_wall", cell->policy_wall);
        json_add_number(row, "spot_stretch", forecast->scenario->spot.share > 0 ? cell->spot_stretch : 1);
    }
    return list;
}

static void add_line(const struct book_rows *rows, size_t cell, unsigned ahead,
                     const struct forecast_commitment *commitment, cJSON *row)
{
    const struct forecast *forecast = &rows->result->forecast;
    const struct forecast_cell *of = &forecast->cells[cell];
    const struct forecast_drivers *drivers = &forecast->drivers[cell];
    struct forecast_cell_month line;
    forecast_cell_month(forecast, cell, ahead, commitment, &line);
    json_add_number(row, "cell_no", rows->cell_numbers[cell]);
    row_text(row, "family", of->family);
    json_add_number(row, "trend_work", damped_trend_at(&drivers->work, ahead));
    json_add_number(row, "trend_price", book_units(rows, damped_trend_at(&drivers->price, ahead)));
    json_add_number(row, "trend_fixed", book_units(rows, damped_trend_at(&drivers->fixed, ahead)));
    json_add_number(row, "trend_engineering",
                    book_units(rows, damped_trend_at(&drivers->engineering, ahead)));
    for (int i = 0; i < FORECAST_WITHOUT_JOB; i++) {
        char name[48];
        snprintf(name, sizeof name, "trend_%s",
                 forecast_component_name((enum forecast_component)(FORECAST_IDLE + i)));
        json_add_number(row, name, book_units(rows, damped_trend_at(&drivers->without_job[i], ahead)));
    }
    json_add_number(row, "work", line.work);
    json_add_number(row, "node_hours", line.hours);
    json_add_number(row, "price_factor",
                    forecast_price_factor(forecast->scenario, of->purchases, of->purchase_count,
                                          forecast->first + (int)ahead - 1));
    json_add_number(row, "price", book_units(rows, line.price));
    json_add_number(row, "on_demand_hours", line.on_demand_hours);
    json_add_number(row, "list_cost", book_units(rows, line.hours * line.price));
    json_add_number(row, "recent_cost",
                    book_units(rows, drivers->recent_work / drivers->efficiency * line.price));
    json_add_number(row, "paid", book_units(rows, line.paid));
    json_add_number(row, "productive", book_units(rows, line.productive));
    json_add_number(row, "failed_factor", line.failed_factor);
    json_add_number(row, "carried_on", book_units(rows, line.carried_on));
    json_add_number(row, "not_on_spot", book_units(rows, line.not_on_spot));
    json_add_number(row, "whole", book_whole(rows, ahead, cell));
    row_parts(rows, ahead, cell, row);
}

/* The months of the cells, ordered by month: cells with jobs, or if `jobs` is false, costs
 * without a job. */
static cJSON *lines_json(const struct book_rows *rows, bool jobs)
{
    const struct forecast *forecast = &rows->result->forecast;
    cJSON *list = cJSON_CreateArray();
    int line_number = 0;
    for (unsigned ahead = 1; ahead <= rows->result->months; ahead++) {
        struct forecast_commitment commitment;
        forecast_commitment(forecast, ahead, &commitment);
        for (size_t i = 0; i < forecast->cell_count; i++) {
            if ((rows->cell_numbers[i] > 0) != jobs)
                continue;
            cJSON *row = row_added(list);
            json_add_number(row, "line_no", ++line_number);
            row_place(rows, ahead, forecast->cells[i].cost_centre, row);
            add_line(rows, i, ahead, &commitment, row);
        }
    }
    return list;
}

/* ---- the company as a whole, and people ---- */

static cJSON *company_json(const struct book_rows *rows)
{
    const struct forecast *forecast = &rows->result->forecast;
    cJSON *list = cJSON_CreateArray();
    for (unsigned ahead = 1; ahead <= rows->result->months; ahead++) {
        struct forecast_commitment commitment;
        forecast_commitment(forecast, ahead, &commitment);
        cJSON *row = row_added(list);
        row_place(rows, ahead, "", row);
        json_add_number(row, "on_demand_hours", commitment.hours);
        json_add_number(row, "price", book_units(rows, commitment.price));
        json_add_number(row, "committed", commitment.committed);
        json_add_number(row, "used", commitment.used);
        json_add_number(row, "covered", commitment.covered);
        json_add_number(row, "whole", book_whole(rows, ahead, forecast->cell_count));
        row_parts(rows, ahead, forecast->cell_count, row);
    }
    return list;
}

static cJSON *people_json(const struct book_rows *rows)
{
    const struct scenario *scenario = rows->result->forecast.scenario;
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < scenario->people_count; i++) {
        const struct scenario_people *people = &scenario->people[i];
        cJSON *row = row_added(list);
        json_add_number(row, "people_no", (double)i + 1);
        row_text(row, "cost_centre", people->cost_centre);
        json_add_number(row, "people", people->count);
        json_add_number(row, "annual_cost", people->annual_cost);
        json_add_number(row, "share", people->share);
        row_month(row, "from_month", people->from);
    }
    return list;
}

static cJSON *people_months_json(const struct book_rows *rows)
{
    const struct scenario *scenario = rows->result->forecast.scenario;
    cJSON *list = cJSON_CreateArray();
    for (unsigned ahead = 1; ahead <= rows->result->months; ahead++) {
        for (size_t i = 0; i < scenario->people_count; i++) {
            size_t leaf = rows->result->forecast.cell_count + 1 + i;
            cJSON *row = row_added(list);
            row_place(rows, ahead, scenario->people[i].cost_centre, row);
            json_add_number(row, "people_no", (double)i + 1);
            json_add_number(row, "whole", book_whole(rows, ahead, leaf));
            row_parts(rows, ahead, leaf, row);
        }
    }
    return list;
}

/* ---- cost centres by month ---- */

static int64_t centre_sum(const struct book_rows *rows, unsigned ahead, int centre, int component)
{
    int64_t sum = 0;
    for (size_t i = 0; i < rows->result->leaf_count; i++)
        if (strcmp(rows->result->leaves[i].cost_centre, rows->centres[centre]) == 0)
            sum += forecast_result_sum(rows->result, (int)ahead - 1, (int)i, component);
    return sum;
}

static cJSON *centres_json(const struct book_rows *rows)
{
    cJSON *list = cJSON_CreateArray();
    for (unsigned ahead = 1; ahead <= rows->result->months; ahead++) {
        for (int i = 0; i < rows->centre_count; i++) {
            cJSON *row = row_added(list);
            row_place(rows, ahead, rows->centres[i], row);
            for (int component = 0; component < FORECAST_COMPONENTS; component++)
                json_add_minor(row, forecast_component_name((enum forecast_component)component),
                               centre_sum(rows, ahead, i, component));
            json_add_minor(row, "total", centre_sum(rows, ahead, i, -1));
        }
    }
    return list;
}

static cJSON *months_json(const struct forecast_result *result)
{
    cJSON *list = cJSON_CreateArray();
    for (unsigned ahead = 1; ahead <= result->months; ahead++) {
        cJSON *row = row_added(list);
        json_add_number(row, "ahead", ahead);
        row_month(row, "month", result->forecast.first + (int)ahead - 1);
        for (int component = 0; component < FORECAST_COMPONENTS; component++)
            json_add_minor(row, forecast_component_name((enum forecast_component)component),
                           forecast_result_sum(result, (int)ahead - 1, -1, component));
        json_add_minor(row, "total", forecast_result_sum(result, (int)ahead - 1, -1, -1));
    }
    return list;
}

void book_add_months(const struct book_rows *rows, cJSON *book)
{
    cJSON_AddItemToObject(book, "cells", cells_json(rows));
    cJSON_AddItemToObject(book, "lines", lines_json(rows, true));
    cJSON_AddItemToObject(book, "others", lines_json(rows, false));
    cJSON_AddItemToObject(book, "company", company_json(rows));
    cJSON_AddItemToObject(book, "people", people_json(rows));
    cJSON_AddItemToObject(book, "people_months", people_months_json(rows));
    cJSON_AddItemToObject(book, "centres", centres_json(rows));
    cJSON_AddItemToObject(book, "months", months_json(rows->result));
}
