/* report/chargeback.c: the chargeback workbooks: for all cost centres, and for one cost centre. */
#include "report/sheets.h"

/* clang-format off: a row each */
static const struct sheet_entry sheets[] = {
    { "Summary", 4, 0, NULL, fill_summary },
    { "Statement", 2, 0, NULL, fill_statement },
    { "Waterfall", 2, 0, NULL, fill_waterfall },
    { "Jobs", 2, SHEET_STREAMED | SHEET_OPTIONAL, "report/jobs_count.sql", fill_jobs },
    { "Shared and idle", 2, SHEET_OPTIONAL, "report/shared_count.sql", fill_shared },
    { "Open items", 3, SHEET_EVERYBODY, NULL, fill_open_items },
    { "Reconciliation", 3, SHEET_EVERYBODY, NULL, fill_reconciliation },
    { "Statement lines", 1, SHEET_STREAMED, NULL, fill_statement_lines },
    { "About", 5, 0, NULL, fill_about },
    { 0 },
};
/* clang-format on */

bool chargeback_fill(struct book *book, struct error *error)
{
    return sheets_write(book, sheets, error);
}
