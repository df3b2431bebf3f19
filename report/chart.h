/* report/chart.h: the common look of all charts: colours by meaning, axes, and an alternative
 * text for readers who cannot see the chart. */
#ifndef KSTAR_REPORT_CHART_H
#define KSTAR_REPORT_CHART_H

#include "report/workbook.h"

/* Each colour has one meaning in every chart; amber always means waste. Stacked parts alternate
 * between dark and light, so a grey print stays readable. */
enum chart_colour {
    /* parts of true cost */
    CHART_USEFUL = 0x2B5C77,
    CHART_WASTE = 0xC77B30,
    CHART_OTHER_DIRECT = 0x7FA6B8, /* most of it is unmeasured hardware */
    CHART_INTERRUPTIONS = 0xE0B080,
    CHART_FAILED = 0x8C3B2E,
    CHART_CANCELLED = 0xC99A8F,
    CHART_FEES = 0x4A8A7A,
    CHART_OVERHEAD = 0x1F2D3A,
    CHART_INTERNAL_OVERHEAD = 0x9AA5AD, /* with engineering overhead */
    CHART_IDLE = 0x6E6526,
    CHART_SHARED = 0xC9D1D6,
    CHART_DIRECT = 0x3F5F4F,
    CHART_TAX = 0xCFB8A0,
    CHART_CREDITS = 0x5A7D2B,
    CHART_UNALLOCATED = 0xE3A7B5,
    CHART_UNUSED = 0x6B5B7B,
    CHART_FREED = 0xB39DC6,
    CHART_CONTINGENCY = 0xD8CFA8,
    /* steps of a waterfall chart */
    CHART_SUM = 0x55606A,
    CHART_ADDS = 0x8E4A7E,
    CHART_TAKES_OFF = 0x7FB03A,
    /* savings by resizing */
    CHART_SURE_CASH = 0x2F6B3F,
    CHART_UNSURE_CASH = 0x9DC4A6,
    CHART_CAPACITY = 0x5E7FA3,
    /* a forecast, and the figures it is compared with */
    CHART_FORECAST = 0x34528C,
    CHART_P10 = 0xC3CCE6,
    CHART_P50 = 0x8E9FD0,
    CHART_P90 = 0x6C6FA8,
    CHART_WITH_INPUTS = 0x2E9AA8,
    CHART_HISTORY = 0x7A6A55,
    /* cost against K */
    CHART_FITTED = 0x1B3F8B,
    CHART_MEASURED = 0x111111,
    CHART_K_OF_JOBS = 0x0E7C86,
    CHART_K_STAR_INTERVAL = 0xA7A7A7,
    CHART_K_STAR = 0xB3246B,
    CHART_MONEY = 0x2E7D6B,
    CHART_LEAST_MONEY = 0x7B3F00,
};

/* The colour of the i-th scenario. These colours have no other meaning. */
lxw_color_t chart_scenario_colour(int i);

/* Sets the title and its style. */
void chart_title(lxw_chart *chart, const char *title);
/* Adds a series: the values of a column, rows `first` to `last`, by those of column 0. */
lxw_chart_series *chart_add_column(const struct sheet *sheet, lxw_chart *chart, lxw_row_t first,
                                   lxw_row_t last, lxw_col_t column);
/* Starts the axis of columns or bars at zero, unless an amount is below zero. Without this,
 * programs may start it near the smallest amount, and a bar that is 10 % larger can look twice
 * as long. */
void chart_begin_at_zero(lxw_chart_axis *amounts, bool is_any_below_zero);

/* The amount of an anchor (book_anchor()), or of minor units, as "USD 1,234.50". The caller frees
 * it. */
char *chart_amount(struct book *book, const char *anchor);
char *chart_money(struct book *book, int64_t minor_units);

/* Position and size of a chart. The size is a factor of libxlsxwriter's usual size. */
struct chart_place {
    lxw_row_t row;
    lxw_col_t column;
    double x_scale, y_scale;
    int x_offset; /* pixels */
};

/* Inserts the chart. `format` and the arguments after it form its alternative text, as for printf:
 * one sentence that says what the chart shows, with the most important number. */
void chart_insert(struct sheet *sheet, lxw_chart *chart, const struct chart_place *place, const char *format,
                  ...) __attribute__((format(printf, 4, 5)));

#endif
