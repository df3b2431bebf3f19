/* report/page/page_table.h: the rows of a query as an HTML table. */
#ifndef KSTAR_REPORT_PAGE_PAGE_TABLE_H
#define KSTAR_REPORT_PAGE_PAGE_TABLE_H

#include <libpq-fe.h>
#include <stdio.h>

struct page_column {
    const char *heading, *name; /* name: the query's column */
    enum { PAGE_TEXT, PAGE_NUMBER, PAGE_CODE } type;
};

/* The text of a column by its name; NULL if it is null or the query has no such column. */
const char *page_value(const PGresult *rows, int row, const char *name);

/* Writes a table, which scrolls by itself on a narrow phone. `caption` describes the table for
 * screen readers. The first column has the row headings. A column that is empty in every row is not
 * written. Rows whose column is_total is true come last and become the table's foot. */
void page_table(FILE *out, const char *caption, const struct page_column *columns, const PGresult *rows);

#endif
