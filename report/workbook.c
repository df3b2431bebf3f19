/* report/workbook.c: see workbook.h. */
#define _GNU_SOURCE /* asprintf */
#include "report/workbook.h"

#include "report/workbook_name.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A table that was written, for the sheet that explains columns. */
struct explained {
    const struct sheet *sheet;
    const struct sheet_table *table;
};

struct book {
    const struct book_head *head;
    PGconn *connection;
    lxw_workbook *workbook;
    char *path;
    lxw_row_t rows_per_sheet;
    lxw_format *formats[CELL_TYPE_COUNT][CELL_ROLE_COUNT];
    lxw_format *title, *subtitle, *heading, *note, *aside, *check_failed;
    lxw_format *headers[3]; /* left, centre, right */
    int sheet_count;
    struct sheet **sheets;
    int anchor_count;
    struct anchor *anchors;
    int explained_count;
    struct explained *explained;
};

static void *or_die(void *memory)
{
    if (memory == NULL) {
        fputs("out of memory\n", stderr);
        abort();
    }
    return memory;
}

/* ---- formats ---- */

/* How a type looks. `digits`: the pattern's decimals follow the statement currency. */
static const struct cell_look {
    const char *pattern; /* '#' after the point are for `digits` */
    uint8_t align;
} cell_looks[CELL_TYPE_COUNT] = {
    [CELL_TEXT] = { "@", LXW_ALIGN_LEFT },
    [CELL_MONEY] = { NULL, LXW_ALIGN_RIGHT },
    [CELL_DIFFERENCE] = { NULL, LXW_ALIGN_RIGHT },
    [CELL_EXACT] = { "#,##0.00########", LXW_ALIGN_RIGHT },
    [CELL_PRICE] = { "#,##0.0000", LXW_ALIGN_RIGHT },
    [CELL_NUMBER] = { "0.000000", LXW_ALIGN_RIGHT },
    [CELL_COUNT] = { "#,##0", LXW_ALIGN_RIGHT },
    [CELL_INTEGER] = { "0", LXW_ALIGN_RIGHT },
    [CELL_HOURS] = { "#,##0.00", LXW_ALIGN_RIGHT },
    [CELL_PERCENT] = { "0.0%", LXW_ALIGN_RIGHT },
    [CELL_DATE] = { "yyyy-mm-dd", LXW_ALIGN_LEFT },
    [CELL_TIME] = { "yyyy-mm-dd hh:mm", LXW_ALIGN_LEFT },
    [CELL_YES_NO] = { "@", LXW_ALIGN_CENTER },
    [CELL_CHECK] = { "@", LXW_ALIGN_CENTER },
};

/* "#,##0.00;-#,##0.00", with the currency's digits; zero as a dash where wanted. */
static void money_pattern(int digits, bool dash, char *pattern, size_t size)
{
    char plain[32];
    snprintf(plain, sizeof plain, "#,##0%s%.*s", digits > 0 ? "." : "", digits, "0000000000");
    snprintf(pattern, size, dash ? "%s;-%s;\"–\"" : "%s;-%s", plain, plain);
}

static lxw_format *new_format(struct book *book, int size, bool bold, lxw_color_t colour)
{
    lxw_format *format = or_die(workbook_add_format(book->workbook));
    format_set_font_name(format, "Calibri");
    format_set_font_size(format, size);
    if (bold)
        format_set_bold(format);
    format_set_font_color(format, colour);
    format_set_align(format, LXW_ALIGN_VERTICAL_CENTER);
    return format;
}

static lxw_format *cell_format(struct book *book, enum cell_type type, enum cell_role role)
{
    lxw_format *format = new_format(book, 10, role != ROLE_BODY, COLOUR_INK);
    char pattern[80];
    if (cell_looks[type].pattern == NULL) {
        money_pattern(book->head->minor_unit_digits, type == CELL_MONEY, pattern, sizeof pattern);
        format_set_num_format(format, pattern);
    } else if (type != CELL_CHECK && type != CELL_YES_NO) {
        format_set_num_format(format, cell_looks[type].pattern);
    }
    format_set_align(format, cell_looks[type].align);
    if (cell_looks[type].align == LXW_ALIGN_LEFT)
        format_set_indent(format, 1); /* keeps a text off the number to its left */
    if (role == ROLE_TOTAL) {
        format_set_top(format, LXW_BORDER_THIN);
        format_set_bg_color(format, COLOUR_PALE);
    } else {
        format_set_bottom(format, LXW_BORDER_HAIR);
    }
    format_set_border_color(format, COLOUR_LINE);
    if (role == ROLE_TOTAL)
        format_set_top_color(format, COLOUR_INK);
    return format;
}

