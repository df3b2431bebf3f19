/* report/sheets/forecast_totals.c: the cost of a forecast by month, cost centre and component:
 * the sheets "By cost centre" and "By component". Both follow the inputs. */
#include "report/chart.h"
#include "report/forecast_sheets.h"
#include "report/workbook_name.h"

#include <stdlib.h>
#include <string.h>

/* The cost of a cost centre in a month: the sum over the sheets of jobs, costs without a job,
 * the company, people and planned trainings. */
#define FROM(table, field)                                                                                   \
    "SUMIFS({" table "." field "},{" table ".centre_no},[centre_no],{" table ".ahead},[ahead])"
#define OF_CENTRE(field)   "=ROUND(SUMIFS({centres." field "},{centres.centre_no},[centre_no]),{digits})"
#define OF_MONTH(field)    "=ROUND(SUMIFS({centres." field "},{centres.ahead},[ahead]),{digits})"
#define FROM_OTHERS(field) "=ROUND(" FROM("others", field) ",{digits})"
#define PART(title, field, formula_of, words)                                                                \
    {                                                                                                        \
        title, field, CELL_MONEY, .width = 14, .total = true, .formula = formula_of(field),                  \
                                  .meaning = (words)                                                         \
    }
/* Costs without a job. */
#define WITHOUT_JOB(formula_of)                                                                              \
    PART("Idle and unused", "idle_and_unused", formula_of,                                                   \
         "Idle nodes, and commitments that were not used"),                                                  \
        PART("Shared services", "shared_services", formula_of, "Pools, those of overhead without jobs too"), \
        PART("Direct cost without job", "direct_cost", formula_of, NULL),                                    \
        PART("Tax", "tax", formula_of, "Without what is recovered"),                                         \
        PART("Credits and adjustments", "credits", formula_of, NULL),                                        \
        PART("Unallocated", "unallocated", formula_of, "Of the invoices, without jobs")

/* clang-format off: a row each */
static const struct sheet_column centre_columns[] = {
    { "Month no.", "ahead", CELL_INTEGER, .width = 8 },
    { "Month", "month", CELL_MONTH, .width = 10 },
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 22,
      .meaning = "(company): what is added company-wide, unused commitments and freed capacity" },
    { "Useful compute", "useful_compute", CELL_MONEY, .width = 15, .total = true,
      .formula =
          "=ROUND(" FROM("lines", "useful_compute") "+" FROM("trainings", "useful_compute") ",{digits})",
      .meaning = "Ideal work × price" },
    { "Coordination waste", "coordination_waste", CELL_MONEY, .width = 15, .total = true,
      .formula = "=ROUND(" FROM("lines", "coordination_waste") "+" FROM("trainings",
                                                                        "coordination_waste") ",{digits})",
      .meaning = "Ideal work × price × (1/E − 1)" },
    { "Unmeasured hardware", "unmeasured_hardware", CELL_MONEY, .width = 15, .total = true,
      .formula = "=ROUND(" FROM("lines", "unmeasured_hardware") ",{digits})",
      .meaning = "Of jobs without a measured E" },
    { "Interruptions", "interruptions", CELL_MONEY, .width = 14, .total = true,
      .formula = "=ROUND(" FROM("lines", "interruptions") "+" FROM("trainings", "interruptions") ",{digits})",
      .meaning = "Hardware of work that is done again, and of checkpoints" },
    { "Failed runs", "failed_runs", CELL_MONEY, .width = 14, .total = true,
      .formula = "=ROUND(" FROM("lines", "failed_runs") "+" FROM("trainings", "failed_runs") ",{digits})" },
    { "Cancelled", "cancelled", CELL_MONEY, .width = 14, .total = true,
      .formula = "=ROUND(" FROM("lines", "cancelled") ",{digits})" },
    { "Cloud fees", "cloud_fees", CELL_MONEY, .width = 14, .total = true,
      .formula = "=ROUND(" FROM("lines", "cloud_fees") "+" FROM("trainings", "cloud_fees") ",{digits})" },
    { "Fixed overhead", "fixed_overhead", CELL_MONEY, .width = 14, .total = true,
      .formula = "=ROUND(" FROM("lines", "fixed_overhead") "+" FROM("company", "fixed_overhead") "+" FROM(
          "trainings", "fixed_overhead") ",{digits})" },
    { "Engineering overhead", "engineering_overhead", CELL_MONEY, .width = 14, .total = true,
      .formula = "=ROUND(" FROM("lines", "engineering_overhead") "+" FROM(
          "company", "engineering_overhead") "+" FROM("people_months", "engineering_overhead") ",{digits})" },
    WITHOUT_JOB(FROM_OTHERS),
    { "Unused commitments", "unused_commitments", CELL_MONEY, .width = 14, .total = true,
      .formula = "=ROUND(" FROM("company", "unused_commitments") ",{digits})",
      .meaning = "Of the scenario's commitment; those of history are in Idle and unused" },
    { "Freed capacity", "freed_capacity", CELL_MONEY, .width = 14, .total = true,
      .formula = "=ROUND(" FROM("floors", "freed_capacity") ",{digits})",
      .meaning = "Committed and owned hardware that the levers leave without work: paid all the same" },
    { "Contingency", "contingency", CELL_MONEY, .width = 14, .total = true,
      .formula = "=ROUND(" FROM("lines", "contingency") "+" FROM("others", "contingency") "+" FROM(
          "company",
          "contingency") "+" FROM("floors",
                                  "contingency") "+" FROM("people_months",
                                                          "contingency") "+" FROM("trainings",
                                                                                  "contingency") ",{digits})" },
    { "Total", "total", CELL_MONEY, .width = 16, .total = true,
      .formula = "=ROUND(SUM([useful_compute]:[contingency]),{digits})" },
    { "Centre no.", "centre_no", CELL_INTEGER, .width = 8 },
    { 0 },
};
static const struct sheet_table centres = {
    .name = "centres",
    .query = "report/forecast_centres.sql",
    .columns = centre_columns,
    .alone = true,
    .frozen_columns = 3,
};

