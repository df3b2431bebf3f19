/* report/sheets/journal.c: the sheet "Journal": the lines that finance books, as in
 * journal-YYYY-MM.csv, below the header and the proof (docs/journal.md). */
#include "base/postgres/database.h"
#include "report/journal.h"
#include "report/sheets.h"
#include "report/workbook_name.h"

#include <stdio.h>
#include <stdlib.h>

/* clang-format off: a row each */
static const struct sheet_column line_columns[] = {
    { "Line", "line_number", CELL_INTEGER, .width = 7 },
    { "Block", "block", CELL_TEXT, .width = 14,
      .meaning = "Reversal of the last issue, this period's invoices, transfers off the bill, adjustments to "
                 "closed months" },
    { "Type", "line_type", CELL_TEXT, .width = 14,
      .meaning = "Suspense: its cost centre is not open on the accounting date. Clearing: what the invoice "
                 "is booked against" },
    { "Company", "company", CELL_TEXT, .width = 12 },
    { "GL account", "gl_account", CELL_TEXT, .width = 14,
      .meaning = "In capitals: no setting says the account" },
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 14 },
    { "Debit", "debit", CELL_MONEY, .width = 16, .total = true },
    { "Credit", "credit", CELL_MONEY, .width = 16, .total = true },
    { "Memo", "memo", CELL_TEXT, .width = 88, .wraps = true },
    { "External reference", "external_reference", CELL_TEXT, .width = 28, .wraps = true,
      .meaning = "The invoice, or the source and month where it has no number; the transfer off the bill" },
    { "Accounting date", "accounting_date", CELL_DATE, .width = 12 },
    { "Reversal date", "reversal_date", CELL_DATE, .width = 12,
      .meaning = "On which the ledger takes an accrual back; empty: it stays" },
    { "Document", "document_no", CELL_INTEGER, .width = 11,
      .meaning = "The row of the header that the line belongs to" },
    { 0 },
};
static const struct sheet_table lines = {
    .name = "journal_lines",
    .query = "report/journal_lines.sql",
    .columns = line_columns,
    .heading = "Lines: debits equal credits",
    .main = true,
    .none = "Nothing to book",
};

static const struct sheet_column foreign_columns[] = {
    { "Line", "line_number", CELL_INTEGER, .width = 7 },
    { "Block", "block", CELL_TEXT, .width = 14 },
    { "Type", "line_type", CELL_TEXT, .width = 14 },
    { "Company", "company", CELL_TEXT, .width = 12 },
    { "GL account", "gl_account", CELL_TEXT, .width = 14 },
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 14 },
    { "Debit", "debit", CELL_EXACT, .width = 16, .total = true },
    { "Credit", "credit", CELL_EXACT, .width = 16, .total = true },
    { "Memo", "memo", CELL_TEXT, .width = 88, .wraps = true },
    { "External reference", "external_reference", CELL_TEXT, .width = 28, .wraps = true },
    { "Accounting date", "accounting_date", CELL_DATE, .width = 12 },
    { "Reversal date", "reversal_date", CELL_DATE, .width = 12 },
    { "Currency", "currency", CELL_TEXT, .width = 11 },
    { "Posting key", "posting_key", CELL_TEXT, .width = 28 },
    { 0 },
};
static const struct sheet_table foreign_lines = {
    .name = "journal_foreign_lines",
    .query = "report/journal_foreign_lines.sql",
    .columns = foreign_columns,
    .heading = "In another currency: what was issued before the statement's currency changed, taken back",
};

static const struct sheet_column header_columns[] = {
    { "Document", "document_no", CELL_INTEGER, .width = 11,
      .meaning = "Which lines are its own, for formulas: a company's name may be a number or a pattern" },
    { "Company", "company", CELL_TEXT, .width = 14 },
    { "Currency", "currency", CELL_TEXT, .width = 14 },
    { "Kind", "kind", CELL_TEXT, .width = 12,
      .meaning =
          "An accrual is taken back on its reversal date; once the month is closed its journal is final" },
    { "Accounting date", "accounting_date", CELL_DATE, .width = 14 },
    { "Reversal date", "reversal_date", CELL_DATE, .width = 14 },
    { "Debits (control total)", "debit", CELL_DIFFERENCE, .width = 16,
      .formula = "=ROUND(SUMIFS({journal_lines.debit},{journal_lines.document_no},[document_no]),{digits})" },
    { "Credits", "credit", CELL_DIFFERENCE, .width = 16,
      .formula =
          "=ROUND(SUMIFS({journal_lines.credit},{journal_lines.document_no},[document_no]),{digits})" },
    { "Source", "source", CELL_TEXT, .width = 88, .wraps = true },
    { "Posting key", "posting_key", CELL_TEXT, .width = 28,
      .meaning =
          "Company, period and issue number, R: of the reversal that has another reversal date or currency "
          "than the issue; a preview has none: it is not booked" },
    { "Difference", "difference", CELL_DIFFERENCE, .width = 12,
      .formula = "=ROUND([debit]-[credit],{digits})" },
    { "Balanced", "balanced", CELL_CHECK, .width = 12, .formula = "=IF([difference]=0,\"TRUE\",\"FALSE\")" },
    { 0 },
};
static const struct sheet_table header = {
    .name = "journal",
    .query = "report/journal_header.sql",
    .columns = header_columns,
    .heading = "Header: a row for each document, which a ledger books as one entry",
};

