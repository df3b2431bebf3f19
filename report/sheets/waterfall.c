/* report/sheets/waterfall.c: the sheet "Waterfall": from useful compute to true cost. */
#include "report/chart.h"
#include "report/sheets.h"
#include "report/workbook_name.h"

#include <stdio.h>
#include <stdlib.h>

#define COMPONENT(number)                                                                                    \
    "=ROUND(SUMIFS({lines.minor_units},{lines.centre_no},[centre_no],{lines.component_no}," number           \
    "),{digits})"

#define OF_SECTION(number)                                                                                   \
    "=ROUND(SUMIFS({lines.minor_units},{lines.centre_no},[centre_no],{lines.section}," number "),{digits})"

/* clang-format off: a row each */
static const struct sheet_column columns[] = {
    { "No.", "centre_no", CELL_INTEGER, .width = 5,
      .meaning = "The cost centre's number on the sheet Statement lines" },
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 15 },
    { "Name", "cost_centre_name", CELL_TEXT, .width = 24 },
    { "Useful compute", "component_1", CELL_MONEY, .width = 12, .total = true, .formula = COMPONENT("1") },
    { "Coordination waste", "component_2", CELL_MONEY, .width = 12, .total = true,
      .formula = COMPONENT("2") },
    { "Unmeasured hardware", "component_3", CELL_MONEY, .width = 12, .total = true,
      .formula = COMPONENT("3") },
    { "Failed runs", "component_4", CELL_MONEY, .width = 12, .total = true, .formula = COMPONENT("4") },
    { "Cancelled", "component_5", CELL_MONEY, .width = 12, .total = true, .formula = COMPONENT("5") },
    { "Cloud fees", "component_6", CELL_MONEY, .width = 12, .total = true, .formula = COMPONENT("6") },
    { "Fixed overhead, on the bill", "component_7", CELL_MONEY, .width = 12, .total = true,
      .formula = COMPONENT("7") },
    { "Idle nodes", "component_8", CELL_MONEY, .width = 12, .total = true, .formula = COMPONENT("8") },
    { "Unused commitments", "component_9", CELL_MONEY, .width = 12, .total = true,
      .formula = COMPONENT("9") },
    { "Shared services", "component_10", CELL_MONEY, .width = 12, .total = true, .formula = COMPONENT("10") },
    { "Direct cost without job", "component_11", CELL_MONEY, .width = 12, .total = true,
      .formula = COMPONENT("11") },
    { "Tax", "component_12", CELL_MONEY, .width = 12, .total = true, .formula = COMPONENT("12") },
    { "Credits", "component_13", CELL_MONEY, .width = 12, .total = true, .formula = COMPONENT("13") },
    { "Charge adjustments", "component_14", CELL_MONEY, .width = 12, .total = true,
      .formula = COMPONENT("14") },
    { "Internal overhead", "component_15", CELL_MONEY, .width = 12, .total = true,
      .formula = COMPONENT("15") },
    { "Engineering overhead", "component_16", CELL_MONEY, .width = 12, .total = true,
      .formula = COMPONENT("16") },
    { "True cost", "true_cost", CELL_MONEY, .width = 14, .total = true,
      .formula = "=ROUND(SUM([component_1]:[component_16]),{digits})",
      .meaning = "The sum of the columns before it; the carriers' credits are no part of it" },
    { "Of it from invoices", "on_the_bill", CELL_MONEY, .width = 14, .total = true,
      .formula = OF_SECTION("1") },
    { "Of it internal charges", "internal_charges", CELL_MONEY, .width = 14, .total = true,
      .formula = OF_SECTION("6"),
      .meaning = "Hardware at internal rates, which is in the columns of hardware, overhead rates and "
                 "engineering time" },
    { 0 },
};
static const struct sheet_table waterfall = {
    .name = "waterfall",
    .query = "report/waterfall.sql",
    .columns = columns,
    .none = "No cost centres",
    .alone = true,
    .frozen_columns = 3,
};
/* clang-format on */

/* ---- the chart's steps ---- */

