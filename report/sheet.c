/* report/sheet.c: the parts of a sheet; see workbook.h. */
#include "report/workbook.h"
#include "report/workbook_name.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static lxw_format *part(const struct sheet *sheet, enum part_style style)
{
    return book_formats(sheet->book)->parts[style];
}

/* Writes `text`, frees it, and moves to the next row. */
static void write_line(struct sheet *sheet, char *text, enum part_style style)
{
    char *owned;
    worksheet_write_string(sheet->worksheet, sheet->row++, 0, cell_text(text, &owned), part(sheet, style));
    free(owned);
    free(text);
}

static void set_up_page(struct sheet *sheet)
{
    const struct book_head *head = book_head(sheet->book);
    worksheet_set_landscape(sheet->worksheet);
    worksheet_set_paper(sheet->worksheet, PAPER_A4);
    worksheet_fit_to_pages(sheet->worksheet, 1, 0);
    worksheet_set_margins(sheet->worksheet, 0.4, 0.4, 0.5, 0.6);
    worksheet_gridlines(sheet->worksheet, LXW_HIDE_ALL_GRIDLINES);
    /* An ampersand starts a code in a footer, so a name with one is omitted. */
    bool plain = strchr(sheet->name, '&') == NULL;
    char *footer = text_of("&L&8%s %s%s%s · %s&R&8Page &P of &N", head->kind, head->period,
                           plain ? " · " : "", plain ? sheet->name : "", head->status);
    worksheet_set_footer(sheet->worksheet, footer);
    free(footer);
}

void sheet_title(struct sheet *sheet, const char *title)
{
    const struct book_head *head = book_head(sheet->book);
    char as_of[32];
    time_format(head->as_of, as_of);
    if (sheet->title == NULL)
        sheet->title = text_of("%s", title);
    set_up_page(sheet);
    worksheet_set_row(sheet->worksheet, sheet->row, 24, NULL);
    write_line(sheet, text_of("%s · %s", title, head->month_name), PART_TITLE);
    if (head->cost_centre != NULL && head->cost_centre_name != NULL)
        write_line(sheet, text_of("Cost centre %s: %s", head->cost_centre, head->cost_centre_name),
                   PART_HEADING);
    else if (head->cost_centre != NULL)
        write_line(sheet, text_of("Cost centre %s", head->cost_centre), PART_HEADING);
    write_line(sheet,
               text_of("%s · amounts in %s · as of %.10s %.5s UTC · run %.12s", head->status, head->currency,
                       as_of, as_of + sizeof "2026-10-02T" - 1, head->run_id),
               PART_SUBTITLE);
    sheet->row++;
}

lxw_row_t sheet_row_below_title(const struct sheet *sheet)
{
    return book_head(sheet->book)->cost_centre != NULL ? 4 : 3;
}

void sheet_heading(struct sheet *sheet, const char *text)
{
    char *owned;
    worksheet_set_row(sheet->worksheet, sheet->row, 20, NULL);
    worksheet_write_string(sheet->worksheet, sheet->row++, 0, cell_text(text, &owned),
                           part(sheet, PART_HEADING));
    free(owned);
}

void sheet_note(struct sheet *sheet, const char *text)
{
    char *owned;
    worksheet_write_string(sheet->worksheet, sheet->row++, 0, cell_text(text, &owned),
                           part(sheet, PART_NOTE));
    free(owned);
}

void sheet_aside(struct sheet *sheet, lxw_row_t row, lxw_col_t column, const char *text)
{
    char *owned;
    worksheet_write_string(sheet->worksheet, row, column, cell_text(text, &owned), part(sheet, PART_ASIDE));
    free(owned);
}

void sheet_skip(struct sheet *sheet, int rows)
{
    sheet->row += (lxw_row_t)rows;
}

void sheet_header_cell(struct sheet *sheet, lxw_row_t row, lxw_col_t column, const char *text,
                       enum cell_type type)
{
    worksheet_write_string(sheet->worksheet, row, column, text, part(sheet, formats_header(type)));
}

