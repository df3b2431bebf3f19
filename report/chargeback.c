/* report/chargeback.c: the chargeback workbooks: for all cost centres, and for one cost centre. */
#include "report/sheets.h"

/* clang-format off: a row each */
static const struct sheet_entry sheets[] = {
    { "Summary", 4, 0, NULL, fill_summary },
    { "Key figures", 3, 0, NULL, fill_key_figures },
    { "Statement", 2, 0, NULL, fill_statement },
    { "Waterfall", 2, 0, NULL, fill_waterfall },
    { "Budgets", 3, SHEET_OPTIONAL, "report/budgets_count.sql", fill_budgets },
    { "Jobs", 2, SHEET_STREAMED, "report/jobs_count.sql", fill_jobs },
    { "Attempts", 2, SHEET_STREAMED, "report/attempts_count.sql", fill_attempts },
    { "Discounts", 2, 0, NULL, fill_discounts },
    { "Shared costs", 2, 0, NULL, fill_shared },
    { "Idle and unused", 2, 0, NULL, fill_idle },
    { "Unallocated", 3, SHEET_EVERYBODY, NULL, fill_unallocated },
    { "Failed runs", 2, 0, NULL, fill_failed },
    { "Unit costs", 2, SHEET_OPTIONAL, "report/unit_costs_count.sql", fill_unit_costs },
    { "Serving fleets", 2, SHEET_OPTIONAL, "report/serving_count.sql", fill_serving },
    { "Energy and carbon", 2, SHEET_OPTIONAL, "report/energy_stated.sql", fill_energy },
    { "Adjustments", 1, 0, NULL, fill_adjustments },
    { "Reconciliation", 3, SHEET_EVERYBODY, NULL, fill_reconciliation },
    { "Journal", 3, SHEET_STREAMED | SHEET_EVERYBODY, NULL, fill_journal },
    { "Data quality", 3, 0, NULL, fill_quality },
    { "Statement lines", 1, SHEET_STREAMED, NULL, fill_statement_lines },
    { "Tidy data", 2, SHEET_STREAMED, "report/tidy_count.sql", fill_tidy },
    { "About", 3, 0, NULL, fill_about },
    { "Columns", 5, 0, NULL, fill_columns },
    { 0 },
};
/* clang-format on */

bool chargeback_fill(struct book *book, struct error *error)
{
    return sheets_write(book, sheets, error);
}
