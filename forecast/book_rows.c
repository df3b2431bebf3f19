/* forecast/book_rows.c: see book_rows.h. */
#include "forecast/book_rows.h"

#include "forecast/forecast_leaves.h"

#include <stdlib.h>
#include <string.h>

/* ---- values ---- */

void row_text(cJSON *row, const char *name, const char *value)
{
    cJSON_AddStringToObject(row, name, value);
}

void row_month(cJSON *row, const char *name, scenario_month value)
{
    char day[16];
    if (value > 0)
        row_text(row, name, forecast_month_day(value, day));
    else
        cJSON_AddNullToObject(row, name);
}

double book_units(const struct book_rows *rows, double minor_units)
{
    return minor_units / rows->history->minor_per_unit;
}

cJSON *row_added(cJSON *list)
{
    cJSON *row = cJSON_CreateObject();
    cJSON_AddItemToArray(list, row);
    return row;
}

void row_optional(cJSON *row, const char *name, const char *value)
{
    cJSON_AddItemToObject(row, name, value != NULL ? cJSON_CreateString(value) : cJSON_CreateNull());
}

/* ---- numbers of cells and cost centres ---- */

static int compare_names(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    if ((x[0] == '\0') != (y[0] == '\0'))
        return x[0] == '\0' ? 1 : -1; /* the company as a whole comes last */
    return strcmp(x, y);
}

int book_centre_number(const struct book_rows *rows, const char *name)
{
    for (int i = 0; i < rows->centre_count; i++)
        if (strcmp(rows->centres[i], name) == 0)
            return i + 1;
    return 0;
}

void book_rows_open(struct book_rows *rows)
{
    const struct forecast_result *result = rows->result;
    size_t leaves = result->leaf_count;
    rows->cell_numbers = calloc(result->forecast.cell_count + 1, sizeof *rows->cell_numbers);
    rows->centres = calloc(leaves, sizeof *rows->centres);
    rows->parts = calloc(leaves * FORECAST_COMPONENTS * result->months, sizeof *rows->parts);
    for (size_t i = 0; i < result->forecast.cell_count; i++)
        rows->cell_numbers[i] = result->cells[i].family[0] != '\0' ? ++rows->job_cell_count : 0;
    for (size_t i = 0; i < leaves; i++)
        if (book_centre_number(rows, result->leaves[i].cost_centre) == 0)
            rows->centres[rows->centre_count++] = result->leaves[i].cost_centre;
    qsort(rows->centres, (size_t)rows->centre_count, sizeof *rows->centres, compare_names);
    for (unsigned i = 0; i < result->months; i++)
        forecast_month(&result->forecast, i + 1, NULL, rows->parts + i * leaves * FORECAST_COMPONENTS);
}

void row_parts(const struct book_rows *rows, unsigned ahead, size_t leaf, cJSON *row)
{
    for (int component = 0; component < FORECAST_COMPONENTS; component++)
        json_add_minor(row, forecast_component_name((enum forecast_component)component),
                       forecast_result_sum(rows->result, (int)ahead - 1, (int)leaf, component));
    json_add_minor(row, "total", forecast_result_sum(rows->result, (int)ahead - 1, (int)leaf, -1));
}

double book_whole(const struct book_rows *rows, unsigned ahead, size_t leaf)
{
    const double *parts = rows->parts + ((ahead - 1) * rows->result->leaf_count + leaf) * FORECAST_COMPONENTS;
    double sum = 0;
    for (int component = 0; component < FORECAST_CONTINGENCY; component++)
        sum += parts[component];
    return book_units(rows, sum);
}

void row_place(const struct book_rows *rows, unsigned ahead, const char *centre, cJSON *row)
{
    json_add_number(row, "ahead", ahead);
    row_month(row, "month", rows->result->forecast.first + (int)ahead - 1);
    json_add_number(row, "centre_no", book_centre_number(rows, centre));
    row_text(row, "cost_centre", forecast_leaves_centre(centre));
}

int book_cell_number(const struct book_rows *rows, const char *cost_centre, const char *family)
{
    const struct forecast_cell *cells = rows->result->cells;
    const struct forecast_cell *cell =
        forecast_history_find(cells, rows->result->forecast.cell_count, cost_centre, family);
    return cell != NULL ? rows->cell_numbers[cell - cells] : 0;
}

void book_rows_close(struct book_rows *rows)
{
    free(rows->cell_numbers);
    free(rows->centres);
    free(rows->parts);
}