static const struct sheet_column month_columns[] = {
    { "Month no.", "ahead", CELL_INTEGER, .width = 8 },
    { "Month", "month", CELL_MONTH, .width = 10 },
    { "Useful compute", "useful_compute", CELL_MONEY, .width = 15, .total = true,
      .formula = OF_MONTH("useful_compute") },
    { "Coordination waste", "coordination_waste", CELL_MONEY, .width = 15, .total = true,
      .formula = OF_MONTH("coordination_waste") },
    { "Unmeasured hardware", "unmeasured_hardware", CELL_MONEY, .width = 15, .total = true,
      .formula = OF_MONTH("unmeasured_hardware") },
    { "Interruptions", "interruptions", CELL_MONEY, .width = 14, .total = true,
      .formula = OF_MONTH("interruptions") },
    { "Failed runs", "failed_runs", CELL_MONEY, .width = 14, .total = true,
      .formula = OF_MONTH("failed_runs") },
    { "Cancelled", "cancelled", CELL_MONEY, .width = 14, .total = true, .formula = OF_MONTH("cancelled") },
    { "Cloud fees", "cloud_fees", CELL_MONEY, .width = 14, .total = true, .formula = OF_MONTH("cloud_fees") },
    { "Fixed overhead", "fixed_overhead", CELL_MONEY, .width = 14, .total = true,
      .formula = OF_MONTH("fixed_overhead") },
    { "Engineering overhead", "engineering_overhead", CELL_MONEY, .width = 14, .total = true,
      .formula = OF_MONTH("engineering_overhead") },
    WITHOUT_JOB(OF_MONTH),
    { "Unused commitments", "unused_commitments", CELL_MONEY, .width = 14, .total = true,
      .formula = OF_MONTH("unused_commitments") },
    { "Freed capacity", "freed_capacity", CELL_MONEY, .width = 15, .total = true,
      .formula = OF_MONTH("freed_capacity") },
    { "Contingency", "contingency", CELL_MONEY, .width = 14, .total = true,
      .formula = OF_MONTH("contingency") },
    { "Total", "total", CELL_MONEY, .width = 16, .total = true,
      .formula = "=ROUND(SUM([useful_compute]:[contingency]),{digits})" },
    { 0 },
};
static const struct sheet_table months = {
    .name = "months",
    .query = "report/forecast_months.sql",
    .columns = month_columns,
    .heading = "The scenario, with the inputs as they stand",
};

