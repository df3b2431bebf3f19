/* report/formats.h: the look of cells: one format for each kind of cell and role, one for each
 * part of a sheet, and one palette. */
#ifndef KSTAR_REPORT_FORMATS_H
#define KSTAR_REPORT_FORMATS_H

#include <stdint.h>
#include <xlsxwriter.h>

enum cell_type {
    CELL_TEXT,
    CELL_MONEY,      /* whole minor units of the statement currency; zero shows as a dash */
    CELL_DIFFERENCE, /* the same, zero shows as zero */
    CELL_EXACT,      /* an exact amount in an invoice's own currency */
    CELL_PRICE,      /* per hour: four places */
    CELL_NUMBER,     /* six places: coefficients, ratios */
    CELL_COUNT,
    CELL_INTEGER, /* without thousands separator: K, row numbers */
    CELL_HOURS,   /* also money that is on no bill: two places */
    CELL_SHAPE,   /* hours and money of a measured job, which may be one step: enough places */
    CELL_PERCENT,
    CELL_DATE,
    CELL_MONTH, /* the first day of a month */
    CELL_TIME,
    CELL_YES_NO,
    CELL_CHECK, /* TRUE or FALSE */
    CELL_TYPE_COUNT
};

enum cell_role { ROLE_BODY, ROLE_TOTAL, ROLE_FIGURE, ROLE_INPUT /* an input */, CELL_ROLE_COUNT };

enum part_style {
    PART_TITLE,
    PART_SUBTITLE,
    PART_HEADING,
    PART_NOTE,
    PART_ASIDE,
    PART_WRAPPED, /* a text of several lines */
    PART_WRAPPED_FIGURE,
    PART_HEADER_LEFT,
    PART_HEADER_CENTRE,
    PART_HEADER_RIGHT,
    PART_CHECK_FAILED, /* for conditional formatting */
    PART_FLAG,         /* for conditional formatting */
    PART_STYLE_COUNT
};

/* All formats of a workbook. The workbook owns them. */
struct formats {
    lxw_format *cells[CELL_TYPE_COUNT][CELL_ROLE_COUNT];
    lxw_format *parts[PART_STYLE_COUNT];
};

void formats_make(struct formats *formats, lxw_workbook *workbook, int minor_unit_digits);

/* Returns the width, in characters, that a column needs to show a number. Spreadsheets show ###
 * if a column is too narrow. Returns `width` if the column is wide enough or the type is not a
 * number. It is called for every cell, so the usual case must be fast. */
double formats_width(enum cell_type type, int minor_unit_digits, double value, double width);

/* The style of a heading above cells of a type: aligned like the cells. */
enum part_style formats_header(enum cell_type type);

/* The palette: dark for titles, amber for flags. Colour is never the only carrier of a meaning. */
enum palette {
    COLOUR_INK = 0x1F2D3A,
    COLOUR_PRIMARY = 0x2B5C77,
    COLOUR_FAILED = 0x8C3B2E,
    COLOUR_PALE = 0xE9EEF1,
    COLOUR_LINE = 0xC9D1D6,
    COLOUR_FLAG = 0xF6DFC6,
    COLOUR_INPUT = 0xFFF6DD,
};

#endif
