/* report/sheets/forecast_about.c: the basis of a forecast: the sheets "Back-test", with the
 * history and the error of the method, and "About", with the sources of the figures. */
#include "report/chart.h"
#include "report/forecast_sheets.h"

#include "base/postgres/database.h"

/* clang-format off: a row each */
static const struct sheet_column test_columns[] = {
    { "Month", "month", CELL_MONTH, .width = 36 },
    { "Forecast", "forecast", CELL_MONEY, .width = 16, .total = true,
      .meaning = "From the months before the held-back ones" },
    { "Actual", "actual", CELL_MONEY, .width = 16, .total = true },
    { "Difference", "difference", CELL_DIFFERENCE, .width = 16, .total = true,
      .formula = "=ROUND([forecast]-[actual],{digits})" },
    { 0 },
};
static const struct sheet_column history_columns[] = {
    { "Month", "month", CELL_MONTH, .width = 36 },
    { "Cost", "cost", CELL_MONEY, .width = 16 },
    { "Change", "change", CELL_DIFFERENCE, .width = 16, .formula = "=ROUND([cost]-[cost^],{digits})",
      .meaning = "On the month before" },
    { "Volume", "volume", CELL_DIFFERENCE, .width = 16,
      .meaning = "Of the change: more or less ideal work. One factor after the other, so they add up to the "
                 "change" },
    { "Mix", "mix", CELL_DIFFERENCE, .width = 15, .meaning = "Between families and cost centres" },
    { "Efficiency", "efficiency", CELL_DIFFERENCE, .width = 15 },
    { "Price", "price", CELL_DIFFERENCE, .width = 15 },
    { "Fees", "fees", CELL_DIFFERENCE, .width = 15 },
    { "Failures", "failures", CELL_DIFFERENCE, .width = 15, .meaning = "Failed and cancelled runs" },
    { "Rest", "rest", CELL_DIFFERENCE, .width = 15, .meaning = "Overheads, and what stands on no job" },
    { 0 },
};
static const struct sheet_column note_columns[] = {
    { "To be known", "note", CELL_TEXT, .width = 36, .span = 8 },
    { 0 },
};
static const struct sheet_table test = {
    .name = "back_test",
    .query = "report/forecast_back_test.sql",
    .columns = test_columns,
    .heading = "Back-test: the last months held back",
    .none = "Too little history",
};
static const struct sheet_table history = {
    .name = "history",
    .query = "report/forecast_history.sql",
    .columns = history_columns,
    .heading = "History, and why it changed",
};
static const struct sheet_table notes = {
    .name = "notes",
    .query = "report/forecast_notes.sql",
    .columns = note_columns,
    .heading = "Notes",
    .none = "Nothing",
};
static const struct sheet_column statement_columns[] = {
    { "Month", "month", CELL_TEXT, .width = 24 },
    { "Status", "status", CELL_TEXT, .width = 30 },
    { "As of (UTC)", "as_of", CELL_TIME, .width = 20 },
    { "Run", "run_id", CELL_TEXT, .width = 68 },
    { 0 },
};
static const struct sheet_column content_columns[] = {
    { "In one file", "line", CELL_TEXT, .width = 24, .span = 4 },
    { 0 },
};
static const struct sheet_table statements = {
    .name = "statements",
    .query = "report/forecast_statements.sql",
    .columns = statement_columns,
    .heading = "Statements",
};
static const struct sheet_table content = {
    .name = "content",
    .query = "report/forecast_content.sql",
    .columns = content_columns,
    .heading = "The scenario, with what it extends",
};

/* Columns of sql/report/forecast_head.sql that are shown as they are. */
static const struct fact {
    const char *label, *field;
    enum cell_type type;
} errors[] = {
    { "Error, Σ|forecast − actual| ÷ Σ|actual|", "back_test_error", CELL_PERCENT },
    { "Bias, Σ(forecast − actual) ÷ Σ|actual|", "back_test_bias", CELL_PERCENT },
    { "Error, had each month been like the last", "naive_error", CELL_PERCENT },
}, facts[] = {
    { "Scenario", "scenario", CELL_TEXT },
    { "Description", "description", CELL_TEXT },
    { "Months", "period", CELL_TEXT },
    { "Currency", "currency", CELL_TEXT },
    { "History from", "base_from", CELL_MONTH },
    { "History to", "base_to", CELL_MONTH },
    { "As of (UTC)", "as_of", CELL_TIME },
    { "Draws", "draws", CELL_COUNT },
    { "Seed", "seed", CELL_INTEGER },
    { "Forecast", "forecast_id", CELL_TEXT },
    { "kstar version", "kstar_version", CELL_TEXT },
};
/* clang-format on */

static bool write_facts(struct sheet *sheet, const struct fact *list, size_t count, struct error *error)
{
    PGresult *head =
        database_query_file(book_connection(sheet->book), "report/forecast_head.sql", 0, NULL, error);
    for (size_t i = 0; head != NULL && i < count; i++) {
        int field = PQfnumber(head, list[i].field);
        const char *value = PQgetisnull(head, 0, field) ? NULL : PQgetvalue(head, 0, field);
        sheet_text(sheet, sheet->row, 0, list[i].label, ROLE_BODY);
        sheet_value(sheet, sheet->row++, 1, value, list[i].type, ROLE_BODY);
    }
    PQclear(head);
    sheet_skip(sheet, 1);
    return head != NULL;
}

static void insert_history(struct sheet *sheet, lxw_row_t header, int64_t months)
{
    char axis[64];
    lxw_chart *chart = workbook_add_chart(book_lxw(sheet->book), LXW_CHART_COLUMN);
    lxw_chart_series *series = chart_add_column(sheet, chart, header + 1, header + (lxw_row_t)months, 1);
    chart_series_set_name(series, "Cost");
    chart_series_set_fill(series, &(lxw_chart_fill){ .color = CHART_HISTORY });
    snprintf(axis, sizeof axis, "%s a month", book_head(sheet->book)->currency);
    forecast_chart_dress(chart, "History", axis, NULL);
    chart_legend_set_position(chart, LXW_CHART_LEGEND_NONE);
    chart_begin_at_zero(chart->y_axis, book_anchor(sheet->book, "history.cost")->is_below_zero);
    chart_insert(sheet, chart, &(struct chart_place){ .row = sheet->row, .x_scale = 1.6, .y_scale = 1.1 },
                 "Columns of what each of the last %lld months cost, on which the forecast rests.",
                 (long long)months);
}

bool fill_forecast_back_test(struct sheet *sheet, struct error *error)
{
    int64_t months;
    sheet_title(sheet, "Back-test");
    if (!table_write(sheet, &test, NULL, error) ||
        !write_facts(sheet, errors, sizeof errors / sizeof errors[0], error) ||
        !table_write(sheet, &notes, NULL, error))
        return false;
    lxw_row_t header = sheet->row + 1; /* below its heading */
    if (!table_write(sheet, &history, &months, error))
        return false;
    insert_history(sheet, header, months);
    return true;
}

bool fill_forecast_about(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "About this workbook");
    sheet_note(sheet, "An estimate by docs/scenarios.md: nothing of it is booked. The values beside the "
                      "formulas are those of kstar's own "
                      "forecast; a recalculation gives the same.");
    sheet_note(sheet, "As of is derived from the data, or given by --as-of; never from the clock. The same "
                      "inputs give this file "
                      "byte for byte.");
    sheet_skip(sheet, 1);
    return write_facts(sheet, facts, sizeof facts / sizeof facts[0], error) &&
           table_write(sheet, &statements, NULL, error) && table_write(sheet, &content, NULL, error);
}