static const struct sheet_column centre_total_columns[] = {
    { "No.", "centre_no", CELL_INTEGER, .width = 8 },
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 22 },
    { "Useful compute", "useful_compute", CELL_MONEY, .width = 15, .total = true,
      .formula = OF_CENTRE("useful_compute") },
    { "Coordination waste", "coordination_waste", CELL_MONEY, .width = 15, .total = true,
      .formula = OF_CENTRE("coordination_waste") },
    { "Unmeasured hardware", "unmeasured_hardware", CELL_MONEY, .width = 15, .total = true,
      .formula = OF_CENTRE("unmeasured_hardware") },
    { "Interruptions", "interruptions", CELL_MONEY, .width = 14, .total = true,
      .formula = OF_CENTRE("interruptions") },
    { "Failed runs", "failed_runs", CELL_MONEY, .width = 14, .total = true,
      .formula = OF_CENTRE("failed_runs") },
    { "Cancelled", "cancelled", CELL_MONEY, .width = 14, .total = true, .formula = OF_CENTRE("cancelled") },
    { "Cloud fees", "cloud_fees", CELL_MONEY, .width = 14, .total = true,
      .formula = OF_CENTRE("cloud_fees") },
    { "Fixed overhead", "fixed_overhead", CELL_MONEY, .width = 14, .total = true,
      .formula = OF_CENTRE("fixed_overhead") },
    { "Engineering overhead", "engineering_overhead", CELL_MONEY, .width = 14, .total = true,
      .formula = OF_CENTRE("engineering_overhead") },
    WITHOUT_JOB(OF_CENTRE),
    { "Unused commitments", "unused_commitments", CELL_MONEY, .width = 14, .total = true,
      .formula = OF_CENTRE("unused_commitments") },
    { "Freed capacity", "freed_capacity", CELL_MONEY, .width = 15, .total = true,
      .formula = OF_CENTRE("freed_capacity") },
    { "Contingency", "contingency", CELL_MONEY, .width = 14, .total = true,
      .formula = OF_CENTRE("contingency") },
    { "Total", "total", CELL_MONEY, .width = 16, .total = true,
      .formula = "=ROUND(SUM([useful_compute]:[contingency]),{digits})" },
    { 0 },
};
static const struct sheet_table centre_totals = {
    .name = "centre_totals",
    .query = "report/forecast_centre_totals.sql",
    .columns = centre_total_columns,
    .heading = "Cost centres, all months, dearest first",
};

/* The components of the stacked columns, from the bottom. A component that is 0 in all months is
 * omitted. */
static const struct part {
    const char *field, *name;
    lxw_color_t colour;
} parts[] = {
    { "useful_compute", "Useful compute", CHART_USEFUL },
    { "coordination_waste", "Coordination waste", CHART_WASTE },
    { "unmeasured_hardware", "Unmeasured hardware", CHART_OTHER_DIRECT },
    { "interruptions", "Interruptions", CHART_INTERRUPTIONS },
    { "failed_runs", "Failed runs", CHART_FAILED },
    { "cancelled", "Cancelled", CHART_CANCELLED },
    { "cloud_fees", "Cloud fees", CHART_FEES },
    { "fixed_overhead", "Fixed overhead", CHART_OVERHEAD },
    { "engineering_overhead", "Engineering overhead", CHART_INTERNAL_OVERHEAD },
    { "idle_and_unused", "Idle and unused", CHART_IDLE },
    { "shared_services", "Shared services", CHART_SHARED },
    { "direct_cost", "Direct cost without job", CHART_DIRECT },
    { "tax", "Tax", CHART_TAX },
    { "credits", "Credits and adjustments", CHART_CREDITS },
    { "unallocated", "Unallocated", CHART_UNALLOCATED },
    { "unused_commitments", "Unused commitments", CHART_UNUSED },
    { "freed_capacity", "Freed capacity", CHART_FREED },
    { "contingency", "Contingency", CHART_CONTINGENCY },
};
/* clang-format on */

