/* report/page/section_experiments.c: the next measurement of each family whose K* is not sure: its
 * price, and the most that it can save. */
#include "report/page/sections.h"

#include "report/page/page_table.h"

static const struct page_column columns[] = {
    { "Family", "family", PAGE_TEXT },
    { "Measure", "run", PAGE_TEXT },
    { "Price", "price", PAGE_TEXT },
    { "Saves at most", "value", PAGE_NUMBER },
    { "Pay-back, weeks", "payback", PAGE_NUMBER },
    { "At stake", "stake", PAGE_NUMBER },
    { 0 },
};

bool section_experiments(struct page *page, struct error *error)
{
    PGresult *rows = page_query(page, "page/experiments.sql", error);
    if (rows == NULL)
        return false;
    if (PQntuples(rows) > 0) {
        fputs("<h2 id=\"experiments\">What to measure next</h2>\n", page->out);
        page_table(page->out, "The next measurements, their price and what they can save", columns, rows);
        fputs(
            "<p class=\"note\">At stake is the true cost of the family's jobs in this month and the two before "
            "it. Of it, knowing K* would have saved at most the amount beside it.</p>\n",
            page->out);
    }
    PQclear(rows);
    return true;
}