static lxw_format *header_format(struct book *book, uint8_t align)
{
    lxw_format *format = new_format(book, 10, true, LXW_COLOR_WHITE);
    format_set_bg_color(format, COLOUR_PRIMARY);
    format_set_text_wrap(format);
    format_set_align(format, align);
    format_set_align(format, LXW_ALIGN_VERTICAL_BOTTOM);
    return format;
}

static void make_formats(struct book *book)
{
    book->title = new_format(book, 16, true, COLOUR_PRIMARY);
    book->subtitle = new_format(book, 10, false, COLOUR_INK);
    book->heading = new_format(book, 12, true, COLOUR_PRIMARY);
    book->note = new_format(book, 9, false, COLOUR_INK);
    format_set_italic(book->note);
    book->aside = new_format(book, 9, false, COLOUR_INK);
    format_set_italic(book->aside);
    format_set_indent(book->aside, 1);
    book->headers[0] = header_format(book, LXW_ALIGN_LEFT);
    format_set_indent(book->headers[0], 1);
    book->headers[1] = header_format(book, LXW_ALIGN_CENTER);
    book->headers[2] = header_format(book, LXW_ALIGN_RIGHT);
    book->check_failed = or_die(workbook_add_format(book->workbook));
    format_set_bold(book->check_failed);
    format_set_font_color(book->check_failed, LXW_COLOR_WHITE);
    format_set_bg_color(book->check_failed, COLOUR_FAILED);
    for (int type = 0; type < CELL_TYPE_COUNT; type++)
        for (int role = 0; role < CELL_ROLE_COUNT; role++)
            book->formats[type][role] = cell_format(book, (enum cell_type)type, (enum cell_role)role);
}

/* ---- the book ---- */

static void set_properties(struct book *book)
{
    const struct book_head *head = book->head;
    char title[256], comments[256];
    char *name = NULL;
    snprintf(title, sizeof title, "%s %s", head->kind, head->period);
    snprintf(comments, sizeof comments, "%s; run %s; kstar %s", head->status, head->run_id, head->kstar_version);
    lxw_doc_properties properties = {
        .title = title,
        .subject = head->cost_centre == NULL ? NULL : (char *)cell_text(head->cost_centre, &name),
        .author = "kstar",
        .comments = comments,
        .created = (time_t)(head->as_of / 1000000),
    };
    workbook_set_properties(book->workbook, &properties);
    free(name);
}

struct book *book_create(const char *path, const struct book_head *head, PGconn *connection,
                         struct error *error)
{
    struct book *book = or_die(calloc(1, sizeof *book));
    book->head = head;
    book->connection = connection;
    book->path = or_die(strdup(path));
    book->workbook = workbook_new(path);
    if (book->workbook == NULL) {
        error_set(error, ERROR_FAILED, "%s: cannot begin a workbook", path);
        book_discard(book);
        return NULL;
    }
    const char *limit = getenv("KSTAR_TEST_ROWS_PER_SHEET");
    long rows = limit != NULL ? strtol(limit, NULL, 10) : 0;
    book->rows_per_sheet = rows > 0 && rows < LXW_ROW_MAX ? (lxw_row_t)rows : LXW_ROW_MAX;
    make_formats(book);
    set_properties(book);
    return book;
}

static void book_free(struct book *book)
{
    for (int i = 0; i < book->sheet_count; i++) {
        free(book->sheets[i]->name);
        free(book->sheets[i]);
    }
    free(book->sheets);
    for (int i = 0; i < book->anchor_count; i++) {
        free(book->anchors[i].name);
        free(book->anchors[i].reference);
    }
    free(book->anchors);
    free(book->explained);
    free(book->path);
    free(book);
}

bool book_write(struct book *book, struct error *error)
{
    lxw_error cause = workbook_close(book->workbook); /* frees the workbook, also on failure */
    bool ok = cause == LXW_NO_ERROR ||
              error_set(error, ERROR_FAILED, "%s: cannot write the workbook: %s", book->path, lxw_strerror(cause));
    book_free(book);
    return ok;
}

void book_discard(struct book *book)
{
    if (book == NULL)
        return;
    if (book->workbook != NULL && book->workbook->num_worksheets > 0)
        workbook_close(book->workbook); /* the one call that also closes its temporary files */
    else if (book->workbook != NULL)
        lxw_workbook_free(book->workbook);
    book_free(book);
}

