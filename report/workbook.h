/* report/workbook.h: a workbook in kstar's style, on top of libxlsxwriter.
 *
 * All sheets share the following: one palette, one format for each kind of cell, title block,
 * notes, widths, print setup, and anchors. An *anchor* is a name for a cell or range, by which a
 * formula on one sheet finds figures on another. Tables of rows are in table.h, single figures in
 * figure.h.
 *
 *     struct sheet *sheet = book_add_sheet(book, "Statement", 0, error);
 *     sheet_title(sheet, "Statement");
 *     table_write(sheet, &charged_table, error);
 *
 * Text is always written as text: nothing from a bill or a job can become a formula. Rows and
 * columns count from 0.
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

/* Paper sizes by Excel's numbers. */
enum paper { PAPER_A3 = 8, PAPER_A4 = 9 };

enum sheet_flag {
    /* rows are written to a temporary file at once, in row order: for sheets of any length */
    SHEET_STREAMED = 1,
    SHEET_OPTIONAL = 2,  /* omitted if its count_query (sheets.h) gives 0 */
    SHEET_AGAIN = 4,     /* fills the earlier sheet of this name again (sheets.h) */
    SHEET_EVERYBODY = 8, /* omitted from a cost centre's own workbook */
    /* the program shows it on demand (Unhide): formulas read it, people seldom */
    SHEET_HIDDEN = 32,
};

struct book;
struct sheet_table;

/* One sheet for the reader. If it has more rows than Excel allows, it continues in a further
 * part. */
struct sheet_part {
    lxw_worksheet *worksheet;
    char *name;
};

struct sheet {
    struct book *book;
    lxw_worksheet *worksheet; /* of the current part */
    char *name;               /* its name */
    lxw_row_t row;            /* its next free row */
    lxw_row_t tall_row;       /* the last row with a text of several lines */
    int tall_lines;           /* number of its lines */
    char *title;              /* as passed to sheet_title */
    unsigned flags;
    int part, part_count;
    struct sheet_part *parts;
};

/* A named cell or range. A range has one reference for each part of its sheet. `value` is the
 * cell's value; for money, `minor_units` is the exact amount. */
struct anchor {
    char *name;
    int reference_count;
    char **references; /* 'Statement'!$H$6:$H$20 */
    double value;
    int64_t minor_units;
    bool is_below_zero; /* of a range: it holds an amount below zero */
};

/* Creates a workbook for `path`. `head` and `connection` must outlive it. NULL on failure. */
struct book *book_create(const char *path, const struct book_head *head, PGconn *connection,
                         struct error *error);
/* Writes the file, if the book is exact, and frees the book, also on failure. */
bool book_write(struct book *book, struct error *error);
/* Frees a book without writing it; `book` may be NULL. May leave a file at its path. */
void book_discard(struct book *book);

const struct book_head *book_head(const struct book *book);
PGconn *book_connection(const struct book *book);
lxw_workbook *book_lxw(struct book *book);
const struct formats *book_formats(const struct book *book);
/* The most rows of a sheet: 1,048,576. Tests set a smaller number with the environment variable
 * KSTAR_TEST_ROWS_PER_SHEET. */
lxw_row_t book_rows_per_sheet(const struct book *book);

/* The i-th table written so far, for a sheet that explains columns; NULL after the last. */
void book_add_table(struct book *book, const struct sheet *sheet, const struct sheet_table *table);
const struct sheet_table *book_table(const struct book *book, int i, const struct sheet **sheet);

/* Adds a sheet. The name is made legal (31 characters, no []:*?/\) and unique. NULL on failure. */
struct sheet *book_add_sheet(struct book *book, const char *name, unsigned flags, struct error *error);

/* Adds a further part to a sheet. The sheet must be the last one of the book. */
bool sheet_add_part(struct sheet *sheet, struct error *error);
/* Continues in the sheet's next part, below the same title. Adds the part if there is none. */
bool sheet_go_on(struct sheet *sheet, struct error *error);
/* Continues in the next part if fewer than `rows` rows are left. */
bool sheet_make_room(struct sheet *sheet, lxw_row_t rows, struct error *error);
/* The first row below the title of a further part. */
lxw_row_t sheet_row_below_title(const struct sheet *sheet);

/* Marks a named range: it holds an amount below zero. */
void book_mark_below_zero(struct book *book, const char *name);
/* Finds an anchor. A missing name is a defect of kstar: prints BUG and aborts. */
const struct anchor *book_anchor(const struct book *book, const char *name);
/* Whether all anchors of a template exist: the sheet of some may be empty and not written. */
bool book_knows(const struct book *book, const char *template);

/* Expands a template to a formula. {name} becomes the anchor's reference, {digits} the number of
 * the currency's minor digits, and [field] the text that `write_field(context, field)` writes.
 * If a range has several parts, SUM, SUMIFS and SUMPRODUCT become the sum over the parts; no
 * other function may use such a range. The caller frees the result. */
