/* report/sheets/reconciliation.c: the sheet "Reconciliation": from delivered files to bill lines
 * to the statement, by source and invoice, with every difference. */
#include "report/sheets.h"

/* clang-format off: a row each */
static const struct sheet_column delivery_columns[] = {
    { "", NULL, CELL_INTEGER, .width = 8 },
    { "Source", "source", CELL_TEXT, .width = 18 },
    { "Delivery", "label", CELL_TEXT, .width = 26 },
    { "", NULL, CELL_TEXT, .width = 22 },
    { "", NULL, CELL_TEXT, .width = 10 },
    { "Rows delivered", "rows_delivered", CELL_COUNT, .width = 15,
      .meaning = "Bill lines of the delivery's files for all its months, with the quarantined ones" },
    { "Quarantined", "quarantined_rows", CELL_COUNT, .width = 12,
      .meaning = "Rows that could not be read; kstar ingest quarantine lists them" },
    { "Rows of this month", "rows_of_month", CELL_COUNT, .width = 18, .total = true,
      .meaning = "Rows loaded for this statement" },
    { 0 },
};
static const struct sheet_column line_columns[] = {
    { "Invoice no.", "invoice_no", CELL_INTEGER, .width = 11 },
    { "Source", "source", CELL_TEXT, .width = 18 },
    { "Issuer", "invoice_issuer_name", CELL_TEXT, .width = 26 },
    { "Invoice", "invoice_id", CELL_TEXT, .width = 22,
      .meaning = "Empty: the bill has no invoice number yet" },
    { "Currency", "billing_currency", CELL_TEXT, .width = 10 },
    { "Lines", "line_count", CELL_COUNT, .width = 12, .total = true },
    { "Quarantined", "quarantined_count", CELL_COUNT, .width = 12, .total = true,
      .meaning = "Rows that could not be read, but whose money could: unallocated, reason quarantined" },
    { "Billed cost", "billed_cost", CELL_EXACT, .width = 18,
      .meaning = "Σ of the lines, exact, in the invoice's currency" },
    { "Allocated, billed", "allocated_billed", CELL_EXACT, .width = 18,
      .meaning = "Σ of the parts into which the lines were split" },
    { "Difference", "billed_difference", CELL_EXACT, .width = 11.5,
      .formula = "=ROUND([billed_cost]-[allocated_billed],9)" },
    { "Effective cost", "effective_cost", CELL_EXACT, .width = 18 },
    { "Allocated, effective", "allocated_effective", CELL_EXACT, .width = 18 },
    { "Difference", "effective_difference", CELL_EXACT, .width = 11.5,
      .formula = "=ROUND([effective_cost]-[allocated_effective],9)" },
    { "Equal", "equal", CELL_CHECK, .width = 9,
      .formula = "=IF(AND([billed_difference]=0,[effective_difference]=0),\"TRUE\",\"FALSE\")",
      .meaning = "TRUE: every line is allocated exactly once, in both measures" },
    { "Exchange rate", "exchange_rate", CELL_NUMBER, .width = 11,
      .meaning = "Statement currency per unit of the invoice's currency" },
    { "Rate of", "rate_date", CELL_DATE, .width = 11 },
    { 0 },
};
#define SUM_OF_INVOICE(section)                                                                              \
    "=ROUND(SUMIFS({lines.minor_units},{lines.invoice_no},[invoice_no],{lines.section}," section "),{"       \
    "digits})"

