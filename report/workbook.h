/* report/workbook.h: a workbook in kstar's dress, over libxlsxwriter.
 *
 * What all sheets share is here: one palette, one format per kind of cell, title block, notes,
 * widths, print setup, and *anchors*: names for cells and ranges, by which a formula on one sheet
 * finds figures on another. Tables of rows are table.h; single figures are figure.h.
 *
 *     struct sheet *sheet = book_add_sheet(book, "Statement", 0, error);
 *     sheet_title(sheet, "Statement");
 *     table_write(sheet, &charged_table, error);
 *
 * Text is only ever written as text: nothing from a bill or a job can become a formula.
 * Rows and columns count from 0.
 */
#ifndef KSTAR_REPORT_WORKBOOK_H
#define KSTAR_REPORT_WORKBOOK_H

#include "base/error.h"
#include "report/book_head.h"
#include "report/formats.h"

#include <libpq-fe.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <xlsxwriter.h>

/* Paper, as Excel numbers it. */
enum paper { PAPER_A3 = 8, PAPER_A4 = 9 };

enum sheet_flag {
    SHEET_STREAMED = 1, /* rows go to a temporary file as they come: for sheets of any length, in row order */
    SHEET_OPTIONAL = 2, /* left out where its count_query (sheets.h) counts no rows */
    SHEET_AGAIN = 4,    /* a further pass over the sheet of this name that stands before it (sheets.h) */
    SHEET_EVERYBODY = 8, /* left out of a cost centre's own workbook */
};

struct book;
struct sheet_table;

/* What a reader sees as one sheet; where rows do not fit it goes on in the next one. */
struct sheet_part {
    lxw_worksheet *worksheet;
    char *name;
};

struct sheet {
    struct book *book;
    lxw_worksheet *worksheet; /* of the part where rows go now */
    char *name;               /* of that part */
    lxw_row_t row;            /* next free row of it */
    lxw_row_t tall_row;       /* the last one with a text of several lines; */
    int tall_lines;           /* how many */
    char *title;              /* as sheet_title got it */
    unsigned flags;
    int part, part_count;
    struct sheet_part *parts;
};

/* A cell or a range with a name; a range has a reference for each part of its sheet. `value` is
 * what the cell shows, `minor_units` the same for money. */
struct anchor {
    char *name;
    int reference_count;
    char **references; /* 'Statement'!$H$6:$H$20 */
    double value;
    int64_t minor_units;
    bool is_below_zero; /* of a range: an amount in it is */
};

/* Begins a workbook for `path`. `head` and `connection` must outlive it. NULL on failure. */
struct book *book_create(const char *path, const struct book_head *head, PGconn *connection,
                         struct error *error);
/* Writes the file, if the book is exact, and frees the book, also on failure. */
bool book_write(struct book *book, struct error *error);
/* Frees a book that is not wanted any more; NULL is fine. May leave a file at its path. */
void book_discard(struct book *book);

const struct book_head *book_head(const struct book *book);
PGconn *book_connection(const struct book *book);
lxw_workbook *book_lxw(struct book *book);
const struct formats *book_formats(const struct book *book);
/* Rows that a sheet may hold before it continues on the next: 1,048,576; a test asks for fewer by
 * the environment variable KSTAR_TEST_ROWS_PER_SHEET. */
lxw_row_t book_rows_per_sheet(const struct book *book);

/* The i-th table written so far, for a sheet that explains columns; NULL after the last. */
void book_add_table(struct book *book, const struct sheet *sheet, const struct sheet_table *table);
const struct sheet_table *book_table(const struct book *book, int i, const struct sheet **sheet);

/* Adds a sheet. The name is made legal (31 characters, no []:*?/\) and unique. NULL on failure. */
struct sheet *book_add_sheet(struct book *book, const char *name, unsigned flags, struct error *error);

/* Gives a sheet another part, to go on in: the last sheet of the book so far. */
bool sheet_add_part(struct sheet *sheet, struct error *error);
/* Goes on in the sheet's next part, which is added where there is none, below the same title. */
bool sheet_go_on(struct sheet *sheet, struct error *error);
/* Goes on there where fewer than so many rows are left. */
bool sheet_make_room(struct sheet *sheet, lxw_row_t rows, struct error *error);
/* The row below the title of a part that goes on. */
lxw_row_t sheet_row_below_title(const struct sheet *sheet);

/* Names a cell or range. A later one of the same name replaces the earlier. */
void book_set_anchor(struct book *book, const char *name, const char *reference, double value,
                     int64_t minor_units);
/* The range of that name goes on in another one. */
void book_extend_anchor(struct book *book, const char *name, const char *reference);
/* An amount of the range of that name lies below zero. */
void book_mark_below_zero(struct book *book, const char *name);
/* A name that was never set is a programmer's mistake: prints BUG and aborts. */
const struct anchor *book_anchor(const struct book *book, const char *name);