typedef void field_writer(void *context, const char *field, size_t length, FILE *out);
char *book_formula(const struct book *book, const char *template, field_writer *write_field, void *context);

/* The largest amount that a spreadsheet holds exactly in minor units: it keeps fifteen digits. */
#define BOOK_MINOR_MAXIMUM INT64_C(999999999999999)

/* Returns minor_units / 10^digits as the nearest double. After an amount above
 * BOOK_MINOR_MAXIMUM, book_is_exact() fails and the book is not written. */
double book_money(struct book *book, int64_t minor_units);
bool book_is_exact(const struct book *book, struct error *error);

/* ---- parts of a sheet; each function moves sheet->row below its output ---- */

/* Writes title and subtitle (status, currency, run, as-of), and sets footer, landscape and fit
 * to width. */
void sheet_title(struct sheet *sheet, const char *title);
void sheet_heading(struct sheet *sheet, const char *text);
/* one line; it may extend over the cells to its right */
void sheet_note(struct sheet *sheet, const char *text);
/* A remark in its own cell: small, without border. It may extend over the cells to its right. */
void sheet_aside(struct sheet *sheet, lxw_row_t row, lxw_col_t column, const char *text);
void sheet_skip(struct sheet *sheet, int rows);
/* Makes a column at least this many characters wide. */
void sheet_column_width(struct sheet *sheet, lxw_col_t column, double width);
/* Writes a column heading, aligned like cells of the type. */
void sheet_header_cell(struct sheet *sheet, lxw_row_t row, lxw_col_t column, const char *text,
                       enum cell_type type);
/* The same across several columns. */
void sheet_wide_header_cell(struct sheet *sheet, lxw_row_t row, lxw_col_t first, lxw_col_t last,
                            const char *text);
void sheet_header_height(struct sheet *sheet, lxw_row_t row, int lines);

/* Writes a text. Control characters are made visible, and a text that is too long for a cell is
 * cut. */
void sheet_text(struct sheet *sheet, lxw_row_t row, lxw_col_t column, const char *text, enum cell_role role);
/* Writes a long text, wrapped in its cell. The row is made high enough, because some programs do
 * not adjust heights when they open a file. */
void sheet_long_text(struct sheet *sheet, lxw_row_t row, lxw_col_t column, const char *text,
                     enum cell_role role);
/* Writes a text wrapped across the columns first..last, and makes the row high enough. */
void sheet_wrapped_text(struct sheet *sheet, lxw_row_t row, lxw_col_t first, lxw_col_t last,
                        const char *text);
/* Writes a number and makes its column wide enough, as sheet_value and sheet_formula do. */
void sheet_number(struct sheet *sheet, lxw_row_t row, lxw_col_t column, double value, enum cell_type type,
                  enum cell_role role);
/* Writes a value from PostgreSQL's text form, by type. NULL gives an empty cell. Returns the
 * number written. */
double sheet_value(struct sheet *sheet, lxw_row_t row, lxw_col_t column, const char *text,
                   enum cell_type type, enum cell_role role);
/* Converts a time from PostgreSQL's text form to days since 1899-12-30, as spreadsheets count.
 * NaN for "infinity". */
double sheet_date(const char *text);
void sheet_formula(struct sheet *sheet, lxw_row_t row, lxw_col_t column, const char *formula, double value,
                   enum cell_type type, enum cell_role role);
/* A formula whose result is a text. */
void sheet_formula_text(struct sheet *sheet, lxw_row_t row, lxw_col_t column, const char *formula,
                        const char *text, enum cell_type type, enum cell_role role);
/* A check. The formula gives TRUE, FALSE or the reason why it is neither; `result` is the cached
 * text. */
void sheet_check(struct sheet *sheet, lxw_row_t row, lxw_col_t column, const char *formula,
                 const char *result);
/* Names a cell: 'Sheet'!$A$1. */
void sheet_anchor(struct sheet *sheet, const char *name, lxw_row_t row, lxw_col_t column, double value,
                  int64_t minor_units);
/* Defines a workbook name for a cell, for readers and their formulas, such as exchange_rate_EUR.
 * `text` is made legal and unique. It should begin with a word, so that it does not look like a
 * cell. */
void sheet_define_name(struct sheet *sheet, const char *text, lxw_row_t row, lxw_col_t column);
void sheet_anchor_range(struct sheet *sheet, const char *name, lxw_row_t first_row, lxw_row_t last_row,
                        lxw_col_t column);
/* Names rows in a part of the sheet: the first part with rows, or a continuation. */
void sheet_anchor_part(struct sheet *sheet, int part, bool goes_on, const char *name, lxw_row_t first_row,
                       lxw_row_t last_row, lxw_col_t column, int64_t checks_failed);

#endif
