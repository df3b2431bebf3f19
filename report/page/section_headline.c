/* report/page/section_headline.c: the title, what the month cost, and what kstar could not see. The
 * sentences are those of the sheet Summary and of the night's summary (report/headline.sql), with
 * one on the largest part of the largest coordination waste (page/waste.sql). */
#include "report/page/sections.h"

#include "report/page/html.h"
#include "base/time_text.h"
#include "report/page/page_table.h"

static void write_title(const struct page *page)
{
    const struct book_head *head = page->head;
    char as_of[32];
    time_format(head->as_of, as_of); /* "2026-10-01T14:30:00Z" */
    as_of[sizeof "2026-10-01" - 1] = '\0';
    as_of[sizeof "2026-10-01T14:30" - 1] = '\0';
    html_print(page->out, "<h1>$ · $</h1>\n", page_is_for_all(page) ? "Chargeback" : head->cost_centre,
               head->month_name);
    html_print(page->out, "<p class=\"meta\">");
    if (!page_is_for_all(page) && head->cost_centre_name != NULL)
        html_print(page->out, "$ · ", head->cost_centre_name);
    html_print(page->out, "$ · $ · data up to $ $ UTC · statement $</p>\n", head->status, head->currency,
               as_of, as_of + sizeof "2026-10-01", head->run_id);
}

static void write_sentences(const struct page *page, const PGresult *sentences, const PGresult *waste)
{
    const char *headline = page_value(sentences, 0, "headline"),
               *measured = page_value(sentences, 0, "measured");
    html_print(page->out, "<p class=\"headline\">$ $</p>\n", page_value(sentences, 0, "cost"),
               page_value(sentences, 0, "saving"));
    html_print(page->out, "<p class=\"seen\">$ <a href=\"#open\">What to mend</a></p>\n",
               page_value(sentences, 0, "coverage"));
    if (measured != NULL)
        html_print(page->out, "<p class=\"note\">$</p>\n", measured);
    if (PQntuples(waste) > 0)
        html_print(page->out, "<p class=\"note\">$</p>\n", page_value(waste, 0, "sentence"));
    if (headline != NULL)
        html_print(page->out, "<p class=\"note\">Most expensive flag: $</p>\n", headline);
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
    PGresult *sentences = page_query(page, "report/headline.sql", error);
    PGresult *waste = sentences != NULL ? page_query(page, "page/waste.sql", error) : NULL;
    bool ok = waste != NULL;
    if (ok) {
        write_title(page);
        write_sentences(page, sentences, waste);
        write_places(page);
    }
    PQclear(sentences);
    PQclear(waste);
    return ok;
}
