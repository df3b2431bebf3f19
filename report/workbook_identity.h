/* report/workbook_identity.h: what a workbook says of itself in its properties (docProps/core.xml),
 * as report/workbook.c writes them and `kstar deliver` wants to find them. */
#ifndef KSTAR_REPORT_WORKBOOK_IDENTITY_H
#define KSTAR_REPORT_WORKBOOK_IDENTITY_H

#include "report/book_head.h"

#include <stdbool.h>

/* Never NULL: "" where a workbook has none. */
struct workbook_identity {
    char *title;    /* Chargeback 2026-09 */
    char *subject;  /* the cost centre, as the text of a cell; "": everybody's */
    char *comments; /* Preliminary; run …; kstar … */
};

/* What the workbook of that head says. Freed by workbook_identity_free. */
void workbook_identity_of(const struct book_head *head, struct workbook_identity *identity);

/* False if the file is missing or no workbook (`why`). Free with workbook_identity_free. */
bool workbook_identity_read(const char *path, struct workbook_identity *identity, const char **why);
void workbook_identity_free(struct workbook_identity *identity);

#endif