/* In the order of the bars. */
static const struct step {
    const char *title, *total; /* the waterfall's total for this step */
    bool is_sum;
} steps[] = {
    { "Useful compute", "waterfall.component_1.total", false },
    { "Coordination waste", "waterfall.component_2.total", false },
    { "Unmeasured hardware", "waterfall.component_3.total", false },
    { "Failed runs", "waterfall.component_4.total", false },
    { "Cancelled", "waterfall.component_5.total", false },
    { "Cloud fees", "waterfall.component_6.total", false },
    { "Fixed overhead", "waterfall.component_7.total", false },
    { "Idle nodes", "waterfall.component_8.total", false },
    { "Unused commitments", "waterfall.component_9.total", false },
    { "Shared services", "waterfall.component_10.total", false },
    { "Direct, no job", "waterfall.component_11.total", false },
    { "Tax", "waterfall.component_12.total", false },
    { "Credits", "waterfall.component_13.total", false },
    { "Adjustments", "waterfall.component_14.total", false },
    { "Internal overhead", "waterfall.component_15.total", false },
    { "Engineering", "waterfall.component_16.total", false },
    { "True cost", "waterfall.true_cost.total", true },
};
enum step_column { STEP = 2, AMOUNT, UP_TO, BELOW, INCREASE, DECREASE, SUM, STEP_COLUMN_COUNT };

static void write_step_cell(struct sheet *sheet, enum step_column column, const char *template, int64_t minor)
{
    /* columns D to I of this row are AMOUNT to SUM; the row above has the sum so far */
    char *formula = book_formula(sheet->book, template, NULL, NULL);
    sheet_formula(sheet, sheet->row, (lxw_col_t)column, formula, book_money(sheet->book, minor), CELL_MONEY,
                  ROLE_BODY);
    free(formula);
}

/* Writes one bar: between the sums before and after it, or from zero to a sum. */
static int64_t write_step(struct sheet *sheet, const struct step *step, int64_t before)
{
    unsigned row = sheet->row + 1;
    int64_t amount = book_anchor(sheet->book, step->total)->minor_units;
    int64_t after = step->is_sum ? amount : before + amount;
    int64_t lower = before < after ? before : after;
    char *template[] = {
        text_of("=ROUND({%s},{digits})", step->total),
        step->is_sum ? text_of("=ROUND(D%u,{digits})", row)
                     : text_of("=ROUND(N(E%u)+D%u,{digits})", row - 1, row),
        step->is_sum ? text_of("=ROUND(0,{digits})")
                     : text_of("=ROUND(MIN(N(E%u),E%u),{digits})", row - 1, row),
        step->is_sum ? text_of("=ROUND(0,{digits})") : text_of("=ROUND(MAX(D%u,0),{digits})", row),
        step->is_sum ? text_of("=ROUND(0,{digits})") : text_of("=ROUND(MAX(-D%u,0),{digits})", row),
        step->is_sum ? text_of("=ROUND(D%u,{digits})", row) : text_of("=ROUND(0,{digits})"),
    };
    int64_t values[] = { amount,
                         after,
                         step->is_sum ? 0 : lower,
                         step->is_sum || amount < 0 ? 0 : amount,
                         step->is_sum || amount > 0 ? 0 : -amount,
                         step->is_sum ? amount : 0 };
    sheet_text(sheet, sheet->row, STEP, step->title, step->is_sum ? ROLE_FIGURE : ROLE_BODY);
    for (int i = 0; i < STEP_COLUMN_COUNT - AMOUNT; i++) {
        write_step_cell(sheet, (enum step_column)(AMOUNT + i), template[i], values[i]);
        free(template[i]);
    }
    sheet->row++;
    return after;
}

/* Writes the steps that are not zero, for the chart on the summary. */
static void write_steps(struct sheet *sheet)
{
    static const char *const headings[] = { "Step",     "Amount",   "Sum so far", "Below the bar",
                                            "Increase", "Decrease", "Sum" };
    sheet_heading(sheet, "From useful compute to true cost: the steps of the chart on the summary");
    for (int i = 0; i < STEP_COLUMN_COUNT - STEP; i++)
        sheet_header_cell(sheet, sheet->row, (lxw_col_t)(STEP + i), headings[i],
                          i == 0 ? CELL_TEXT : CELL_MONEY);
    lxw_row_t first = ++sheet->row;
    int64_t sum = 0;
    bool is_below_zero = false;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        if (steps[i].is_sum || book_anchor(sheet->book, steps[i].total)->minor_units != 0)
            sum = write_step(sheet, &steps[i], sum);
        is_below_zero = is_below_zero || sum < 0;
    }
    for (int i = 0; i < STEP_COLUMN_COUNT - STEP; i++) {
        char name[16];
        snprintf(name, sizeof name, "steps.%d", STEP + i);
        sheet_anchor_range(sheet, name, first, sheet->row - 1, (lxw_col_t)(STEP + i));
        if (is_below_zero && STEP + i == UP_TO)
            book_mark_below_zero(sheet->book, name);
    }
    sheet_skip(sheet, 1);
}

