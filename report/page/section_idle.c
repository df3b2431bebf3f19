/* report/page/section_idle.c: idle nodes and unused commitments by pool. The owner of a pool also
 * sees the pool's nodes. */
#include "report/page/sections.h"

#include "base/postgres/database.h"
#include "report/page/html.h"
#include "report/page/page_table.h"

static const struct page_column pool_columns[] = {
    { "Pool", "pool", PAGE_TEXT }, /* with cost: all that a phone shows without scrolling */
    { "Cost", "amount", PAGE_NUMBER },
    { "What", "component", PAGE_TEXT },
    { "Owner", "owner", PAGE_TEXT },
    { "Your weight", "weight_text", PAGE_NUMBER },
    { "Pool's nodes", "nodes", PAGE_NUMBER },
    { "Pool's idle node-hours", "node_hours", PAGE_NUMBER },
    { 0 },
};
static const struct page_column node_columns[] = {
    { "Node", "node", PAGE_TEXT },
    { "Idle node-hours", "node_hours", PAGE_NUMBER },
    { "Cost", "amount", PAGE_NUMBER },
    { 0 },
};

static bool write_nodes(struct page *page, const char *pool, struct error *error)
{
    PGresult *rows = database_query_file(page->connection, "page/idle_nodes.sql", 1, &pool, error);
    if (rows == NULL)
        return false;
    if (PQntuples(rows) > 0) {
        html_print(page->out, "<details><summary>Nodes of $, before the pool is split</summary>\n", pool);
        page_table(page->out, "Idle nodes", node_columns, rows);
        fputs("</details>\n", page->out);
    }
    PQclear(rows);
    return true;
}

bool section_idle(struct page *page, struct error *error)
{
    PGresult *rows = page_query(page, "page/idle_pools.sql", error);
    if (rows == NULL)
        return false;
    fputs("<h2 id=\"idle\">Idle nodes and unused commitments</h2>\n", page->out);
    if (PQntuples(rows) > 0)
        page_table(page->out, "Idle nodes and unused commitments by pool", pool_columns, rows);
    else
        fputs(page_is_for_all(page) ? "<p>No pool has any. Idle nodes without a pool are under "
                                      "<a href=\"#open\">What to mend</a>.</p>\n"
                                    : "<p>This cost centre pays for none.</p>\n",
              page->out);
    bool ok = true;
    for (int i = 0; ok && i < PQntuples(rows); i++) {
        const char *pool = page_value(rows, i, "shown_nodes_of");
        if (pool != NULL && page_value(rows, i, "nodes") != NULL)
            ok = write_nodes(page, pool, error);
    }
    PQclear(rows);
    return ok;
}
