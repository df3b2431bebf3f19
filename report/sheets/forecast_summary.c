/* report/sheets/forecast_summary.c: the sheet "Summary" of a forecast's workbook: checks, the
 * scenarios side by side as totals and by month, and charts of them. */
#include "report/chart.h"
#include "report/figure.h"
#include "report/forecast_scenarios.h"

#include "base/postgres/database.h"
#include "report/workbook_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off: a row each */
static const struct check checks[] = {
    { "By cost centre = projection",
      "+{centres.total.total}-{lines.total.total}-{others.total.total}-{company.total.total}-{people_months."
      "total.total}-{floors.total.total}-{trainings.total.total}",
      NULL,
      "What stands on jobs, on no job, on the company, on people, on freed capacity, on planned trainings" },
    { "By component = by cost centre", "+{months.total.total}-{centres.total.total}", NULL, "All months" },
    { "Bridge ends at the forecast", "+{bridge.scenario}-{scenario.cost}", NULL, "Base and levers (Bridge)" },
    { 0 },
};
/* clang-format on */

/* Writes TRUE, or a note that the sheet Inputs was changed, so kstar's figures differ. */
static void write_inputs_check(struct sheet *sheet)
{
    char *formula = book_formula(
        sheet->book,
        "=IF(ROUND({months.total.total}-{scenario.cost},{digits})=0,\"TRUE\",\"inputs changed\")", NULL,
        NULL);
    sheet_text(sheet, sheet->row, 0, "Formulas = kstar's forecast", ROLE_BODY);
    sheet_check(sheet, sheet->row, 1, formula, "TRUE");
    sheet_aside(sheet, sheet->row++, 2, "As long as the sheet Inputs is as the scenario has it");
    free(formula);
}

/* ---- all months together ---- */

static void anchor_own(struct sheet *sheet, const PGresult *rows, int row)
{
    int64_t minor = strtoll(PQgetvalue(rows, row, COST), NULL, 10);
    sheet_anchor(sheet, "scenario.cost", sheet->row, 1, book_money(sheet->book, minor), minor);
}

static void write_total(struct sheet *sheet, const PGresult *rows, int row, struct scenario_places *places,
                        int64_t first)
{
    unsigned cell = sheet->row + 1, first_cell = places->totals + 1;
    int64_t cost = strtoll(PQgetvalue(rows, row, COST), NULL, 10);
    bool own = result_flag(rows, row, IS_OWN);
    sheet_long_text(sheet, sheet->row, 0, PQgetvalue(rows, row, SCENARIO), own ? ROLE_FIGURE : ROLE_BODY);
    for (int i = 0; i < RANGES; i++) {
        const char *amount = PQgetvalue(rows, row, COST + i);
        sheet_value(sheet, sheet->row, (lxw_col_t)(1 + i), amount, CELL_MONEY, own ? ROLE_FIGURE : ROLE_BODY);
        places->is_total_below_zero = places->is_total_below_zero || amount[0] == '-';
    }
    char *difference =
        text_of("=ROUND(B%u-B%u,%d)", cell, first_cell, book_head(sheet->book)->minor_unit_digits);
    char *share = text_of("=IF(B%u=0,\"\",F%u/B%u)", first_cell, cell, first_cell);
    double against = book_money(sheet->book, cost - first);
    sheet_formula(sheet, sheet->row, 5, difference, against, CELL_DIFFERENCE, ROLE_BODY);
    if (first == 0)
        sheet_formula_text(sheet, sheet->row, 6, share, "", CELL_PERCENT, ROLE_BODY);
    else
        sheet_formula(sheet, sheet->row, 6, share, against / book_money(sheet->book, first), CELL_PERCENT,
                      ROLE_BODY);
    free(difference);
    free(share);
    if (own)
        anchor_own(sheet, rows, row);
    sheet->row++;
}