void forecast_chart_dress(lxw_chart *chart, const char *title, const char *axis, const char *along)
{
    chart_title(chart, title);
    chart_axis_set_name(chart->y_axis, axis);
    chart_axis_set_num_format(chart->y_axis, "#,##0");
    chart_axis_set_name(chart->x_axis, along != NULL ? along : "Month");
    chart_axis_set_num_format(chart->x_axis, along != NULL ? "General" : "yyyy-mm");
    chart_axis_set_num_font(chart->x_axis, &(lxw_chart_font){ .rotation = -45, .size = 8 });
    chart_axis_set_label_position(chart->x_axis, LXW_CHART_AXIS_LABEL_POSITION_LOW);
    chart_axis_major_gridlines_set_line(chart->y_axis,
                                        &(lxw_chart_line){ .color = COLOUR_LINE, .width = 0.5 });
    chart_legend_set_position(chart, LXW_CHART_LEGEND_BOTTOM);
}

/* The reference of a table's column. */
static char *reference_of(const struct sheet *sheet, const char *table, const char *field)
{
    char *name = text_of("%s.%s", table, field);
    char *reference = text_of("=%s", book_anchor(sheet->book, name)->references[0]);
    free(name);
    return reference;
}

/* Inserts a chart with a column for each row of a table, stacked by component. Returns the
 * chart. */
static void insert_components(struct sheet *sheet, const char *table, const char *categories,
                              const char *title, const char *span, const char *along)
{
    char axis[64], total[64];
    bool is_below_zero = false;
    lxw_chart *chart = workbook_add_chart(book_lxw(sheet->book), LXW_CHART_COLUMN_STACKED);
    char *rows = reference_of(sheet, table, categories);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        snprintf(total, sizeof total, "%s.%s.total", table, parts[i].field);
        if (book_anchor(sheet->book, total)->minor_units == 0)
            continue;
        total[strlen(total) - strlen(".total")] = '\0'; /* the column itself */
        is_below_zero = is_below_zero || book_anchor(sheet->book, total)->is_below_zero;
        char *values = reference_of(sheet, table, parts[i].field);
        lxw_chart_series *series = chart_add_series(chart, rows, values);
        chart_series_set_name(series, parts[i].name);
        chart_series_set_fill(series, &(lxw_chart_fill){ .color = parts[i].colour });
        chart_series_set_line(series, &(lxw_chart_line){ .color = LXW_COLOR_WHITE, .width = 0.5 });
        free(values);
    }
    chart_set_series_gap(chart, 40);
    snprintf(axis, sizeof axis, "%s, %s", book_head(sheet->book)->currency, span);
    forecast_chart_dress(chart, title, axis, along);
    chart_begin_at_zero(chart->y_axis, is_below_zero);
    snprintf(total, sizeof total, "%s.total.total", table);
    char *cost = chart_amount(sheet->book, total);
    chart_insert(sheet, chart, &(struct chart_place){ .row = sheet->row, .x_scale = 2.9, .y_scale = 1.3 },
                 "Stacked columns: %s, %s in all.", title, cost);
    free(cost);
    free(rows);
}

bool fill_forecast_centres(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "By cost centre");
    worksheet_set_paper(sheet->worksheet, PAPER_A3);
    sheet_note(sheet, "The scenario by month, cost centre and component, with the inputs as they stand.");
    sheet_skip(sheet, 1);
    return table_write(sheet, &centres, NULL, error);
}

bool fill_forecast_months(struct sheet *sheet, struct error *error)
{
    enum { CHART_ROWS = 20 };
    sheet_title(sheet, "By component");
    worksheet_set_paper(sheet->worksheet, PAPER_A3);
    if (!table_write(sheet, &months, NULL, error))
        return false;
    insert_components(sheet, "months", "month", "Cost by month and component", "a month", NULL);
    sheet_skip(sheet, CHART_ROWS);
    worksheet_set_h_pagebreaks(sheet->worksheet, (lxw_row_t[]){ sheet->row, 0 });
    if (!table_write(sheet, &centre_totals, NULL, error))
        return false;
    insert_components(sheet, "centre_totals", "cost_centre", "Cost by cost centre and component",
                      "all months", "Cost centre");
    return true;
}
