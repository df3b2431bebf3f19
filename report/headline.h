/* report/headline.h: the first lines of a workbook (the cost of the month, the possible saving, the
 * coverage, the most expensive flagged job, the number of judged jobs), and the line on other
 * sheets that states the cost of waiting. */
#ifndef KSTAR_REPORT_HEADLINE_H
#define KSTAR_REPORT_HEADLINE_H

#include "report/workbook.h"

/* Writes the first lines below the title of a sheet, for the book's cost centre or for all, wrapped
 * within the columns up to `last` (0: not wrapped). Column widths are set before. */
bool headline_write(struct sheet *sheet, lxw_col_t last, struct error *error);

/* Writes the rates for waiting in this month and in the `months_before` ("0", "11") months
 * before it. */
bool headline_write_waiting(struct sheet *sheet, const char *months_before, struct error *error);

#endif