static void write_totals(struct sheet *sheet, const PGresult *rows, struct scenario_places *places)
{
    static const char *const headings[] = { "Scenario", "Forecast",          "P10",       "P50",
                                            "P90",      "Against the first", "in percent" };
    int64_t first = 0;
    sheet_heading(sheet, "Scenarios, all months together");
    for (int i = 0; i < (int)(sizeof headings / sizeof headings[0]); i++) {
        scenarios_header(sheet, (lxw_col_t)i, headings[i]);
        sheet_column_width(sheet, (lxw_col_t)i, i == 0 ? 32 : 17);
    }
    places->totals = ++sheet->row;
    for (int row = 0; row < PQntuples(rows); row++) {
        if (!PQgetisnull(rows, row, MONTH))
            continue;
        first = sheet->row == places->totals ? strtoll(PQgetvalue(rows, row, COST), NULL, 10) : first;
        places->own = result_flag(rows, row, IS_OWN) ? places->scenario_count : places->own;
        places->scenario_count++;
        write_total(sheet, rows, row, places, first);
    }
    places->last_total = sheet->row - 1;
    for (int row = 0; row < PQntuples(rows); row++) {
        if (!PQgetisnull(rows, row, MONTH) || PQgetisnull(rows, row, DESCRIPTION) ||
            result_flag(rows, row, IS_OWN))
            continue; /* the workbook's own scenario is above */
        char *meaning =
            text_of("%s: %s", PQgetvalue(rows, row, SCENARIO), PQgetvalue(rows, row, DESCRIPTION));
        sheet_note(sheet, meaning);
        free(meaning);
    }
    sheet_note(sheet, "P10, P50, P90: one draw in ten, five in ten, nine in ten cost less. Those of all "
                      "months are not the sum of those of each.");
    sheet_skip(sheet, 1);
}

/* ---- charts ---- */

static const uint8_t markers[] = { LXW_CHART_MARKER_CIRCLE, LXW_CHART_MARKER_SQUARE, LXW_CHART_MARKER_DIAMOND,
                                   LXW_CHART_MARKER_TRIANGLE };
/* Columns of the charts. */
enum { RANGES_COLUMN = 5, TOTALS_COLUMN = 7 };
enum { MARKERS = sizeof markers / sizeof markers[0] };

static void dress(const struct sheet *sheet, lxw_chart *chart, const char *title, const char *along)
{
    char axis[64];
    snprintf(axis, sizeof axis, along != NULL ? "%s, all months" : "%s a month",
             book_head(sheet->book)->currency);
    forecast_chart_dress(chart, title, axis, along);
}

/* Inserts a line for each scenario. Lines differ by marker as well as by colour. */
static void insert_scenarios(struct sheet *sheet, lxw_row_t row, const struct scenario_places *places)
{
    lxw_chart *chart = workbook_add_chart(book_lxw(sheet->book), LXW_CHART_LINE);
    for (int i = 0; i < places->scenario_count; i++) {
        lxw_col_t column = (lxw_col_t)scenarios_column(places, false, i, 0);
        lxw_chart_series *series = chart_add_column(sheet, chart, places->months, places->last_month, column);
        chart_series_set_name_range(series, sheet->name, places->names, column);
        chart_series_set_line(series, &(lxw_chart_line){ .color = chart_scenario_colour(i), .width = 2 });
        chart_series_set_marker_type(series, markers[i % MARKERS]);
        chart_series_set_marker_size(series, 6);
        chart_series_set_marker_fill(series, &(lxw_chart_fill){ .color = chart_scenario_colour(i) });
        chart_series_set_marker_line(series, &(lxw_chart_line){ .color = chart_scenario_colour(i) });
    }
    dress(sheet, chart, "Cost by month and scenario", NULL);
    chart_begin_at_zero(chart->y_axis, places->is_any_below_zero);
    chart_insert(
        sheet, chart, &(struct chart_place){ .row = row, .x_scale = 1.4, .y_scale = 1.3 },
        "Lines of cost by month, one for each of %d scenario%s; all months together stand in the table above.",
        places->scenario_count, places->scenario_count == 1 ? "" : "s");
}

