/* report/sheets/families.c: the sheet "Scaling fits", and one sheet per family with cost against K:
 * the law's curve, the measured points, K* and the K of the month's jobs. */
#include "report/chart.h"
#include "report/sheets.h"

#include "base/postgres/database.h"
#include "report/workbook_name.h"

#include <stdlib.h>
#include <string.h>

/* clang-format off: a row each */
static const struct sheet_column fit_columns[] = {
    { "Family", "family", CELL_TEXT, .width = 16 },
    { "Series", "series", CELL_TEXT, .width = 34, .wraps = true,
      .meaning = "Accelerator, precision and batch of the measurements" },
    { "Scaling", "scaling", CELL_TEXT, .width = 9 },
    { "Law", "law", CELL_TEXT, .width = 9,
      .meaning = "usl: 1/E = 1 + (K−1)s + cK(K−1); stepped: + d for K above 1" },
    { "T₁ (hours)", "t1_hours", CELL_NUMBER, .width = 11, .meaning = "Fitted time at the smallest K" },
    { "Serial fraction s", "serial_fraction", CELL_NUMBER, .width = 10.5 },
    { "Communication c", "communication_coefficient", CELL_NUMBER, .width = 10.5 },
    { "Step d", "step", CELL_NUMBER, .width = 10 },
    { "Smallest K", "smallest_k", CELL_INTEGER, .width = 9 },
    { "Largest K", "largest_k", CELL_INTEGER, .width = 8 },
    { "Measurements", "measurements", CELL_COUNT, .width = 9 },
    { "Distinct K", "distinct_k", CELL_COUNT, .width = 9 },
    { "R²", "r_squared", CELL_NUMBER, .width = 9.5 },
    { "Largest residual", "largest_residual", CELL_PERCENT, .width = 9, .meaning = "Relative" },
    { "Low confidence", "low_confidence", CELL_YES_NO, .width = 8 },
    { "Price per node-hour", "price_per_node_hour", CELL_PRICE, .width = 10,
      .meaning = "Of its jobs in the month" },
    { "Overhead per node-hour", "overhead_per_node_hour", CELL_PRICE, .width = 10,
      .meaning = "Of pools split by node-hours: what a node-hour of those jobs costs besides" },
    { "Fixed per wall hour", "fixed_per_wall_hour", CELL_PRICE, .width = 10,
      .meaning = "Other fixed overhead of those jobs ÷ their wall hours, plus the cost of waiting" },
    { "Waiting per hour", "waiting_per_hour", CELL_PRICE, .width = 10,
      .meaning = "What an hour until the result is counted at; part of the column before it" },
    { "K of least money", "k_least_money", CELL_INTEGER, .width = 8,
      .meaning = "At those prices, without waiting: the band's lower end" },
    { "K*", "k_star", CELL_INTEGER, .width = 6,
      .meaning = "The cheapest with waiting counted: the band's upper end" },
    { "K* interval", "k_star_interval", CELL_TEXT, .width = 10 },
    { "K fastest", "k_fastest", CELL_INTEGER, .width = 8 },
    { "Checkpoint every (hours)", "checkpoint_interval_hours", CELL_NUMBER, .width = 11,
      .meaning = "The best interval at K*, by what interrupts its jobs; empty: nothing is declared" },
    { "Lost to interruptions", "interruption_share", CELL_PERCENT, .width = 11,
      .meaning = "Time that they and checkpoints at that interval add at K*" },
    { "Why this law", "reason", CELL_TEXT, .width = 50, .wraps = true },
    { "What the others say", "alternatives", CELL_TEXT, .width = 60, .wraps = true },
    { 0 },
};
static const struct sheet_table fits = {
    .name = "fits",
    .query = "report/fits.sql",
    .columns = fit_columns,
    .none = "No family was measured",
    .alone = true,
    .frozen_columns = 1,
};
/* clang-format on */

bool fill_fits(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "Scaling fits");
    /* must fit on one page: a second page would cut the title */
    worksheet_set_paper(sheet->worksheet, PAPER_A3);
    return table_write(sheet, &fits, NULL, error);
}

