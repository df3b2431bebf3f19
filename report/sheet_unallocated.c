/* report/sheet_unallocated.c: the sheet "Unallocated and idle": cost that reaches nobody, capacity that
 * nobody held, and what a reader should know of the data. */
#include "report/sheets.h"

/* clang-format off: a row each */
static const struct sheet_column unallocated_columns[] = {
    { "Reason", "reason", CELL_TEXT, .width = 30, .meaning = "Why the cost reaches nobody" },
    { "Subject", "subject", CELL_TEXT, .width = 36,
      .meaning = "The service; or how many attempts, each of which the Jobs sheet has" },
    { "Invoice no.", "invoice_no", CELL_INTEGER, .width = 11 },
    { "Source", "source", CELL_TEXT, .width = 16 },
    { "Invoice", "invoice_id", CELL_TEXT, .width = 22 },
    { "Amount", "minor_units", CELL_MONEY, .width = 16, .total = true },
    { 0 },
};
static const struct sheet_column idle_columns[] = {
    { "Component", "component", CELL_TEXT, .width = 30 },
    { "Pool", "pool", CELL_TEXT, .width = 36 },
    { "", NULL, CELL_TEXT, .width = 11 },
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 16 },
    { "", NULL, CELL_TEXT, .width = 22 },
    { "Amount", "minor_units", CELL_MONEY, .width = 16, .total = true },
    { 0 },
};
static const struct sheet_column note_columns[] = {
    { "Kind", "kind", CELL_TEXT, .width = 30 },
    { "Subject", "subject", CELL_TEXT, .width = 36 },
    { "Quantity", "quantity", CELL_HOURS, .width = 10 },
    { "Unit", "unit", CELL_TEXT, .width = 16 },
    { "Blocks close", "blocks_close", CELL_YES_NO, .width = 22,
      .meaning = "Yes: the month cannot be closed before somebody has seen to it" },
    { "Note", "note", CELL_TEXT, .width = 16, .span = 4 },
    { 0 },
};

static const struct sheet_table tables[] = {
    { .name = "unallocated_detail",
      .query = "report/unallocated.sql",
      .columns = unallocated_columns,
      .heading = "Unallocated",
      .note = "Never spread silently: a reference file that names an owner moves it.",
      .none = "Everything on the bill reaches somebody" },
    { .name = "idle",
      .query = "report/idle.sql",
      .columns = idle_columns,
      .heading = "Idle nodes and unused commitments",
      .none = "Nothing idle" },
    { .name = "notes",
      .query = "report/notes.sql",
      .columns = note_columns,
      .heading = "Notes on the data",
      .none = "Nothing to note" },
};
/* clang-format on */

bool fill_unallocated(struct sheet *sheet, struct error *error)
{
    bool ok = true;
    sheet_title(sheet, "Unallocated and idle");
    for (lxw_col_t column = 6; column < 9; column++)
        sheet_column_width(sheet, column, 20); /* the notes run over them */
    for (size_t i = 0; ok && i < sizeof tables / sizeof tables[0]; i++)
        ok = table_write(sheet, &tables[i], NULL, error);
    return ok;
}
