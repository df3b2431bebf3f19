/* report/sheets/statement.c: the sheets "Statement" and "Statement lines".
 *
 * "Statement lines" has the data: one fact in each row, as published. Every amount of "Statement"
 * is a formula that adds up the lines of its row. Exception: for adjustments the data workbook has
 * the detail.
 */
#include "report/sheets.h"
#include "report/workbook_name.h"

#include <stdlib.h>

#define SUM_OF_ROW    "=ROUND(SUMIFS({lines.minor_units},{lines.statement_row},[statement_row]),{digits})"
#define EXACT_OF_ROW  "SUMIFS({lines.effective_cost},{lines.statement_row},[statement_row])"
#define BILLED_OF_ROW "SUMIFS({lines.billed_cost},{lines.statement_row},[statement_row])"
#define CURRENCY_COLUMNS(exact_formula)                                                                      \
    { "Invoice currency", "currency", CELL_TEXT, .width = 13 },                                              \
    {                                                                                                        \
        "In invoice currency", "exact", CELL_EXACT,                                                          \
            .width = 18, .formula = "=ROUND(" exact_formula ",6)",                                           \
            .meaning = "The same before conversion and before cents are fixed, to six places"                \
    }

/* clang-format off: a row each */
static const struct sheet_column line_columns[] = {
    { "Statement row", "statement_row", CELL_INTEGER, .width = 10.5,
      .meaning = "The row of the Statement sheet that adds this line up" },
    { "Kind", "kind", CELL_TEXT, .width = 34, .meaning = "What the statement does with it" },
    { "Section", "section", CELL_INTEGER, .width = 8, .meaning = "The kind as a number, for formulas" },
    { "Invoice no.", "invoice_no", CELL_INTEGER, .width = 8,
      .meaning = "The invoice's number on the sheet Reconciliation; empty for internal charges" },
    { "Source", "source", CELL_TEXT, .width = 14 },
    { "Issuer", "invoice_issuer_name", CELL_TEXT, .width = 22 },
    { "Invoice", "invoice_id", CELL_TEXT, .width = 20,
      .meaning = "Empty: the bill has no invoice number yet" },
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 16 },
    { "Component", "component", CELL_TEXT, .width = 26, .meaning = "Component of true cost" },
    { "Subject", "subject", CELL_TEXT, .width = 34,
      .meaning = "Reason, account, commitment, service or transfer" },
    { "GL account", "gl_account", CELL_TEXT, .width = 12 },
    { "On a job", "on_job", CELL_YES_NO, .width = 8,
      .meaning = "Yes: the line adds up rows of the Jobs sheet" },
    { "Invoice currency", "currency", CELL_TEXT, .width = 9.5 },
    { "Billed cost", "billed_cost", CELL_EXACT, .width = 18, .meaning = "Exact, in the invoice's currency" },
    { "Effective cost", "effective_cost", CELL_EXACT, .width = 18,
      .meaning = "Exact, in the invoice's currency" },
    { "Amount", "minor_units", CELL_MONEY, .width = 15, .total = true,
      .meaning = "In statement currency, in whole cents: what is booked" },
    { "Of it on jobs", "on_jobs", CELL_MONEY, .width = 15, .total = true,
      .formula = "=IF([on_job]=\"Yes\",[minor_units],0)",
      .meaning = "What the Jobs sheet shows as true cost" },
    { "Centre no.", "centre_no", CELL_INTEGER, .width = 8,
      .meaning = "The cost centre as a number, for formulas; empty where the line is no cost centre's true "
                 "cost" },
    { "Component no.", "component_no", CELL_INTEGER, .width = 11,
      .meaning = "The component's place in the waterfall, for formulas" },
    { 0 },
};
static const struct sheet_table lines = {
    .name = "lines",
    .query = "report/statement_lines.sql",
    .columns = line_columns,
    .alone = true,
};
/* clang-format on */

bool fill_statement_lines(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "Statement lines");
    worksheet_set_paper(sheet->worksheet, PAPER_A3);
    return table_write(sheet, &lines, NULL, error);
}

