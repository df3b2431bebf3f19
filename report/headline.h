/* report/headline.h: the lines with which a workbook opens (the dearest flag, how many jobs were
 * judged, and what can be saved by resizing jobs), and the line that says on other sheets what
 * waiting was counted at. */
#ifndef KSTAR_REPORT_HEADLINE_H
#define KSTAR_REPORT_HEADLINE_H

#include "report/workbook.h"

/* Writes them below the title of a sheet, of the book's cost centre or of all. */
bool headline_write(struct sheet *sheet, struct error *error);

/* Writes the rates of waiting in this month and in the `months_before` ("0", "11") before it. */
bool headline_write_waiting(struct sheet *sheet, const char *months_before, struct error *error);

#endif
