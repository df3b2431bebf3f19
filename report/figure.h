/* report/figure.h: rows with figures and checks, whose formulas add anchors (workbook.h). They are
 * defined as data:
 *
 *     static const struct figure figures[] = {
 *         { "On the bill", "+{waterfall.on_the_bill.total}", NULL, CELL_MONEY, "Effective …" },
 *         { "Unallocated", "+{unallocated}", "+{charged}+{unallocated}", CELL_PERCENT, NULL },
 *         { NULL }
 *     };
 *
 * `terms` is a sum: each anchor has its sign before it. `over` is a second sum, by which the first
 * is divided. If it is 0, the cell shows "none". The cached value is computed from the anchors'
 * minor units, so it is exact.
 */
#ifndef KSTAR_REPORT_FIGURE_H
#define KSTAR_REPORT_FIGURE_H

#include "report/workbook.h"

struct figure {
    const char *label; /* NULL ends the array */
    const char *terms;
    const char *over; /* or NULL */
    enum cell_type type;
    const char *note; /* or NULL */
};

/* Writes one row for each figure whose anchors exist: label in column 0, figure in column 1, note
 * in column 2. A figure links to the cell of its first term. Writes no empty line at the end, so
 * another array may follow. */
void figures_write(struct sheet *sheet, const struct figure *figures);

/* A condition that must hold: the sum of `terms` is zero, or no cell of the anchor `all_true` (a
 * CELL_CHECK column of a table) is FALSE. */
struct check {
    const char *label; /* NULL ends the array */
    const char *terms; /* or NULL */
    const char *all_true;
    const char *note;
};

/* Writes one row for each check whose anchors exist, like figures, and an empty line. */
void checks_write(struct sheet *sheet, const struct check *checks);

#endif
