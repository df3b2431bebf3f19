/* report/chargeback.c: the chargeback workbooks: for everybody, and for one cost centre alone. */
#include "report/sheets.h"

/* clang-format off: a row each */
static const struct sheet_entry everyone[] = {
    { "Summary", 4, 0, NULL, fill_summary },
    { "Statement", 2, 0, NULL, fill_statement },
    { "Waterfall", 2, 0, NULL, fill_waterfall },
    { "Jobs", 2, SHEET_STREAMED, "report/jobs_count.sql", fill_jobs },
    { "Unallocated and idle", 3, 0, NULL, fill_unallocated },
    { "Adjustments", 1, 0, NULL, fill_adjustments },
    { "Reconciliation", 3, 0, NULL, fill_reconciliation },
    { "Journal", 3, 0, NULL, fill_journal },
    { "Statement lines", 1, SHEET_STREAMED, NULL, fill_statement_lines },
    { "About", 3, 0, NULL, fill_about },
    { "Columns", 5, 0, NULL, fill_columns },
    { 0 },
};

static const struct sheet_entry one_centre[] = {
    { "Summary", 4, 0, NULL, fill_summary },
    { "Statement", 2, 0, NULL, fill_statement },
    { "Waterfall", 2, 0, NULL, fill_waterfall },
    { "Jobs", 2, SHEET_STREAMED, "report/jobs_count.sql", fill_jobs },
    { "Adjustments", 1, 0, NULL, fill_adjustments },
    { "Statement lines", 1, SHEET_STREAMED, NULL, fill_statement_lines },
    { "About", 3, 0, NULL, fill_about },
    { "Columns", 5, 0, NULL, fill_columns },
    { 0 },
};
/* clang-format on */

bool chargeback_fill(struct book *book, struct error *error)
{
    return sheets_write(book, everyone, error);
}

bool chargeback_centre_fill(struct book *book, struct error *error)
{
    return sheets_write(book, one_centre, error);
}
