/* report/table.h: rows of a query as a table on a sheet: headings, cells, totals, filter, and names
 * by which formulas on other sheets find its columns.
 *
 * A table is defined as data: a query and an array of columns, which one loop writes. Rows are
 * streamed from the server, so a table on a streamed sheet needs no memory for its length. If a
 * sheet is full, the table continues in the sheet's next part, and later output follows there.
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
 * A table called `charged` sets two anchors: {charged.charged_minor}, the column's cells, and
 * {charged.charged_minor.total}, its total.
 */
#ifndef KSTAR_REPORT_TABLE_H
#define KSTAR_REPORT_TABLE_H

#include "report/workbook.h"

/* On paper, a longer table on a streamed sheet has only its first rows. */
enum { TABLE_ROWS_ON_PAPER = 200 };

/* The text of a check whose query value is NULL. Its formula must give the same text. */
#define CHECK_NOT_KNOWN "not known"

struct sheet_column {
    const char *heading; /* NULL ends the array */
    /* column of the query; NULL: an empty cell, to align the columns with those of another table */
    const char *field;
    enum cell_type type;
    double width; /* characters */
    /* of a last column with text: wrapped across this many columns; not on streamed sheets */
    int span;
    bool wraps; /* a long text: wrapped into as many lines as it needs */
    bool total; /* a formula below the column adds it up */
    bool input; /* an input: shaded, not locked, and checked when it is typed */
    /* of an input: the allowed values, NULL after the last; NULL: any value of its type */
    const char *const *choices;
    /* the cell is this formula (workbook.h: book_formula), and the query's value its cached
     * result. [field] is a cell of the same row, [field^] of the row above. NULL: the value
     * itself. A CELL_CHECK must have a formula */
    const char *formula;
    /* if the query's value is NULL, the formula gives an empty text; otherwise such a cell has
     * no formula */
    bool may_be_empty;
    const char *flag; /* a cell with this text is highlighted; "Yes" of a CELL_YES_NO */
    /* each cell gets a name: this word and the text of the query's column `named_by` */
    const char *named;
    const char *named_by;
    const char *meaning; /* for the sheet "About"; NULL if the heading needs no explanation */
};

struct sheet_table {
    const char *name;
    const char *query; /* file of sql/; it reads kstar.statement_month and kstar.cost_centre */
    const char *rest;  /* query for further rows; a column that it lacks stays empty. NULL: none */
    const char *part;  /* $1 of a query that several tables share; NULL: it has none */
    const struct sheet_column *columns;
    int column_count;    /* show only the first column_count columns; 0: all */
    const char *heading; /* above the table, or NULL */
    const char *note;    /* below the heading, or NULL */
    const char *none;    /* the text of a table without rows; NULL: "None this month" */
    bool alone;          /* the only table of its sheet: filter, frozen and repeated headings */
    /* of several tables on a sheet, the one with the filter and the headings repeated on paper */
    bool main;
    bool is_sparse;     /* empty cells are not written: for many rows with few filled columns */
    int frozen_columns; /* only for a table that is alone on its sheet */
};

/* Writes the table at sheet->row and moves sheet->row below it. *rows, if not NULL, is the
 * number of rows. */
bool table_write(struct sheet *sheet, const struct sheet_table *table, int64_t *rows, struct error *error);

/* The number of rows that a part of a sheet can hold below its title. */
lxw_row_t table_room(const struct sheet *sheet);

/* The number of columns that the table shows. */
int table_column_count(const struct sheet_table *table);

/* Sets the widths of columns for a table that is written later on the sheet. */
void table_set_widths(struct sheet *sheet, const struct sheet_table *table);

#endif
