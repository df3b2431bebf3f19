/* report/sheets/open_items.c: the sheet "Open items": what somebody should look at: unallocated
 * cost, what kstar could not see, notes (those that block the close first), rows that could not be
 * read, and findings. A cost centre's workbook shows its own on the Summary. */
#include "report/sheets.h"

/* clang-format off: a row each */
static const struct sheet_column unallocated_columns[] = {
    { "Reason", "reason", CELL_TEXT, .width = 38, .meaning = "Why no cost centre bears the cost" },
    { "Amount", "minor_units", CELL_MONEY, .width = 17, .total = true },
    { "Subject", "subject", CELL_TEXT, .width = 36,
      .meaning = "The service; or how many attempts, each of which the Jobs sheet has" },
    { "Invoice no.", "invoice_no", CELL_INTEGER, .width = 9 },
    { "Source", "source", CELL_TEXT, .width = 16 },
    { "Invoice", "invoice_id", CELL_TEXT, .width = 16 },
    { 0 },
};
static const struct sheet_column coverage_columns[] = {
    { "Not seen", "item", CELL_TEXT, .width = 38 },
    { "Money", "minor_units", CELL_MONEY, .width = 17,
      .meaning = "True cost of those jobs, or the cost itself. No sum: a job may stand in several rows" },
    { "How much", "extent", CELL_TEXT, .width = 36 },
    { "Jobs, nodes", "jobs", CELL_COUNT, .width = 9 },
    { "What it means, and the file and row that mend it", "meaning", CELL_TEXT, .width = 16, .span = 6 },
    { 0 },
};
static const struct sheet_column note_columns[] = {
    { "Kind", "kind", CELL_TEXT, .width = 38 },
    { "Quantity", "quantity", CELL_HOURS, .width = 17 },
    { "Subject", "subject", CELL_TEXT, .width = 36 },
    { "Blocks close", "blocks_close", CELL_YES_NO, .width = 9,
      .meaning = "Yes: the month cannot be closed before somebody has seen to it" },
    { "Unit", "unit", CELL_TEXT, .width = 16 },
    { "Note", "note", CELL_TEXT, .width = 16, .span = 5 },
    { 0 },
};
static const struct sheet_column wrong_columns[] = {
    { "Source", "source", CELL_TEXT, .width = 38 },
    { "Billed cost", "billed_cost", CELL_EXACT, .width = 17, .meaning = "Exact, in the bill's currency" },
    { "File", "path", CELL_TEXT, .width = 36, .wraps = true },
    { "Rows", "row_count", CELL_COUNT, .width = 9, .total = true },
    { "Without money", "unread_money", CELL_COUNT, .width = 16, .total = true,
      .meaning =
          "Rows whose billed cost or currency cannot be read either: of a bill, they block the close" },
    { "Currency", "billing_currency", CELL_TEXT, .width = 16 },
    { "First line", "first_line", CELL_INTEGER, .width = 16 },
    { "Column", "column_name", CELL_TEXT, .width = 24 },
    { "Reason", "reason", CELL_TEXT, .width = 24, .span = 2,
      .meaning = "kstar ingest quarantine shows the rows themselves" },
    { 0 },
};
static const struct sheet_column finding_columns[] = {
    { "Kind", "kind", CELL_TEXT, .width = 38 },
    { "Amount", "minor_units", CELL_MONEY, .width = 17, .meaning = "No sum: findings overlap" },
    { "In words", "finding", CELL_TEXT, .width = 36, .span = 8 },
    { 0 },
};
static const struct sheet_table unallocated = {
    .name = "unallocated_detail",
    .query = "report/unallocated.sql",
    .columns = unallocated_columns,
    .heading = "Unallocated: never spread silently, a reference file that names an owner moves it",
    .none = "Every line of the bill is allocated",
};
static const struct sheet_table coverage = {
    .name = "coverage",
    .query = "report/coverage.sql",
    .columns = coverage_columns,
    .heading = "What kstar could not see",
    .none = "Everything was seen",
};
static const struct sheet_table more[] = {
    { .name = "notes",
      .query = "report/notes.sql",
      .columns = note_columns,
      .heading = "Notes on the data",
      .none = "Nothing to note" },
    { .name = "quarantined",
      .query = "report/open_quarantined.sql",
      .columns = wrong_columns,
      .heading = "Rows and records that could not be read",
      .none = "Everything could be read" },
    { .name = "all_findings",
      .query = "report/open_findings.sql",
      .columns = finding_columns,
      .heading = "Findings, most expensive first",
      .none = "Nothing stands out" },
};
/* clang-format on */

bool fill_open_items(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "Open items");
    for (lxw_col_t column = 5; column < 10; column++)
        /* texts extend over these columns */
        sheet_column_width(sheet, column, column < 7 ? 16 : 24);
    bool ok = table_write(sheet, &unallocated, NULL, error) && table_write(sheet, &coverage, NULL, error);
    for (size_t i = 0; ok && i < sizeof more / sizeof more[0]; i++)
        ok = table_write(sheet, &more[i], NULL, error);
    return ok;
}

/* Writes the open items of a cost centre on its Summary. Columns are narrower there: texts wrap. */
bool write_open_items(struct sheet *sheet, struct error *error)
{
    return table_write(sheet, &coverage, NULL, error);
}
