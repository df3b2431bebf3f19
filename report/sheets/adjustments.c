/* report/sheets/adjustments.c: the sheet "Adjustments", and the second block of the statement:
 * the difference between the closed months as published and as they would be today
 * (docs/close.md). The rows of the statement add up the rows of this sheet. */
#include "report/sheets.h"

#define BOOKED_ON                                                                                             \
    "On which the journal books it: the closed month's, or of suspense where the cost centre is not open on " \
    "this month's last day"

/* clang-format off: a row each */
static const struct sheet_column adjustment_columns[] = {
    { "Row", "adjustment_row", CELL_INTEGER, .width = 7,
      .meaning = "The row of the statement's second block that adds this one up" },
    { "Proof", "proof_no", CELL_INTEGER, .width = 7, .meaning = "The row of the proof below" },
    { "Closed month", "adjusted_month", CELL_TEXT, .width = 11,
      .meaning = "The closed statement that is adjusted" },
    { "Source", "source", CELL_TEXT, .width = 16 },
    { "Kind", "line_type", CELL_TEXT, .width = 15 },
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 16 },
    { "Component", "component", CELL_TEXT, .width = 27 },
    { "Subject", "subject", CELL_TEXT, .width = 30,
      .meaning = "Reason, account, commitment, service or transfer" },
    { "GL account", "gl_account", CELL_TEXT, .width = 12, .meaning = BOOKED_ON },
    { "As closed", "frozen_minor", CELL_MONEY, .width = 15,
      .meaning = "A month closed in another currency is converted; Data quality names the rate" },
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
    .heading = "Adjustments to closed months, made anew with every statement",
    .none = "No closed month has changed",
};

static const struct sheet_column proof_columns[] = {
    { "Proof", "proof_no", CELL_INTEGER, .width = 7 },
    { "", NULL, CELL_TEXT, .width = 7 },
    { "Closed month", "adjusted_month", CELL_TEXT, .width = 11 },
    { "Source", "source", CELL_TEXT, .width = 16 },
    { "", NULL, CELL_TEXT, .width = 15 },
    { "Invoices as closed", "frozen_minor", CELL_MONEY, .width = 16 },
    { "Adjusted since", "adjusted_minor", CELL_MONEY, .width = 27 },
    { "Invoices as they would be today", "replayed_minor", CELL_MONEY, .width = 30 },
    { "", NULL, CELL_TEXT, .width = 12 },
    { "Due", "due", CELL_MONEY, .width = 15, .total = true,
      .formula = "=ROUND([replayed_minor]-[frozen_minor]-[adjusted_minor],{digits})",
      .meaning = "The sum that the adjustments of this month and source must have" },
    { "Adjustments", "carried", CELL_MONEY, .width = 15, .total = true,
      .formula = "=ROUND(SUMIFS({adjustments.minor_units},{adjustments.proof_no},[proof_no]),{digits})" },
    { "Difference", "difference", CELL_DIFFERENCE, .width = 15, .total = true,
      .formula = "=ROUND([carried]-[due],{digits})" },
    { "Proven", "proven", CELL_CHECK, .width = 15, .formula = "=IF([difference]=0,\"TRUE\",\"FALSE\")",
      .meaning = "TRUE: every change of the closed invoices stands in an adjustment exactly once" },
    { 0 },
};
static const struct sheet_table proof = {
    .name = "adjustment_proof",
    .query = "report/adjustments_proof.sql",
    .columns = proof_columns,
    .heading =
        "Proof: adjustments = invoices as they would be today − as closed − adjusted since; off the bill 0",
    .none = "Nothing to prove",
};

#define SUM_OF_ROW                                                                                           \
    "=ROUND(SUMIFS({adjustments.minor_units},{adjustments.adjustment_row},[adjustment_row]),{digits})"

static const struct sheet_column block_columns[] = {
    { "Row", "adjustment_row", CELL_INTEGER, .width = 7 },
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 16 },
    { "Name or subject", "subject", CELL_TEXT, .width = 24 },
    { "Component", "component", CELL_TEXT, .width = 27 },
    { "GL account", "gl_account", CELL_TEXT, .width = 12, .meaning = BOOKED_ON },
    { "Amount", "minor_units", CELL_MONEY, .width = 15, .total = true, .formula = SUM_OF_ROW,
      .meaning = "What changes on the closed month: the rows of the sheet Adjustments" },
    { 0 },
};
static const struct sheet_table block = {
    .name = "adjusted",
    .query = "report/statement_adjustments.sql",
    .columns = block_columns,
    .heading = "Adjustments to closed invoices: not part of this period's invoices",
    .none = "None",
};
static const struct sheet_table off_bill_block = {
    .name = "adjusted_off_bill",
    .query = "report/statement_adjustments_off_bill.sql",
    .columns = block_columns,
    .heading = "Adjustments off the bill",
    .none = "None",
};
/* clang-format on */

bool fill_adjustments(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "Adjustments");
    worksheet_set_paper(sheet->worksheet, PAPER_A3);
    return table_write(sheet, &adjustments, NULL, error) &&
           (for_one_centre(sheet) || table_write(sheet, &proof, NULL, error));
}

bool write_adjustment_block(struct sheet *sheet, struct error *error)
{
    return table_write(sheet, &block, NULL, error) && table_write(sheet, &off_bill_block, NULL, error);
}
