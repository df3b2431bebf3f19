/* report/sheets/quality.c: the sheet "Data quality": limits of the data behind the figures:
 * unreadable records, jobs with missing data, notes (those that block the close first),
 * findings. */
#include "report/sheets.h"

/* clang-format off: a row each */
static const struct sheet_column job_columns[] = {
    { "Question", "title", CELL_TEXT, .width = 34 },
    { "Jobs", "jobs", CELL_COUNT, .width = 12 },
    { "Quantity", "hours", CELL_HOURS, .width = 14 },
    { "Unit", "unit", CELL_TEXT, .width = 16 },
    { "True cost of them", "minor_units", CELL_MONEY, .width = 17,
      .meaning = "No sum: a job may stand in several rows" },
    { "Meaning", "meaning", CELL_TEXT, .width = 24, .span = 5 },
    { 0 },
};
static const struct sheet_column note_columns[] = {
    { "Kind", "kind", CELL_TEXT, .width = 34 },
    { "Blocks close", "blocks_close", CELL_YES_NO, .width = 12,
      .meaning = "Yes: the month cannot be closed before somebody has seen to it" },
    { "Quantity", "quantity", CELL_HOURS, .width = 14 },
    { "Unit", "unit", CELL_TEXT, .width = 16 },
    { "Subject", "subject", CELL_TEXT, .width = 30 },
    { "Note", "note", CELL_TEXT, .width = 24, .span = 5 },
    { 0 },
};
static const struct sheet_column rejected_columns[] = {
    { "Source", "source", CELL_TEXT, .width = 34 },
    { "Rows", "row_count", CELL_COUNT, .width = 12, .total = true },
    { "Without money", "unread_money", CELL_COUNT, .width = 14, .total = true,
      .meaning =
          "Rows whose billed cost or currency cannot be read either: of a bill, they block the close" },
    { "Kind", "kind", CELL_TEXT, .width = 16 },
    { "Billed cost", "billed_cost", CELL_EXACT, .width = 17, .meaning = "Exact, in the bill's currency" },
    { "Currency", "billing_currency", CELL_TEXT, .width = 24 },
    { "First line", "first_line", CELL_INTEGER, .width = 12 },
    { "Column", "column_name", CELL_TEXT, .width = 24 },
    { "File", "path", CELL_TEXT, .width = 24 },
    { "Reason", "reason", CELL_TEXT, .width = 34, .span = 2,
      .meaning = "kstar ingest rejects shows the rows themselves" },
    { 0 },
};
static const struct sheet_column finding_columns[] = {
    { "Kind", "kind", CELL_TEXT, .width = 34 },
    { "Rank", "rank", CELL_INTEGER, .width = 12 },
    { "", NULL, CELL_TEXT, .width = 14 },
    { "", NULL, CELL_TEXT, .width = 16 },
    { "Amount", "minor_units", CELL_MONEY, .width = 17, .meaning = "No sum: findings overlap" },
    { "In words", "finding", CELL_TEXT, .width = 24, .span = 6 },
    { 0 },
};
static const struct sheet_table jobs = {
    .name = "quality_jobs",
    .query = "report/quality_jobs.sql",
    .columns = job_columns,
    .heading = "Jobs of which something is not known",
    .none = "No jobs",
};
static const struct sheet_table more[] = {
    { .name = "notes",
      .query = "report/notes.sql",
      .columns = note_columns,
      .heading = "Notes on the data",
      .none = "Nothing to note" },
    { .name = "rejected",
      .query = "report/quality_rejected.sql",
      .columns = rejected_columns,
      .heading = "Rows and records that could not be read",
      .none = "Everything could be read" },
    { .name = "all_findings",
      .query = "report/quality_findings.sql",
      .columns = finding_columns,
      .heading = "Findings, most expensive first",
      .none = "Nothing stands out" },
};
/* clang-format on */

bool fill_quality(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "Data quality");
    worksheet_set_paper(sheet->worksheet, PAPER_A3);
    for (lxw_col_t column = 5; column < 11; column++)
        sheet_column_width(sheet, column, 24); /* texts extend over these columns */
    bool ok = table_write(sheet, &jobs, NULL, error);
    for (size_t i = 0; ok && !for_one_centre(sheet) && i < sizeof more / sizeof more[0]; i++)
        ok = table_write(sheet, &more[i], NULL, error);
    return ok;
}
