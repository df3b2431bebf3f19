/* report/workbook_identity.h: the properties of a workbook (docProps/core.xml).
 * report/workbook.c writes them and `kstar deliver` checks them. */
#ifndef KSTAR_REPORT_WORKBOOK_IDENTITY_H
#define KSTAR_REPORT_WORKBOOK_IDENTITY_H

#include "report/book_head.h"

#include <stdbool.h>

/* Texts are never NULL: "" if the workbook has no such property. */
struct workbook_identity {
    char *title;    /* Chargeback 2026-09 */
    char *subject;  /* the cost centre, as cell text; "": all cost centres */
    char *comments; /* Preliminary; run …; kstar … */
};

/* The properties of a workbook with this head. Free with workbook_identity_free. */
void workbook_identity_of(const struct book_head *head, struct workbook_identity *identity);

/* Reads the properties of a file. False if the file is missing or no workbook; *why says which.
 * Free with workbook_identity_free. */
bool workbook_identity_read(const char *path, struct workbook_identity *identity, const char **why);
void workbook_identity_free(struct workbook_identity *identity);

#endif
