/* forecast/forecast_book_floors.c: committed and owned hardware in a forecast's workbook: the
 * amount that each purchase adds to its floor, and the floors by month. */
#include "forecast/forecast_book_lists.h"

void book_add_floor_part(const struct book_rows *rows, size_t cell, const struct forecast_purchase *purchase,
                         unsigned ahead, const struct forecast_commitment *commitment, cJSON *row)
{
    const struct forecast *forecast = &rows->result->forecast;
    scenario_month when = forecast->first + (int)ahead - 1;
    struct forecast_cell_month month;
    struct forecast_floor_month part = { 0 };
    forecast_cell_month(forecast, cell, ahead, commitment, &month);
    forecast_floor_add(forecast, purchase, ahead, &month, &part);
    json_add_number(row, "floor_no", (double)purchase->floor);
    json_add_number(row, "line_no", (double)(ahead - 1) * rows->job_cell_count + rows->cell_numbers[cell]);
    row_text(row, "cost_centre", forecast->cells[cell].cost_centre);
    row_text(row, "family", forecast->cells[cell].family);
    row_optional(row, "commitment", purchase->commitment);
    json_add_number(row, "last_month", book_units(rows, purchase->committed));
    row_optional(row, "ends_on", forecast_purchases_ends_on(&rows->result->purchases, purchase));
    json_add_number(row, "in_force", forecast_floor_in_force(purchase, when));
    json_add_number(row, "committed", book_units(rows, part.committed));
    json_add_number(row, "carried_on", book_units(rows, part.carried_on));
    json_add_number(row, "remaining", book_units(rows, part.left));
}

void book_add_floors(const struct book_rows *rows, cJSON *book)
{
    const struct forecast_result *result = rows->result;
    const struct forecast *forecast = &result->forecast;
    size_t first_leaf = result->leaf_count - forecast->training_count - forecast->floor_count;
    cJSON *list = cJSON_AddArrayToObject(book, "floors");
    for (unsigned ahead = 1; ahead <= result->months; ahead++) {
        for (size_t i = 0; i < forecast->floor_count; i++) {
            const struct forecast_floor_month *month =
                &result->floors[(ahead - 1) * forecast->floor_count + i];
            const struct forecast_floor *floor = &forecast->floors[i];
            cJSON *row = row_added(list);
            row_place(rows, ahead, "", row);
            json_add_number(row, "floor_no", (double)i + 1);
            row_text(row, "provider", floor->provider != NULL ? floor->provider : "own nodes");
            row_optional(row, "sku", floor->sku);
            json_add_number(row, "committed", book_units(rows, month->committed));
            json_add_number(row, "carried_on", book_units(rows, month->carried_on));
            json_add_number(row, "floor", book_units(rows, month->floor));
            json_add_number(row, "remaining", book_units(rows, month->left));
            json_add_number(row, "whole", book_whole(rows, ahead, first_leaf + i));
            row_parts(rows, ahead, first_leaf + i, row);
        }
    }
}
