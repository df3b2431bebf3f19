/* report/books.h: writes a month's workbooks in parallel from one snapshot, one writer for each
 * processor.
 *
 * The caller's transaction (REPEATABLE READ) exports its snapshot. Each further writer is a
 * process with its own connection on that snapshot. The content of a file does not depend on which
 * writer writes it.
 */
#ifndef KSTAR_REPORT_BOOKS_H
#define KSTAR_REPORT_BOOKS_H

#include "report/workbook.h"

typedef bool book_filler(struct book *book, struct error *error);

/* Writes another file than a workbook, whole or not at all. */
typedef bool book_publisher(const char *path, const struct book_head *head, PGconn *connection,
                            bool *is_changed, struct error *error);

struct book_task {
    char *name;       /* of the file; owned */
    const char *kind; /* "Chargeback" */
    book_filler *fill;
    book_publisher *publish; /* of a file that is no workbook; NULL: `fill` makes a workbook */
    const char *cost_centre, *cost_centre_name; /* NULL: the workbook of all cost centres */
    /* for the caller: the group in which it notes the file */
    unsigned group;
    /* set by books_write(), which skips written tasks */
    bool is_written, is_changed;
};

/* Where to write, and for which month: the head of the statement without a cost centre, and the
 * month as "2026-09-01". */
struct book_place {
    PGconn *connection; /* in a transaction that has run report/01_lines.sql to 04_workbooks.sql */
    const struct book_head *head;
    const char *month, *out_dir;
    int writers; /* the most parallel writers; 0: one for each processor */
};

/* Writes one workbook to a temporary file over the given connection, checks it, and moves it to
 * `path`. */
bool book_publish(const char *path, const struct book_head *head, PGconn *connection, book_filler *fill,
                  bool *is_changed, struct error *error);

/* Writes the workbooks in order. On failure returns the first error; workbooks that were
 * published before it stay. */
bool books_write(const struct book_place *place, struct book_task *tasks, int count, struct error *error);

#endif
