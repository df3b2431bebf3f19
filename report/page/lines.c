/* report/page/lines.c: the CSV beside a cost centre's page. Its rows add up to the true cost. */
#include "report/page/page.h"

#include "base/postgres/database.h"
#include "report/csv_text.h"
#include "report/page/publish.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether kstar writes the column's texts itself: figures and days. Names come from outside. */
static bool is_ours(const char *column)
{
    return strcmp(column, "amount") == 0 || strcmp(column, "node_hours") == 0 || strcmp(column, "day") == 0;
}

static void write_rows(FILE *out, const PGresult *rows)
{
    int columns = PQnfields(rows);
    for (int i = 0; i < columns; i++)
        fprintf(out, "%s%s", PQfname(rows, i), i + 1 < columns ? "," : "\r\n");
    for (int row = 0; row < PQntuples(rows); row++) {
        for (int i = 0; i < columns; i++) {
            const char *text = PQgetisnull(rows, row, i) ? NULL : PQgetvalue(rows, row, i);
            csv_text_write(out, text, !is_ours(PQfname(rows, i)), ',');
            fputs(i + 1 < columns ? "," : "\r\n", out);
        }
    }
}

bool page_lines_publish(const char *path, const struct book_head *head, PGconn *connection, bool *is_changed,
                        struct error *error)
{
    char *text = NULL;
    size_t length = 0;
    (void)head; /* the query reads the scope */
    PGresult *rows = database_query_file(connection, "page/lines.sql", 0, NULL, error);
    if (rows == NULL)
        return false;
    FILE *out = open_memstream(&text, &length);
    write_rows(out, rows);
    fclose(out);
    PQclear(rows);
    bool ok = page_publish_text(path, text, length, is_changed, error);
    free(text);
    return ok;
}
