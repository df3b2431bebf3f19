/* report/chart.c: see chart.h. */
#include "report/chart.h"

#include "base/memory.h"
#include "report/workbook_name.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

lxw_color_t chart_scenario_colour(int i)
{
    static const lxw_color_t colours[] = { 0x102A43, 0x2389DA, 0xC2457A, 0x8A8A2E,
                                           0x5B3FA0, 0x2F7D4F, 0x6E7B8B, 0x4FB0AE };
    return colours[(size_t)i % (sizeof colours / sizeof colours[0])];
}

void chart_title(lxw_chart *chart, const char *title)
{
    chart_title_set_name(chart, title);
    chart_title_set_name_font(chart,
                              &(lxw_chart_font){ .size = 12, .bold = LXW_TRUE, .color = COLOUR_PRIMARY });
}

lxw_chart_series *chart_add_column(const struct sheet *sheet, lxw_chart *chart, lxw_row_t first,
                                   lxw_row_t last, lxw_col_t column)
{
    lxw_chart_series *series = chart_add_series(chart, NULL, NULL);
    chart_series_set_categories(series, sheet->name, first, 0, last, 0);
    chart_series_set_values(series, sheet->name, first, column, last, column);
    return series;
}

void chart_begin_at_zero(lxw_chart_axis *amounts, bool is_any_below_zero)
{
    if (!is_any_below_zero)
        chart_axis_set_min(amounts, 0);
}

char *chart_amount(struct book *book, const char *anchor)
{
    return chart_money(book, book_anchor(book, anchor)->minor_units);
}

char *chart_money(struct book *book, int64_t minor_units)
{
    const struct book_head *head = book_head(book);
    char digits[400], grouped[600];
    snprintf(digits, sizeof digits, "%.*f", head->minor_unit_digits, book_money(book, llabs(minor_units)));
    size_t whole = strcspn(digits, "."), to = 0;
    for (size_t i = 0; digits[i] != '\0'; i++) {
        if (i > 0 && i < whole && (whole - i) % 3 == 0)
            grouped[to++] = ',';
        grouped[to++] = digits[i];
    }
    grouped[to] = '\0';
    return text_of("%s %s%s", head->currency, minor_units < 0 ? "-" : "", grouped);
}

void chart_insert(struct sheet *sheet, lxw_chart *chart, const struct chart_place *place, const char *format,
                  ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *owned, *sentence = memory_printed(format, arguments);
    va_end(arguments);
    lxw_chart_options options = { .x_offset = place->x_offset,
                                  .x_scale = place->x_scale,
                                  .y_scale = place->y_scale,
                                  .object_position = LXW_OBJECT_MOVE_DONT_SIZE,
                                  .description = (char *)cell_text(sentence, &owned) };
    worksheet_insert_chart_opt(sheet->worksheet, place->row, place->column, chart, &options);
    free(owned);
    free(sentence);
}