const struct book_head *book_head(const struct book *book)
{
    return book->head;
}

PGconn *book_connection(const struct book *book)
{
    return book->connection;
}

lxw_workbook *book_lxw(struct book *book)
{
    return book->workbook;
}

lxw_format *book_format(struct book *book, enum cell_type type, enum cell_role role)
{
    return book->formats[type][role];
}

lxw_row_t book_rows_per_sheet(const struct book *book)
{
    return book->rows_per_sheet;
}

double book_money(const struct book *book, int64_t minor_units)
{
    /* Both operands are exact (whole numbers below 2^53), so the quotient is the double nearest to the decimal. */
    static const double powers[] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9 };
    return (double)minor_units / powers[book->head->minor_unit_digits];
}

void book_add_table(struct book *book, const struct sheet *sheet, const struct sheet_table *table)
{
    size_t bytes = (size_t)(book->explained_count + 1) * sizeof *book->explained;
    book->explained = or_die(realloc(book->explained, bytes));
    book->explained[book->explained_count++] = (struct explained){ .sheet = sheet, .table = table };
}

const struct sheet_table *book_table(const struct book *book, int i, const struct sheet **sheet)
{
    if (i >= book->explained_count)
        return NULL;
    *sheet = book->explained[i].sheet;
    return book->explained[i].table;
}

static bool sheet_name_taken(const struct book *book, const char *name)
{
    for (int i = 0; i < book->sheet_count; i++) {
        if (names_collide(book->sheets[i]->name, name))
            return true;
    }
    return false;
}

struct sheet *book_add_sheet(struct book *book, const char *name, unsigned flags, struct error *error)
{
    char *legal = sheet_name_from(name, 1);
    for (int number = 2; sheet_name_taken(book, legal); number++) {
        free(legal);
        legal = sheet_name_from(name, number);
    }
    /* A streamed sheet needs libxlsxwriter's "constant memory"; the others do without, because it keeps the
     * cells that charts and earlier rows need out of reach. The option is read when a sheet is added. */
    book->workbook->options.constant_memory = (flags & SHEET_STREAMED) != 0;
    lxw_worksheet *worksheet = workbook_add_worksheet(book->workbook, legal);
    if (worksheet == NULL) {
        error_set(error, ERROR_FAILED, "%s: cannot add the sheet %s", book->path, legal);
        free(legal);
        return NULL;
    }
    struct sheet *sheet = or_die(calloc(1, sizeof *sheet));
    *sheet = (struct sheet){ .book = book, .worksheet = worksheet, .name = legal };
    book->sheets = or_die(realloc(book->sheets, (size_t)(book->sheet_count + 1) * sizeof *book->sheets));
    book->sheets[book->sheet_count++] = sheet;
    return sheet;
}

/* ---- anchors and formulas ---- */

void book_set_anchor(struct book *book, const char *name, const char *reference, double value,
                     int64_t minor_units)
{
    struct anchor *anchor = NULL;
    for (int i = 0; i < book->anchor_count && anchor == NULL; i++) {
        if (strcmp(book->anchors[i].name, name) == 0)
            anchor = &book->anchors[i];
    }
    if (anchor == NULL) {
        size_t bytes = (size_t)(book->anchor_count + 1) * sizeof *book->anchors;
        book->anchors = or_die(realloc(book->anchors, bytes));
        anchor = &book->anchors[book->anchor_count++];
        *anchor = (struct anchor){ .name = or_die(strdup(name)) };
    }
    free(anchor->reference);
    anchor->reference = or_die(strdup(reference));
    anchor->value = value;
    anchor->minor_units = minor_units;
}

static const struct anchor *find_anchor(const struct book *book, const char *name, size_t length)
{
    for (int i = 0; i < book->anchor_count; i++) {
        const struct anchor *anchor = &book->anchors[i];
        if (strncmp(anchor->name, name, length) == 0 && anchor->name[length] == '\0')
            return anchor;
    }
    fprintf(stderr, "BUG: no anchor is named %.*s\n", (int)length, name);
    abort();
}

const struct anchor *book_anchor(const struct book *book, const char *name)
{
    return find_anchor(book, name, strlen(name));
}

char *book_formula(const struct book *book, const char *template, field_writer *write_field, void *context)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = or_die(open_memstream(&text, &size));
    for (const char *c = template; *c != '\0';) {
        if (*c != '{' && *c != '[') {
            fputc(*c++, out);
            continue;
        }
        size_t length = strcspn(c + 1, "]}");
        if (*c == '[')
            write_field(context, c + 1, length, out);
        else if (length == 6 && strncmp(c + 1, "digits", length) == 0)
            fprintf(out, "%d", book->head->minor_unit_digits);
        else
            fputs(find_anchor(book, c + 1, length)->reference, out);
        c += length + 2;
    }
    fclose(out);
    return or_die(text);
}

