/* report/sheets/forecast_inputs.c: the sheet "Inputs" of a forecast's workbook: input cells,
 * which the formulas of other sheets use by name, and the resulting total. */
#include "report/chart.h"
#include "report/forecast_sheets.h"

#include "base/postgres/database.h"
#include "report/workbook_name.h"

#include <stdlib.h>
#include <string.h>

/* ---- single levers ---- */

/* An input cell. `name` is its name in formulas and in the scenario's values. */
struct input {
    const char *heading; /* above the row, or NULL */
    const char *label, *name;
    enum cell_type type;
    double least, most; /* of a number */
    const char *meaning;
};

enum { LARGE = 1000000000 };

/* clang-format off: a row each */
static const struct input inputs[] = {
    { "Work", "Growth a month, all jobs", "growth_all", CELL_PERCENT, -0.99, 10,
      "From the mean of the last three months on, in place of the trend; empty: the trend. Below, by cost "
      "centre and family" },
    { NULL, "Loss of efficiency, all jobs", "efficiency_penalty_all", CELL_PERCENT, 0, 0.99,
      "E × (1 − loss): another region, a slower interconnect" },
    { NULL, "Node counts", "node_policy", CELL_TEXT, 0, 0,
      "as is, K* (the nearer end of each job's band, as its statement has it), cap, powers of two (the largest up to K)" },
    { NULL, "Cap on node counts", "node_cap", CELL_INTEGER, 1, 1048576, "Where node counts are capped" },
    { "Price", "Elastic saving", "elastic_saving", CELL_PERCENT, 0, 1,
      "Share of the hardware that is not paid, as nodes are given back while they are not needed; a "
      "commitment is not given back" },
    { NULL, "Share on spot", "spot_share", CELL_PERCENT, 0, 1,
      "Of the node-hours that were not bought on spot before" },
    { NULL, "Spot price, share of on demand", "spot_price_fraction", CELL_PERCENT, 0, 10, NULL },
    { NULL, "Preemptions per node-hour", "spot_preemptions", CELL_NUMBER, 0, LARGE,
      "Runs on spot take 1 + √(2δKλ) + KλR times as long" },
    { NULL, "Hours to write a checkpoint", "spot_checkpoint_hours", CELL_NUMBER, 0, LARGE, "δ" },
    { NULL, "Hours to restart", "spot_restart_hours", CELL_NUMBER, 0, LARGE, "R" },
    { NULL, "Commitment, coverage", "commitment_coverage", CELL_PERCENT, 0, 100,
      "Of the node-hours a month of the last three months, paid whether used or not" },
    { NULL, "Commitment, discount", "commitment_discount", CELL_PERCENT, 0, 1, NULL },
    { "Overhead", "Failed-run factor", "failed_run_factor", CELL_PERCENT, 0, LARGE,
      "Failed ÷ productive cost; empty: as measured, by cost centre and family" },
    { NULL, "Fixed overhead, factor", "fixed_overhead_factor", CELL_HOURS, 0, LARGE,
      "× what the trend says" },
    { NULL, "Fixed overhead, more a month", "fixed_overhead_plus", CELL_HOURS, -LARGE, LARGE,
      "Company-wide, without cost centre" },
    { NULL, "Engineering overhead, factor", "engineering_overhead_factor", CELL_HOURS, 0, LARGE,
      "× what the trend says" },
    { NULL, "Engineering overhead, more a month", "engineering_overhead_plus", CELL_HOURS, -LARGE, LARGE,
      "Company-wide, without cost centre" },
    { NULL, "Contingency", "contingency", CELL_PERCENT, 0, 10, "Reserve, a share of everything" },
};
enum { INPUT_COUNT = sizeof inputs / sizeof inputs[0], LABEL = 0, VALUE = 1, AS_STATED = 2, MEANING = 3 };
/* clang-format on */