/* clang-format off: a row each */
static const struct sheet_column charged_columns[] = {
    { "Row", "statement_row", CELL_INTEGER, .width = 7 },
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 16 },
    { "Name", "cost_centre_name", CELL_TEXT, .width = 24 },
    { "Component", "component", CELL_TEXT, .width = 27 },
    { "GL account", "gl_account", CELL_TEXT, .width = 12 },
    { "Amount", "minor_units", CELL_MONEY, .width = 15, .total = true, .formula = SUM_OF_ROW,
      .meaning = "Effective cost charged to the cost centre: the lines of this row" },
    { "Cost centre in all", "centre_minor", CELL_MONEY, .width = 15, .total = true,
      .formula =
          "=ROUND(SUMIFS({lines.minor_units},{lines.section},1,{lines.centre_no},[centre_no]),{digits})",
      .meaning = "In the last row of each cost centre: what its rows add up to" },
    CURRENCY_COLUMNS(EXACT_OF_ROW),
    { "No.", "centre_no", CELL_INTEGER, .width = 5,
      .meaning = "The cost centre's number on the sheet Statement lines" },
    { 0 },
};
static const struct sheet_column internal_columns[] = {
    { "Row", "statement_row", CELL_INTEGER, .width = 7 },
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 16 },
    { "Transfer", "transfer", CELL_TEXT, .width = 24, .wraps = true,
      .meaning = "What it is; the carrier's rate or engineering time" },
    { "Component", "component", CELL_TEXT, .width = 27 },
    { "GL account", "gl_account", CELL_TEXT, .width = 12 },
    { "Amount", "minor_units", CELL_DIFFERENCE, .width = 15, .total = true, .formula = SUM_OF_ROW,
      .meaning = "+ on the cost centre of the jobs, − on the carrier's" },
    { "Of it unallocated", "unallocated_minor", CELL_MONEY, .width = 15, .total = true,
      .formula = "=IF([cost_centre]=\"\",[minor_units],0)", .meaning = "Of jobs without a cost centre" },
    { 0 },
};

/* Costs that no cost centre pays: the subject replaces the cost centre. */
#define SUBJECT_COLUMNS(array, title, columns_width, ...)                                                    \
    static const struct sheet_column array[] = {                                                             \
        { "Row", "statement_row", CELL_INTEGER, .width = 7 },                                                \
        { title, "subject", CELL_TEXT, .width = columns_width },                                             \
        { "", NULL, CELL_TEXT, .width = 24 },                                                                \
        { "", NULL, CELL_TEXT, .width = 27 },                                                                \
        { "GL account", "gl_account", CELL_TEXT, .width = 12 },                                              \
        { "Amount", "minor_units", CELL_MONEY, .width = 15, .total = true, .formula = SUM_OF_ROW },          \
        { "", NULL, CELL_TEXT, .width = 15 },                                                                \
        __VA_ARGS__,                                                                                         \
        { 0 },                                                                                               \
    }
#define CURRENCY_COLUMN                                                                                      \
    {                                                                                                        \
        "Invoice currency", "currency", CELL_TEXT, .width = 13                                               \
    }
SUBJECT_COLUMNS(unallocated_columns, "Reason", 16, CURRENCY_COLUMNS(EXACT_OF_ROW));
SUBJECT_COLUMNS(balance_sheet_columns, "Account", 16, CURRENCY_COLUMNS(BILLED_OF_ROW));
SUBJECT_COLUMNS(prepaid_columns, "Commitment", 16, CURRENCY_COLUMN);
SUBJECT_COLUMNS(unexplained_columns, "Service", 16, CURRENCY_COLUMN);

static const struct sheet_column adjusted_columns[] = {
    { "Row", "adjustment_row", CELL_INTEGER, .width = 7,
      .meaning = "As on Adjustments in the data workbook" },
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 16 },
    { "Name or subject", "subject", CELL_TEXT, .width = 24 },
    { "Component", "component", CELL_TEXT, .width = 27 },
    { "GL account", "gl_account", CELL_TEXT, .width = 12,
      .meaning = "On which the journal books it: the closed month's, or of suspense where the cost centre is "
                 "not open on this month's last day" },
    { "Amount", "minor_units", CELL_MONEY, .width = 15, .total = true,
      .meaning = "What changes on the closed months" },
    { 0 },
};
static const struct sheet_table adjusted = {
    .name = "adjusted",
    .query = "report/statement_adjustments.sql",
    .columns = adjusted_columns,
    .heading = "Adjustments to closed invoices: not part of this period's invoices",
    .none = "None",
};
static const struct sheet_table adjusted_internal = {
    .name = "adjusted_internal",
    .query = "report/statement_adjustments_internal.sql",
    .columns = adjusted_columns,
    .heading = "Adjustments of internal charges",
    .none = "None",
};

