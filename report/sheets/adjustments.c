/* report/sheets/adjustments.c: the sheet "Adjustments": closed months as published, compared with
 * the same months by today's facts (docs/late-facts.md). The statement adds up its rows. */
#include "report/sheets.h"

/* clang-format off: a row each */
static const struct sheet_column adjustment_columns[] = {
    { "Row", "adjustment_row", CELL_INTEGER, .width = 7,
      .meaning = "The row of the sheet Statement that adds this one up" },
    { "Closed month", "adjusted_month", CELL_TEXT, .width = 11,
      .meaning = "The closed statement that is adjusted" },
    { "Source", "source", CELL_TEXT, .width = 16 },
    { "Kind", "line_type", CELL_TEXT, .width = 15 },
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 16 },
    { "Component", "component", CELL_TEXT, .width = 27 },
    { "Subject", "subject", CELL_TEXT, .width = 30,
      .meaning = "Reason, account, commitment, service or transfer" },
    { "GL account", "gl_account", CELL_TEXT, .width = 12 },
    { "As closed", "frozen_minor", CELL_MONEY, .width = 15,
      .meaning = "A month closed in another currency is converted; Open items names the rate" },
    { "Adjusted since", "adjusted_minor", CELL_MONEY, .width = 15,
      .meaning = "In statements that are closed by now" },
    { "As it would be today", "replayed_minor", CELL_MONEY, .width = 15,
      .meaning = "The closed month with its frozen rules and the facts of today" },
    { "Adjustment", "minor_units", CELL_MONEY, .width = 15, .total = true,
      .formula = "=ROUND([replayed_minor]-[frozen_minor]-[adjusted_minor],{digits})" },
    { 0 },
};
static const struct sheet_table adjustments = {
    .name = "adjustments",
    .query = "report/adjustments.sql",
    .columns = adjustment_columns,
    .alone = true,
};
/* clang-format on */

bool fill_adjustments(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "Adjustments");
    worksheet_set_paper(sheet->worksheet, PAPER_A3);
    sheet_note(sheet, "Adjustments to closed months, made anew with every statement.");
    sheet_skip(sheet, 1);
    return table_write(sheet, &adjustments, NULL, error);
}
