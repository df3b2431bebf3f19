/* report/sheets/discounts.c: the sheet "Discounts": the cost of the month's lines at list price,
 * at the contracted price, with commitments, and as billed, and the saving of each step.
 * Purchases and unused commitments have separate blocks, because they are no use. */
#include "base/postgres/database.h"
#include "report/figure.h"
#include "report/sheets.h"

#include <stdlib.h>

/* clang-format off: a row each */
static const struct sheet_column columns[] = {
    { "Service", "service_name", CELL_TEXT, .width = 28 },
    { "Commitment", "commitment", CELL_TEXT, .width = 26,
      .meaning =
          "The reservation, savings plan or capacity that covered or caused it; empty: none is named" },
    { "Priced", "pricing", CELL_TEXT, .width = 12,
      .meaning = "Of compute usage: committed, spot or on demand; empty: other services" },
    { "Lines", "line_count", CELL_COUNT, .width = 9, .total = true,
      .meaning = "Lines of the bill; in a cost centre's own workbook parts of them" },
    { "Without list cost", "unlisted_count", CELL_COUNT, .width = 9, .total = true,
      .meaning = "Lines whose list cost the bill does not say: they count with the contracted, else the "
                 "effective one (an unused commitment with none), so "
                 "that no saving is claimed for them" },
    { "List cost", "list_minor", CELL_MONEY, .width = 16, .total = true },
    { "Negotiated saving", "negotiated_minor", CELL_MONEY, .width = 15, .total = true,
      .formula = "=ROUND([list_minor]-[contracted_minor],{digits})",
      .meaning = "List cost − contracted cost" },
    { "Contracted cost", "contracted_minor", CELL_MONEY, .width = 16, .total = true,
      .meaning =
          "If the bill has none: the effective cost, of used commitments the list cost, of unused ones 0" },
    { "Commitment saving", "commitment_minor", CELL_MONEY, .width = 15, .total = true,
      .formula = "=ROUND([contracted_minor]-[effective_minor],{digits})",
      .meaning =
          "Contracted cost − effective cost; below zero where a commitment was paid for and not used" },
    { "Effective cost", "effective_minor", CELL_MONEY, .width = 16, .total = true,
      .meaning = "With commitments spread over the time that they cover: what is charged" },
    { "Saved in all", "saved_minor", CELL_MONEY, .width = 15, .total = true,
      .formula = "=ROUND([list_minor]-[effective_minor],{digits})" },
    { "Of list cost", "saved_share", CELL_PERCENT, .width = 9, .may_be_empty = true,
      .formula = "=IF([list_minor]=0,\"\",[saved_minor]/[list_minor])" },
    { "Billed − effective", "prepaid_minor", CELL_MONEY, .width = 16, .total = true,
      .formula = "=ROUND([billed_minor]-[effective_minor],{digits})",
      .meaning = "Invoiced now and used in other months, less used now and invoiced in others" },
    { "Billed cost", "billed_minor", CELL_MONEY, .width = 16, .total = true },
    { 0 },
};

/* Purchases and unused commitments save nothing: the same columns without the savings. */
static const struct sheet_column other_columns[] = {
    { "Service", "service_name", CELL_TEXT, .width = 28 },
    { "Commitment", "commitment", CELL_TEXT, .width = 26 },
    { "", NULL, CELL_TEXT, .width = 12 },
    { "Lines", "line_count", CELL_COUNT, .width = 9, .total = true },
    { "Without list cost", "unlisted_count", CELL_COUNT, .width = 9, .total = true },
    { "List cost", "list_minor", CELL_MONEY, .width = 16, .total = true },
    { "", NULL, CELL_TEXT, .width = 15 },
    { "Contracted cost", "contracted_minor", CELL_MONEY, .width = 16, .total = true },
    { "", NULL, CELL_TEXT, .width = 15 },
    { "Effective cost", "effective_minor", CELL_MONEY, .width = 16, .total = true },
    { "", NULL, CELL_TEXT, .width = 15 },
    { "", NULL, CELL_TEXT, .width = 9 },
    { "Billed − effective", "prepaid_minor", CELL_MONEY, .width = 16, .total = true,
      .formula = "=ROUND([billed_minor]-[effective_minor],{digits})" },
    { "Billed cost", "billed_minor", CELL_MONEY, .width = 16, .total = true },
    { 0 },
};
static const struct sheet_table tables[] = {
    { .name = "discounts_usage",
      .query = "report/discounts.sql",
      .part = "usage",
      .columns = columns,
      .heading = "Usage",
      .none = "No usage" },
    { .name = "discounts_unused",
      .query = "report/discounts.sql",
      .part = "unused commitment",
      .columns = columns,
      .heading = "Unused commitments: paid for, not used",
      .none = "No unused commitments" },
    { .name = "discounts_purchases",
      .query = "report/discounts.sql",
      .part = "purchase",
      .columns = other_columns,
      .heading = "Purchases: commitments bought, and what is sold as a purchase; no saving is theirs",
      .none = "Nothing was bought" },
    { .name = "discounts_other",
      .query = "report/discounts.sql",
      .part = "other",
      .columns = other_columns,
      .heading = "Credits, tax, adjustments and rows that could not be read",
      .none = "None" },
};
/* clang-format on */

#define BILLED                                                                                               \
    "+{discounts_usage.billed_minor.total}+{discounts_unused.billed_minor.total}"                            \
    "+{discounts_purchases.billed_minor.total}+{discounts_other.billed_minor.total}"

static const struct figure billed[] = {
    { "Billed cost, all blocks", BILLED, NULL, CELL_MONEY, NULL },
    { 0 },
};
static const struct check checks[] = {
    { "They are equal", BILLED "-{discounts.invoices}", NULL, NULL },
    { 0 },
};

/* The billed cost of all blocks equals the invoices. */
static bool write_proof(struct sheet *sheet, struct error *error)
{
    PGresult *total =
        database_query_file(book_connection(sheet->book), "report/invoices_total.sql", 0, NULL, error);
    if (total == NULL)
        return false;
    int64_t minor = strtoll(PQgetvalue(total, 0, 0), NULL, 10);
    sheet_heading(sheet, "Proof");
    figures_write(sheet, billed);
    sheet_text(sheet, sheet->row, 0, "Invoices of the month", ROLE_BODY);
    sheet_value(sheet, sheet->row, 1, PQgetvalue(total, 0, 0), CELL_MONEY, ROLE_FIGURE);
    sheet_anchor(sheet, "discounts.invoices", sheet->row++, 1, book_money(sheet->book, minor), minor);
    checks_write(sheet, checks);
    PQclear(total);
    return true;
}

bool fill_discounts(struct sheet *sheet, struct error *error)
{
    bool ok = true;
    sheet_title(sheet, "Discounts");
    worksheet_set_paper(sheet->worksheet, PAPER_A3);
    if (for_one_centre(sheet))
        sheet_note(sheet,
                   "This cost centre's own lines and its parts of shared nodes; what pools cost it is on the "
                   "chargeback's sheet Shared and idle.");
    sheet_note(
        sheet,
        "Each of the four prices is rounded by itself, so that its column adds up to the invoices: between two "
        "columns, a difference of the smallest unit is rounding, not a saving.");
    sheet_skip(sheet, 1);
    for (size_t i = 0; ok && i < sizeof tables / sizeof tables[0]; i++)
        ok = table_write(sheet, &tables[i], NULL, error);
    return ok && (for_one_centre(sheet) || write_proof(sheet, error));
}
