/* report/sheets/summary.c: the sheet "Summary": how the invoices add up, key figures, checks,
 * budgets, findings, and cost by cost centre with a chart. Every figure is a formula over the sheet
 * with the full data. */
#include "report/chart.h"
#include "report/figure.h"
#include "report/headline.h"
#include "report/sheets.h"

#include "base/postgres/database.h"
#include "report/workbook_name.h"

#include <stdlib.h>
#include <string.h>

/* clang-format off: a row each */
static const struct check checks[] = {
    { "Each invoice = its statement", NULL, "proof.proven",
      "Charged + unallocated + … = invoice, per invoice (Reconciliation)" },
    { "Each bill line is allocated once", NULL, "reconciliation.equal",
      "Billed and effective cost, digit for digit (Reconciliation)" },
    { "Waterfall = statement",
      "+{waterfall.true_cost.total}-{waterfall.internal_charges.total}-{charged.minor_units.total}", NULL,
      "From invoices, all cost centres" },
    { "Jobs = statement", "+{jobs.true_cost_minor.total}-{lines.on_jobs.total}", NULL,
      "True cost of all jobs (Jobs)" },
    { "Internal charges sum to zero", "+{internal.minor_units.total}", NULL,
      "What jobs are charged is credited to its carriers (Statement)" },
    { "Adjustments = changes of closed invoices",
      "+{adjusted.minor_units.total}-{adjustment_proof.due.total}", NULL,
      "As they would be today − as closed − adjusted since (Reconciliation)" },
    { "No invoice differs from its bill", NULL, "invoices.within_tolerance",
      "Where invoices.csv holds its amount; within FOCUS's tolerance (Reconciliation)" },
    { 0 },
};
static const struct check centre_checks[] = {
    { "Waterfall = statement",
      "+{waterfall.true_cost.total}-{waterfall.internal_charges.total}-{charged.minor_units.total}", NULL,
      "From invoices" },
    { "Jobs = statement", "+{jobs.true_cost_minor.total}-{lines.on_jobs.total}", NULL,
      "True cost of all jobs (Jobs)" },
    { 0 },
};

/* Each term, so that a reader can add them up. */
static const struct figure equation[] = {
    { "Charged to cost centres", "+{charged.minor_units.total}", NULL, CELL_MONEY,
      "Effective cost, on the bill (Statement)" },
    { "Unallocated", "+{unallocated.minor_units.total}", NULL, CELL_MONEY,
      "Effective cost that no cost centre bears (Open items)" },
    { "Balance sheet", "+{balance_sheet.minor_units.total}", NULL, CELL_MONEY,
      "Recoverable tax, tax on prepayments (Statement)" },
    { "Prepaid balance change", "+{prepaid.minor_units.total}", NULL, CELL_MONEY,
      "Invoiced now and used in other months, or used now and invoiced in others (Statement)" },
    { "Unexplained", "+{unexplained.minor_units.total}", NULL, CELL_MONEY,
      "Billed − effective cost that no commitment explains (Statement)" },
    { "Invoices", "+{proof.invoice.total}", NULL, CELL_MONEY,
      "As billed: the sum of the five lines above (Reconciliation)" },
    { "Adjustments to closed months", "+{adjusted.minor_units.total}", NULL, CELL_MONEY,
      "Not in the figures above (Statement)" },
    { "Statement", "+{proof.invoice.total}+{adjusted.minor_units.total}", NULL, CELL_MONEY,
      "Invoices and adjustments: the sum of the two lines above" },
    { 0 },
};
static const struct figure figures[] = {
    { "True cost", "+{waterfall.true_cost.total}", NULL, CELL_MONEY,
      "Of all cost centres: the sum of the two lines below (Waterfall)" },
    { "  from invoices", "+{waterfall.on_the_bill.total}", NULL, CELL_MONEY, "What is charged to them" },
    { "  internal charges", "+{waterfall.internal_charges.total}", NULL, CELL_MONEY,
      "Internal rates of nodes, overhead rates and engineering time; their carriers are credited" },
    { "Unallocated internal charges", "+{internal.unallocated_minor.total}", NULL, CELL_MONEY,
      "Of jobs without a cost centre: no part of true cost; credited to the carriers, too (Statement)" },
    { "Unallocated, share", "+{unallocated.minor_units.total}",
      "+{charged.minor_units.total}+{unallocated.minor_units.total}", CELL_PERCENT,
      "Of charged and unallocated" },
    { 0 },
};
static const struct figure centre_figures[] = {
    { "True cost", "+{waterfall.true_cost.total}", NULL, CELL_MONEY,
      "The sum of the two lines below (Waterfall)" },
    { "  from invoices", "+{waterfall.on_the_bill.total}", NULL, CELL_MONEY,
      "Effective cost charged (Statement)" },
    { "  internal charges", "+{waterfall.internal_charges.total}", NULL, CELL_MONEY,
      "Internal rates of nodes, overhead rates and engineering time" },
    { "Adjustments to closed months", "+{adjusted.minor_units.total}+{adjusted_internal.minor_units.total}",
      NULL, CELL_MONEY, "Not in the figures above: on the bill and off it (Statement)" },
    { 0 },
};
/* The figures below either list. */
static const struct figure shared_figures[] = {
    { "Coordination waste", "+{waterfall.component_2.total}", NULL, CELL_MONEY,
      "Hardware lost to coordination between nodes: (1 − E) · hardware" },
    { "Failed runs", "+{waterfall.component_4.total}", NULL, CELL_MONEY,
      "Hardware and fees of failed attempts, without cancelled ones" },
    { "Idle and unused", "+{waterfall.component_8.total}+{waterfall.component_9.total}", NULL, CELL_MONEY,
      "Charged for nodes and commitments that nobody used" },
    { "Excess over K*", "+{jobs.excess_minor.total}", NULL, CELL_MONEY,
      "What flagged jobs cost more than at K*: a memo, overlaps coordination waste" },
    { "Attainable cash, sure", "+{jobs.sure_cash_minor.total}", NULL, CELL_MONEY,
      "Cash saving without waived jobs and those that would be late on K*" },
    { "Attainable cash, low confidence", "+{jobs.unsure_cash_minor.total}", NULL, CELL_MONEY,
      "The same, of flags of low confidence" },
    { "Attainable capacity", "+{jobs.attainable_capacity_minor.total}", NULL, CELL_MONEY,
      "Freed capacity of the same jobs" },
    { 0 },
};