static void dress_waterfall(struct book *book, lxw_chart *chart)
{
    char *axis = text_of("%s in the month", book_head(book)->currency);
    char *sums = text_of("steps.%d", UP_TO);
    chart_set_series_gap(chart, 40);
    chart_title(chart, "From useful compute to true cost");
    chart_axis_set_name(chart->y_axis, axis);
    chart_axis_set_num_format(chart->y_axis, "#,##0");
    chart_begin_at_zero(chart->y_axis, book_anchor(book, sums)->is_below_zero);
    chart_axis_set_num_font(chart->x_axis, &(lxw_chart_font){ .rotation = -45, .size = 8 });
    chart_axis_set_label_position(chart->x_axis, LXW_CHART_AXIS_LABEL_POSITION_LOW);
    chart_axis_major_gridlines_set_line(chart->y_axis,
                                        &(lxw_chart_line){ .color = COLOUR_LINE, .width = 0.5 });
    chart_legend_set_position(chart, LXW_CHART_LEGEND_BOTTOM);
    chart_legend_delete_series(chart, (int16_t[]){ 0, -1 });
    free(sums);
    free(axis);
}

static void place_waterfall(struct sheet *sheet, lxw_chart *chart, lxw_row_t row, lxw_col_t column)
{
    char *useful = chart_amount(sheet->book, "waterfall.component_1.total");
    char *cost = chart_amount(sheet->book, "waterfall.true_cost.total");
    chart_insert(sheet, chart,
                 &(struct chart_place){ .row = row, .column = column, .x_scale = 1.3, .y_scale = 1.2 },
                 "Waterfall of the month, component by component: from useful compute, %s, to true cost, %s.",
                 useful, cost);
    free(cost);
    free(useful);
}

/* Stacked columns; the column below a bar has no fill. */
void insert_waterfall_chart(struct sheet *sheet, lxw_row_t row, lxw_col_t column)
{
    static const struct {
        enum step_column column;
        const char *name;
        lxw_color_t colour;
    } series_of[] = { { BELOW, "Below", LXW_COLOR_WHITE },
                      { SUM, "Sum", CHART_SUM },
                      { INCREASE, "Adds", CHART_ADDS },
                      { DECREASE, "Takes off", CHART_TAKES_OFF } };
    char reference[300];
    if (book_anchor(sheet->book, "waterfall.true_cost.total")->minor_units == 0)
        return;
    lxw_chart *chart = workbook_add_chart(book_lxw(sheet->book), LXW_CHART_COLUMN_STACKED);
    for (size_t i = 0; i < sizeof series_of / sizeof series_of[0]; i++) {
        char name[16], values[300];
        snprintf(name, sizeof name, "steps.%d", series_of[i].column);
        snprintf(values, sizeof values, "=%s", book_anchor(sheet->book, name)->references[0]);
        snprintf(name, sizeof name, "steps.%d", STEP);
        snprintf(reference, sizeof reference, "=%s", book_anchor(sheet->book, name)->references[0]);
        lxw_chart_series *series = chart_add_series(chart, reference, values);
        chart_series_set_name(series, series_of[i].name);
        if (series_of[i].column == BELOW)
            chart_series_set_fill(series, &(lxw_chart_fill){ .none = LXW_TRUE });
        else
            chart_series_set_fill(series, &(lxw_chart_fill){ .color = series_of[i].colour });
    }
    dress_waterfall(sheet->book, chart);
    place_waterfall(sheet, chart, row, column);
}

bool fill_waterfall(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "Waterfall");
    worksheet_set_paper(sheet->worksheet, PAPER_A3);
    sheet_note(sheet, "Components of true cost; each dollar stands in one column. Every cell adds up the "
                      "sheet Statement lines.");
    sheet_skip(sheet, 1);
    if (!table_write(sheet, &waterfall, NULL, error))
        return false;
    write_steps(sheet);
    return true;
}