/* Sets the allowed values: a choice, or a number in a range. */
static void validate(struct sheet *sheet, const struct input *input)
{
    static char *policies[] = { "as is", "K*", "cap", "powers of two", NULL };
    lxw_data_validation rule = { .validate = LXW_VALIDATION_TYPE_DECIMAL,
                                 .criteria = LXW_VALIDATION_CRITERIA_BETWEEN,
                                 .minimum_number = input->least,
                                 .maximum_number = input->most };
    char message[96];
    snprintf(message, sizeof message, "A number from %g to %g is needed.", input->least, input->most);
    rule.error_message = message;
    if (input->type == CELL_TEXT) {
        rule = (lxw_data_validation){ .validate = LXW_VALIDATION_TYPE_LIST };
        rule.value_list = policies;
    }
    worksheet_data_validation_cell(sheet->worksheet, sheet->row, VALUE, &rule);
}

/* Highlights a value that differs from the scenario's. */
static void mark_change(struct sheet *sheet)
{
    char cell[LXW_MAX_CELL_NAME_LENGTH];
    lxw_rowcol_to_cell_abs(cell, sheet->row, AS_STATED, 1, 1);
    lxw_conditional_format rule = { .type = LXW_CONDITIONAL_TYPE_CELL,
                                    .criteria = LXW_CONDITIONAL_CRITERIA_NOT_EQUAL_TO,
                                    .value_string = cell,
                                    .format = book_formats(sheet->book)->parts[PART_FLAG] };
    worksheet_conditional_format_cell(sheet->worksheet, sheet->row, VALUE, &rule);
}

static const char *value_of(const PGresult *values, const char *name)
{
    for (int row = 0; row < PQntuples(values); row++)
        if (strcmp(PQgetvalue(values, row, 0), name) == 0)
            return PQgetisnull(values, row, 1) ? NULL : PQgetvalue(values, row, 1);
    fprintf(stderr, "BUG: the rows of the workbook have no input %s\n", name);
    abort();
}

static void write_input(struct sheet *sheet, const struct input *input, const char *value)
{
    if (input->heading != NULL) {
        sheet_skip(sheet, 1);
        sheet_header_cell(sheet, sheet->row, LABEL, input->heading, CELL_TEXT);
        sheet_header_cell(sheet, sheet->row, VALUE, "Input", CELL_MONEY);
        sheet_header_cell(sheet, sheet->row, AS_STATED, "As in the scenario", CELL_MONEY);
        sheet->row++;
    }
    sheet_text(sheet, sheet->row, LABEL, input->label, ROLE_BODY);
    sheet_value(sheet, sheet->row, VALUE, value, input->type, ROLE_INPUT);
    sheet_value(sheet, sheet->row, AS_STATED, value, input->type, ROLE_BODY);
    sheet_define_name(sheet, input->name, sheet->row, VALUE);
    validate(sheet, input);
    mark_change(sheet);
    if (input->meaning != NULL)
        sheet_aside(sheet, sheet->row, MEANING, input->meaning);
    sheet->row++;
}

static bool write_inputs(struct sheet *sheet, struct error *error)
{
    PGresult *values =
        database_query_file(book_connection(sheet->book), "report/forecast_inputs.sql", 0, NULL, error);
    for (int i = 0; values != NULL && i < INPUT_COUNT; i++)
        write_input(sheet, &inputs[i], value_of(values, inputs[i].name));
    PQclear(values);
    sheet_skip(sheet, 1);
    return values != NULL;
}

/* ---- lists ---- */

/* clang-format off: a row each */
static const char *const purchases[] = { "on demand", "spot", "committed", NULL };