static void set_range(struct sheet *sheet, const char *name, const char *range, double value, int64_t minor_units)
{
    char *quoted = or_die(lxw_quote_sheetname(sheet->name));
    char *reference = NULL;
    if (asprintf(&reference, "%s!%s", quoted, range) < 0)
        or_die(NULL);
    book_set_anchor(sheet->book, name, reference, value, minor_units);
    free(reference);
    free(quoted);
}

void sheet_anchor(struct sheet *sheet, const char *name, lxw_row_t row, lxw_col_t column, double value,
                  int64_t minor_units)
{
    char cell[LXW_MAX_CELL_NAME_LENGTH];
    lxw_rowcol_to_cell_abs(cell, row, column, 1, 1);
    set_range(sheet, name, cell, value, minor_units);
}

void sheet_anchor_range(struct sheet *sheet, const char *name, lxw_row_t first_row, lxw_row_t last_row,
                        lxw_col_t column, int64_t checks_failed)
{
    char range[LXW_MAX_CELL_RANGE_LENGTH];
    char first[LXW_MAX_CELL_NAME_LENGTH], last[LXW_MAX_CELL_NAME_LENGTH];
    lxw_rowcol_to_cell_abs(first, first_row, column, 1, 1);
    lxw_rowcol_to_cell_abs(last, last_row, column, 1, 1);
    snprintf(range, sizeof range, "%s:%s", first, last);
    set_range(sheet, name, range, 0, checks_failed);
}

/* ---- parts of a sheet ---- */

void sheet_title(struct sheet *sheet, const char *title)
{
    const struct book_head *head = sheet->book->head;
    char as_of[32];
    size_t length = time_format(head->as_of, as_of);
    char text[512];
    char *owned = NULL;

    worksheet_set_landscape(sheet->worksheet);
    worksheet_set_paper(sheet->worksheet, PAPER_A4);
    worksheet_fit_to_pages(sheet->worksheet, 1, 0);
    worksheet_set_margins(sheet->worksheet, 0.4, 0.4, 0.5, 0.6);
    worksheet_gridlines(sheet->worksheet, LXW_HIDE_ALL_GRIDLINES);
    snprintf(text, sizeof text, "&L&8%s %s · %s · %s&R&8Page &P of &N", head->kind, head->period, sheet->name,
             head->status);
    if (strpbrk(sheet->name, "&") == NULL)
        worksheet_set_footer(sheet->worksheet, text);
    else
        worksheet_set_footer(sheet->worksheet, "&R&8Page &P of &N");

    worksheet_set_row(sheet->worksheet, sheet->row, 24, NULL);
    snprintf(text, sizeof text, "%s · %s", title, head->month_name);
    worksheet_write_string(sheet->worksheet, sheet->row++, 0, text, sheet->book->title);
    if (head->cost_centre != NULL) {
        bool named = head->cost_centre_name != NULL;
        snprintf(text, sizeof text, "Cost centre %.100s%s%.300s", head->cost_centre, named ? ": " : "",
                 named ? head->cost_centre_name : "");
        const char *safe = cell_text(text, &owned);
        worksheet_write_string(sheet->worksheet, sheet->row++, 0, safe, sheet->book->heading);
    }
    snprintf(text, sizeof text, "%s · amounts in %s · as of %.*s UTC · run %.12s", head->status, head->currency,
             length > 16 ? 16 : (int)length, as_of, head->run_id);
    char *t = strchr(text, 'T'); /* 2026-10-02T03:00 */
    for (; t != NULL && !(t[1] >= '0' && t[1] <= '9'); t = strchr(t + 1, 'T'))
        ;
    if (t != NULL)
        *t = ' ';
    worksheet_write_string(sheet->worksheet, sheet->row++, 0, text, sheet->book->subtitle);
    sheet->row++;
    free(owned);
}

void sheet_heading(struct sheet *sheet, const char *text)
{
    worksheet_set_row(sheet->worksheet, sheet->row, 20, NULL);
    worksheet_write_string(sheet->worksheet, sheet->row++, 0, text, sheet->book->heading);
}

void sheet_note(struct sheet *sheet, const char *text)
{
    char *owned;
    worksheet_write_string(sheet->worksheet, sheet->row++, 0, cell_text(text, &owned), sheet->book->note);
    free(owned);
}

