/* report/page/page.c: see page.h. */
#include "report/page/page.h"

#include "base/postgres/database.h"
#include "report/page/html.h"
#include "report/page/publish.h"
#include "report/page/sections.h"

#include <stdlib.h>

static page_section *const sections[] = { section_headline, section_equation,    section_cost,
                                          section_actions,  section_experiments, section_flags,
                                          section_idle,     section_centres,     section_open };

PGresult *page_query(const struct page *page, const char *name, struct error *error)
{
    return database_query_file(page->connection, name, 0, NULL, error);
}

bool page_is_for_all(const struct page *page)
{
    return page->head->cost_centre == NULL;
}

static void write_top(struct page *page)
{
    const char *who = page_is_for_all(page) ? "Chargeback" : page->head->cost_centre;
    html_print(
        page->out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width, initial-scale=1\">\n<meta name=\"referrer\" content=\"no-referrer\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        "<title>$ · $</title>\n<style>\n",
        who, page->head->month_name);
    fputs(page_style, page->out);
    fputs("</style>\n</head>\n<body>\n<main>\n", page->out);
}

static void write_end(struct page *page)
{
    html_print(
        page->out,
        "<p class=\"note\">Amounts are in $. True cost is what is charged from invoices and internally. The "
        "workbook beside this page has every row. kstar $, statement $, $.</p>\n</main>\n</body>\n</html>\n",
        page->head->currency, page->head->kstar_version, page->head->run_id, page->head->status);
}

static bool write_page(struct page *page, struct error *error)
{
    bool ok = true;
    write_top(page);
    for (size_t i = 0; ok && i < sizeof sections / sizeof *sections; i++)
        ok = sections[i](page, error);
    write_end(page);
    return ok;
}

bool page_publish(const char *path, const struct book_head *head, PGconn *connection, bool *is_changed,
                  struct error *error)
{
    char *text = NULL;
    size_t length = 0;
    struct page page = { .out = open_memstream(&text, &length), .connection = connection, .head = head };
    bool ok = write_page(&page, error);
    fclose(page.out);
    ok = ok && page_publish_text(path, text, length, is_changed, error);
    free(text);
    return ok;
}
