/* report/formats.c: see formats.h. */
#include "report/formats.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The look of a type. */
static const struct cell_look {
    const char *pattern; /* NULL: the pattern of the statement's currency */
    uint8_t align;
    int places; /* decimal places of a number */
} cell_looks[CELL_TYPE_COUNT] = {
    [CELL_TEXT] = { "@", LXW_ALIGN_LEFT },
    [CELL_MONEY] = { NULL, LXW_ALIGN_RIGHT },
    [CELL_DIFFERENCE] = { NULL, LXW_ALIGN_RIGHT },
    [CELL_EXACT] = { "#,##0.00########", LXW_ALIGN_RIGHT, .places = 10 },
    [CELL_PRICE] = { "#,##0.0000", LXW_ALIGN_RIGHT, .places = 4 },
    [CELL_NUMBER] = { "0.000000", LXW_ALIGN_RIGHT, .places = 6 },
    [CELL_COUNT] = { "#,##0", LXW_ALIGN_RIGHT },
    [CELL_INTEGER] = { "0", LXW_ALIGN_RIGHT },
    [CELL_HOURS] = { "#,##0.00", LXW_ALIGN_RIGHT, .places = 2 },
    [CELL_SHAPE] = { "[<0.01]0.00000000;[<1]0.0000;#,##0.00", LXW_ALIGN_RIGHT, .places = 2 },
    [CELL_PERCENT] = { "0.0%", LXW_ALIGN_RIGHT, .places = 1 },
    [CELL_DATE] = { "yyyy-mm-dd", LXW_ALIGN_LEFT },
    [CELL_MONTH] = { "yyyy-mm", LXW_ALIGN_LEFT },
    [CELL_TIME] = { "yyyy-mm-dd hh:mm", LXW_ALIGN_LEFT },
    [CELL_YES_NO] = { "@", LXW_ALIGN_CENTER },
    [CELL_CHECK] = { "@", LXW_ALIGN_CENTER },
};

/* Writes "#,##0.00;-#,##0.00" with the currency's digits, and zero as a dash if `dash`. */
static void money_pattern(int digits, bool dash, char *pattern, size_t size)
{
    char plain[32];
    snprintf(plain, sizeof plain, "#,##0%s%.*s", digits > 0 ? "." : "", digits, "0000000000");
    snprintf(pattern, size, dash ? "%s;-%s;\"–\"" : "%s;-%s", plain, plain);
}

static lxw_format *new_format(lxw_workbook *workbook, int size, bool bold, lxw_color_t colour)
{
    lxw_format *format = workbook_add_format(workbook);
    format_set_font_name(format, "Calibri");
    format_set_font_size(format, size);
    if (bold)
        format_set_bold(format);
    format_set_font_color(format, colour);
    format_set_align(format, LXW_ALIGN_VERTICAL_CENTER);
    return format;
}

static lxw_format *cell_format(lxw_workbook *workbook, int digits, enum cell_type type, enum cell_role role)
{
    lxw_format *format = new_format(workbook, 10, role == ROLE_TOTAL || role == ROLE_FIGURE, COLOUR_INK);
    char pattern[80];
    if (cell_looks[type].pattern == NULL) {
        money_pattern(digits, type == CELL_MONEY, pattern, sizeof pattern);
        format_set_num_format(format, pattern);
    } else if (type != CELL_CHECK && type != CELL_YES_NO) {
        format_set_num_format(format, cell_looks[type].pattern);
    }
    format_set_align(format, cell_looks[type].align);
    if (cell_looks[type].align == LXW_ALIGN_LEFT)
        format_set_indent(format, 1); /* separates a text from the number to its left */
    if (role == ROLE_TOTAL) {
        format_set_top(format, LXW_BORDER_THIN);
        format_set_bg_color(format, COLOUR_PALE);
    } else {
        format_set_bottom(format, LXW_BORDER_HAIR);
    }
    if (role == ROLE_INPUT) {
        format_set_unlocked(format);
        format_set_bg_color(format, COLOUR_INPUT);
    }
    format_set_border_color(format, COLOUR_LINE);
    if (role == ROLE_TOTAL)
        format_set_top_color(format, COLOUR_INK);
    return format;
}

static lxw_format *header_format(lxw_workbook *workbook, uint8_t align)
{
    lxw_format *format = new_format(workbook, 10, true, LXW_COLOR_WHITE);
    format_set_bg_color(format, COLOUR_PRIMARY);
    format_set_text_wrap(format);
    format_set_align(format, align);
    format_set_align(format, LXW_ALIGN_VERTICAL_BOTTOM);
    return format;
}

