/* report/centres.h: the cost centres that have a workbook of their own, and which file and folder
 * are theirs: for whoever hands workbooks to their owners. */
#ifndef KSTAR_REPORT_CENTRES_H
#define KSTAR_REPORT_CENTRES_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* The kind of their workbooks (struct book_head). */
#define CENTRE_BOOK_KIND "Chargeback"

struct report_centre {
    const char *cost_centre, *name; /* name: NULL where it is not declared */
    char *file_name;                /* chargeback-2026-09-CC-100.xlsx */
    char *folder_name;              /* CC-100; no two are the same, and none begins with a dot */
};

/* The published statement of a month and its centres. */
struct report_centres {
    char period[8];
    const char *month_name, *status, *run_id, *kstar_version;
    int count;
    struct report_centre *centres;
    PGresult *head, *rows; /* own the texts above */
};

/* Lists them. The connection must be outside a transaction and is so afterwards. A month without a
 * statement is ERROR_INPUT. Freed by report_centres_free, also after a failure. */
bool report_centres_list(PGconn *connection, const char *period, struct report_centres *centres,
                         struct error *error);
void report_centres_free(struct report_centres *centres);

/* Whether the workbook at `path` is that of this centre, of this statement: by what stands in its
 * properties. A file that is not there, or is no workbook, is not; `why` says so in a few words. */
bool report_centre_has_written(const struct report_centres *centres, int i, const char *path,
                               const char **why);

/* The file names of the cost centres in the rows' first column, in their order, ended by NULL; one
 * that would collide with another where case is ignored is marked. The caller frees each and the
 * list. */
char **centre_file_names(const char *period, const PGresult *centres);

#endif
