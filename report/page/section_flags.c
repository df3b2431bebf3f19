/* report/page/section_flags.c: jobs above and below K*, and the cost curves of their families. */
#include "report/page/sections.h"

#include "base/postgres/database.h"
#include "report/page/chart_svg.h"
#include "report/page/html.h"
#include "report/page/page_table.h"
#include "report/workbook_name.h"

#include <stdlib.h>

static const struct page_column columns[] = {
    { "Job", "job", PAGE_TEXT },
    { "User", "user_name", PAGE_TEXT },
    { "Cost centre", "cost_centre", PAGE_TEXT },
    { "Family", "family", PAGE_TEXT },
    { "Ran on", "k", PAGE_NUMBER },
    { "K* (interval)", "k_star", PAGE_NUMBER },
    { "Hours", "hours", PAGE_NUMBER },
    { "Cost", "cost", PAGE_NUMBER },
    { "More than at K*", "excess", PAGE_NUMBER },
    { "What to do", "advice", PAGE_TEXT },
    { 0 },
};

static double cost_at_k_star(const PGresult *rows)
{
    for (int i = 0; i < PQntuples(rows); i++) {
        const char *cost = page_value(rows, i, "k_star_cost");
        if (cost != NULL)
            return strtod(cost, NULL);
    }
    return 0;
}

static struct chart_point point_of(const PGresult *rows, int row, double unit)
{
    const char *cost = page_value(rows, row, "cost"), *jobs = page_value(rows, row, "jobs");
    return (struct chart_point){
        .k = strtod(page_value(rows, row, "k"), NULL),
        .cost = cost != NULL ? strtod(cost, NULL) / unit : 0,
        .is_measured = page_value(rows, row, "measured_cost") != NULL,
        .is_k_star = page_value(rows, row, "k_star_cost") != NULL,
        .is_plausible = page_value(rows, row, "interval_cost") != NULL,
        .jobs = jobs != NULL ? (int)strtol(jobs, NULL, 10) : 0,
    };
}

/* "llm: cost against nodes. K* = 16. Jobs on 8: 2, 1.03 times the cost at K*. …" */
static char *title_of(const char *family, const char *unit, const struct chart_point *points, int count)
{
    char *title = text_of("%s: cost against %s.", family, unit);
    for (int i = 0; i < count; i++) {
        char *star = points[i].is_k_star ? text_of(" K* = %.0f.", points[i].k) : NULL;
        char *jobs = points[i].jobs > 0 ? text_of(" Jobs on %.0f: %d, %.2f times the cost at K*.",
                                                  points[i].k, points[i].jobs, points[i].cost)
                                        : NULL;
        char *longer = text_of("%s%s%s", title, star != NULL ? star : "", jobs != NULL ? jobs : "");
        free(star);
        free(jobs);
        free(title);
        title = longer;
    }
    return title;
}

static bool write_curve(struct page *page, const char *family, const char *unit, struct error *error)
{
    if (!database_run_query(page->connection, "report/family_scope.sql", 1, &family, error))
        return false;
    PGresult *rows = page_query(page, "report/family_curve.sql", error);
    if (rows == NULL)
        return false;
    int count = PQntuples(rows);
    double at_k_star = cost_at_k_star(rows);
    if (at_k_star > 0) {
        struct chart_point *points = calloc((size_t)count, sizeof *points);
        for (int i = 0; i < count; i++)
            points[i] = point_of(rows, i, at_k_star);
        char *title = title_of(family, unit, points, count);
        html_print(page->out, "<section><h3>$</h3>\n", family);
        chart_curve(page->out, title, points, count);
        html_print(page->out,
                   "<p class=\"note\">Cost as a multiple of the cost at K*, against $.</p></section>\n",
                   unit);
        free(title);
        free(points);
    }
    PQclear(rows);
    return true;
}

static bool write_curves(struct page *page, struct error *error)
{
    PGresult *families = page_query(page, "page/families.sql", error);
    bool ok = families != NULL;
    if (ok && PQntuples(families) > 0)
        fputs("<div class=\"cols\">\n", page->out);
    for (int i = 0; ok && i < PQntuples(families); i++)
        ok = write_curve(page, page_value(families, i, "family"), page_value(families, i, "unit"), error);
    if (ok && PQntuples(families) > 0)
        fputs(
            "</div>\n<p class=\"note\">Line: cost, with waiting if it counts. Dots: measured. Green: K*, the cheapest that "
            "families.csv allows, and its 95 % interval. Red triangles: where this month's jobs ran.</p>\n",
            page->out);
    PQclear(families);
    return ok;
}

bool section_flags(struct page *page, struct error *error)
{
    PGresult *rows = page_query(page, "page/flagged.sql", error);
    if (rows == NULL)
        return false;
    fputs("<h2 id=\"flags\">Jobs above and below K*</h2>\n", page->out);
    if (PQntuples(rows) > 0) {
        page_table(page->out, "Jobs above and below K*", columns, rows);
        fputs(
            "<p class=\"note\">Cost is the hardware and the fixed overhead of the job. Its true cost, further "
            "down, also has fees and engineering time.</p>\n",
            page->out);
    } else {
        html_print(page->out, "<p>No job $ flagged.</p>\n", page_is_for_all(page) ? "is" : "of its own is");
    }
    PQclear(rows);
    return write_curves(page, error);
}
