/* report/sheets/discounts.c: the sheet "Discounts": the cost of the month's lines at list price,
 * at the contracted price, with commitments, and as billed, and the saving of each step.
 * Purchases and unused commitments have separate blocks, because they are no use. */
#include "report/figure.h"
#include "report/sheets.h"
#include "report/workbook_name.h"

#include <stdlib.h>

/* clang-format off: a row each */
static const struct sheet_column columns[] = {
    { "Service", "service_name", CELL_TEXT, .width = 28 },
    { "Commitment", "commitment", CELL_TEXT, .width = 26,
      .meaning = "The reservation, savings plan or capacity that covered or caused it; empty: none" },
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
    { "Contracted cost", "contracted_minor", CELL_MONEY, .width = 16, .total = true },
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
      .meaning = "What this month's invoices hold for other months, or the other way round" },
    { "Billed cost", "billed_minor", CELL_MONEY, .width = 16, .total = true },
    { 0 },
};

/* Lines that are no use save nothing: the same columns without the savings. */
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

/* The billed cost of all blocks equals the invoices. */
static const struct figure billed[] = {
    { "Billed cost, all blocks",
      "+{discounts_usage.billed_minor.total}+{discounts_unused.billed_minor.total}+{discounts_purchases."
      "billed_minor.total}"
      "+{discounts_other.billed_minor.total}",
      NULL, CELL_MONEY, NULL },
    { "Invoices", "+{proof.invoice.total}", NULL, CELL_MONEY, NULL },
    { 0 },
};
static const char difference_formula[] =
    "=ROUND({discounts_usage.billed_minor.total}+{discounts_unused.billed_minor.total}"
    "+{discounts_purchases.billed_minor.total}+{discounts_other.billed_minor.total}-{proof.invoice.total},{"
    "digits})";

static void write_proof(struct sheet *sheet)
{
    struct book *book = sheet->book;
    int64_t difference = -book_anchor(book, "proof.invoice.total")->minor_units;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        char *name = text_of("%s.billed_minor.total", tables[i].name);
        difference += book_anchor(book, name)->minor_units;
        free(name);
    }
    char *formula = book_formula(book, difference_formula, NULL, NULL);
    sheet_heading(sheet, "Proof");
    figures_write(sheet, billed);
    sheet_skip(sheet, 1);
    sheet->row--;
    sheet_text(sheet, sheet->row, 0, "Difference", ROLE_BODY);
    sheet_formula(sheet, sheet->row, 1, formula, book_money(book, difference), CELL_DIFFERENCE, ROLE_FIGURE);
    sheet_anchor(sheet, "discounts.difference", sheet->row++, 1, book_money(book, difference), difference);
    free(formula);
}

bool fill_discounts(struct sheet *sheet, struct error *error)
{
    bool ok = true;
    sheet_title(sheet, "Discounts");
    worksheet_set_paper(sheet->worksheet, PAPER_A3);
    if (for_one_centre(sheet))
        sheet_note(
            sheet,
            "This cost centre's own lines and its parts of shared nodes; what pools cost it is on the sheet "
            "Shared costs.");
    sheet_note(
        sheet,
        "Each of the four prices is rounded by itself, so that its column adds up to the invoices: between two "
        "columns, a difference of the smallest unit is rounding, not a saving.");
    sheet_skip(sheet, 1);
    for (size_t i = 0; ok && i < sizeof tables / sizeof tables[0]; i++)
        ok = table_write(sheet, &tables[i], NULL, error);
    if (ok && !for_one_centre(sheet))
        write_proof(sheet);
    return ok;
}
