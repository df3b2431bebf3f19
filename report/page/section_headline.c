/* report/page/section_headline.c: the title, what the month cost, and what kstar could not see. The
 * sentences are those of the sheet Summary and of the night's summary (report/headline.sql). */
#include "report/page/sections.h"

#include "report/page/html.h"
#include "report/page/page_table.h"

#include <string.h>

static void write_title(const struct page *page, const PGresult *cost)
{
    const struct book_head *head = page->head;
    html_print(page->out, "<h1>$ · $</h1>\n", page_is_for_all(page) ? "Chargeback" : head->cost_centre,
               head->month_name);
    html_print(page->out, "<p class=\"meta\">");
    if (!page_is_for_all(page) && head->cost_centre_name != NULL)
        html_print(page->out, "$ · ", head->cost_centre_name);
    html_print(page->out, "$ · $ · data up to $ · statement $</p>\n", head->status, head->currency,
               page_value(cost, 0, "as_of_text"), head->run_id);
}

static void write_sentences(const struct page *page, const PGresult *cost, const PGresult *said)
{
    const char *change = page_value(cost, 0, "change"), *saving = page_value(said, 0, "saving");
    html_print(page->out, "<p class=\"headline\">$ cost $ $ in $",
               page_is_for_all(page) ? "All cost centres together" : page->head->cost_centre,
               page->head->currency, page_value(cost, 0, "true_cost"), page->head->month_name);
    html_print(page->out, change != NULL ? ", $. $</p>\n" : ". $$</p>\n", change != NULL ? change : "",
               saving != NULL ? saving : page_value(said, 0, "headline"));
    html_print(page->out, "<p class=\"seen\">$$ <a href=\"#open\">What to mend</a></p>\n",
               page_value(said, 0, "coverage"), page_value(cost, 0, "open"));
    if (page_value(said, 0, "measured") != NULL)
        html_print(page->out, "<p class=\"note\">$</p>\n", page_value(said, 0, "measured"));
    if (saving != NULL)
        html_print(page->out, "<p class=\"note\">Most expensive flag: $</p>\n",
                   page_value(said, 0, "headline"));
}

static void write_places(const struct page *page)
{
    fputs(
        "<nav aria-label=\"Sections\"><a href=\"#cost\">Who pays</a><a href=\"#actions\">What to do</a>"
        "<a href=\"#flags\">Jobs above K*</a><a href=\"#idle\">Idle</a><a href=\"#centres\">Down to job and day</a>"
        "<a href=\"#open\">What to mend</a></nav>\n",
        page->out);
}

bool section_headline(struct page *page, struct error *error)
{
    PGresult *cost = page_query(page, "page/sentences.sql", error);
    PGresult *said = cost != NULL ? page_query(page, "report/headline.sql", error) : NULL;
    bool ok = said != NULL;
    if (ok) {
        write_title(page, cost);
        write_sentences(page, cost, said);
        write_places(page);
    }
    PQclear(said);
    PQclear(cost);
    return ok;
}