static const struct sheet_column price_columns[] = {
    { "Change of prices", "label", CELL_TEXT, .width = 36 },
    { "Change", "change", CELL_PERCENT, .width = 19, .input = true, .named = "price_change",
      .named_by = "price_no",
      .meaning = "10 %: dearer by a tenth; an exchange rate is a change of its currency" },
    { "From month", "from_month", CELL_MONTH, .width = 17, .input = true, .named = "price_from",
      .named_by = "price_no", .meaning = "Any day of it; empty: all months" },
    { "Provider", "provider", CELL_TEXT, .width = 20, .input = true, .named = "price_provider",
      .named_by = "price_no",
      .meaning = "As the sheet Purchases has it; empty: any. Likewise SKU, purchase and currency" },
    { "SKU", "sku", CELL_TEXT, .width = 18, .input = true, .named = "price_sku", .named_by = "price_no" },
    { "Purchase", "purchase", CELL_TEXT, .width = 16, .input = true, .choices = purchases,
      .named = "price_purchase", .named_by = "price_no", .meaning = "on demand, spot, committed" },
    { "Currency", "currency", CELL_TEXT, .width = 12, .input = true, .named = "price_currency",
      .named_by = "price_no" },
    { "No.", "price_no", CELL_INTEGER, .width = 12 },
    { 0 },
};
static const struct sheet_column cell_columns[] = {
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 36 },
    { "Growth a month", "growth", CELL_PERCENT, .width = 19, .input = true, .named = "growth",
      .named_by = "name", .meaning = "Empty: the growth of all jobs, and where that is empty the trend" },
    { "Loss of efficiency", "penalty", CELL_PERCENT, .width = 19, .input = true,
      .named = "efficiency_penalty", .named_by = "name", .meaning = "On top of the loss of all jobs" },
    { "Family", "family", CELL_TEXT, .width = 20 },
    { "No.", "cell_no", CELL_INTEGER, .width = 18 },
    { 0 },
};
static const struct sheet_column people_columns[] = {
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 36 },
    { "People", "people", CELL_HOURS, .width = 17, .input = true, .named = "people_count",
      .named_by = "people_no", .meaning = "Who come; below 0: who go" },
    { "Annual cost", "annual_cost", CELL_HOURS, .width = 17, .input = true, .named = "people_annual_cost",
      .named_by = "people_no", .meaning = "Of one, loaded" },
    { "Share of time", "share", CELL_PERCENT, .width = 20, .input = true, .named = "people_share",
      .named_by = "people_no" },
    { "From month", "from_month", CELL_MONTH, .width = 18, .input = true, .named = "people_from",
      .named_by = "people_no" },
    { "No.", "people_no", CELL_INTEGER, .width = 16 },
    { 0 },
};
static const struct sheet_column plan_columns[] = {
    { "Training", "training", CELL_TEXT, .width = 36 },
    { "Month", "month", CELL_MONTH, .width = 17, .input = true, .named = "training_month",
      .named_by = "training_no" },
    { "Ideal node-hours", "ideal_node_hours", CELL_HOURS, .width = 19, .input = true,
      .named = "training_work", .named_by = "training_no", .meaning = "What one run would take at E = 1" },
    { "K", "given_k", CELL_INTEGER, .width = 20, .input = true, .named = "training_k",
      .named_by = "training_no",
      .meaning = "Empty: the cheapest that meets the deadline, and without one K*" },
    { "Deadline, hours", "deadline_hours", CELL_HOURS, .width = 18, .input = true,
      .named = "training_deadline", .named_by = "training_no" },
    { "Runs", "runs", CELL_HOURS, .width = 16, .input = true, .named = "training_runs",
      .named_by = "training_no" },
    { "Fees of a run", "fees", CELL_HOURS, .width = 15, .input = true, .named = "training_fees",
      .named_by = "training_no" },
    { "No.", "training_no", CELL_INTEGER, .width = 12 },
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 16 },
    { "Family", "family", CELL_TEXT, .width = 16 },
    { "On spot", "spot", CELL_YES_NO, .width = 8 },
    { 0 },
};
static const struct sheet_table lists[] = {
    { .name = "cells",
      .query = "report/forecast_cells.sql",
      .columns = cell_columns,
      .heading = "Growth and efficiency by cost centre and family",
      .none = "No jobs" },
    { .name = "prices",
      .query = "report/forecast_prices.sql",
      .columns = price_columns,
      .heading = "Prices of hardware; of several that apply, one after the other" },
    { .name = "people",
      .query = "report/forecast_people.sql",
      .columns = people_columns,
      .heading = "People, added to engineering overhead",
      .none = "None in the scenario" },
    { .name = "plans",
      .query = "report/forecast_plans.sql",
      .columns = plan_columns,
      .heading = "Planned trainings",
      .none = "None in the scenario" },
};
/* clang-format on */

