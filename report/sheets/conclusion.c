/* report/sheets/conclusion.c: the sheet "Conclusion" of the review: what can be saved, how that
 * developed, and the families and cost centres that matter. */
#include "report/chart.h"
#include "report/headline.h"
#include "report/sheets.h"
#include "report/workbook_name.h"

#include <stdlib.h>

/* clang-format off: a row each */
#define COLUMNS(what)                                                                                        \
    {                                                                                                        \
        { what, "subject", CELL_TEXT, .width = 26 }, { "Flagged jobs", "flags", CELL_COUNT, .width = 12 },   \
            { "Can be resized", "attainable", CELL_COUNT, .width = 12,                                       \
              .meaning = "Without waived jobs, and those that would be late on K*" },                        \
            { "Attainable cash, sure", "sure_cash_minor", CELL_MONEY, .width = 17,                           \
              .meaning = "By how much invoices would shrink" },                                              \
            { "Attainable cash, low confidence", "unsure_cash_minor", CELL_MONEY, .width = 17,               \
              .meaning = "The same, of flags of low confidence" },                                           \
            { "Attainable capacity", "attainable_capacity_minor", CELL_MONEY, .width = 17,                   \
              .meaning = "Committed or owned hardware that others could use" },                              \
            { "Excess of all flags", "excess_minor", CELL_MONEY, .width = 17,                                \
              .meaning = "What they cost more than at K*, with waived jobs" },                               \
            { 0 },                                                                                           \
    }
static const struct sheet_column family_columns[] = COLUMNS("Family");
static const struct sheet_column team_columns[] = COLUMNS("Cost centre");
static const struct sheet_column month_columns[] = COLUMNS("Month");
static const struct sheet_table families = {
    .name = "top_families",
    .query = "report/saving.sql",
    .part = "family",
    .columns = family_columns,
    .heading = "The three families with the most to save",
    .none = "No job is flagged",
};
static const struct sheet_table teams = {
    .name = "top_teams",
    .query = "report/saving.sql",
    .part = "cost_centre",
    .columns = team_columns,
    .heading = "The three cost centres with the most to save",
    .none = "No job is flagged",
};
static const struct sheet_table months = {
    .name = "saving_months",
    .query = "report/saving.sql",
    .part = "month",
    .columns = month_columns,
    .heading = "What could be saved in each month",
};
/* clang-format on */

/* Stacked columns of the three attainable amounts by month. */
static void insert_months(struct sheet *sheet, lxw_row_t header, lxw_row_t last)
{
    static const struct {
        lxw_col_t column;
        lxw_color_t colour;
    } parts[] = { { 3, CHART_SURE_CASH }, { 4, CHART_UNSURE_CASH }, { 5, CHART_CAPACITY } };
    lxw_chart *chart = workbook_add_chart(book_lxw(sheet->book), LXW_CHART_COLUMN_STACKED);
    char *axis = text_of("%s in the month", book_head(sheet->book)->currency);
    bool is_below_zero = false;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        char *name = text_of("saving_months.%s", month_columns[parts[i].column].field);
        is_below_zero = is_below_zero || book_anchor(sheet->book, name)->is_below_zero;
        free(name);
        lxw_chart_series *series = chart_add_column(sheet, chart, header + 1, last, parts[i].column);
        chart_series_set_name_range(series, sheet->name, header, parts[i].column);
        chart_series_set_fill(series, &(lxw_chart_fill){ .color = parts[i].colour });
    }
    chart_title(chart, "What resizing flagged jobs would have saved");
    chart_axis_set_name(chart->x_axis, "Month");
    chart_axis_set_name(chart->y_axis, axis);
    chart_axis_set_num_format(chart->y_axis, "#,##0");
    chart_begin_at_zero(chart->y_axis, is_below_zero);
    chart_axis_major_gridlines_set_line(chart->y_axis,
                                        &(lxw_chart_line){ .color = COLOUR_LINE, .width = 0.5 });
    chart_legend_set_position(chart, LXW_CHART_LEGEND_BOTTOM);
    chart_insert(sheet, chart, &(struct chart_place){ .row = sheet->row, .x_scale = 1.8, .y_scale = 1.1 },
                 "Columns of what could be saved in each of the last %u months: cash for sure, cash at low "
                 "confidence, and capacity.",
                 last - header);
    free(axis);
}

bool fill_conclusion(struct sheet *sheet, struct error *error)
{
    enum { CHART_ROWS = 18, LAST = 6 /* column */ };
    int64_t count;
    sheet_title(sheet, "Conclusion");
    worksheet_fit_to_pages(sheet->worksheet, 1, 1);
    table_set_widths(sheet, &families);
    if (!headline_write(sheet, LAST, error) || !table_write(sheet, &families, NULL, error) ||
        !table_write(sheet, &teams, NULL, error) || !table_write(sheet, &months, &count, error))
        return false;
    lxw_row_t last = sheet->row - 2; /* an empty line below */
    if (count > 0 && sheet->part == 0)
        insert_months(sheet, last - (lxw_row_t)count, last);
    sheet_skip(sheet, CHART_ROWS);
    return true;
}
