/* report/page/section_cost.c: true cost by cost centre and by component, of the month and of the
 * last twelve published statements. */
#include "report/page/sections.h"

#include "report/page/chart_svg.h"
#include "report/page/html.h"
#include "report/page/page_table.h"
#include "report/workbook_name.h"

#include <stdlib.h>
#include <string.h>

enum { MONTHS = 12, BARS_MAXIMUM = 15, NAME_CHARACTERS = 18 };

static const char *const groups[CHART_PARTS] = { "Useful compute",       "Coordination waste",
                                                 "Failed and cancelled", "Other direct cost",
                                                 "Overhead and shared",  "Internal overhead" };

enum { COLUMNS = 9 };

static const struct page_column part_columns[COLUMNS - 1] = {
    { "Useful compute", "part_1", PAGE_NUMBER },       { "Coordination waste", "part_2", PAGE_NUMBER },
    { "Failed and cancelled", "part_3", PAGE_NUMBER }, { "Other direct cost", "part_4", PAGE_NUMBER },
    { "Overhead and shared", "part_5", PAGE_NUMBER },  { "Internal overhead", "part_6", PAGE_NUMBER },
    { "True cost", "true_cost", PAGE_NUMBER },         { 0 },
};

static void write_key(FILE *out, const char *const *names, int count)
{
    fputs("<p class=\"key\">", out);
    for (int i = 0; i < count; i++) {
        fprintf(out, "<span><i class=\"c%d\"></i>", i + 1);
        html_print(out, "$</span>", names[i]);
    }
    fputs("</p>\n", out);
}

/* Parts below zero are not drawn (chart_svg.h). A note says so, lest they look like nothing. */
static void write_below_zero(FILE *out, const struct chart_bar *bars, int count)
{
    bool is_below_zero = false;
    for (int i = 0; i < count * CHART_PARTS; i++)
        is_below_zero = is_below_zero || bars[i / CHART_PARTS].parts[i % CHART_PARTS] < 0;
    if (is_below_zero)
        fputs("<p class=\"note\">Amounts below zero are not drawn; the figures below have them.</p>\n", out);
}

static double number(const PGresult *rows, int row, const char *name)
{
    const char *text = page_value(rows, row, name);
    return text != NULL ? strtod(text, NULL) : 0;
}

/* Reads a cost centre's row. Its name is cut to what fits beside a bar; the caller frees it. */
static struct chart_bar bar_of(const PGresult *rows, int row)
{
    static const char *const minor[CHART_PARTS] = { "minor_1", "minor_2", "minor_3",
                                                    "minor_4", "minor_5", "minor_6" };
    struct chart_bar bar = { .name = text_shortened(page_value(rows, row, "cost_centre"), NAME_CHARACTERS),
                             .amount = page_value(rows, row, "true_cost") };
    for (int part = 0; part < CHART_PARTS; part++)
        bar.parts[part] = number(rows, row, minor[part]);
    return bar;
}

/* Draws the most expensive cost centres; the table below has all of them. */
static void write_centres(const struct page *page, const PGresult *rows)
{
    struct chart_bar bars[BARS_MAXIMUM];
    int count = 0;
    for (int i = 0; i < PQntuples(rows) && count < BARS_MAXIMUM; i++)
        if (page_value(rows, i, "cost_centre") != NULL)
            bars[count++] = bar_of(rows, i);
    chart_bars(page->out, "True cost by cost centre and component; the table below has the figures", bars,
               count);
    write_key(page->out, groups, CHART_PARTS);
    write_below_zero(page->out, bars, count);
    for (int i = 0; i < count; i++)
        free(bars[i].name);
}

static bool write_month(struct page *page, struct error *error)
{
    PGresult *rows = page_query(page, "page/cost_centres.sql", error);
    if (rows == NULL)
        return false;
    fputs("<section><h2 id=\"cost\">Who pays, and for what</h2>\n", page->out);
    write_centres(page, rows);
    fputs("</section>\n", page->out);
    PQclear(rows);
    return true;
}

/* Rows of (period, part, minor_units), in the order of the months, as columns of a picture. */
static int read_columns(const PGresult *rows, double unit, struct chart_bar columns[MONTHS])
{
    int count = 0;
    const char *period = "";
    for (int i = 0; i < PQntuples(rows); i++) {
        if (strcmp(page_value(rows, i, "period"), period) != 0) {
            if (count == MONTHS)
                break;
            period = page_value(rows, i, "period");
            columns[count++] = (struct chart_bar){ .amount = page_value(rows, i, "month") };
        }
        int part = (int)number(rows, i, "part") - 1;
        if (part >= 0 && part < CHART_PARTS)
            columns[count - 1].parts[part] += number(rows, i, "minor_units") * unit;
    }
    return count;
}

static double unit_of(const struct page *page)
{
    double unit = 1;
    for (int i = 0; i < page->head->minor_unit_digits; i++)
        unit /= 10;
    return unit;
}

/* Reads the names of the parts from the query. Returns their number. */
static int read_names(const PGresult *rows, const char *names[CHART_PARTS])
{
    int count = 0;
    for (int i = 0; i < PQntuples(rows); i++) {
        int part = (int)number(rows, i, "part");
        names[part - 1] = page_value(rows, i, "part_name");
        count = part > count ? part : count;
    }
    return count;
}

static bool write_months(struct page *page, const char *query, const char *heading, const char *title,
                         struct error *error)
{
    struct chart_bar columns[MONTHS];
    const char *names[CHART_PARTS] = { 0 };
    PGresult *rows = page_query(page, query, error);
    if (rows == NULL)
        return false;
    int count = read_columns(rows, unit_of(page), columns);
    html_print(page->out, "<section><h2>$</h2>\n", heading);
    if (count > 1) {
        chart_columns(page->out, title, columns, count);
        int named = read_names(rows, names);
        write_key(page->out, names, named);
        write_below_zero(page->out, columns, count);
    } else {
        fputs("<p class=\"note\">This is the first statement in its currency. The next ones stand beside it "
              "here.</p>\n",
              page->out);
    }
    fputs("</section>\n", page->out);
    PQclear(rows);
    return true;
}

/* The figures of a picture, as a table that the reader opens. `head` is the column with the row
 * headings. */
static bool write_figures(struct page *page, const char *query, const char *summary, struct page_column head,
                          struct error *error)
{
    struct page_column columns[COLUMNS] = { head };
    memcpy(columns + 1, part_columns, sizeof part_columns);
    PGresult *rows = page_query(page, query, error);
    if (rows == NULL)
        return false;
    html_print(page->out, "<details class=\"plain\"><summary>$</summary>\n", summary);
    page_table(page->out, summary, columns, rows);
    fputs("</details>\n", page->out);
    PQclear(rows);
    return true;
}

bool section_cost(struct page *page, struct error *error)
{
    fputs("<div class=\"cols\">\n", page->out);
    bool ok = write_month(page, error) &&
              write_months(page, "page/months.sql", "The last twelve statements, by component",
                           "True cost by month and component; the table below has the figures", error) &&
              (!page_is_for_all(page) ||
               write_months(page, "page/months_centres.sql", "The last twelve statements, by cost centre",
                            "True cost by month and cost centre: the five dearest, and the others together",
                            error));
    fputs("</div>\n", page->out);
    return ok &&
           write_figures(page, "page/cost_centres.sql", "Figures of the month by cost centre and component",
                         (struct page_column){ "Cost centre", "title", PAGE_TEXT }, error) &&
           write_figures(page, "page/months_table.sql", "Figures of the twelve months by component",
                         (struct page_column){ "Month", "month_name", PAGE_TEXT }, error);
}
