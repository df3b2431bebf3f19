/* report/centres.h: lists the cost centres that have their own workbook, with its file name and
 * folder. For programs that deliver workbooks to their owners. */
#ifndef KSTAR_REPORT_CENTRES_H
#define KSTAR_REPORT_CENTRES_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* The kind of these workbooks (struct book_head). */
#define CENTRE_BOOK_KIND "Chargeback"

struct report_centre {
    const char *cost_centre, *name; /* name: NULL if it is not declared */
    char *file_name;                /* chargeback-2026-09-CC-100.xlsx */
    char *folder_name;              /* CC-100; unique, and never begins with a dot */
};

/* The published statement of a month and its centres. */
struct report_centres {
    char period[8];
    const char *month_name, *status, *run_id, *kstar_version;
    int count;
    struct report_centre *centres;
    PGresult *head, *rows; /* these results own the texts */
};

/* Lists the cost centres. The connection must be outside a transaction, and is outside one
 * afterwards. ERROR_INPUT if the month has no statement. The caller frees the result with
 * report_centres_free, also after a failure. */
bool report_centres_list(PGconn *connection, const char *period, struct report_centres *centres,
                         struct error *error);
void report_centres_free(struct report_centres *centres);

/* Whether the workbook at `path` belongs to this centre and to this statement, according to its
 * properties. False for a missing file or a file that is no workbook; *why then gives the reason
 * in a few words. */
bool report_centre_has_written(const struct report_centres *centres, int i, const char *path,
                               const char **why);

/* File names, such as chargeback-2026-09-CC-100.xlsx, for the cost centres in the first column of
 * `centres`, in the order of the rows, with NULL after the last. A name that would collide with
 * another one if case is ignored gets a mark. */
char **centre_file_names(const char *kind, const char *period, const char *ending, const PGresult *centres);
void centre_file_names_free(char **names);

#endif