/* The formula that a template stands for: {name} is an anchor, {digits} the currency's minor unit
 * digits, [field] whatever `write_field(context, field)` writes. A SUM, SUMIFS or SUMPRODUCT over a
 * range that goes on is the sum of those over its parts; no other function may take such a range.
 * The caller frees it. */
typedef void field_writer(void *context, const char *field, size_t length, FILE *out);
char *book_formula(const struct book *book, const char *template, field_writer *write_field, void *context);

/* A spreadsheet keeps fifteen digits: the largest amount that is exact to the minor unit. */
#define BOOK_MINOR_MAXIMUM INT64_C(999999999999999)

/* minor_units / 10^digits, as the double that is nearest to that decimal. A book with an amount
 * beyond BOOK_MINOR_MAXIMUM is not written: book_is_exact() says so from then on. */
double book_money(struct book *book, int64_t minor_units);
bool book_is_exact(const struct book *book, struct error *error);

/* ---- parts of a sheet; each moves sheet->row below what it wrote ---- */

/* Title, subtitle (status, currency, run, as-of), footer, landscape, fit to width. */
void sheet_title(struct sheet *sheet, const char *title);
void sheet_heading(struct sheet *sheet, const char *text);
void sheet_note(struct sheet *sheet, const char *text); /* one line; runs over the cells to its right */
/* A remark in a cell of its own: small, without border, running over what is to its right. */
void sheet_aside(struct sheet *sheet, lxw_row_t row, lxw_col_t column, const char *text);
void sheet_skip(struct sheet *sheet, int rows);
/* Makes a column at least this many characters wide. */
void sheet_column_width(struct sheet *sheet, lxw_col_t column, double width);
/* A row of column headings; `types` decides their side. */
void sheet_header_cell(struct sheet *sheet, lxw_row_t row, lxw_col_t column, const char *text,
                       enum cell_type type);
/* The same over several columns. */
void sheet_wide_header_cell(struct sheet *sheet, lxw_row_t row, lxw_col_t first, lxw_col_t last,
                            const char *text);
void sheet_header_height(struct sheet *sheet, lxw_row_t row, int lines);

/* Text made safe: control characters become visible, and what a cell cannot hold is cut. */
void sheet_text(struct sheet *sheet, lxw_row_t row, lxw_col_t column, const char *text, enum cell_role role);
/* Text of any length, wrapped in its cell. Its row is made high enough: not every program does that
 * when it opens the file. */
void sheet_long_text(struct sheet *sheet, lxw_row_t row, lxw_col_t column, const char *text,
                     enum cell_role role);
/* Text wrapped over the columns first..last of a row, which is made high enough. */
void sheet_wrapped_text(struct sheet *sheet, lxw_row_t row, lxw_col_t first, lxw_col_t last,
                        const char *text);
/* A number, in a column that is made wide enough for it, as of a value and a formula. */
void sheet_number(struct sheet *sheet, lxw_row_t row, lxw_col_t column, double value, enum cell_type type,
                  enum cell_role role);
/* A value in PostgreSQL's text form, by type; NULL is an empty cell. Returns the number written. */
double sheet_value(struct sheet *sheet, lxw_row_t row, lxw_col_t column, const char *text,
                   enum cell_type type, enum cell_role role);
/* A time in PostgreSQL's text form as spreadsheets count, in days since 1899-12-30; NaN for what is
 * none ("infinity"). */
double sheet_date(const char *text);
void sheet_formula(struct sheet *sheet, lxw_row_t row, lxw_col_t column, const char *formula, double value,
                   enum cell_type type, enum cell_role role);
/* A formula that gives a text just now. */
void sheet_formula_text(struct sheet *sheet, lxw_row_t row, lxw_col_t column, const char *formula,
                        const char *text, enum cell_type type, enum cell_role role);
/* A check: the formula gives a text, TRUE or FALSE (or why it is neither), of which `result` is the
 * cached one. */
void sheet_check(struct sheet *sheet, lxw_row_t row, lxw_col_t column, const char *formula,
                 const char *result);
/* The anchor of a cell: 'Sheet'!$A$1. */
void sheet_anchor(struct sheet *sheet, const char *name, lxw_row_t row, lxw_col_t column, double value,
                  int64_t minor_units);
/* Gives a cell a name for readers and their formulas, such as exchange_rate_EUR: `text` made legal
 * and unique. It should begin with a word, so that it looks like no cell. */
void sheet_define_name(struct sheet *sheet, const char *text, lxw_row_t row, lxw_col_t column);
void sheet_anchor_range(struct sheet *sheet, const char *name, lxw_row_t first_row, lxw_row_t last_row,
                        lxw_col_t column, int64_t checks_failed);
/* Rows in a part of the sheet: of the first part that has any, or after the last one. */
void sheet_anchor_part(struct sheet *sheet, int part, bool goes_on, const char *name, lxw_row_t first_row,
                       lxw_row_t last_row, lxw_col_t column, int64_t checks_failed);

#endif