/* clang-format off: a row each */
enum {
    CURVE_K,
    CURVE_EFFICIENCY,
    CURVE_HOURS,
    CURVE_COST,
    CURVE_MEASURED_HOURS,
    CURVE_MEASURED_COST,
    CURVE_USED,
    CURVE_JOBS,
    CURVE_K_STAR,
    CURVE_INTERVAL,
    CURVE_MONEY,
    CURVE_LEAST_MONEY
};
static const struct sheet_column curve_columns[] = {
    [CURVE_K] = { "K", "k", CELL_INTEGER, .width = 8 },
    [CURVE_EFFICIENCY] = { "Efficiency E(K)", "efficiency", CELL_PERCENT, .width = 12 },
    [CURVE_HOURS] = { "Hours", "hours", CELL_SHAPE, .width = 12 },
    [CURVE_COST] = { "Cost, fitted", "cost", CELL_SHAPE, .width = 13 },
    [CURVE_MEASURED_HOURS] = { "Measured hours", "measured_hours", CELL_SHAPE, .width = 12 },
    [CURVE_MEASURED_COST] = { "Cost, measured", "measured_cost", CELL_SHAPE, .width = 13 },
    [CURVE_USED] = { "K of jobs", "used_cost", CELL_SHAPE, .width = 13 },
    [CURVE_JOBS] = { "Jobs", "jobs", CELL_COUNT, .width = 8 },
    [CURVE_K_STAR] = { "K*", "k_star_cost", CELL_SHAPE, .width = 13 },
    [CURVE_INTERVAL] = { "K* interval", "interval_cost", CELL_SHAPE, .width = 13,
                         .meaning = "Cost at each K that may be K* (95 %)" },
    [CURVE_MONEY] = { "Cost without waiting", "money_cost", CELL_SHAPE, .width = 13,
                      .meaning =
                          "Money alone: the other costs count what an hour of waiting is declared at" },
    [CURVE_LEAST_MONEY] = { "K of least money", "least_money_cost", CELL_SHAPE, .width = 13 },
    { 0 },
};
static const struct sheet_table curve = {
    .name = "curve",
    .query = "report/family_curve.sql",
    .columns = curve_columns,
};

/* The series of the chart. Each differs by marker as well as by colour. Several points may have
 * the same K, and programs draw them in different orders; hollow markers are larger, so that all
 * are visible. */
static const struct mark {
    lxw_col_t column;
    lxw_color_t colour;
    bool line, hollow;
    uint8_t type, size;
} marks[] = {
    { CURVE_COST, CHART_FITTED, true, false, LXW_CHART_MARKER_NONE, 0 },
    { CURVE_MEASURED_COST, CHART_MEASURED, false, false, LXW_CHART_MARKER_CIRCLE, 5 },
    { CURVE_USED, CHART_K_OF_JOBS, false, true, LXW_CHART_MARKER_TRIANGLE, 10 },
    { CURVE_INTERVAL, CHART_K_STAR_INTERVAL, false, true, LXW_CHART_MARKER_SQUARE, 8 },
    { CURVE_K_STAR, CHART_K_STAR, false, true, LXW_CHART_MARKER_DIAMOND, 14 },
    { CURVE_MONEY, CHART_MONEY, true, false, LXW_CHART_MARKER_NONE, 0 },
    { CURVE_LEAST_MONEY, CHART_LEAST_MONEY, false, true, LXW_CHART_MARKER_DIAMOND, 10 },
};
enum {
    MARKS = sizeof marks / sizeof marks[0],
    MARKS_OF_WAITING = 2
}; /* the last ones exist only for a family with a cost of waiting */
/* clang-format on */

static void insert_curve(struct sheet *sheet, lxw_row_t at, lxw_row_t header, lxw_row_t last, long largest_k,
                         bool waits, const char *words)
{
    lxw_chart *chart = workbook_add_chart(book_lxw(sheet->book), LXW_CHART_SCATTER);
    char text[128];
    for (size_t i = 0; i < (waits ? MARKS : MARKS - MARKS_OF_WAITING); i++) {
        lxw_chart_series *series = chart_add_column(sheet, chart, header + 1, last, marks[i].column);
        chart_series_set_name_range(series, sheet->name, header, marks[i].column);
        chart_series_set_marker_type(series, marks[i].type);
        if (marks[i].line) {
            chart_series_set_line(series, &(lxw_chart_line){ .color = marks[i].colour, .width = 2 });
            continue;
        }
        chart_series_set_line(series, &(lxw_chart_line){ .none = LXW_TRUE });
        chart_series_set_marker_size(series, marks[i].size);
        chart_series_set_marker_fill(series, marks[i].hollow ? &(lxw_chart_fill){ .none = LXW_TRUE }
                                                             : &(lxw_chart_fill){ .color = marks[i].colour });
        chart_series_set_marker_line(series, &(lxw_chart_line){ .color = marks[i].colour, .width = 1.5F });
    }
    char *title = text_of("%s: cost of the measured job against K", sheet->name);
    chart_title(chart, title);
    free(title);
    chart_axis_set_name(chart->x_axis, largest_k > 32 ? "K (logarithmic)" : "K");
    chart_axis_set_min(chart->x_axis, largest_k > 32 ? 1 : 0);
    if (largest_k > 32)
        chart_axis_set_log_base(chart->x_axis, 2);
    snprintf(text, sizeof text, "Cost (%s at the month's prices)", book_head(sheet->book)->currency);
    chart_axis_set_name(chart->y_axis, text);
    chart_axis_set_num_format(chart->y_axis, "[=0]0;[<10]0.0###;#,##0");
    chart_axis_set_min(chart->y_axis, 0);
    chart_axis_major_gridlines_set_line(chart->y_axis,
                                        &(lxw_chart_line){ .color = COLOUR_LINE, .width = 0.5 });
    chart_legend_set_position(chart, LXW_CHART_LEGEND_BOTTOM);
    chart_show_blanks_as(chart, LXW_CHART_BLANKS_AS_GAP);
    chart_insert(
        sheet, chart, &(struct chart_place){ .row = at, .x_scale = 1.6, .y_scale = 1.5 },
        "Curve of what the measured job costs at each K, with the measured points and the K of the month's "
        "jobs. %s.",
        words);
}

