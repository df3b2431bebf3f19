/* report/sheets/unit_costs.c: the sheet "Unit costs": the true cost of a successful model and of
 * a trained token, failed attempts and shared costs included (docs/unit-costs.md). The sheet
 * exists if a result counts in the month. */
#include "report/sheets.h"

#define PER_MODEL         "=IF([models]=0,0,ROUND([true_cost_minor]/[models],{digits}))"
#define PER_MILLION(cost) "=IF([trained_tokens]=0,0,ROUND([" cost "]*1000000/[trained_tokens],6))"

/* clang-format off: a row each */
static const struct sheet_column cost_columns[] = {
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 16 },
    { "Family", "family", CELL_TEXT, .width = 20 },
    { "Results", "results", CELL_COUNT, .width = 20, .total = true,
      .meaning = "Run groups that count in the month: those that run_group_units.csv dates into it, and of "
                 "the others those whose "
                 "last attempt ended in it. One that several paid counts in the row of each" },
    { "Succeeded", "succeeded", CELL_COUNT, .width = 18, .total = true },
    { "Without result", "without_result", CELL_COUNT, .width = 10, .total = true,
      .meaning = "Failed, cancelled, or delivered while an attempt still ran" },
    { "Models", "models", CELL_COUNT, .width = 10, .total = true,
      .meaning = "Successful models: as run_group_units.csv says, else one for each result that succeeded" },
    { "True cost", "true_cost_minor", CELL_MONEY, .width = 16, .total = true,
      .meaning =
          "Of all attempts at these results in the statements so far (sheets Jobs and Attempts): a memo" },
    { "Of it without result", "without_result_minor", CELL_MONEY, .width = 16, .total = true,
      .meaning = "What attempts cost that did not end well" },
    { "Cost per model", "model_minor", CELL_MONEY, .width = 16, .formula = PER_MODEL,
      .meaning = "True cost ÷ models: what failed is in it" },
    { "True cost with tokens", "token_cost_minor", CELL_MONEY, .width = 16, .total = true,
      .meaning = "Of the results whose trained tokens are known" },
    { "Trained tokens", "trained_tokens", CELL_COUNT, .width = 20, .total = true },
    { "Cost per million tokens", "million_tokens", CELL_NUMBER, .width = 14,
      .formula = PER_MILLION("token_cost_minor"), .meaning = "True cost with tokens ÷ trained tokens" },
    { 0 },
};
static const struct sheet_column whole_columns[] = {
    { "", "what", CELL_TEXT, .width = 16 },
    { "Cost per model", "model_minor", CELL_MONEY, .width = 20,
      .formula = "=IF({unit_costs.models.total}=0,0,"
                 "ROUND({unit_costs.true_cost_minor.total}/{unit_costs.models.total},{digits}))" },
    { "Share without result", "without_result_share", CELL_PERCENT, .width = 20,
      .formula = "=IF({unit_costs.true_cost_minor.total}=0,0,"
                 "ROUND({unit_costs.without_result_minor.total}/{unit_costs.true_cost_minor.total},12))" },
    { "Cost per million tokens", "million_tokens", CELL_NUMBER, .width = 18,
      .formula = "=IF({unit_costs.trained_tokens.total}=0,0,"
                 "ROUND({unit_costs.token_cost_minor.total}*1000000/{unit_costs.trained_tokens.total},6))" },
    { 0 },
};
static const struct sheet_column result_columns[] = {
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 16 },
    { "Family", "family", CELL_TEXT, .width = 20 },
    { "Run group", "run_group", CELL_TEXT, .width = 20 },
    { "Result", "result", CELL_TEXT, .width = 18, .meaning = "Of the cost centre's own attempts" },
    { "Attempts", "attempts", CELL_COUNT, .width = 10 },
    { "Models", "models", CELL_COUNT, .width = 10, .total = true },
    { "True cost", "true_cost_minor", CELL_MONEY, .width = 16, .total = true },
    { "Of it without result", "without_result_minor", CELL_MONEY, .width = 16, .total = true },
    { "Cost per model", "model_minor", CELL_MONEY, .width = 16, .formula = PER_MODEL },
    { "Shared", "is_shared", CELL_YES_NO, .width = 16, .flag = "Yes",
      .meaning = "Yes: other cost centres paid attempts at it as well; cost here is the own part, and models "
                 "and tokens stand "
                 "with whoever got the result" },
    { "Trained tokens", "trained_tokens", CELL_COUNT, .width = 20, .total = true },
    { "Cost per million tokens", "million_tokens", CELL_NUMBER, .width = 14,
      .formula = PER_MILLION("true_cost_minor") },
    { "Last end (UTC)", "last_end", CELL_TIME, .width = 15.5 },
    { "Delivered on", "delivered_on", CELL_DATE, .width = 12, .meaning = "As run_group_units.csv says" },
    { 0 },
};
static const struct sheet_table costs = {
    .name = "unit_costs",
    .query = "report/unit_costs.sql",
    .columns = cost_columns,
    .heading = "By cost centre and family",
};
static const struct sheet_table whole = {
    .name = "unit_costs_whole",
    .query = "report/unit_costs_whole.sql",
    .columns = whole_columns,
    .heading = "Over all of them",
};
static const struct sheet_table results = {
    .name = "unit_results",
    .query = "report/unit_results.sql",
    .columns = result_columns,
    .heading = "Results with declared models or known tokens",
    .none = "None: run_group_units.csv names none of this month, and no job's comment says trained_tokens=…",
};
/* clang-format on */

bool fill_unit_costs(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "Unit costs");
    worksheet_set_paper(sheet->worksheet, PAPER_A3);
    sheet_note(sheet, "What results truly cost over all their attempts and statements, counted in the month "
                      "in which they were "
                      "delivered or given up. A memo: months are not to be added up.");
    sheet_skip(sheet, 1);
    return table_write(sheet, &costs, NULL, error) && table_write(sheet, &whole, NULL, error) &&
           table_write(sheet, &results, NULL, error);
}