static const struct sheet_column finding_columns[] = {
    { "Finding", "kind", CELL_TEXT, .width = 38 },
    { "Amount", "minor_units", CELL_MONEY, .width = 17 },
    { "In words", "finding", CELL_TEXT, .width = 24, .span = 10 },
    { 0 },
};
static const struct sheet_table findings = {
    .name = "findings",
    .query = "report/findings.sql",
    .columns = finding_columns,
    .heading = "Findings, most expensive first (all of them: Open items)",
    .none = "Nothing stands out",
};
static const struct sheet_table centre_findings = {
    .name = "findings",
    .query = "report/findings_centre.sql",
    .columns = finding_columns,
    .heading = "Findings, most expensive first",
    .none = "Nothing stands out",
};

#define TRUE_COST "=ROUND(SUMIFS({waterfall.true_cost},{waterfall.centre_no},[centre_no]),{digits})"

static const struct sheet_column budget_columns[] = {
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 38 },
    { "Spent", "spent_minor", CELL_MONEY, .width = 17, .total = true, .formula = TRUE_COST,
      .meaning = "True cost in this statement, internal charges included (Waterfall)" },
    { "Name", "name", CELL_TEXT, .width = 24 },
    { "Of budget", "spent_share", CELL_PERCENT, .width = 9,
      .formula = "=IF([budget_minor]=0,0,[spent_minor]/[budget_minor])" },
    { "Budget", "budget_minor", CELL_MONEY, .width = 14.5, .total = true },
    { "Left", "left_minor", CELL_MONEY, .width = 14.5, .total = true,
      .formula = "=ROUND([budget_minor]-[spent_minor],{digits})" },
    { "Forecast", "forecast_minor", CELL_MONEY, .width = 14.5, .total = true,
      .meaning =
          "Spent, carried on to the month's end in a straight line from the end of each source's records; what is known for the "
          "month stands as it is. Empty: no day of the month is covered yet" },
    { "Forecast of budget", "forecast_share", CELL_PERCENT, .width = 14.5,
      .formula = "=IF([budget_minor]=0,0,[forecast_minor]/[budget_minor])" },
    { "No.", "centre_no", CELL_INTEGER, .width = 14.5,
      .meaning = "As on Waterfall; empty: no cost this month" },
    { "Thresholds crossed", "crossed", CELL_TEXT, .width = 14.5, .span = 3,
      .meaning = "Percentages of the budget that the spent or forecast cost has crossed" },
    { 0 },
};
static const struct sheet_column unbudgeted_columns[] = {
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 38 },
    { "Spent", "spent_minor", CELL_MONEY, .width = 17, .total = true, .formula = TRUE_COST },
    { "Name", "name", CELL_TEXT, .width = 24 },
    { "", NULL, CELL_TEXT, .width = 9 },
    { "", NULL, CELL_TEXT, .width = 14.5 },
    { "", NULL, CELL_TEXT, .width = 14.5 },
    { "Forecast", "forecast_minor", CELL_MONEY, .width = 14.5, .total = true },
    { "", NULL, CELL_TEXT, .width = 14.5 },
    { "No.", "centre_no", CELL_INTEGER, .width = 14.5 },
    { 0 },
};
static const struct sheet_table budgets = {
    .name = "budgets",
    .query = "report/budgets.sql",
    .columns = budget_columns,
    .heading = "Budgets, the largest share spent first",
};
static const struct sheet_table unbudgeted = {
    .name = "unbudgeted",
    .query = "report/unbudgeted.sql",
    .columns = unbudgeted_columns,
    .heading = "Cost without a budget",
    .none = "None",
};

