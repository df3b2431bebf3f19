/* report/page/page_table.c: see page_table.h. */
#include "report/page/page_table.h"

#include "report/page/html.h"

#include <stdbool.h>
#include <string.h>

const char *page_value(const PGresult *rows, int row, const char *name)
{
    int column = PQfnumber(rows, name);
    return column < 0 || PQgetisnull(rows, row, column) ? NULL : PQgetvalue(rows, row, column);
}

static bool is_empty(const PGresult *rows, const char *name)
{
    for (int i = 0; i < PQntuples(rows); i++)
        if (page_value(rows, i, name) != NULL)
            return false;
    return true;
}

static bool is_total(const PGresult *rows, int row)
{
    const char *value = page_value(rows, row, "is_total");
    return value != NULL && strcmp(value, "t") == 0;
}

static void write_cell(FILE *out, const struct page_column *column, const char *text)
{
    if (column->type == PAGE_CODE && text != NULL)
        html_print(out, "<td class=\"t\"><code>$</code></td>", text);
    else
        html_print(out, column->type == PAGE_NUMBER ? "<td>$</td>" : "<td class=\"t\">$</td>", text);
}

static void write_row(FILE *out, const struct page_column *columns, const PGresult *rows, int row)
{
    html_print(out, "<tr><th scope=\"row\">$</th>", page_value(rows, row, columns->name));
    for (const struct page_column *column = columns + 1; column->heading != NULL; column++)
        if (!is_empty(rows, column->name))
            write_cell(out, column, page_value(rows, row, column->name));
    fputs("</tr>\n", out);
}

static void write_rows(FILE *out, const struct page_column *columns, const PGresult *rows, bool totals)
{
    for (int i = 0; i < PQntuples(rows); i++)
        if (is_total(rows, i) == totals)
            write_row(out, columns, rows, i);
}

void page_table(FILE *out, const char *caption, const struct page_column *columns, const PGresult *rows)
{
    html_print(out,
               "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"$\"><table><thead><tr>",
               caption);
    for (const struct page_column *column = columns; column->heading != NULL; column++)
        if (column == columns || !is_empty(rows, column->name))
            html_print(out,
                       column != columns && column->type == PAGE_NUMBER
                           ? "<th scope=\"col\">$</th>"
                           : "<th scope=\"col\" class=\"t\">$</th>",
                       column->heading);
    fputs("</tr></thead><tbody>\n", out);
    write_rows(out, columns, rows, false);
    fputs("</tbody>", out);
    if (PQntuples(rows) > 0 && is_total(rows, PQntuples(rows) - 1)) {
        fputs("<tfoot>\n", out);
        write_rows(out, columns, rows, true);
        fputs("</tfoot>", out);
    }
    fputs("</table></div>\n", out);
}
