/* report/page/page.h: a month's page: one HTML file without scripts or outside parts, for all cost
 * centres or for one of them.
 *
 * The page of a cost centre shows only its own rows: every query reads the scope
 * (sql/report/scope.sql). docs/workbooks.md, Page, describes the page. */
#ifndef KSTAR_REPORT_PAGE_PAGE_H
#define KSTAR_REPORT_PAGE_PAGE_H

#include "base/error.h"
#include "report/book_head.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* Writes a page to a temporary file and moves it to `path` if the bytes differ from the file there.
 * The connection has run page/tables.sql and has its tables filled (page/fill.sql). */
bool page_publish(const char *path, const struct book_head *head, PGconn *connection, bool *is_changed,
                  struct error *error);

/* The same for the CSV beside the page of a cost centre. Its rows add up to the true cost. */
bool page_lines_publish(const char *path, const struct book_head *head, PGconn *connection, bool *is_changed,
                        struct error *error);

#endif
