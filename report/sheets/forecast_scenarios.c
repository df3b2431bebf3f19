/* report/sheets/forecast_scenarios.c: the sheet "Scenarios" of a forecast's workbook, with the
 * range of each scenario in each month, and the months of the summary (see
 * forecast_scenarios.h). */
#include "report/forecast_scenarios.h"

#include "base/postgres/database.h"
#include "report/workbook_name.h"

#include <stdlib.h>
#include <string.h>

const char *const scenarios_range_names[RANGES] = { "Forecast", "P10", "P50", "P90" };

void scenarios_header(struct sheet *sheet, lxw_col_t column, const char *text)
{
    char *owned, *name = text_shortened(text, NAME_OVER_COLUMN);
    sheet_header_cell(sheet, sheet->row, column, cell_text(name, &owned),
                      column == 0 ? CELL_TEXT : CELL_MONEY);
    free(owned);
    free(name);
}

int scenarios_column(const struct scenario_places *places, bool all, int scenario, int range)
{
    if (all)
        return 1 + RANGES * scenario + range;
    if (range == 0)
        return 1 + scenario;
    return scenario == places->own ? places->scenario_count + range : -1;
}

/* The column with the results of the formulas: the last one of the summary. */
static lxw_col_t live_column(const struct scenario_places *places)
{
    return (lxw_col_t)(places->scenario_count + RANGES);
}

static void write_wide(struct sheet *sheet, int first, int last, const char *text)
{
    char *owned, *name = text_shortened(text, NAME_OVER_COLUMNS);
    const char *safe = cell_text(name, &owned);
    if (first == last)
        sheet_header_cell(sheet, sheet->row, (lxw_col_t)first, safe, CELL_TEXT);
    else
        sheet_wide_header_cell(sheet, sheet->row, (lxw_col_t)first, (lxw_col_t)last, safe);
    free(owned);
    free(name);
}

/* Writes the headings of the groups of columns. */
static void write_groups(struct sheet *sheet, const PGresult *rows, const struct scenario_places *places,
                         bool all)
{
    sheet_header_cell(sheet, sheet->row, 0, "", CELL_TEXT);
    if (!all) {
        write_wide(sheet, 1, places->scenario_count, "Forecast");
        write_wide(sheet, places->scenario_count + 1, live_column(places) - 1, "This scenario");
        write_wide(sheet, live_column(places), live_column(places), "");
    }
    for (int row = 0, scenario = 0; all && row < PQntuples(rows); row++)
        if (PQgetisnull(rows, row, MONTH)) {
            write_wide(sheet, scenarios_column(places, true, scenario, 0),
                       scenarios_column(places, true, scenario, RANGES - 1), PQgetvalue(rows, row, SCENARIO));
            scenario++;
        }
    sheet->row++;
}

static void write_month_headers(struct sheet *sheet, const PGresult *rows,
                                const struct scenario_places *places, bool all)
{
    enum { LINES_OF_NAME = 2 };
    write_groups(sheet, rows, places, all);
    if (!all)
        sheet_header_height(sheet, sheet->row, LINES_OF_NAME);
    sheet_header_cell(sheet, sheet->row, 0, "Month", CELL_MONTH);
    sheet_column_width(sheet, 0, 12);
    for (int row = 0, scenario = 0; row < PQntuples(rows); row++) {
        if (!PQgetisnull(rows, row, MONTH))
            continue;
        for (int i = 0; i < RANGES; i++) {
            int column = scenarios_column(places, all, scenario, i);
            if (column < 0)
                continue;
            scenarios_header(sheet, (lxw_col_t)column,
                             all || i > 0 ? scenarios_range_names[i] : PQgetvalue(rows, row, SCENARIO));
            sheet_column_width(sheet, (lxw_col_t)column, 16);
        }
        scenario++;
    }
    if (!all) {
        scenarios_header(sheet, live_column(places), "With the inputs");
        sheet_column_width(sheet, live_column(places), 16);
    }
    sheet->row++;
}

/* Writes the result of the formulas in the month. */
static void write_live(struct sheet *sheet, const PGresult *rows, int row,
                       const struct scenario_places *places)
{
    char *template = text_of("=ROUND(INDEX({months.total},%s),{digits})", PQgetvalue(rows, row, AHEAD));
    char *formula = book_formula(sheet->book, template, NULL, NULL);
    sheet_formula(sheet, sheet->row, live_column(places), formula,
                  book_money(sheet->book, strtoll(PQgetvalue(rows, row, COST), NULL, 10)), CELL_MONEY,
                  ROLE_BODY);
    free(formula);
    free(template);
}

