/* report/headline.c: see headline.h. */
#include "report/headline.h"

#include "base/database.h"

bool headline_write(struct sheet *sheet, struct error *error)
{
    PGresult *lines =
        database_query_file(book_connection(sheet->book), "report/headline.sql", 0, NULL, error);
    if (lines == NULL)
        return false;
    for (int i = 0; i < PQnfields(lines); i++) {
        if (!PQgetisnull(lines, 0, i))
            sheet_note(sheet, PQgetvalue(lines, 0, i));
    }
    sheet_skip(sheet, 1);
    PQclear(lines);
    return true;
}