static const struct sheet_table charged = {
    .name = "charged",
    .query = "report/statement_charged.sql",
    .columns = charged_columns,
    .heading = "Charged: cost centre and component",
    .none = "Nothing charged",
};
static const struct sheet_table below[] = {
    { .name = "unallocated",
      .query = "report/statement_unallocated.sql",
      .columns = unallocated_columns,
      .heading = "Unallocated: cost that no cost centre bears",
      .none = "Nothing unallocated" },
    { .name = "balance_sheet",
      .query = "report/statement_balance_sheet.sql",
      .columns = balance_sheet_columns,
      .heading = "Balance sheet: recoverable tax, tax on prepayments",
      .none = "No such lines" },
    { .name = "prepaid",
      .query = "report/statement_prepaid.sql",
      .columns = prepaid_columns,
      .heading = "Prepaid balance change: billed − effective cost of each commitment",
      .none = "No commitments" },
    { .name = "unexplained",
      .query = "report/statement_unexplained.sql",
      .columns = unexplained_columns,
      .heading = "Unexplained differences between billed and effective cost",
      .none = "None" },
};
static const struct sheet_table internal = {
    .name = "internal",
    .query = "report/statement_internal.sql",
    .columns = internal_columns,
    .heading = "Internal charges, which sum to zero",
    .none = "No transfers",
};
static const struct sheet_table internal_of_centre = {
    .name = "internal",
    .query = "report/statement_internal.sql",
    .columns = internal_columns,
    .heading = "Internal charges: overhead that no invoice holds",
    .none = "No transfers",
};
/* clang-format on */

/* Writes the fields for the sign-off. These cells are not locked. */
static void write_sign_off(struct sheet *sheet)
{
    static const char *const roles[] = { "Prepared", "Reviewed", "Approved" };
    static const struct {
        const char *heading;
        enum cell_type type;
    } columns[] = { { "", CELL_TEXT },
                    { "Sign-off", CELL_TEXT },
                    { "Name", CELL_TEXT },
                    { "Signature", CELL_TEXT },
                    { "Date", CELL_DATE } };
    enum { ROLE_NAME = 1, COLUMNS = sizeof columns / sizeof columns[0] };
    char *heading = text_of("Sign-off of this statement: %s", book_head(sheet->book)->status);
    sheet_heading(sheet, heading);
    free(heading);
    for (lxw_col_t i = ROLE_NAME; i < COLUMNS; i++)
        sheet_header_cell(sheet, sheet->row, i, columns[i].heading, columns[i].type);
    sheet->row++;
    for (size_t role = 0; role < sizeof roles / sizeof roles[0]; role++) {
        worksheet_set_row(sheet->worksheet, sheet->row, 24, NULL);
        sheet_text(sheet, sheet->row, ROLE_NAME, roles[role], ROLE_BODY);
        for (lxw_col_t i = ROLE_NAME + 1; i < COLUMNS; i++)
            sheet_value(sheet, sheet->row, i, NULL, columns[i].type, ROLE_INPUT);
        sheet->row++;
    }
    sheet_skip(sheet, 1);
}

bool fill_statement(struct sheet *sheet, struct error *error)
{
    bool everyone = !for_one_centre(sheet);
    sheet_title(sheet, "Statement");
    bool ok = table_write(sheet, &charged, NULL, error);
    for (size_t i = 0; ok && everyone && i < sizeof below / sizeof below[0]; i++)
        ok = table_write(sheet, &below[i], NULL, error);
    ok = ok && table_write(sheet, everyone ? &internal : &internal_of_centre, NULL, error) &&
         table_write(sheet, &adjusted, NULL, error) && table_write(sheet, &adjusted_internal, NULL, error);
    if (ok)
        write_sign_off(sheet);
    return ok;
}