void sheet_aside(struct sheet *sheet, lxw_row_t row, lxw_col_t column, const char *text)
{
    char *owned;
    worksheet_write_string(sheet->worksheet, row, column, cell_text(text, &owned), sheet->book->aside);
    free(owned);
}

void sheet_skip(struct sheet *sheet, int rows)
{
    sheet->row += (lxw_row_t)rows;
}

void sheet_header_cell(struct sheet *sheet, lxw_row_t row, lxw_col_t column, const char *text, enum cell_type type)
{
    uint8_t align = cell_looks[type].align;
    int side = align == LXW_ALIGN_LEFT ? 0 : align == LXW_ALIGN_CENTER ? 1 : 2;
    worksheet_write_string(sheet->worksheet, row, column, text, sheet->book->headers[side]);
}

void sheet_header_height(struct sheet *sheet, lxw_row_t row, int lines)
{
    worksheet_set_row(sheet->worksheet, row, 6 + 13.5 * lines, NULL);
}

void sheet_column_width(struct sheet *sheet, lxw_col_t column, double width)
{
    lxw_worksheet *worksheet = sheet->worksheet;
    const lxw_col_options *now = column < worksheet->col_options_max ? worksheet->col_options[column] : NULL;
    if (now == NULL || now->width < width)
        worksheet_set_column(worksheet, column, column, width, NULL);
}

void sheet_text(struct sheet *sheet, lxw_row_t row, lxw_col_t column, const char *text, enum cell_role role)
{
    char *owned;
    worksheet_write_string(sheet->worksheet, row, column, cell_text(text, &owned),
                           sheet->book->formats[CELL_TEXT][role]);
    free(owned);
}

/* Days since 1899-12-30, as spreadsheets count; NAN for a text that is no time ("infinity"). */
static double serial_date(const char *text)
{
    time_us time;
    if (!time_parse(text, strlen(text), &time))
        return NAN;
    return 25569.0 + (double)(time / 1000000) / 86400.0;
}

double sheet_value(struct sheet *sheet, lxw_row_t row, lxw_col_t column, const char *text, enum cell_type type,
                   enum cell_role role)
{
    lxw_format *format = sheet->book->formats[type][role];
    double value = 0;
    if (text == NULL) {
        worksheet_write_blank(sheet->worksheet, row, column, format);
        return 0;
    }
    switch (type) {
    case CELL_TEXT:
        sheet_text(sheet, row, column, text, role);
        return 0;
    case CELL_YES_NO:
        worksheet_write_string(sheet->worksheet, row, column, text[0] == 't' ? "Yes" : "No", format);
        return 0;
    case CELL_CHECK:
        worksheet_write_string(sheet->worksheet, row, column, text[0] == 't' ? "TRUE" : "FALSE", format);
        return 0;
    case CELL_MONEY:
    case CELL_DIFFERENCE:
        value = book_money(sheet->book, strtoll(text, NULL, 10));
        break;
    case CELL_DATE:
    case CELL_TIME:
        value = serial_date(text);
        break;
    case CELL_EXACT:
    case CELL_PRICE:
    case CELL_NUMBER:
    case CELL_COUNT:
    case CELL_INTEGER:
    case CELL_HOURS:
    case CELL_PERCENT:
    case CELL_TYPE_COUNT:
        value = strtod(text, NULL);
        break;
    }
    if (isfinite(value))
        worksheet_write_number(sheet->worksheet, row, column, value, format);
    else
        sheet_text(sheet, row, column, text, role);
    return value;
}

void sheet_formula(struct sheet *sheet, lxw_row_t row, lxw_col_t column, const char *formula, double value,
                   enum cell_type type, enum cell_role role)
{
    worksheet_write_formula_num(sheet->worksheet, row, column, formula, sheet->book->formats[type][role], value);
}

void sheet_check(struct sheet *sheet, lxw_row_t row, lxw_col_t column, const char *formula, const char *result)
{
    lxw_conditional_format failed = {
        .type = LXW_CONDITIONAL_TYPE_CELL,
        .criteria = LXW_CONDITIONAL_CRITERIA_EQUAL_TO,
        .value_string = "\"FALSE\"",
        .format = sheet->book->check_failed,
    };
    worksheet_write_formula_str(sheet->worksheet, row, column, formula,
                                sheet->book->formats[CELL_CHECK][ROLE_FIGURE], result);
    worksheet_conditional_format_cell(sheet->worksheet, row, column, &failed);
}