/* Inserts the forecast of the workbook's own scenario, and its range from P10 to P90. */
static void insert_ranges(struct sheet *sheet, lxw_row_t row, const struct scenario_places *places)
{
    static const struct {
        lxw_color_t colour;
        uint8_t dash;
        float width;
    } looks[RANGES] = { { CHART_FORECAST, LXW_CHART_LINE_DASH_SOLID, 2.5F },
                        { CHART_P10, LXW_CHART_LINE_DASH_DASH, 1.5F },
                        { CHART_P50, LXW_CHART_LINE_DASH_ROUND_DOT, 1.5F },
                        { CHART_P90, LXW_CHART_LINE_DASH_LONG_DASH, 1.5F } };
    lxw_chart *chart = workbook_add_chart(book_lxw(sheet->book), LXW_CHART_LINE);
    for (int i = 0; i < RANGES; i++) {
        lxw_chart_series *series =
            chart_add_column(sheet, chart, places->own_first, places->own_last,
                             (lxw_col_t)scenarios_column(places, false, places->own, i));
        chart_series_set_name(series, scenarios_range_names[i]);
        chart_series_set_line(series, &(lxw_chart_line){ .color = looks[i].colour,
                                                         .dash_type = looks[i].dash,
                                                         .width = looks[i].width });
    }
    dress(sheet, chart, "This scenario, and how sure it is", NULL);
    chart_begin_at_zero(chart->y_axis, places->is_any_below_zero);
    char *cost = chart_amount(sheet->book, "scenario.cost");
    chart_insert(
        sheet, chart,
        &(struct chart_place){ .row = row, .column = RANGES_COLUMN, .x_scale = 1.4, .y_scale = 1.3 },
        "Lines of this scenario's cost by month, %s in all, between what one draw in ten stays below (P10) and "
        "what nine in ten stay below (P90).",
        cost);
    free(cost);
}

static void insert_totals(struct sheet *sheet, lxw_row_t row, const struct scenario_places *places)
{
    lxw_chart *chart = workbook_add_chart(book_lxw(sheet->book), LXW_CHART_COLUMN);
    static const lxw_color_t of_range[RANGES] = { CHART_FORECAST, CHART_P10, CHART_P50, CHART_P90 };
    for (int i = 0; i < RANGES; i++) {
        lxw_chart_series *series = chart_add_series(chart, NULL, NULL);
        chart_series_set_categories(
            series, sheet->name, places->names, (lxw_col_t)scenarios_column(places, false, 0, 0),
            places->names, (lxw_col_t)scenarios_column(places, false, places->scenario_count - 1, 0));
        chart_series_set_values(series, sheet->name, places->totals, (lxw_col_t)(1 + i), places->last_total,
                                (lxw_col_t)(1 + i));
        chart_series_set_name(series, scenarios_range_names[i]);
        chart_series_set_fill(series, &(lxw_chart_fill){ .color = of_range[i] });
    }
    dress(sheet, chart, "All months together", "Scenario");
    chart_begin_at_zero(chart->y_axis, places->is_total_below_zero);
    char *cost = chart_amount(sheet->book, "scenario.cost");
    /* smaller, because it is beside the checks */
    chart_insert(
        sheet, chart,
        &(struct chart_place){ .row = row, .column = TOTALS_COLUMN, .x_scale = 1.0, .y_scale = 0.92 },
        "Columns of each scenario's cost over all months with P10, P50 and P90; this scenario's forecast is %s.",
        cost);
    free(cost);
}

/* ---- the sheet ---- */

/* As FORECAST_RANGE_MONTHS of model/forecast. */
enum { RANGE_MONTHS = 6 };

/* How many months there are from one "2026-04-01" to another, both included. */
static int months_between(const char *from, const char *to)
{
    int year_from = 0, month_from = 0, year_to = 0, month_to = 0;
    bool ok =
        sscanf(from, "%d-%d", &year_from, &month_from) == 2 && sscanf(to, "%d-%d", &year_to, &month_to) == 2;
    return ok ? 12 * (year_to - year_from) + month_to - month_from + 1 : 0;
}

