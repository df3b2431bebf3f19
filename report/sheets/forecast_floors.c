/* report/sheets/forecast_floors.c: committed and owned hardware in a forecast's workbook: the
 * sheets "Committed hardware" and "Freed capacity". model/forecast/forecast_floor.h defines the
 * rule and computes the values beside the formulas. */
#include "report/forecast_sheets.h"

/* clang-format off: a row each */
#define PURCHASE(field) "INDEX({purchases." field "},[purchase_no])"
#define LINE(field)     "INDEX({lines." field "},[line_no])"

static const struct sheet_column part_columns[] = {
    { "No.", "floor_no", CELL_INTEGER, .width = 6,
      .meaning = "Of the provider and SKU on the sheet Freed capacity" },
    { "Month no.", "ahead", CELL_INTEGER, .width = 8 },
    { "Month", "month", CELL_MONTH, .width = 10 },
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 18 },
    { "Family", "family", CELL_TEXT, .width = 18 },
    { "Provider", "provider", CELL_TEXT, .width = 18, .meaning = "Empty: one's own nodes" },
    { "SKU", "sku", CELL_TEXT, .width = 22 },
    { "Purchase", "purchase", CELL_TEXT, .width = 12 },
    { "Commitment", "commitment", CELL_TEXT, .width = 24 },
    { "In the last month", "last_month", CELL_HOURS, .width = 14,
      .meaning =
          "What committed and owned hardware cost in the last month of the history, failed and cancelled runs included" },
    { "Ends on", "ends_on", CELL_DATE, .width = 11,
      .meaning =
          "The first day that is not paid any more (commitments.csv); empty: unknown, and it is paid in all months" },
    { "Part of the month", "in_force", CELL_NUMBER, .width = 10,
      .formula = "=IF(ISNUMBER([ends_on]),MAX(0,MIN(1,([ends_on]-[month])/DAY(EOMONTH([month],0)))),1)",
      .meaning = "Before the end" },
    { "Committed", "committed", CELL_HOURS, .width = 14,
      .formula = "=[last_month]*" PURCHASE("agreed_change") "*[in_force]" },
    { "Hardware carried on", "carried_on", CELL_HOURS, .width = 14,
      .formula = "=" PURCHASE("share") "*" PURCHASE("agreed_change") "*" LINE("carried_on"),
      .meaning = "As history goes on, without any lever (sheet Projection)" },
    { "Left by the levers", "remaining", CELL_HOURS, .width = 14,
      .formula = "=" PURCHASE("weighted") "*" LINE("not_on_spot"),
      .meaning = "Without what they move to spot, which is bought besides" },
    { "Line", "line_no", CELL_INTEGER, .width = 7, .meaning = "Of the sheet Projection" },
    { "Purchase no.", "purchase_no", CELL_INTEGER, .width = 9, .meaning = "Of the sheet Purchases" },
    { 0 },
};
static const struct sheet_table parts = {
    .name = "floor_parts",
    .query = "report/forecast_floor_parts.sql",
    .columns = part_columns,
    .none = "Nothing is committed or owned",
    .alone = true,
    .frozen_columns = 3,
};

#define OF_FLOOR(field)                                                                                      \
    "SUMIFS({floor_parts." field "},{floor_parts.floor_no},[floor_no],{floor_parts.ahead},[ahead])"

static const struct sheet_column floor_columns[] = {
    { "No.", "floor_no", CELL_INTEGER, .width = 6 },
    { "Month no.", "ahead", CELL_INTEGER, .width = 8 },
    { "Month", "month", CELL_MONTH, .width = 10 },
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 16 },
    { "Provider", "provider", CELL_TEXT, .width = 20 },
    { "SKU", "sku", CELL_TEXT, .width = 26 },
    { "Committed", "committed", CELL_HOURS, .width = 14, .formula = "=" OF_FLOOR("committed"),
      .meaning = "Sheet Committed hardware; likewise the next, and what the levers leave" },
    { "Hardware carried on", "carried_on", CELL_HOURS, .width = 14, .formula = "=" OF_FLOOR("carried_on") },
    { "Floor", "floor", CELL_HOURS, .width = 14, .formula = "=MAX(MIN([committed],[carried_on]),0)",
      .meaning =
          "What is paid in any case: what is committed or owned, at most what history carried on costs" },
    { "Left by the levers", "remaining", CELL_HOURS, .width = 14, .formula = "=" OF_FLOOR("remaining") },
    { "Before rounding", "whole", CELL_HOURS, .width = 14, .formula = "=MAX([floor]-[remaining],0)" },
    { "Freed capacity", "freed_capacity", CELL_MONEY, .width = 15, .total = true,
      .formula = ROUNDED("[whole]"),
      .meaning = "What the levers leave without work of it: paid all the same, and no saving" },
    { "Contingency", "contingency", CELL_MONEY, .width = 13, .total = true,
      .formula = ROUNDED("contingency*[whole]") },
    { "Total", "total", CELL_MONEY, .width = 15, .total = true,
      .formula = ROUNDED("[freed_capacity]+[contingency]") },
    { "Centre no.", "centre_no", CELL_INTEGER, .width = 8 },
    { 0 },
};
static const struct sheet_table floors = {
    .name = "floors",
    .query = "report/forecast_floors.sql",
    .columns = floor_columns,
    .none = "Nothing is committed or owned",
    .alone = true,
    .frozen_columns = 3,
};
/* clang-format on */

bool fill_forecast_floor_parts(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "Committed hardware");
    worksheet_set_paper(sheet->worksheet, PAPER_A3);
    sheet_note(
        sheet,
        "Hardware of which something is committed or owned: what it cost last, what history carried on "
        "costs, and what the levers leave of it.");
    sheet_skip(sheet, 1);
    return table_write(sheet, &parts, NULL, error);
}

bool fill_forecast_floors(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "Freed capacity");
    sheet_note(
        sheet,
        "Committed and owned hardware is paid until its end. What the levers leave without work of it is "
        "freed capacity: it can run other jobs, and its cost stays.");
    sheet_skip(sheet, 1);
    return table_write(sheet, &floors, NULL, error);
}