/* Position of the result (fill_forecast_inputs_result()): below the title, the same on every
 * such sheet. */
enum { RESULT_ROW = 3, RESULT_ROWS = 20 };

bool fill_forecast_inputs(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "Inputs");
    sheet->row = RESULT_ROW + RESULT_ROWS;
    sheet_note(sheet, "Shaded cells can be changed; all other sheets follow, but P10 to P90, the bridge's "
                      "levers and the other "
                      "scenarios, which kstar works out. A changed cell stands out.");
    bool ok = write_inputs(sheet, error);
    for (size_t i = 0; ok && i < sizeof lists / sizeof lists[0]; i++)
        ok = table_write(sheet, &lists[i], NULL, error);
    return ok;
}

/* ---- the result ---- */

static const struct result {
    const char *label, *formula, *anchor; /* the anchor whose value is cached; NULL: 0 */
    const char *name;
} results[] = {
    { "Cost, with these inputs", "=ROUND({months.total.total},{digits})", "months.total.total",
      "cost_with_inputs" },
    { "Cost, as kstar forecasts the scenario", "=ROUND({scenario.cost},{digits})", "scenario.cost",
      "cost_of_scenario" },
    { "Difference", "=ROUND({months.total.total}-{scenario.cost},{digits})", NULL, "cost_difference" },
};

static void insert_months_chart(struct sheet *sheet)
{
    static const struct {
        const char *name, *values;
        lxw_color_t colour;
    } series_of[] = { { "As kstar forecasts the scenario", "own.cost", CHART_FORECAST },
                      { "With these inputs", "months.total", CHART_WITH_INPUTS } };
    char reference[300], categories[300], axis[64];
    bool is_below_zero = false;
    lxw_chart *chart = workbook_add_chart(book_lxw(sheet->book), LXW_CHART_COLUMN);
    snprintf(categories, sizeof categories, "=%s", book_anchor(sheet->book, "months.month")->references[0]);
    for (size_t i = 0; i < sizeof series_of / sizeof series_of[0]; i++) {
        const struct anchor *values = book_anchor(sheet->book, series_of[i].values);
        snprintf(reference, sizeof reference, "=%s", values->references[0]);
        is_below_zero = is_below_zero || values->is_below_zero;
        lxw_chart_series *series = chart_add_series(chart, categories, reference);
        chart_series_set_name(series, series_of[i].name);
        chart_series_set_fill(series, &(lxw_chart_fill){ .color = series_of[i].colour });
    }
    snprintf(axis, sizeof axis, "%s a month", book_head(sheet->book)->currency);
    forecast_chart_dress(chart, "Cost by month", axis, NULL);
    chart_begin_at_zero(chart->y_axis, is_below_zero);
    char *cost = chart_amount(sheet->book, "scenario.cost");
    chart_insert(
        sheet, chart,
        &(struct chart_place){
            .row = RESULT_ROW, .column = MEANING, .x_scale = 1.5, .y_scale = 1.25, .x_offset = 8 },
        "Columns of cost by month: as kstar forecasts the scenario, %s in all, and beside it with the inputs "
        "as they stand on this sheet.",
        cost);
    free(cost);
}

bool fill_forecast_inputs_result(struct sheet *sheet, struct error *error)
{
    (void)error;
    struct book *book = sheet->book;
    lxw_row_t end = sheet->row;
    sheet->row = RESULT_ROW;
    sheet_heading(sheet, "What the inputs make of the forecast");
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        const struct result *result = &results[i];
        char *formula = book_formula(book, result->formula, NULL, NULL);
        double value = result->anchor != NULL ? book_anchor(book, result->anchor)->value : 0;
        sheet_text(sheet, sheet->row, LABEL, result->label, ROLE_BODY);
        sheet_formula(sheet, sheet->row, VALUE, formula, value, i == 2 ? CELL_DIFFERENCE : CELL_MONEY,
                      ROLE_FIGURE);
        sheet_define_name(sheet, result->name, sheet->row++, VALUE);
        free(formula);
    }
    insert_months_chart(sheet);
    sheet->row = end;
    return true;
}
