/* report/table.h: rows of a query as a table on a sheet: headings, cells, totals, filter, and the
 * names by which formulas elsewhere find its columns.
 *
 * A table is data: a query and an array of columns, walked by one loop. Rows are streamed from the
 * server, so a table on a streamed sheet needs no memory for its length; where a sheet is full it
 * goes on in the sheet's next part, and what is written to the sheet after it stands there, too.
 *
 *     static const struct sheet_column columns[] = {
 *         { "Cost centre", "cost_centre", CELL_TEXT, 16, .meaning = "Who is charged" },
 *         { "Charged", "charged_minor", CELL_MONEY, 14, .total = true },
 *         { NULL }
 *     };
 *     static const struct sheet_table charged = {
 *         "charged", "report/charged.sql", columns, .alone = true
 *     };
 *
 * Anchors that a table called `charged` sets: {charged.charged_minor}, the column's cells, and
 * {charged.charged_minor.total}, its total.
 */
#ifndef KSTAR_REPORT_TABLE_H
#define KSTAR_REPORT_TABLE_H

#include "report/workbook.h"

/* What a check shows whose query value is NULL; its formula must give the same. */
#define CHECK_NOT_KNOWN "not known"

struct sheet_column {
    const char *heading; /* NULL ends the array */
    const char *field;   /* column of the query; NULL: an empty cell, to stand in line with another table */
    enum cell_type type;
    double width; /* characters */
    int span;   /* of the last column, a text: it is wrapped over this many columns; not on streamed sheets */
    bool wraps; /* a text of any length: in as many lines as it needs */
    bool total; /* a live sum under the column */
    bool input; /* for people to fill in: shaded, not locked, checked by its type as it is typed */
    const char *const *choices; /* of an input: one of these, NULL ends them; NULL: anything of its type */
    const char *formula; /* the cell is this formula (workbook.h: book_formula; [field] is a cell of the same
                            row, [field^] of the row above) and the query's value its cached result; NULL: the
                            value itself. A CELL_CHECK must have one */
    bool may_be_empty;   /* the formula gives an empty text where the query's value is NULL; else such a cell
                            has none */
    const char *flag;    /* this text in the cell is made to stand out; "Yes" of a CELL_YES_NO */
    const char *named;   /* each cell gets a name: this word and the text of the query's column `named_by` */
    const char *named_by;
    const char *meaning; /* for the sheet that explains columns; NULL where the heading says it all */
};

struct sheet_table {
    const char *name;
    const char *query; /* file of sql/; reads the settings kstar.statement_month and kstar.cost_centre */
    const char
        *rest; /* of rows that come after the query's; what it has no column for is empty. NULL: none */
    const char *part; /* its $1, of a query that several tables share; NULL: it has none */
    const struct sheet_column *columns;
    int column_count;    /* only the first so many of them; 0: all */
    const char *heading; /* above the table, or NULL */
    const char *note;    /* below the heading, or NULL */
    const char *none;    /* what stands there without rows; NULL: "None this month" */
    bool alone;          /* the only table of its sheet: filter, frozen and repeated headings */
    bool main;          /* of several on its sheet the one whose headings are repeated on paper, and filter */
    bool is_sparse;     /* empty cells are not written: many rows, few of whose columns apply */
    int frozen_columns; /* of a table that stands alone */
};

/* Writes it at sheet->row and moves that below. *rows (if not NULL) is the number of rows. */
bool table_write(struct sheet *sheet, const struct sheet_table *table, int64_t *rows, struct error *error);

/* How many rows a part of a sheet holds below its title. */
lxw_row_t table_room(const struct sheet *sheet);

/* Names the columns of a table that is written later, for formulas above it: with so many rows, its
 * column headings in that row of the sheet's present part. */
bool table_announce(struct sheet *sheet, const struct sheet_table *table, lxw_row_t header, int64_t rows,
                    struct error *error);

/* How many columns it shows. */
int table_column_count(const struct sheet_table *table);

/* Makes the columns as wide as a table needs that comes later on the sheet. */
void table_set_widths(struct sheet *sheet, const struct sheet_table *table);

#endif
