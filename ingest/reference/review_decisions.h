/* ingest/reference/review_decisions.h: reads the decisions that a manager wrote into a review
 * workbook (report/sheets/flagged.c), as rows of the table review_decision.
 *
 * Columns are found by their headings, so they may be moved, hidden or sorted. Rows without a
 * decision are ignored. The name of the file, review-YYYY-MM…xlsx, has the reviewed month.
 */
#ifndef KSTAR_INGEST_REFERENCE_REVIEW_DECISIONS_H
#define KSTAR_INGEST_REFERENCE_REVIEW_DECISIONS_H

#include "ingest/reference/declared_csv.h"

/* The columns of a row, in the table's order. review_decisions_read() fills all of them. */
extern const struct declared_column review_decision_columns[];

/* Called with a row; `row.line` is that of the sheet. */
typedef void (*review_decision_visitor)(void *context, const struct declared_row *row);

/* False with one error that names file, sheet, cell and value (ERROR_INPUT). */
bool review_decisions_read(const char *path, review_decision_visitor visit, void *context,
                           struct error *error);

#endif
