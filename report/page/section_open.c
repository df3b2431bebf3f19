/* report/page/section_open.c: unallocated cost and what kstar could not see, each with the file to
 * correct. */
#include "report/page/sections.h"

#include "report/page/page_table.h"

static const struct page_column open_columns[] = {
    { "Unallocated", "what", PAGE_TEXT },
    { "Amount", "amount", PAGE_NUMBER },
    { "File", "file", PAGE_CODE },
    { "What mends it", "mend", PAGE_TEXT },
    { 0 },
};
static const struct page_column unseen_columns[] = {
    { "Not seen", "what", PAGE_TEXT },
    { "Jobs, nodes", "jobs", PAGE_NUMBER },
    { "Held", "hours", PAGE_NUMBER },
    { "Their true cost", "amount", PAGE_NUMBER },
    { "File", "file", PAGE_CODE },
    { "What mends it", "mend", PAGE_TEXT },
    { 0 },
};

static bool write_part(struct page *page, const char *query, const char *caption,
                       const struct page_column *columns, int *count, struct error *error)
{
    PGresult *rows = page_query(page, query, error);
    if (rows == NULL)
        return false;
    if (PQntuples(rows) > 0)
        page_table(page->out, caption, columns, rows);
    *count += PQntuples(rows);
    PQclear(rows);
    return true;
}

bool section_open(struct page *page, struct error *error)
{
    int count = 0;
    fputs("<h2 id=\"open\">What to mend</h2>\n", page->out);
    bool ok = write_part(page, "page/open.sql", "Unallocated cost and what mends it", open_columns, &count,
                         error) &&
              write_part(page, "page/unseen.sql", "What could not be seen and what mends it", unseen_columns,
                         &count, error);
    if (ok && count == 0)
        fputs("<p>Nothing: all cost has a cost centre, and all jobs were judged.</p>\n", page->out);
    return ok;
}
