/* report/headline.c: see headline.h. */
#include "report/headline.h"

#include "base/postgres/database.h"

/* Writes a note for each column of the query's first row that has a text, and an empty line. */
static bool write_notes(struct sheet *sheet, const char *query, int parameter_count,
                        const char *const *parameters, struct error *error)
{
    PGresult *notes =
        database_query_file(book_connection(sheet->book), query, parameter_count, parameters, error);
    if (notes == NULL)
        return false;
    for (int i = 0; i < PQnfields(notes); i++) {
        if (!PQgetisnull(notes, 0, i))
            sheet_note(sheet, PQgetvalue(notes, 0, i));
    }
    sheet_skip(sheet, 1);
    PQclear(notes);
    return true;
}

bool headline_write(struct sheet *sheet, struct error *error)
{
    return write_notes(sheet, "report/headline.sql", 0, NULL, error);
}

bool headline_write_conclusion(struct sheet *sheet, struct error *error)
{
    return write_notes(sheet, "report/conclusion.sql", 0, NULL, error);
}

bool headline_write_waiting(struct sheet *sheet, const char *months_before, struct error *error)
{
    return write_notes(sheet, "report/waiting.sql", 1, &months_before, error);
}