static const struct sheet_column centre_columns[] = {
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 38 },
    { "True cost", "true_cost", CELL_MONEY, .width = 17, .total = true,
      .formula = "=ROUND(SUM([useful]:[internal_overhead]),{digits})" },
    { "Name", "cost_centre_name", CELL_TEXT, .width = 24 },
    { "Share", "share", CELL_PERCENT, .width = 9, .may_be_empty = true,
      .formula = "=IF({waterfall.true_cost.total}=0,\"\",[true_cost]/{waterfall.true_cost.total})" },
    { "Useful compute", "useful", CELL_MONEY, .width = 14.5, .total = true,
      .formula = "=ROUND(SUMIFS({waterfall.component_1},{waterfall.centre_no},[centre_no]),{digits})" },
    { "Coordination waste", "waste", CELL_MONEY, .width = 14.5, .total = true,
      .formula = "=ROUND(SUMIFS({waterfall.component_2},{waterfall.centre_no},[centre_no]),{digits})" },
    { "Failed and cancelled", "failed", CELL_MONEY, .width = 14.5, .total = true,
      .formula = "=ROUND(SUMIFS({waterfall.component_4},{waterfall.centre_no},[centre_no])"
                 "+SUMIFS({waterfall.component_5},{waterfall.centre_no},[centre_no]),{digits})" },
    { "Other direct cost", "other", CELL_MONEY, .width = 14.5, .total = true,
      .formula = "=ROUND(SUMIFS({waterfall.component_3},{waterfall.centre_no},[centre_no])"
                 "+SUMIFS({waterfall.component_6},{waterfall.centre_no},[centre_no])"
                 "+SUMIFS({waterfall.component_11},{waterfall.centre_no},[centre_no]),{digits})",
      .meaning = "Unmeasured hardware, cloud fees, direct cost without job" },
    { "Overhead and shared", "shared", CELL_MONEY, .width = 14.5, .total = true,
      .formula = "=ROUND(SUMIFS({waterfall.true_cost},{waterfall.centre_no},[centre_no])-[useful]-[waste]"
                 "-[failed]-[other]-[internal_overhead],{digits})",
      .meaning = "Fixed overhead on the bill, idle, unused commitments, shared services, tax, credits, "
                 "adjustments" },
    { "Internal overhead", "internal_overhead", CELL_MONEY, .width = 14.5, .total = true,
      .formula = "=ROUND(SUMIFS({waterfall.component_15},{waterfall.centre_no},[centre_no])"
                 "+SUMIFS({waterfall.component_16},{waterfall.centre_no},[centre_no]),{digits})",
      .meaning = "Overhead rates and engineering time" },
    { "Excess over K* (memo)", "excess_minor", CELL_MONEY, .width = 14.5, .total = true,
      .meaning = "No part of the sum. Jobs without cost centre are only in the key figure above" },
    { "No.", "centre_no", CELL_INTEGER, .width = 6 },
    { 0 },
};
static const struct sheet_table centres = {
    .name = "centres",
    .query = "report/summary_centres.sql",
    .columns = centre_columns,
    .heading = "True cost by cost centre, dearest first",
    .none = "No cost centres",
};

/* The groups of `centre_columns` in the bars, in the order of the table, which has the same
 * numbers. */
static const struct bar {
    lxw_col_t column;
    lxw_color_t colour;
} bars[] = {
    { 4, CHART_USEFUL },       { 5, CHART_WASTE },    { 6, CHART_FAILED },
    { 7, CHART_OTHER_DIRECT }, { 8, CHART_OVERHEAD }, { 9, CHART_INTERNAL_OVERHEAD },
};
/* clang-format on */

