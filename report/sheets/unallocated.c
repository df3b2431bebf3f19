/* report/sheets/unallocated.c: the sheet "Unallocated": unallocated cost, and the reasons. */
#include "report/sheets.h"

/* clang-format off: a row each */
static const struct sheet_column unallocated_columns[] = {
    { "Reason", "reason", CELL_TEXT, .width = 30, .meaning = "Why no cost centre bears the cost" },
    { "Subject", "subject", CELL_TEXT, .width = 36,
      .meaning = "The service; or how many attempts, each of which the Jobs sheet has" },
    { "Invoice no.", "invoice_no", CELL_INTEGER, .width = 11 },
    { "Source", "source", CELL_TEXT, .width = 16 },
    { "Invoice", "invoice_id", CELL_TEXT, .width = 22 },
    { "Amount", "minor_units", CELL_MONEY, .width = 16, .total = true },
    { 0 },
};
static const struct sheet_table unallocated = {
    .name = "unallocated_detail",
    .query = "report/unallocated.sql",
    .columns = unallocated_columns,
    .heading = "Unallocated",
    .note = "Never spread silently: a reference file that names an owner moves it.",
    .none = "Every line of the bill is allocated",
};
/* clang-format on */

bool fill_unallocated(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "Unallocated");
    return table_write(sheet, &unallocated, NULL, error);
}
