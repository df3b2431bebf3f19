/* report/figure.h: figures and checks that are formulas over anchors (workbook.h), as data rows.
 *
 *     static const struct figure figures[] = {
 *         { "On the bill", "+{waterfall.on_the_bill.total}", NULL, CELL_MONEY, "Effective …" },
 *         { "Unallocated", "+{unallocated}", "+{charged}+{unallocated}", CELL_PERCENT, NULL },
 *         { NULL }
 *     };
 *
 * `terms` is a sum: each anchor with its sign before it. `over` divides by another sum; of one that
 * is 0 there is no share: "none". The cached value is computed from the anchors' whole minor units,
 * so it is exact.
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

/* One row each: label in column 0, the figure in column 1, its note in column 2. A figure leads to
 * the cell of its first term. No empty line follows: another array may. */
void figures_write(struct sheet *sheet, const struct figure *figures);

/* Something that must hold: the sum of `terms` is zero, or no cell of the anchor `all_true` (a
 * CELL_CHECK column of a table) is FALSE. */
struct check {
    const char *label; /* NULL ends the array */
    const char *terms; /* or NULL */
    const char *all_true;
    const char *note;
};

/* One row each, like figures, and an empty line. */
void checks_write(struct sheet *sheet, const struct check *checks);

#endif
