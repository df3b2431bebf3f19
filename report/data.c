/* report/data.c: the workbooks beside the chargebacks, with the detailed data, for pivot tables and
 * analyses. */
#include "report/sheets.h"

/* clang-format off: a row each */
static const struct sheet_entry sheets[] = {
    { "Key figures", 3, 0, NULL, fill_key_figures },
    { "Discounts", 2, SHEET_OPTIONAL, "report/discounts_count.sql", fill_discounts },
    { "Failed runs", 2, SHEET_OPTIONAL, "report/failed_count.sql", fill_failed },
    { "Unit costs", 2, SHEET_OPTIONAL, "report/unit_costs_count.sql", fill_unit_costs },
    { "Serving fleets", 2, SHEET_OPTIONAL, "report/serving_count.sql", fill_serving },
    { "Energy and carbon", 2, SHEET_OPTIONAL, "report/energy_stated.sql", fill_energy },
    { "Adjustments", 2, SHEET_OPTIONAL, "report/adjustments_count.sql", fill_adjustments },
    { "Attempts", 2, SHEET_STREAMED | SHEET_OPTIONAL, "report/attempts_count.sql", fill_attempts },
    { "Jobs", 2, SHEET_STREAMED | SHEET_OPTIONAL, "report/jobs_count.sql", fill_all_of_jobs },
    { "Tidy data", 1, SHEET_STREAMED, "report/tidy_count.sql", fill_tidy },
    { "About", 4, 0, NULL, fill_about },
    { 0 },
};
/* clang-format on */

bool data_fill(struct book *book, struct error *error)
{
    return sheets_write(book, sheets, error);
}
