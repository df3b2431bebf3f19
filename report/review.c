/* report/review.c: the workbook for managers: jobs that ran above or below K*, their excess
 * cost, and the next measurements to make. */
#include "report/sheets.h"

/* clang-format off: a row each */
static const struct sheet_entry sheets[] = {
    { "Conclusion", 1, 0, NULL, fill_conclusion },
    { "Flagged jobs", 1, SHEET_STREAMED, NULL, fill_flagged },
    { "Verdicts", 1, 0, NULL, fill_verdicts },
    { "By team", 1, 0, NULL, fill_teams },
    { "Repeat offenders", 1, 0, NULL, fill_repeats },
    { "Planned trainings", 1, SHEET_OPTIONAL, "report/planned_count.sql", fill_planned },
    { "Scaling fits", 1, 0, NULL, fill_fits },
    { "Coordination waste", 1, SHEET_OPTIONAL, "report/waste_count.sql", fill_waste },
    { "Rate card", 1, 0, NULL, fill_rate_card },
    { "Measure next", 1, 0, NULL, fill_measure_next },
    { 0 },
};
static const struct sheet_entry sheets_at_the_end[] = {
    { "About", 1, 0, NULL, fill_about },
    { 0 },
};
/* clang-format on */

bool review_fill(struct book *book, struct error *error)
{
    return sheets_write(book, sheets, error) && add_family_sheets(book, error) &&
           sheets_write(book, sheets_at_the_end, error);
}
