/* report/sheets/tidy.c: the sheet "Tidy data": one fact in each row, every attribute in its own
 * column, for pivot tables. */
#include "report/sheets.h"

/* clang-format off: a row each */
static const struct sheet_column columns[] = {
    { "Period", "period", CELL_DATE, .width = 11, .meaning = "The first day of the statement's month" },
    { "Measure", "measure", CELL_TEXT, .width = 24,
      .meaning = "What the amount is. Amounts of one measure may be added; those above K* are a memo that "
                 "overlaps what is charged" },
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 16 },
    { "Component", "component", CELL_TEXT, .width = 26 },
    { "Pool", "pool", CELL_TEXT, .width = 20 },
    { "Job", "job_id", CELL_TEXT, .width = 12,
      .meaning =
          "(other jobs): all but the dearest, added up by the other columns; the setting tidy_jobs says how "
          "many have a name. Every job of a cost centre is on the sheet Jobs of its workbook" },
    { "Attempt", "attempt_mark", CELL_TEXT, .width = 18 },
    { "Family", "family", CELL_TEXT, .width = 16 },
    { "Subject", "subject", CELL_TEXT, .width = 34,
      .meaning = "Why it is unallocated or unexplained; else service, commitment, account or transfer, where "
                 "it is no job's" },
    { "GL account", "gl_account", CELL_TEXT, .width = 12 },
    { "Invoice no.", "invoice_no", CELL_INTEGER, .width = 8,
      .meaning =
          "The invoice's number on the chargeback's sheet Reconciliation; empty for internal charges" },
    { "Invoice currency", "billing_currency", CELL_TEXT, .width = 9.5 },
    { "Unit", "unit", CELL_TEXT, .width = 11, .meaning = "Of the amount: the statement currency, or hours" },
    { "Amount", "amount", CELL_EXACT, .width = 16,
      .meaning = "Money in whole cents of the statement currency" },
    { 0 },
};
static const struct sheet_table tidy = {
    .name = "tidy",
    .query = "report/tidy.sql",
    .columns = columns,
    .none = "No facts",
    .alone = true,
    .is_sparse = true,
};
/* clang-format on */

bool fill_tidy(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "Tidy data");
    worksheet_set_paper(sheet->worksheet, PAPER_A3);
    return table_write(sheet, &tidy, NULL, error);
}