/* Writes the figures of a scenario in a month. */
static void write_month(struct sheet *sheet, const PGresult *rows, int row, struct scenario_places *places,
                        bool all)
{
    int scenario = (int)strtol(PQgetvalue(rows, row, SCENARIO_NO), NULL, 10) - 1;
    for (int i = 0; i < RANGES; i++) {
        int column = scenarios_column(places, all, scenario, i);
        places->is_any_below_zero = places->is_any_below_zero || PQgetvalue(rows, row, COST + i)[0] == '-';
        if (column >= 0)
            sheet_value(sheet, sheet->row, (lxw_col_t)column, PQgetvalue(rows, row, COST + i), CELL_MONEY,
                        ROLE_BODY);
    }
    if (scenario != places->own || all)
        return;
    write_live(sheet, rows, row, places);
    places->own_first = strcmp(PQgetvalue(rows, row, AHEAD), "1") == 0 ? sheet->row : places->own_first;
    places->own_last = sheet->row;
    places->is_own_below_zero = places->is_own_below_zero || PQgetvalue(rows, row, COST)[0] == '-';
}

/* Begins a row. The cells of a scenario without this month stay empty. */
static void begin_month(struct sheet *sheet, const char *month, const struct scenario_places *places,
                        bool all)
{
    int last = all ? RANGES * places->scenario_count : live_column(places);
    sheet_value(sheet, sheet->row, 0, month, CELL_MONTH, ROLE_BODY);
    for (int column = 1; column <= last; column++)
        sheet_value(sheet, sheet->row, (lxw_col_t)column, NULL, CELL_MONEY, ROLE_BODY);
}

void scenarios_months(struct sheet *sheet, const PGresult *rows, struct scenario_places *places, bool all)
{
    write_month_headers(sheet, rows, places, all);
    places->names = sheet->row - 1;
    places->months = sheet->row;
    for (int row = 0; row < PQntuples(rows) && !PQgetisnull(rows, row, MONTH); row++) {
        const char *month = PQgetvalue(rows, row, MONTH);
        bool begins = row == 0 || strcmp(month, PQgetvalue(rows, row - 1, MONTH)) != 0;
        sheet->row += row > 0 && begins;
        if (begins)
            begin_month(sheet, month, places, all);
        write_month(sheet, rows, row, places, all);
    }
    places->last_month = sheet->row++;
    sheet_skip(sheet, 1);
}

/* Sets page breaks: as many scenarios as fit on a page, the others on further pages. */
static void break_pages(struct sheet *sheet, const struct scenario_places *places)
{
    enum { SCENARIOS_PER_PAGE = 3 };
    lxw_col_t breaks[LXW_COL_MAX / (RANGES * SCENARIOS_PER_PAGE) + 1] = { 0 };
    int count = 0;
    for (int i = SCENARIOS_PER_PAGE; i < places->scenario_count; i += SCENARIOS_PER_PAGE)
        breaks[count++] = (lxw_col_t)scenarios_column(places, true, i, 0);
    worksheet_set_paper(sheet->worksheet, PAPER_A3);
    worksheet_set_print_scale(sheet->worksheet, 75);
    if (count > 0)
        worksheet_set_v_pagebreaks(sheet->worksheet, breaks);
}

bool fill_forecast_scenarios(struct sheet *sheet, struct error *error)
{
    struct scenario_places places = { 0 };
    sheet_title(sheet, "Scenarios");
    PGresult *rows =
        database_query_file(book_connection(sheet->book), "report/forecast_scenarios.sql", 0, NULL, error);
    if (rows == NULL)
        return false;
    for (int row = 0; row < PQntuples(rows); row++)
        places.scenario_count += PQgetisnull(rows, row, MONTH);
    sheet_note(sheet,
               "One draw in ten costs less than P10, five in ten less than P50, nine in ten less than P90.");
    sheet_skip(sheet, 1);
    lxw_row_t header = sheet->row;
    scenarios_months(sheet, rows, &places, true);
    worksheet_freeze_panes(sheet->worksheet, header + 2, 1);
    worksheet_repeat_rows(sheet->worksheet, header, header + 1);
    worksheet_repeat_columns(sheet->worksheet, 0, 0);
    break_pages(sheet, &places);
    PQclear(rows);
    return true;
}
