/* report/books.h: writes a month's workbooks in parallel, one per processor, of one snapshot.
 *
 * The caller's transaction (REPEATABLE READ) lends its snapshot to the others; each is a process
 * with a connection of its own. What is in a file does not depend on who writes it.
 */
#ifndef KSTAR_REPORT_BOOKS_H
#define KSTAR_REPORT_BOOKS_H

#include "report/workbook.h"

typedef bool book_filler(struct book *book, struct error *error);

struct book_task {
    char *name;       /* of the file; owned */
    const char *kind; /* "Chargeback" */
    book_filler *fill;
    const char *cost_centre, *cost_centre_name; /* NULL: everybody's */
    unsigned group;                             /* the caller's: what it is noted with */
    bool is_written, is_changed;                /* set by books_write(), which leaves alone what is written */
};

/* Where and of what: the head of the statement without a scope, the month as "2026-09-01". */
struct book_place {
    PGconn *connection; /* in a transaction that has run report/01_lines.sql and 02_results.sql */
    const struct book_head *head;
    const char *month, *out_dir;
    int writers; /* side by side at most; 0: as many as processors */
};

/* Writes one workbook aside over the given connection, has it checked, and puts it at `path`. */
bool book_publish(const char *path, const struct book_head *head, PGconn *connection, book_filler *fill,
                  bool *is_changed, struct error *error);

/* Writes them in order. On failure the first error; what was published stays. */
bool books_write(const struct book_place *place, struct book_task *tasks, int count, struct error *error);

#endif