enum { CHARTS_COLUMN = 6 };

/* Inserts stacked bars at the top right: one for each of the `count` rows below the headings at
 * row `header`. */
static void insert_chart(struct sheet *sheet, lxw_row_t at, lxw_row_t header, int64_t count)
{
    enum { MOST = 15 };
    lxw_row_t last = header + (lxw_row_t)(count < MOST ? count : MOST);
    lxw_chart *chart = workbook_add_chart(book_lxw(sheet->book), LXW_CHART_BAR_STACKED);
    char axis[64];
    bool is_below_zero = false;
    for (size_t i = 0; i < sizeof bars / sizeof bars[0]; i++) {
        char *name = text_of("centres.%s", centre_columns[bars[i].column].field);
        is_below_zero = is_below_zero || book_anchor(sheet->book, name)->is_below_zero;
        free(name);
        lxw_chart_series *series = chart_add_column(sheet, chart, header + 1, last, bars[i].column);
        chart_series_set_name_range(series, sheet->name, header, bars[i].column);
        chart_series_set_fill(series, &(lxw_chart_fill){ .color = bars[i].colour });
        chart_series_set_line(series, &(lxw_chart_line){ .color = LXW_COLOR_WHITE, .width = 0.5 });
    }
    snprintf(axis, sizeof axis, "%s in the month", book_head(sheet->book)->currency);
    chart_title(chart,
                count > MOST ? "True cost of the fifteen dearest cost centres" : "True cost by cost centre");
    /* In a bar chart of libxlsxwriter, y_axis is the axis of the categories. */
    chart_axis_set_name(chart->x_axis, axis);
    chart_axis_set_num_format(chart->x_axis, "#,##0");
    chart_begin_at_zero(chart->x_axis, is_below_zero);
    chart_axis_set_name(chart->y_axis, "Cost centre");
    chart_axis_set_interval_unit(chart->y_axis, 1); /* each name is shown */
    chart_axis_set_num_font(chart->y_axis, &(lxw_chart_font){ .size = 8 });
    chart_axis_set_reverse(chart->y_axis);      /* the most expensive at the top, as in the table */
    chart_axis_set_crossing_max(chart->y_axis); /* and the amounts at the bottom */
    chart_axis_set_label_position(chart->y_axis, LXW_CHART_AXIS_LABEL_POSITION_LOW);
    chart_axis_major_gridlines_set_line(chart->x_axis,
                                        &(lxw_chart_line){ .color = COLOUR_LINE, .width = 0.5 });
    chart_legend_set_position(chart, LXW_CHART_LEGEND_BOTTOM);
    char *cost = chart_amount(sheet->book, "centres.true_cost.total");
    chart_insert(
        sheet, chart,
        &(struct chart_place){ .row = at, .column = CHARTS_COLUMN, .x_scale = 1.3, .y_scale = 1.2 },
        "Bars of true cost by cost centre, dearest first, split into useful compute, waste, failed and "
        "other parts: %s in all.",
        cost);
    free(cost);
}

/* clang-format off: a row each */
static const struct figure changes[] = {
    { "Change", "+{waterfall.true_cost.total}-{before.true_cost}", NULL, CELL_DIFFERENCE,
      "True cost − true cost last month" },
    { "Change, share", "+{waterfall.true_cost.total}-{before.true_cost}", "+{before.true_cost}", CELL_PERCENT,
      "Of last month's; the data workbook has the key figures of both months" },
    { 0 },
};
static const struct figure change_from_nothing[] = {
    { "Change", "+{waterfall.true_cost.total}-{before.true_cost}", NULL, CELL_DIFFERENCE,
      "True cost − true cost last month, of which it is no share" },
    { 0 },
};
static const struct sheet_column mover_columns[] = {
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 38 },
    { "Change", "change", CELL_DIFFERENCE, .width = 17,
      .formula = "=ROUND([this_month]-[last_month],{digits})" },
    { "Component", "component", CELL_TEXT, .width = 24 },
    { "", NULL, CELL_TEXT, .width = 9 },
    { "This month", "this_month", CELL_MONEY, .width = 14.5,
      .formula = "=ROUND(SUMIFS({lines.minor_units},{lines.centre_no},[centre_no],{lines.component_no},["
                 "component_no]),{digits})" },
    { "Last month", "last_month", CELL_MONEY, .width = 14.5,
      .meaning = "As the statement of the month before says" },
    { "Centre no.", "centre_no", CELL_INTEGER, .width = 14.5,
      .meaning = "0: the cost centre has no cost this month" },
    { "Component no.", "component_no", CELL_INTEGER, .width = 14.5 },
    { 0 },
};
static const struct sheet_table movers = {
    .name = "movers",
    .query = "report/summary_movers.sql",
    .columns = mover_columns,
    .heading = "Top movers: what changed most on last month",
    .none = "No statement of the month before",
};
/* clang-format on */

