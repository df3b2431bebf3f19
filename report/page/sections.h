/* report/page/sections.h: the sections of a page, in their order, and their common functions. */
#ifndef KSTAR_REPORT_PAGE_SECTIONS_H
#define KSTAR_REPORT_PAGE_SECTIONS_H

#include "base/error.h"
#include "report/book_head.h"

#include <libpq-fe.h>
#include <stdbool.h>
#include <stdio.h>

struct page {
    FILE *out;
    PGconn *connection;
    const struct book_head *head;
};

/* A section runs its queries and writes its part of the page. Without rows it writes nothing, or
 * says so. */
typedef bool page_section(struct page *page, struct error *error);

page_section section_headline, section_equation, section_cost, section_actions, section_experiments,
    section_flags, section_idle, section_centres, section_open;

/* The colours, sizes and print rules of a page. */
extern const char page_style[];

/* Runs a query without parameters. NULL after a failure. */
PGresult *page_query(const struct page *page, const char *name, struct error *error);

bool page_is_for_all(const struct page *page);

#endif