static const struct sheet_column proof_columns[] = {
    { "Invoice no.", "invoice_no", CELL_INTEGER, .width = 11 },
    { "Source", "source", CELL_TEXT, .width = 18 },
    { "Issuer", "invoice_issuer_name", CELL_TEXT, .width = 26 },
    { "Invoice", "invoice_id", CELL_TEXT, .width = 22 },
    { "Currency", "billing_currency", CELL_TEXT, .width = 10 },
    { "Charged", "charged", CELL_MONEY, .width = 12, .total = true, .formula = SUM_OF_INVOICE("1") },
    { "Unallocated", "unallocated", CELL_MONEY, .width = 12, .total = true, .formula = SUM_OF_INVOICE("2") },
    { "Balance sheet", "balance_sheet", CELL_MONEY, .width = 18, .total = true,
      .formula = SUM_OF_INVOICE("3") },
    { "Prepaid balance change", "prepaid", CELL_MONEY, .width = 18, .total = true,
      .formula = SUM_OF_INVOICE("4") },
    { "Unexplained", "unexplained", CELL_MONEY, .width = 11.5, .total = true,
      .formula = SUM_OF_INVOICE("5") },
    { "Together", "stated", CELL_MONEY, .width = 18, .total = true,
      .formula = "=ROUND([charged]+[unallocated]+[balance_sheet]+[prepaid]+[unexplained],{digits})" },
    { "Invoice as billed", "invoice", CELL_MONEY, .width = 18, .total = true,
      .meaning = "Billed cost of the invoice's lines in statement currency: the top of the tree of cents" },
    { "Difference", "difference", CELL_DIFFERENCE, .width = 11.5, .total = true,
      .formula = "=ROUND([stated]-[invoice],{digits})" },
    { "Proven", "proven", CELL_CHECK, .width = 9, .formula = "=IF([difference]=0,\"TRUE\",\"FALSE\")",
      .meaning = "TRUE: the invoice is on the statement exactly once" },
    { 0 },
};
static const struct sheet_column bridge_columns[] = {
    { "Invoice no.", "invoice_no", CELL_INTEGER, .width = 11 },
    { "Source", "source", CELL_TEXT, .width = 18 },
    { "Kind", "kind", CELL_TEXT, .width = 26 },
    { "Invoice", "invoice_id", CELL_TEXT, .width = 22 },
    { "", NULL, CELL_TEXT, .width = 10 },
    { "", NULL, CELL_TEXT, .width = 12 },
    { "", NULL, CELL_TEXT, .width = 12 },
    { "Amount", "minor_units", CELL_MONEY, .width = 18, .total = true,
      .meaning =
          "What the invoice holds beyond what is charged for this month's use, in statement currency" },
    { "Commitment, account or service", "subject", CELL_TEXT, .width = 18 },
    { 0 },
};
static const struct sheet_column invoice_columns[] = {
    { "Invoice no.", "invoice_no", CELL_INTEGER, .width = 11 },
    { "Source", "source", CELL_TEXT, .width = 18 },
    { "Issuer", "invoice_issuer_name", CELL_TEXT, .width = 26 },
    { "Invoice", "invoice_id", CELL_TEXT, .width = 22 },
    { "Currency", "billing_currency", CELL_TEXT, .width = 10 },
    { "", NULL, CELL_TEXT, .width = 12 },
    { "", NULL, CELL_TEXT, .width = 12 },
    { "Invoice amount", "invoice_amount", CELL_EXACT, .width = 18,
      .meaning = "Net and tax as invoices.csv says, in the invoice's currency" },
    { "Billed cost", "billed_cost", CELL_EXACT, .width = 18,
      .meaning = "Σ of its lines, in all sources and months that have some of them" },
    { "Difference", "invoice_difference", CELL_EXACT, .width = 11.5,
      .formula = "=ROUND([invoice_amount]-[billed_cost],6)" },
    { "Tolerance", "invoice_tolerance", CELL_EXACT, .width = 18,
      .meaning = "FOCUS 1.4: the larger of 100 subunits and √lines × half a subunit" },
    { "Confirmation", "confirmation", CELL_TEXT, .width = 18,
      .meaning = "Not independently confirmed: invoices.csv does not hold this invoice" },
    { "", NULL, CELL_TEXT, .width = 11.5 },
    { "Within", "within_tolerance", CELL_CHECK, .width = 9,
      .formula = "=IF([invoice_amount]=\"\",\"not known\""
                 ",IF(ABS([invoice_difference])<=[invoice_tolerance],\"TRUE\",\"FALSE\"))" },
    { 0 },
};
static const struct sheet_column adjustment_columns[] = {
    { "", NULL, CELL_INTEGER, .width = 11 },
    { "Source", "source", CELL_TEXT, .width = 18 },
    { "Closed month", "adjusted_month", CELL_TEXT, .width = 26 },
    { "", NULL, CELL_TEXT, .width = 22 },
    { "", NULL, CELL_TEXT, .width = 10 },
    { "", NULL, CELL_TEXT, .width = 12 },
    { "", NULL, CELL_TEXT, .width = 12 },
    { "Invoices as closed", "frozen_minor", CELL_MONEY, .width = 18 },
    { "Adjusted since", "adjusted_minor", CELL_MONEY, .width = 18 },
    { "As they would be today", "replayed_minor", CELL_MONEY, .width = 11.5 },
    { "Due", "due", CELL_MONEY, .width = 18, .total = true,
      .formula = "=ROUND([replayed_minor]-[frozen_minor]-[adjusted_minor],{digits})",
      .meaning = "The sum that the adjustments of this month and source must have" },
    { "Adjustments", "carried", CELL_MONEY, .width = 18, .total = true,
      .meaning = "Those of this month and source (data workbook, Adjustments)" },
    { "Difference", "difference", CELL_DIFFERENCE, .width = 11.5, .total = true,
      .formula = "=ROUND([carried]-[due],{digits})" },
    { "Proven", "proven", CELL_CHECK, .width = 9, .formula = "=IF([difference]=0,\"TRUE\",\"FALSE\")",
      .meaning = "TRUE: every change of the closed invoices stands in an adjustment exactly once" },
    { 0 },
};

static const struct sheet_table tables[] = {
    { .name = "deliveries",
      .query = "report/reconciliation_deliveries.sql",
      .columns = delivery_columns,
      .heading = "1. Delivered → lines",
      .none = "No deliveries" },
    { .name = "reconciliation",
      .query = "report/reconciliation.sql",
      .columns = line_columns,
      .heading = "2. Lines → allocated: tolerance zero, in billed and in effective cost" },
    { .name = "proof",
      .query = "report/statement_proof.sql",
      .columns = proof_columns,
      .heading =
          "3. Statement → invoice: charged + unallocated + balance sheet + prepaid balance change + unexplained" },
    { .name = "bridge",
      .query = "report/reconciliation_bridge.sql",
      .columns = bridge_columns,
      .heading = "4. Why the invoices differ from what is charged and unallocated" },
    { .name = "invoices",
      .query = "report/reconciliation_invoice.sql",
      .columns = invoice_columns,
      .heading = "5. The invoice's own amount → lines" },
    { .name = "adjustment_proof",
      .query = "report/adjustments_proof.sql",
      .columns = adjustment_columns,
      .heading = "6. Closed invoices → adjustments: as they would be today − as closed − adjusted since",
      .none = "No closed month has changed" },
};
/* clang-format on */

bool fill_reconciliation(struct sheet *sheet, struct error *error)
{
    bool ok = true;
    sheet_title(sheet, "Reconciliation");
    worksheet_set_paper(sheet->worksheet, PAPER_A3);
    for (size_t i = 0; ok && i < sizeof tables / sizeof tables[0]; i++)
        ok = table_write(sheet, &tables[i], NULL, error);
    return ok;
}