/* Writes the figures of the previous month's statement, and the change. */
static bool write_change(struct sheet *sheet, struct error *error)
{
    PGresult *before =
        database_query_file(book_connection(sheet->book), "report/summary_before.sql", 0, NULL, error);
    if (before == NULL)
        return false;
    sheet_heading(sheet, "Change on last month");
    sheet_text(sheet, sheet->row, 0, "True cost last month", ROLE_BODY);
    if (PQntuples(before) > 0) {
        char *note = text_of("As the statement of %s says", PQgetvalue(before, 0, 0));
        int64_t minor = strtoll(PQgetvalue(before, 0, 1), NULL, 10);
        sheet_value(sheet, sheet->row, 1, PQgetvalue(before, 0, 1), CELL_MONEY, ROLE_FIGURE);
        sheet_anchor(sheet, "before.true_cost", sheet->row, 1, book_money(sheet->book, minor), minor);
        sheet_aside(sheet, sheet->row++, 2, note);
        figures_write(sheet, minor == 0 ? change_from_nothing : changes);
        sheet_skip(sheet, 1);
        free(note);
    } else {
        sheet_text(sheet, sheet->row, 1, "none", ROLE_BODY);
        sheet_aside(sheet, sheet->row, 2, "No statement of the month before in this currency");
        sheet_skip(sheet, 2);
    }
    PQclear(before);
    return true;
}

/* Writes the budgets of a month that has some; in a cost centre's workbook only its own. */
static bool write_budgets(struct sheet *sheet, struct error *error)
{
    PGresult *count =
        database_query_file(book_connection(sheet->book), "report/budgets_count.sql", 0, NULL, error);
    bool ok = count != NULL, has_budgets = ok && strcmp(PQgetvalue(count, 0, 0), "0") != 0;
    PQclear(count);
    return ok && (!has_budgets || (table_write(sheet, &budgets, NULL, error) &&
                                   (for_one_centre(sheet) || table_write(sheet, &unbudgeted, NULL, error))));
}

/* Writes the figures and checks beside the chart. */
static void write_figures(struct sheet *sheet)
{
    bool everyone = !for_one_centre(sheet);
    if (everyone) {
        sheet_heading(sheet, "The month's invoices, as they add up");
        figures_write(sheet, equation);
        sheet_skip(sheet, 1);
    }
    sheet_heading(sheet, "Key figures, each leading to the rows behind it");
    figures_write(sheet, everyone ? figures : centre_figures);
    figures_write(sheet, shared_figures);
    sheet_skip(sheet, 1);
    sheet_heading(sheet, "Checks");
    checks_write(sheet, everyone ? checks : centre_checks);
}

bool fill_summary(struct sheet *sheet, struct error *error)
{
    bool everyone = !for_one_centre(sheet);
    int64_t count;
    enum {
        LAST = sizeof centre_columns / sizeof *centre_columns - 2, /* column; the end is none */
        CHART_ROWS = 18 /* in the workbook for everybody two charts are beside figures and checks */
    };
    sheet_title(sheet, everyone ? "Chargeback" : "Chargeback of a cost centre");
    table_set_widths(sheet, &centres);
    if (!headline_write(sheet, LAST, error))
        return false;
    lxw_row_t top = sheet->row;
    write_figures(sheet);
    if (!write_change(sheet, error) || !write_budgets(sheet, error) ||
        (!everyone && !write_open_items(sheet, error)) || !table_write(sheet, &centres, &count, error))
        return false;
    lxw_row_t header =
        sheet->row - (lxw_row_t)(count > 0 ? count : 1) - 3; /* rows, total, empty line below */
    if (everyone && count > 0 && sheet->part == 0)
        insert_chart(sheet, top, header, count);
    if (sheet->part == 0)
        insert_waterfall_chart(sheet, everyone ? top + CHART_ROWS : top, CHARTS_COLUMN);
    return table_write(sheet, everyone ? &findings : &centre_findings, NULL, error) &&
           table_write(sheet, &movers, NULL, error);
}
