/* report/page/section_centres.c: from a cost centre down to its jobs and pools, and from each of
 * them to SKU and day. At the end the command that lists the bill lines. */
#include "report/page/sections.h"

#include "base/postgres/database.h"
#include "report/centres.h"
#include "report/page/html.h"
#include "report/page/page_table.h"

#include <stdlib.h>
#include <string.h>

/* How many jobs of a cost centre have details: on the page of all cost centres, and on its own
 * page. The CSV has more. */
#define JOBS_FOR_ALL "5"
#define JOBS_OF_ONE  "25"

static const struct page_column row_columns[] = {
    { "Day", "day", PAGE_TEXT },
    { "SKU or type of node", "sku", PAGE_TEXT },
    { "Node-hours", "node_hours", PAGE_NUMBER },
    { "Cost", "amount", PAGE_NUMBER },
    { 0 },
};

/* The files of one cost centre. */
struct centre {
    const char *name, *shell_name, *title, *true_cost;
    const char *page_file, *lines_file; /* page_file: NULL on its own page */
};

static void write_summary(FILE *out, const char *title, const char *detail, const char *amount)
{
    html_print(out, "<summary><span class=\"line\"><span>$", title);
    if (detail != NULL)
        html_print(out, " <small>$</small>", detail);
    html_print(out, "</span><b>$</b></span></summary>\n", amount);
}

static bool write_rows(struct page *page, const char *centre, const PGresult *parts, int row,
                       struct error *error)
{
    const char *const parameters[] = { centre, page_value(parts, row, "attempt_id"),
                                       page_value(parts, row, "component"),
                                       page_value(parts, row, "subject") };
    PGresult *rows = database_query_file(page->connection, "page/part_rows.sql", 4, parameters, error);
    if (rows == NULL)
        return false;
    page_table(page->out, page_value(parts, row, "title"), row_columns, rows);
    PQclear(rows);
    return true;
}

static bool write_part(struct page *page, const char *centre, const PGresult *parts, int row,
                       struct error *error)
{
    const char *explain = page_value(parts, row, "explain");
    bool ok = true, is_rest = strcmp(page_value(parts, row, "kind"), "other jobs") == 0;
    fputs("<details>", page->out);
    write_summary(page->out, page_value(parts, row, "title"), page_value(parts, row, "detail"),
                  page_value(parts, row, "amount"));
    if (is_rest)
        fputs(
            "<p class=\"note\">Added up here; the CSV below has the 200 most expensive jobs one by one, the workbook "
            "more.</p>\n",
            page->out);
    else
        ok = write_rows(page, centre, parts, row, error);
    if (explain != NULL)
        html_print(page->out,
                   "<p class=\"note\">Its bill lines: <code>kstar explain --period $ $</code></p>\n",
                   page->head->period, explain);
    fputs("</details>\n", page->out);
    return ok;
}

static bool write_parts(struct page *page, const struct centre *centre, struct error *error)
{
    const char *const parameters[] = { centre->name, page_is_for_all(page) ? JOBS_FOR_ALL : JOBS_OF_ONE };
    PGresult *parts = database_query_file(page->connection, "page/parts.sql", 2, parameters, error);
    bool ok = parts != NULL;
    for (int i = 0; ok && i < PQntuples(parts); i++)
        ok = write_part(page, centre->name, parts, i, error);
    PQclear(parts);
    return ok;
}

static void write_files(struct page *page, const struct centre *centre)
{
    html_print(page->out,
               "<p class=\"note\">Every bill line behind it: <code>kstar explain --period $ --cost-centre $ "
               "--csv</code> · these figures as a file: <a href=\"$\">$</a>",
               page->head->period, centre->shell_name, centre->lines_file, centre->lines_file);
    if (centre->page_file != NULL)
        html_print(page->out, " · its own page: <a href=\"$\">$</a>", centre->page_file, centre->page_file);
    fputs("</p>\n", page->out);
}

static bool write_centre(struct page *page, const struct centre *centre, struct error *error)
{
    fputs(page_is_for_all(page) ? "<details>" : "<details open>", page->out);
    write_summary(page->out, centre->title, NULL, centre->true_cost);
    bool ok = write_parts(page, centre, error);
    write_files(page, centre);
    fputs("</details>\n", page->out);
    return ok;
}

/* The index of a cost centre in the rows of report/centres.sql; -1: it has no files. */
static int place_of(const PGresult *centres, const char *name)
{
    for (int i = 0; i < PQntuples(centres); i++)
        if (strcmp(PQgetvalue(centres, i, 0), name) == 0)
            return i;
    return -1;
}

static bool write_centres(struct page *page, const PGresult *costs, const PGresult *centres,
                          struct error *error)
{
    char **pages = centre_file_names("page", page->head->period, ".html", centres);
    char **lines = centre_file_names("lines", page->head->period, ".csv", centres);
    bool ok = true;
    for (int i = 0; ok && i < PQntuples(costs); i++) {
        const char *name = page_value(costs, i, "cost_centre");
        int place = name != NULL ? place_of(centres, name) : -1;
        if (place < 0)
            continue;
        ok = write_centre(page,
                          &(struct centre){ .name = name,
                                            .shell_name = page_value(costs, i, "shell_name"),
                                            .title = page_value(costs, i, "title"),
                                            .true_cost = page_value(costs, i, "true_cost"),
                                            .page_file = page_is_for_all(page) ? pages[place] : NULL,
                                            .lines_file = lines[place] },
                          error);
    }
    centre_file_names_free(pages);
    centre_file_names_free(lines);
    return ok;
}

bool section_centres(struct page *page, struct error *error)
{
    PGresult *costs = page_query(page, "page/cost_centres.sql", error);
    PGresult *centres = costs != NULL ? page_query(page, "report/centres.sql", error) : NULL;
    bool ok = centres != NULL;
    if (ok) {
        html_print(
            page->out,
            "<h2 id=\"centres\">$</h2>\n<p class=\"note\">A job's cost is spread over days and nodes by the "
            "time that it held them. The rows of a cost centre add up to its true cost.</p>\n",
            page_is_for_all(page) ? "Cost centres, down to job, SKU and day" : "Down to job, SKU and day");
        ok = write_centres(page, costs, centres, error);
    }
    PQclear(centres);
    PQclear(costs);
    return ok;
}
