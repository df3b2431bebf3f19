/* report/sheets/forecast_bridge.c: the sheet "Bridge" of a forecast's workbook: the steps from
 * the base to the scenario by lever, and then to the result of changed inputs, as a table and a
 * waterfall chart. */
#include "report/chart.h"
#include "report/forecast_sheets.h"

#include "base/postgres/database.h"
#include "report/workbook_name.h"

#include <stdlib.h>
#include <string.h>

enum step_column { STEP, AMOUNT, UP_TO, BELOW, INCREASE, DECREASE, SUM, FREED, STEP_COLUMN_COUNT };
enum step_kind { STEP_FIRST, STEP_LEVER, STEP_SUM };

static void write_money(struct sheet *sheet, enum step_column column, char *template, int64_t minor,
                        enum cell_role role)
{
    char *formula = book_formula(sheet->book, template, NULL, NULL);
    sheet_formula(sheet, sheet->row, (lxw_col_t)column, formula, book_money(sheet->book, minor), CELL_MONEY,
                  role);
    free(formula);
    free(template);
}

/* Writes one bar. A step goes from the lower to the higher of the sums before and after it; a
 * sum starts at zero. `amount` is a formula, or NULL for a value. For a sum, the value is the
 * total so far. Returns the sum after the bar. */
static int64_t write_step(struct sheet *sheet, const char *label, enum step_kind kind, const char *amount,
                          int64_t minor, int64_t before)
{
    unsigned row = sheet->row + 1;
    bool whole = kind != STEP_LEVER;
    int64_t after = whole ? minor : before + minor, lower = before < after ? before : after;
    enum cell_role role = kind == STEP_SUM ? ROLE_TOTAL : ROLE_BODY;
    char value[32];
    snprintf(value, sizeof value, "%lld", (long long)minor);
    sheet_text(sheet, sheet->row, STEP, label, role);
    if (amount != NULL)
        write_money(sheet, AMOUNT, text_of("%s", amount), minor, role);
    else
        sheet_value(sheet, sheet->row, AMOUNT, value, CELL_DIFFERENCE, role);
    write_money(sheet, UP_TO,
                whole ? text_of("=ROUND(B%u,{digits})", row)
                      : text_of("=ROUND(C%u+B%u,{digits})", row - 1, row),
                after, role);
    write_money(sheet, BELOW,
                whole ? text_of("=ROUND(0,{digits})")
                      : text_of("=ROUND(MIN(C%u,C%u),{digits})", row - 1, row),
                whole ? 0 : lower, role);
    write_money(sheet, INCREASE,
                whole ? text_of("=ROUND(0,{digits})") : text_of("=ROUND(MAX(B%u,0),{digits})", row),
                whole || minor < 0 ? 0 : minor, role);
    write_money(sheet, DECREASE,
                whole ? text_of("=ROUND(0,{digits})") : text_of("=ROUND(MAX(-B%u,0),{digits})", row),
                whole || minor > 0 ? 0 : -minor, role);
    write_money(sheet, SUM, whole ? text_of("=ROUND(B%u,{digits})", row) : text_of("=ROUND(0,{digits})"),
                whole ? minor : 0, role);
    sheet->row++;
    return after;
}

/* Writes the steps. Levers without effect have no bar. */
static bool write_steps(struct sheet *sheet, lxw_row_t *first, bool *is_below_zero, struct error *error)
{
    PGresult *steps =
        database_query_file(book_connection(sheet->book), "report/forecast_bridge.sql", 0, NULL, error);
    int64_t sum = 0;
    *first = sheet->row;
    if (steps == NULL)
        return false;
    for (int i = 0; i < PQntuples(steps); i++) {
        int64_t minor = strtoll(PQgetvalue(steps, i, 2), NULL, 10);
        int64_t freed = strtoll(PQgetvalue(steps, i, 3), NULL, 10);
        if (i > 0 && minor == 0 && freed == 0)
            continue;
        sum = write_step(sheet, PQgetvalue(steps, i, 1), i == 0 ? STEP_FIRST : STEP_LEVER, NULL, minor, sum);
        if (freed != 0)
            sheet_value(sheet, sheet->row - 1, FREED, PQgetvalue(steps, i, 3), CELL_DIFFERENCE, ROLE_BODY);
        *is_below_zero = *is_below_zero || sum < 0;
    }
    PQclear(steps);
    char *scenario = text_of("=ROUND(C%u,{digits})", sheet->row);
    sum = write_step(sheet, "Scenario", STEP_SUM, scenario, sum, sum);
    sheet_anchor(sheet, "bridge.scenario", sheet->row - 1, AMOUNT, book_money(sheet->book, sum), sum);
    sum = write_step(sheet, "Changed inputs", STEP_LEVER,
                     "=ROUND({months.total.total}-{bridge.scenario},{digits})",
                     book_anchor(sheet->book, "months.total.total")->minor_units - sum, sum);
    write_step(sheet, "With the inputs", STEP_SUM, "=ROUND({months.total.total},{digits})", sum, sum);
    free(scenario);
    return true;
}

