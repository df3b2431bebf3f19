/* report/headline.h: the lines with which a workbook opens: the dearest flag, how many jobs were judged, and what can be saved by
 * resizing jobs. */
#ifndef KSTAR_REPORT_HEADLINE_H
#define KSTAR_REPORT_HEADLINE_H

#include "report/workbook.h"

/* Writes them below the title of a sheet, of the book's cost centre or of all. */
bool headline_write(struct sheet *sheet, struct error *error);

#endif