#define BOOKED(side)                                                                                         \
    "SUMIFS({journal_lines." side "},{journal_lines.block},[block],{journal_lines.line_type},\"<>"           \
    "clearing\")"

static const struct sheet_column proof_columns[] = {
    { "", NULL, CELL_TEXT, .width = 7 },
    { "Block", "block", CELL_TEXT, .width = 14 },
    { "What", "what", CELL_TEXT, .width = 14 },
    { "", NULL, CELL_TEXT, .width = 12 },
    { "Proven", "proven", CELL_CHECK, .width = 14, .formula = "=IF([difference]=0,\"TRUE\",\"FALSE\")" },
    { "Booked", "booked", CELL_DIFFERENCE, .width = 14,
      .formula = "=ROUND(" BOOKED("debit") "-" BOOKED("credit") ",{digits})",
      .meaning = "Debits less credits of the block's lines, without clearing" },
    { "On the statement", "stated", CELL_DIFFERENCE, .width = 16,
      .formula =
          "=ROUND(IF([block]=\"invoice\",{proof.invoice.total},{adjusted.minor_units.total}),{digits})" },
    { "Difference", "difference", CELL_DIFFERENCE, .width = 16,
      .formula = "=ROUND([booked]-[stated],{digits})" },
    { 0 },
};
static const struct sheet_table proof = {
    .name = "journal_proof",
    .query = "report/journal_proof.sql",
    .columns = proof_columns,
    .heading = "Proof: what the journal books = the statement",
};
/* clang-format on */

/* The numbers of rows that follow. Formulas above the lines need them, because rows are written
 * in order. */
struct sizes {
    int64_t header_rows, lines, foreign_lines;
    const char *lacking; /* missing settings, or NULL; valid as long as `result` */
    PGresult *result;
};

static bool read_sizes(struct sheet *sheet, struct sizes *sizes, struct error *error)
{
    PGresult *result = sizes->result =
        database_query_file(book_connection(sheet->book), "report/journal_sizes.sql", 0, NULL, error);
    if (result == NULL)
        return false;
    sizes->header_rows = strtoll(PQgetvalue(result, 0, 0), NULL, 10);
    sizes->lines = strtoll(PQgetvalue(result, 0, 1), NULL, 10);
    sizes->foreign_lines = strtoll(PQgetvalue(result, 0, 2), NULL, 10);
    sizes->lacking = PQgetisnull(result, 0, 3) ? NULL : PQgetvalue(result, 0, 3);
    return true;
}

static void write_lacking(struct sheet *sheet, const char *lacking)
{
    char *note = text_of("Accounts in capitals are named, not numbered: settings.csv lacks %s", lacking);
    sheet_note(sheet, note);
    free(note);
}

bool fill_journal(struct sheet *sheet, struct error *error)
{
    enum { AROUND = 3, PROOF_ROWS = 2 }; /* heading, headings of the columns, a row between */
    struct sizes sizes = { 0 };
    sheet_title(sheet, "Journal");
    worksheet_set_paper(sheet->worksheet, PAPER_A3);
    bool ok = journal_fill(book_connection(sheet->book), 0, error) && read_sizes(sheet, &sizes, error);
    if (ok && sizes.lacking != NULL)
        write_lacking(sheet, sizes.lacking);
    lxw_row_t above = sheet->row + (lxw_row_t)(sizes.header_rows + AROUND + PROOF_ROWS + AROUND);
    ok = ok && table_announce(sheet, &lines, above + 1, sizes.lines, error);
    ok = ok && table_write(sheet, &header, NULL, error) && table_write(sheet, &proof, NULL, error) &&
         table_write(sheet, &lines, NULL, error) &&
         (sizes.foreign_lines == 0 || table_write(sheet, &foreign_lines, NULL, error));
    PQclear(sizes.result);
    return ok;
}