static void add_series(struct sheet *sheet, lxw_chart *chart, lxw_row_t first, enum step_column column,
                       const char *name, lxw_color_t colour)
{
    lxw_chart_series *series = chart_add_column(sheet, chart, first, sheet->row - 1, (lxw_col_t)column);
    chart_series_set_name(series, name);
    if (column == BELOW)
        chart_series_set_fill(series, &(lxw_chart_fill){ .none = LXW_TRUE });
    else
        chart_series_set_fill(series, &(lxw_chart_fill){ .color = colour });
}

static void insert_chart(struct sheet *sheet, lxw_row_t first, bool is_below_zero)
{
    char axis[64];
    lxw_chart *chart = workbook_add_chart(book_lxw(sheet->book), LXW_CHART_COLUMN_STACKED);
    add_series(sheet, chart, first, BELOW, "Below", LXW_COLOR_WHITE);
    add_series(sheet, chart, first, SUM, "Sum", CHART_SUM);
    add_series(sheet, chart, first, INCREASE, "Adds", CHART_ADDS);
    add_series(sheet, chart, first, DECREASE, "Takes off", CHART_TAKES_OFF);
    chart_set_series_gap(chart, 40);
    snprintf(axis, sizeof axis, "%s, all months", book_head(sheet->book)->currency);
    forecast_chart_dress(chart, "From the base to the scenario", axis, "Lever");
    chart_legend_delete_series(chart, (int16_t[]){ 0, -1 });
    chart_begin_at_zero(chart->y_axis, is_below_zero);
    char *scenario = chart_amount(sheet->book, "bridge.scenario");
    chart_insert(
        sheet, chart, &(struct chart_place){ .row = sheet->row + 1, .x_scale = 1.9, .y_scale = 1.5 },
        "Waterfall of all months: from history carried on, lever by lever, to the scenario, %s, and to what "
        "changed inputs make of it.",
        scenario);
    free(scenario);
}

bool fill_forecast_bridge(struct sheet *sheet, struct error *error)
{
    static const char *const headings[] = { "Lever",    "Amount",   "Sum so far", "Below the bar",
                                            "Increase", "Decrease", "Sum",        "Freed capacity" };
    lxw_row_t first;
    bool is_below_zero = false;
    sheet_title(sheet, "Bridge");
    worksheet_fit_to_pages(sheet->worksheet, 1, 1);
    sheet_note(sheet,
               "From history carried on as it is to the scenario, over all months: the levers are put on one "
               "after the other, and each is what it does on top of those before it.");
    sheet_note(
        sheet,
        "Freed capacity: what a lever takes of committed and owned hardware. It is paid all the same, and the "
        "amount does not count it as a saving.");
    sheet_note(sheet, "Rounding: the base and the levers are rounded once each, the forecast leaf by leaf.");
    sheet_skip(sheet, 1);
    for (int i = 0; i < STEP_COLUMN_COUNT; i++) {
        sheet_column_width(sheet, (lxw_col_t)i, i == 0 ? 30 : 17);
        sheet_header_cell(sheet, sheet->row, (lxw_col_t)i, headings[i], i == 0 ? CELL_TEXT : CELL_MONEY);
    }
    sheet->row++;
    if (!write_steps(sheet, &first, &is_below_zero, error))
        return false;
    insert_chart(sheet, first, is_below_zero);
    return true;
}
