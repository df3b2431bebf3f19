/* report/page/section_cost.c: true cost by cost centre and by component, of the month and of the
 * last twelve published statements. */
#include "report/page/sections.h"

#include "report/page/chart_svg.h"
#include "report/page/html.h"
#include "report/page/page_table.h"

#include <stdlib.h>
#include <string.h>

enum { MONTHS = 12, BARS_MAXIMUM = 15 };

const char *const page_groups[CHART_PARTS] = { "Useful compute",       "Coordination waste",
                                               "Failed and cancelled", "Other direct cost",
                                               "Overhead and shared",  "Internal charges" };

static const struct page_column centre_columns[] = {
    { "Cost centre", "title", PAGE_TEXT },
    { "Useful compute", "part_1", PAGE_NUMBER },
    { "Coordination waste", "part_2", PAGE_NUMBER },
    { "Failed and cancelled", "part_3", PAGE_NUMBER },
    { "Other direct cost", "part_4", PAGE_NUMBER },
    { "Overhead and shared", "part_5", PAGE_NUMBER },
    { "Internal charges", "part_6", PAGE_NUMBER },
    { "True cost", "true_cost", PAGE_NUMBER },
    { 0 },
};
static const struct page_column month_columns[] = {
    { "Month", "month_name", PAGE_TEXT },
    { "Useful compute", "part_1", PAGE_NUMBER },
    { "Coordination waste", "part_2", PAGE_NUMBER },
    { "Failed and cancelled", "part_3", PAGE_NUMBER },
    { "Other direct cost", "part_4", PAGE_NUMBER },
    { "Overhead and shared", "part_5", PAGE_NUMBER },
    { "Internal charges", "part_6", PAGE_NUMBER },
    { "True cost", "true_cost", PAGE_NUMBER },
    { 0 },
};

void page_write_key(FILE *out, const char *const *names, int count)
{
    fputs("<p class=\"key\">", out);
    for (int i = 0; i < count; i++) {
        fprintf(out, "<span><i class=\"c%d\"></i>", i + 1);
        html_print(out, "$</span>", names[i]);
    }
    fputs("</p>\n", out);
}

static double number(const PGresult *rows, int row, const char *name)
{
    const char *text = page_value(rows, row, name);
    return text != NULL ? strtod(text, NULL) : 0;
}

/* The dearest cost centres; the table below has all of them. */
static void write_centres(const struct page *page, const PGresult *rows)
{
    static const char *const minor[CHART_PARTS] = { "minor_1", "minor_2", "minor_3",
                                                    "minor_4", "minor_5", "minor_6" };
    struct chart_bar bars[BARS_MAXIMUM];
    int count = 0;
    for (int i = 0; i < PQntuples(rows) && count < BARS_MAXIMUM; i++) {
        if (page_value(rows, i, "cost_centre") == NULL)
            continue;
        bars[count] = (struct chart_bar){ .name = page_value(rows, i, "cost_centre"),
                                          .amount = page_value(rows, i, "true_cost") };
        for (int part = 0; part < CHART_PARTS; part++)
            bars[count].parts[part] = number(rows, i, minor[part]);
        count++;
    }
    chart_bars(page->out, "True cost by cost centre and component; the table below has the figures", bars,
               count);
}

static bool write_month(struct page *page, struct error *error)
{
    PGresult *rows = page_query(page, "page/cost_centres.sql", error);
    if (rows == NULL)
        return false;
    fputs("<section><h2 id=\"cost\">Who pays, and for what</h2>\n", page->out);
    write_centres(page, rows);
    page_write_key(page->out, page_groups, CHART_PARTS);
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
            columns[count++] = (struct chart_bar){ .name = page_value(rows, i, "month") };
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

static bool write_months(struct page *page, const char *query, const char *heading, const char *title,
                         const char *const *names, struct error *error)
{
    struct chart_bar columns[MONTHS];
    const char *parts[CHART_PARTS] = { 0 };
    PGresult *rows = page_query(page, query, error);
    if (rows == NULL)
        return false;
    int count = read_columns(rows, unit_of(page), columns), named = 0;
    for (int i = 0; names == NULL && i < PQntuples(rows); i++) {
        int part = (int)number(rows, i, "part");
        parts[part - 1] = page_value(rows, i, "part_name");
        named = part > named ? part : named;
    }
    html_print(page->out, "<section><h2>$</h2>\n", heading);
    chart_columns(page->out, title, columns, count);
    page_write_key(page->out, names != NULL ? names : parts, names != NULL ? CHART_PARTS : named);
    fputs("</section>\n", page->out);
    PQclear(rows);
    return true;
}

/* The figures of a picture, closed until somebody asks. */
static bool write_figures(struct page *page, const char *query, const char *summary,
                          const struct page_column *columns, struct error *error)
{
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
    bool ok =
        write_month(page, error) &&
        write_months(page, "page/months.sql", "The last twelve statements, by component",
                     "True cost by month and component; the table below has the figures", page_groups, error);
    fputs("</div>\n", page->out);
    ok = ok &&
         write_figures(page, "page/cost_centres.sql", "Figures of the month by cost centre and component",
                       centre_columns, error) &&
         write_figures(page, "page/months_table.sql", "Figures of the twelve months by component",
                       month_columns, error);
    if (ok && page_is_for_all(page))
        ok = write_months(page, "page/months_centres.sql", "The last twelve statements, by cost centre",
                          "True cost by month and cost centre: the five dearest, and the others together",
                          NULL, error);
    return ok;
}
