/* report/page/section_actions.c: the three actions with the largest savings, and who can take
 * them. */
#include "report/page/sections.h"

#include "report/page/html.h"
#include "report/page/page_table.h"

static void write_action(FILE *out, const PGresult *rows, int row)
{
    html_print(out, "<article class=\"act\"><div><h3>$</h3><p>$</p><p class=\"note\">Who can: $</p></div>",
               page_value(rows, row, "title"), page_value(rows, row, "reason"), page_value(rows, row, "who"));
    html_print(out, "<div class=\"money\">$<p class=\"note\">$</p></div></article>\n",
               page_value(rows, row, "amount"), page_value(rows, row, "money"));
}

bool section_actions(struct page *page, struct error *error)
{
    PGresult *rows = page_query(page, "page/actions.sql", error);
    if (rows == NULL)
        return false;
    fputs("<h2 id=\"actions\">What to do</h2>\n", page->out);
    for (int i = 0; i < PQntuples(rows); i++)
        write_action(page->out, rows, i);
    if (PQntuples(rows) == 0)
        fputs(
            "<p>Nothing stands out: no flag here can be resized, no pool had idle cost, no run failed.</p>\n",
            page->out);
    PQclear(rows);
    return true;
}
