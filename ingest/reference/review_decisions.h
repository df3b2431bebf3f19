/* ingest/reference/review_decisions.h: what a manager wrote into the decision columns of a review
 * workbook (report/sheets/flagged.c), as rows of the table review_decision.
 *
 * Rows are found by the headings, so columns may be moved, hidden or sorted; rows without a
 * decision are passed over. The file is called review-YYYY-MM…xlsx, which says the month that was
 * reviewed.
 */
#ifndef KSTAR_INGEST_REFERENCE_REVIEW_DECISIONS_H
#define KSTAR_INGEST_REFERENCE_REVIEW_DECISIONS_H

#include "ingest/reference/declared_csv.h"

/* The columns of a row, in the table's order. review_decisions_read() fills all of them. */
extern const struct declared_column review_decision_columns[];

/* A row; `row.line` is the sheet's. */
typedef void (*review_decision_visitor)(void *context, const struct declared_row *row);

/* False with one error that names file, sheet, cell and value (ERROR_INPUT). */
bool review_decisions_read(const char *path, review_decision_visitor visit, void *context,
                           struct error *error);

#endif