/* The line of text above the chart, from a row of report/families.sql. */
static char *family_in_words(const PGresult *families, int i)
{
    bool star = !PQgetisnull(families, i, 3), interval = !PQgetisnull(families, i, 4);
    bool fastest = !PQgetisnull(families, i, 5);
    bool carbon = !PQgetisnull(families, i, 7);
    bool waits = !PQgetisnull(families, i, 8), money = waits && !PQgetisnull(families, i, 9);
    bool checkpoint = !PQgetisnull(families, i, 10);
    return text_of("%s%s%sK* %s%s%s%s%s%s%s%s%s%s; fastest K %s; law %s: %s",
                   money ? "least money at K " : "", money ? PQgetvalue(families, i, 9) : "",
                   money ? "; " : "", star ? PQgetvalue(families, i, 3) : "none",
                   waits ? " with waiting counted at " : "; waiting not counted",
                   waits ? PQgetvalue(families, i, 8) : "", interval ? ", 95 % interval " : "",
                   interval ? PQgetvalue(families, i, 4) : "",
                   carbon ? "; least energy and carbon at K " : "", carbon ? PQgetvalue(families, i, 7) : "",
                   checkpoint ? "; there a checkpoint is best every " : "",
                   checkpoint ? PQgetvalue(families, i, 10) : "", checkpoint ? " hours" : "",
                   fastest ? PQgetvalue(families, i, 5) : "none", PQgetvalue(families, i, 1),
                   PQgetvalue(families, i, 2));
}

static bool fill_family(struct sheet *sheet, const PGresult *families, int i, struct error *error)
{
    enum { CHART_ROWS = 23 };
    char *family = text_of("Family %s", PQgetvalue(families, i, 0));
    char *words = family_in_words(families, i);
    sheet_title(sheet, "Cost against K");
    sheet_heading(sheet, family);
    sheet_note(sheet, words);
    sheet_note(sheet,
               "Relative to the measured job at the month's prices (Scaling fits): a shape to decide by, "
               "not money of a bill.");
    sheet_skip(sheet, 1);
    free(family);
    lxw_row_t chart_row = sheet->row;
    sheet_skip(sheet, CHART_ROWS);
    lxw_row_t header = sheet->row;
    int64_t rows;
    worksheet_set_h_pagebreaks(sheet->worksheet, (lxw_row_t[]){ header, 0 });
    worksheet_repeat_rows(sheet->worksheet, header, header);
    bool ok = table_write(sheet, &curve, &rows, error);
    if (ok && rows > 0)
        insert_curve(sheet, chart_row, header, header + (lxw_row_t)rows,
                     strtol(PQgetvalue(families, i, 6), NULL, 10), !PQgetisnull(families, i, 8), words);
    free(words);
    return ok;
}

bool add_family_sheets(struct book *book, struct error *error)
{
    PGconn *connection = book_connection(book);
    PGresult *families = database_query_file(connection, "report/families.sql", 0, NULL, error);
    bool ok = families != NULL;
    for (int i = 0; ok && i < PQntuples(families); i++) {
        const char *family = PQgetvalue(families, i, 0);
        char *name = text_of("Curve %s", family);
        struct sheet *sheet = book_add_sheet(book, name, 0, error);
        PGresult *scope = sheet == NULL
                              ? NULL
                              : database_query_file(connection, "report/family_scope.sql", 1, &family, error);
        ok = scope != NULL && fill_family(sheet, families, i, error);
        PQclear(scope);
        free(name);
    }
    PQclear(families);
    return ok;
}