static lxw_format *italic(lxw_format *format)
{
    format_set_italic(format);
    return format;
}

static lxw_format *indented(lxw_format *format)
{
    format_set_indent(format, 1);
    return format;
}

static lxw_format *failed_format(lxw_workbook *workbook)
{
    /* only the differences: it is applied on top of the cell's own format */
    lxw_format *format = workbook_add_format(workbook);
    format_set_bold(format);
    format_set_font_color(format, LXW_COLOR_WHITE);
    format_set_bg_color(format, COLOUR_FAILED);
    return format;
}

static lxw_format *flag_format(lxw_workbook *workbook)
{
    lxw_format *format = workbook_add_format(workbook);
    format_set_bold(format);
    format_set_bg_color(format, COLOUR_FLAG);
    return format;
}

void formats_make(struct formats *formats, lxw_workbook *workbook, int minor_unit_digits)
{
    lxw_format **parts = formats->parts;
    parts[PART_TITLE] = new_format(workbook, 16, true, COLOUR_PRIMARY);
    parts[PART_SUBTITLE] = new_format(workbook, 10, false, COLOUR_INK);
    parts[PART_HEADING] = new_format(workbook, 12, true, COLOUR_PRIMARY);
    parts[PART_NOTE] = italic(new_format(workbook, 9, false, COLOUR_INK));
    parts[PART_ASIDE] = indented(italic(new_format(workbook, 9, false, COLOUR_INK)));
    parts[PART_WRAPPED] = cell_format(workbook, minor_unit_digits, CELL_TEXT, ROLE_BODY);
    format_set_text_wrap(parts[PART_WRAPPED]);
    parts[PART_WRAPPED_FIGURE] = cell_format(workbook, minor_unit_digits, CELL_TEXT, ROLE_FIGURE);
    format_set_text_wrap(parts[PART_WRAPPED_FIGURE]);
    parts[PART_HEADER_LEFT] = indented(header_format(workbook, LXW_ALIGN_LEFT));
    parts[PART_HEADER_CENTRE] = header_format(workbook, LXW_ALIGN_CENTER);
    parts[PART_HEADER_RIGHT] = header_format(workbook, LXW_ALIGN_RIGHT);
    parts[PART_FLAG] = flag_format(workbook);
    parts[PART_CHECK_FAILED] = failed_format(workbook);
    for (int type = 0; type < CELL_TYPE_COUNT; type++)
        for (int role = 0; role < CELL_ROLE_COUNT; role++)
            formats->cells[type][role] =
                cell_format(workbook, minor_unit_digits, (enum cell_type)type, (enum cell_role)role);
}

enum part_style formats_header(enum cell_type type)
{
    switch (cell_looks[type].align) {
    case LXW_ALIGN_LEFT:
        return PART_HEADER_LEFT;
    case LXW_ALIGN_CENTER:
        return PART_HEADER_CENTRE;
    default:
        return PART_HEADER_RIGHT;
    }
}

/* A separator, point or sign is half as wide as a digit. One character stays free. */
static double width_of_digits(enum cell_type type, double value, size_t whole, size_t places)
{
    size_t separators = (whole - 1) / 3;
    double marks = (double)separators + (places > 0) + (value < 0) + 2 * (type == CELL_PERCENT);
    return (double)(whole + places) + marks / 2 + 1;
}

/* An upper limit of the digits before the point, also after rounding. */
static size_t whole_at_most(double value)
{
    const double log10_of_2 = 0.30103;
    return value < 1 ? 2 : (size_t)(log10_of_2 * (ilogb(value) + 1)) + 2;
}

double formats_width(enum cell_type type, int minor_unit_digits, double value, double width)
{
    enum { LEAST_OF_EXACT = 2 };
    const struct cell_look *look = &cell_looks[type];
    char text[400]; /* the largest double has 309 digits before the point */
    if (look->align != LXW_ALIGN_RIGHT || !isfinite(value))
        return width;
    int places = look->pattern == NULL ? minor_unit_digits : look->places;
    double shown = fabs(value) * (type == CELL_PERCENT ? 100 : 1);
    if (width_of_digits(type, value, whole_at_most(shown), (size_t)places) <= width)
        return width;
    snprintf(text, sizeof text, "%.*f", places, shown);
    size_t whole = strcspn(text, "."), length = strlen(text);
    while (type == CELL_EXACT && length > whole + 1 + LEAST_OF_EXACT && text[length - 1] == '0')
        length--;
    return fmax(width, width_of_digits(type, value, whole, length - whole - (length > whole)));
}