void sheet_wide_header_cell(struct sheet *sheet, lxw_row_t row, lxw_col_t first, lxw_col_t last,
                            const char *text)
{
    worksheet_merge_range(sheet->worksheet, row, first, row, last, text, part(sheet, PART_HEADER_LEFT));
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

static double width_of(const struct sheet *sheet, lxw_col_t column)
{
    const lxw_worksheet *worksheet = sheet->worksheet;
    const lxw_col_options *options =
        column < worksheet->col_options_max ? worksheet->col_options[column] : NULL;
    return options != NULL ? options->width : LXW_DEF_COL_WIDTH;
}

/* Makes a column wide enough for a number. */
static void hold_number(struct sheet *sheet, lxw_col_t column, enum cell_type type, double value)
{
    double width = width_of(sheet, column);
    double needed = formats_width(type, book_head(sheet->book)->minor_unit_digits, value, width);
    if (needed > width)
        sheet_column_width(sheet, column, needed);
}

/* Removes the sign of a zero. */
static double unsigned_zero(double value)
{
    return value == 0 ? 0 : value;
}

void sheet_number(struct sheet *sheet, lxw_row_t row, lxw_col_t column, double value, enum cell_type type,
                  enum cell_role role)
{
    hold_number(sheet, column, type, value);
    worksheet_write_number(sheet->worksheet, row, column, unsigned_zero(value),
                           book_formats(sheet->book)->cells[type][role]);
}

void sheet_text(struct sheet *sheet, lxw_row_t row, lxw_col_t column, const char *text, enum cell_role role)
{
    char *owned;
    worksheet_write_string(sheet->worksheet, row, column, cell_text(text, &owned),
                           book_formats(sheet->book)->cells[CELL_TEXT][role]);
    free(owned);
}

/* The width of a UTF-8 character in digits: 2 for East Asian ones, 0 inside of one. */
static int character_width(char byte)
{
    unsigned char lead = (unsigned char)byte;
    return (lead & 0xC0) == 0x80 ? 0 : lead >= 0xE3 ? 2 : 1;
}

/* The number of lines of a text, broken between words. Letters are narrower than digits. */
static int lines_of(const char *text, double width)
{
    int room = (int)(1.1 * (width - 2)); /* without the indent */
    int lines = 1, used = 0;
    room = room > 2 ? room : 2;
    for (const char *word = text; *word != '\0';) {
        int length = 0;
        const char *end = word;
        for (; *end != '\0' && (end == word || *end != ' '); end++)
            length += character_width(*end);
        if (used > 0 && used + length > room) {
            lines++;
            used = 0;
        }
        used += length;
        if (used > room) { /* a word longer than a line */
            lines += (used - 1) / room;
            used = (used - 1) % room + 1;
        }
        word = end;
    }
    return lines;
}

static void hold_lines(struct sheet *sheet, lxw_row_t row, int lines)
{
    enum { MOST = 30 }; /* a row is at most 409 points high */
    lines = lines < MOST ? lines : MOST;
    if (lines == 1 || (row == sheet->tall_row && lines <= sheet->tall_lines))
        return;
    sheet->tall_row = row;
    sheet->tall_lines = lines;
    worksheet_set_row(sheet->worksheet, row, 13.5 * lines + 2, NULL);
}

void sheet_long_text(struct sheet *sheet, lxw_row_t row, lxw_col_t column, const char *text,
                     enum cell_role role)
{
    char *owned;
    const char *safe = cell_text(text, &owned);
    worksheet_write_string(sheet->worksheet, row, column, safe,
                           part(sheet, role == ROLE_FIGURE ? PART_WRAPPED_FIGURE : PART_WRAPPED));
    hold_lines(sheet, row, lines_of(safe, width_of(sheet, column)));
    free(owned);
}

void sheet_wrapped_text(struct sheet *sheet, lxw_row_t row, lxw_col_t first, lxw_col_t last, const char *text)
{
    char *owned;
    double width = -2; /* the indent */
    for (lxw_col_t column = first; column <= last; column++)
        width += width_of(sheet, column);
    const char *safe = cell_text(text, &owned);
    worksheet_merge_range(sheet->worksheet, row, first, row, last, safe, part(sheet, PART_WRAPPED));
    double lines = ceil((double)strlen(safe) / (width > 1 ? width : 1));
    if (lines > 1)
        worksheet_set_row(sheet->worksheet, row, 13.5 * (lines < 30 ? lines : 30) + 2, NULL);
    free(owned);
}

double sheet_date(const char *text)
{
    time_us time;
    if (!time_parse(text, strlen(text), &time))
        return NAN;
    time_us seconds = time / 1000000; /* cells show whole seconds */
    return 25569.0 + (double)seconds / 86400.0;
}

double sheet_value(struct sheet *sheet, lxw_row_t row, lxw_col_t column, const char *text,
                   enum cell_type type, enum cell_role role)
{
    lxw_format *format = book_formats(sheet->book)->cells[type][role];
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
    case CELL_MONTH:
    case CELL_TIME:
        value = sheet_date(text);
        break;
    case CELL_EXACT:
    case CELL_PRICE:
    case CELL_NUMBER:
    case CELL_COUNT:
    case CELL_INTEGER:
    case CELL_HOURS:
    case CELL_SHAPE:
    case CELL_PERCENT:
    case CELL_TYPE_COUNT:
        value = strtod(text, NULL);
        break;
    }
    if (isfinite(value))
        sheet_number(sheet, row, column, value, type, role);
    else
        sheet_text(sheet, row, column, text, role);
    return value;
}

void sheet_formula(struct sheet *sheet, lxw_row_t row, lxw_col_t column, const char *formula, double value,
                   enum cell_type type, enum cell_role role)
{
    hold_number(sheet, column, type, value);
    worksheet_write_formula_num(sheet->worksheet, row, column, formula,
                                book_formats(sheet->book)->cells[type][role], unsigned_zero(value));
}

void sheet_formula_text(struct sheet *sheet, lxw_row_t row, lxw_col_t column, const char *formula,
                        const char *text, enum cell_type type, enum cell_role role)
{
    worksheet_write_formula_str(sheet->worksheet, row, column, formula,
                                book_formats(sheet->book)->cells[type][role], text);
}

void sheet_check(struct sheet *sheet, lxw_row_t row, lxw_col_t column, const char *formula,
                 const char *result)
{
    lxw_conditional_format failed = {
        .type = LXW_CONDITIONAL_TYPE_CELL,
        .criteria = LXW_CONDITIONAL_CRITERIA_EQUAL_TO,
        .value_string = "\"FALSE\"",
        .format = part(sheet, PART_CHECK_FAILED),
    };
    worksheet_write_formula_str(sheet->worksheet, row, column, formula,
                                book_formats(sheet->book)->cells[CELL_CHECK][ROLE_FIGURE], result);
    worksheet_conditional_format_cell(sheet->worksheet, row, column, &failed);
}
