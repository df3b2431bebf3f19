/* report/sheets/budgets.c: the sheet "Budgets": how much of its budget each cost centre has
 * spent, and the straight-line projection to the month's end (docs/budgets.md). A cost centre's
 * own workbook has only its own row. */
#include "report/sheets.h"

#define TRUE_COST "=ROUND(SUMIFS({waterfall.true_cost},{waterfall.centre_no},[centre_no]),{digits})"

/* clang-format off: a row each */
static const struct sheet_column budget_columns[] = {
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 16 },
    { "Name", "name", CELL_TEXT, .width = 28 },
    { "Budget", "budget_minor", CELL_MONEY, .width = 16, .total = true },
    { "Spent", "spent_minor", CELL_MONEY, .width = 16, .total = true, .formula = TRUE_COST,
      .meaning = "True cost in this statement, on the bill and off it (Waterfall)" },
    { "Left", "left_minor", CELL_MONEY, .width = 16, .total = true,
      .formula = "=ROUND([budget_minor]-[spent_minor],{digits})" },
    { "Spent of budget", "spent_share", CELL_PERCENT, .width = 10,
      .formula = "=IF([budget_minor]=0,0,[spent_minor]/[budget_minor])" },
    { "Forecast", "forecast_minor", CELL_MONEY, .width = 16, .total = true,
      .meaning =
          "Spent, carried on to the month's end in a straight line from the end of each source's records; what is known for the "
          "month stands as it is. Empty: no day of the month is covered yet" },
    { "Forecast of budget", "forecast_share", CELL_PERCENT, .width = 10,
      .formula = "=IF([budget_minor]=0,0,[forecast_minor]/[budget_minor])" },
    { "No.", "centre_no", CELL_INTEGER, .width = 6, .meaning = "As on Waterfall; empty: no cost this month" },
    { "Thresholds crossed", "crossed", CELL_TEXT, .width = 40,
      .meaning = "Percentages of the budget that spent or forecast has reached" },
    { 0 },
};
static const struct sheet_column unbudgeted_columns[] = {
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 16 },
    { "Name", "name", CELL_TEXT, .width = 28 },
    { "", NULL, CELL_TEXT, .width = 16 },
    { "Spent", "spent_minor", CELL_MONEY, .width = 16, .total = true, .formula = TRUE_COST },
    { "", NULL, CELL_TEXT, .width = 16 },
    { "", NULL, CELL_TEXT, .width = 10 },
    { "Forecast", "forecast_minor", CELL_MONEY, .width = 16, .total = true },
    { "", NULL, CELL_TEXT, .width = 10 },
    { "No.", "centre_no", CELL_INTEGER, .width = 6 },
    { 0 },
};
static const struct sheet_table budgets = {
    .name = "budgets",
    .query = "report/budgets.sql",
    .columns = budget_columns,
    .heading = "Budgeted, the largest share first",
};
static const struct sheet_table unbudgeted = {
    .name = "unbudgeted",
    .query = "report/unbudgeted.sql",
    .columns = unbudgeted_columns,
    .heading = "Cost without a budget",
    .none = "None",
};
/* clang-format on */

bool fill_budgets(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "Budgets");
    return table_write(sheet, &budgets, NULL, error) &&
           (for_one_centre(sheet) || table_write(sheet, &unbudgeted, NULL, error));
}