/* Writes the answer: the cost of the workbook's own scenario, and how the others differ from it. */
static void write_answer(struct sheet *sheet, const PGresult *rows)
{
    const struct book_head *head = book_head(sheet->book);
    int64_t own = 0;
    char *words = NULL;
    for (int row = 0; row < PQntuples(rows); row++) {
        if (PQgetisnull(rows, row, MONTH) && result_flag(rows, row, IS_OWN)) {
            own = strtoll(PQgetvalue(rows, row, COST), NULL, 10);
            char *cost = chart_money(sheet->book, own);
            words =
                text_of("%s cost %s in scenario %s", head->month_name, cost, PQgetvalue(rows, row, SCENARIO));
            free(cost);
        }
    }
    for (int row = 0; words != NULL && row < PQntuples(rows); row++) {
        if (!PQgetisnull(rows, row, MONTH) || result_flag(rows, row, IS_OWN))
            continue;
        int64_t more = strtoll(PQgetvalue(rows, row, COST), NULL, 10) - own;
        char *amount = chart_money(sheet->book, more < 0 ? -more : more), *before = words;
        words = text_of("%s; %s %s in %s", before, amount, more < 0 ? "less" : "more",
                        PQgetvalue(rows, row, SCENARIO));
        free(before);
        free(amount);
    }
    if (words != NULL)
        sheet_heading(sheet, words);
    free(words);
}

static bool write_scenario(struct sheet *sheet, struct error *error)
{
    PGresult *head =
        database_query_file(book_connection(sheet->book), "report/forecast_head.sql", 0, NULL, error);
    if (head == NULL)
        return false;
    char *name = text_of("Scenario %s", PQgetvalue(head, 0, PQfnumber(head, "scenario")));
    sheet_heading(sheet, name);
    if (!PQgetisnull(head, 0, PQfnumber(head, "description")))
        sheet_note(sheet, PQgetvalue(head, 0, PQfnumber(head, "description")));
    char *method = text_of(
        "From the statements of %.7s to %.7s; P10 to P90 of %s draws, seed %s. An estimate: nothing of it is "
        "booked.",
        PQgetvalue(head, 0, PQfnumber(head, "base_from")), PQgetvalue(head, 0, PQfnumber(head, "base_to")),
        PQgetvalue(head, 0, PQfnumber(head, "draws")), PQgetvalue(head, 0, PQfnumber(head, "seed")));
    sheet_note(sheet, method);
    free(method);
    int months = months_between(PQgetvalue(head, 0, PQfnumber(head, "base_from")),
                                PQgetvalue(head, 0, PQfnumber(head, "base_to")));
    if (months < RANGE_MONTHS)
        sheet_note(sheet, "P10 to P90 are not meaningful yet: they need six months of history.");
    free(name);
    PQclear(head);
    sheet_skip(sheet, 1);
    return true;
}

bool fill_forecast_summary(struct sheet *sheet, struct error *error)
{
    enum { CHART_ROWS = 20, CHECK_ROWS = 6, TOTALS_CHART_ROWS = 15 };
    struct scenario_places places = { 0 };
    sheet_title(sheet, "Summary");
    PGresult *rows =
        database_query_file(book_connection(sheet->book), "report/forecast_scenarios.sql", 0, NULL, error);
    if (rows != NULL)
        write_answer(sheet, rows);
    if (rows == NULL || !write_scenario(sheet, error)) {
        PQclear(rows);
        return false;
    }
    lxw_row_t at = sheet->row;
    sheet->row = at + CHECK_ROWS; /* checks need the figures below them */
    write_totals(sheet, rows, &places);
    sheet->row = sheet->row > at + TOTALS_CHART_ROWS ? sheet->row : at + TOTALS_CHART_ROWS;
    lxw_row_t chart_row = sheet->row;
    sheet_skip(sheet, CHART_ROWS);
    sheet_heading(sheet, "Scenarios by month (P10, P50 and P90 of all of them: sheet Scenarios)");
    scenarios_months(sheet, rows, &places, false);
    sheet_anchor_range(sheet, "own.cost", places.own_first, places.own_last,
                       (lxw_col_t)scenarios_column(&places, false, places.own, 0));
    if (places.is_own_below_zero)
        book_mark_below_zero(sheet->book, "own.cost");
    lxw_row_t end = sheet->row;
    insert_scenarios(sheet, chart_row, &places);
    insert_ranges(sheet, chart_row, &places);
    insert_totals(sheet, at, &places);
    sheet->row = at;
    sheet_heading(sheet, "Checks");
    checks_write(sheet, checks);
    sheet->row--; /* the blank row after the others */
    write_inputs_check(sheet);
    sheet->row = end;
    PQclear(rows);
    return true;
}
