/* report/sheets.h: the sheets, and the list of sheets of a workbook.
 *
 * A sheet is a file report/sheets/<name>.c with its tables and one function that fills it. A
 * workbook is an array of struct sheet_entry in the order of its sheets. `pass` is the order in
 * which they are filled: the cached value of a formula needs the figures that it adds up.
 *
 * To add a sheet: write a query in sql/report/ and report/sheets/<name>.c with columns and a
 * function, add the function here, and add a row in chargeback.c, review.c or forecast.c (whose
 * sheets are in forecast_sheets.h).
 */
#ifndef KSTAR_REPORT_SHEETS_H
#define KSTAR_REPORT_SHEETS_H

#include "report/table.h"

struct sheet_entry {
    const char *name; /* NULL ends the array */
    int pass;         /* 1 first */
    unsigned flags;   /* sheet_flag; SHEET_AGAIN: fills the sheet of an earlier entry again */
    const char *
        /* for a streamed sheet, the number of rows of its table, so that its parts are added
         * next to each other; for an optional sheet, 0 if the sheet is not needed; else NULL */
        count_query;
    bool (*fill)(struct sheet *sheet, struct error *error);
};

/* Writes all entries into a book. */
bool sheets_write(struct book *book, const struct sheet_entry *entries, struct error *error);

/* Whether the book belongs to one cost centre. */
bool for_one_centre(const struct sheet *sheet);

bool fill_summary(struct sheet *sheet, struct error *error);
bool fill_statement(struct sheet *sheet, struct error *error);
bool fill_statement_lines(struct sheet *sheet, struct error *error);
bool fill_jobs(struct sheet *sheet, struct error *error);
bool fill_all_of_jobs(struct sheet *sheet, struct error *error); /* with all columns */
bool fill_waterfall(struct sheet *sheet, struct error *error);
bool fill_key_figures(struct sheet *sheet, struct error *error);
/* Inserts the waterfall chart on the summary, if anything was charged. Call it after the sheet
 * Waterfall is filled. */
void insert_waterfall_chart(struct sheet *sheet, lxw_row_t row, lxw_col_t column);
bool fill_attempts(struct sheet *sheet, struct error *error);
bool fill_tidy(struct sheet *sheet, struct error *error);
bool fill_discounts(struct sheet *sheet, struct error *error);
bool fill_shared(struct sheet *sheet, struct error *error);
bool fill_planned(struct sheet *sheet, struct error *error);
bool fill_failed(struct sheet *sheet, struct error *error);
bool fill_unit_costs(struct sheet *sheet, struct error *error);
bool fill_serving(struct sheet *sheet, struct error *error);
bool fill_open_items(struct sheet *sheet, struct error *error);
/* The open items of one cost centre, on its Summary. */
bool write_open_items(struct sheet *sheet, struct error *error);
bool fill_reconciliation(struct sheet *sheet, struct error *error);
bool fill_adjustments(struct sheet *sheet, struct error *error);
bool fill_energy(struct sheet *sheet, struct error *error);
/* Whether the month has energy data: then there is a sheet for energy, and the jobs have columns
 * for it. */
bool energy_is_stated(const struct sheet *sheet, bool *is_stated, struct error *error);
bool fill_columns(struct sheet *sheet, struct error *error); /* only what columns mean */
bool fill_about(struct sheet *sheet, struct error *error);   /* sources, and columns below them */
bool fill_conclusion(struct sheet *sheet, struct error *error);
bool fill_flagged(struct sheet *sheet, struct error *error);
bool fill_verdicts(struct sheet *sheet, struct error *error);
bool fill_measure_next(struct sheet *sheet, struct error *error);
bool fill_teams(struct sheet *sheet, struct error *error);
bool fill_repeats(struct sheet *sheet, struct error *error);
bool fill_rate_card(struct sheet *sheet, struct error *error);
bool fill_fits(struct sheet *sheet, struct error *error);
bool fill_waste(struct sheet *sheet, struct error *error);
/* Adds a sheet for each family with a curve. */
bool add_family_sheets(struct book *book, struct error *error);

/* The workbooks. */
bool chargeback_fill(struct book *book, struct error *error);
bool data_fill(struct book *book, struct error *error);
bool review_fill(struct book *book, struct error *error);

#endif
