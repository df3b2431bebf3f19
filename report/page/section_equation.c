/* report/page/section_equation.c: the invoices and the parts into which they were divided, with
 * every term, so that a reader can add up the parts. */
#include "report/page/sections.h"

#include "report/page/html.h"
#include "report/page/page_table.h"

#include <stdlib.h>

enum { TURNS_OF_A_ROW = 10 };

/* A term with its sign before it, so that no line on a phone ends with a sign. */
static void write_term(FILE *out, const PGresult *terms, int row, const char *sign)
{
    const char *meaning = page_value(terms, row, "meaning");
    fputs("<div class=\"pair\">", out);
    if (sign != NULL)
        html_print(out, "<span class=\"op\">$</span>", sign);
    html_print(out, "<div>$<b>$</b>", page_value(terms, row, "term"), page_value(terms, row, "amount"));
    if (meaning != NULL)
        html_print(out, "<small>$</small>", meaning);
    fputs("</div></div>\n", out);
}

bool section_equation(struct page *page, struct error *error)
{
    PGresult *terms = page_query(page, "page/equation.sql", error);
    if (terms == NULL)
        return false;
    html_print(page->out, "<h2>$</h2>\n",
               page_is_for_all(page) ? "From the invoices to the cost centres" : "What it is made of");
    long last = -1;
    for (int i = 0; i < PQntuples(terms); i++) {
        long line = strtol(page_value(terms, i, "turn"), NULL, 10) / TURNS_OF_A_ROW;
        long place = strtol(page_value(terms, i, "turn"), NULL, 10) % TURNS_OF_A_ROW;
        if (line != last)
            fputs(last < 0 ? "<div class=\"eq\">" : "</div>\n<div class=\"eq\">", page->out);
        write_term(page->out, terms, i, line == last ? (place == 2 ? "=" : "+") : NULL);
        last = line;
    }
    fputs("</div>\n", page->out);
    PQclear(terms);
    return true;
}
