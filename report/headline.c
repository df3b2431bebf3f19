/* report/headline.c: see headline.h. */
#include "report/headline.h"

#include "base/postgres/database.h"
#include "report/workbook_name.h"

#include <stdlib.h>

bool headline_write(struct sheet *sheet, lxw_col_t last, struct error *error)
{
    PGresult *sentences =
        database_query_file(book_connection(sheet->book), "report/headline.sql", 0, NULL, error);
    if (sentences == NULL)
        return false;
    char *first = text_of("%s %s", PQgetvalue(sentences, 0, 0), PQgetvalue(sentences, 0, 1));
    sheet_heading(sheet, first);
    for (int i = 2; i < PQnfields(sentences); i++) {
        if (PQgetisnull(sentences, 0, i))
            continue;
        if (last > 0)
            sheet_wrapped_text(sheet, sheet->row++, 0, last, PQgetvalue(sentences, 0, i));
        else
            sheet_note(sheet, PQgetvalue(sentences, 0, i));
    }
    sheet_skip(sheet, 1);
    free(first);
    PQclear(sentences);
    return true;
}

bool headline_write_waiting(struct sheet *sheet, const char *months_before, struct error *error)
{
    PGresult *sentences =
        database_query_file(book_connection(sheet->book), "report/waiting.sql", 1, &months_before, error);
    if (sentences == NULL)
        return false;
    if (!PQgetisnull(sentences, 0, 0))
        sheet_note(sheet, PQgetvalue(sentences, 0, 0));
    sheet_skip(sheet, 1);
    PQclear(sentences);
    return true;
}
