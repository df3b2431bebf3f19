/* report/sheets.c: see sheets.h. */
#include "report/sheets.h"

#include "base/database.h"

#include <stdlib.h>

bool for_one_centre(const struct sheet *sheet)
{
    return book_head(sheet->book)->cost_centre != NULL;
}

/* Adds the sheets of an entry: one, or as many as its rows need. */
static struct sheet *add_sheets(struct book *book, const struct sheet_entry *entry, struct error *error)
{
    struct sheet *first = book_add_sheet(book, entry->name, entry->flags, error);
    if (first == NULL || entry->count_query == NULL)
        return first;
    PGresult *result = database_query_file(book_connection(book), entry->count_query, 0, NULL, error);
    if (result == NULL)
        return NULL;
    enum { ROWS_AROUND = 8 }; /* title, headings, total */
    int64_t rows = strtoll(PQgetvalue(result, 0, 0), NULL, 10);
    PQclear(result);
    int64_t room = (int64_t)book_rows_per_sheet(book) - ROWS_AROUND;
    struct sheet *last = first;
    for (int64_t placed = room; placed < rows; placed += room) {
        last->continued = book_add_sheet(book, entry->name, entry->flags, error);
        if (last->continued == NULL)
            return NULL;
        last = last->continued;
    }
    return first;
}

bool sheets_write(struct book *book, const struct sheet_entry *entries, struct error *error)
{
    enum { ENTRIES_MAXIMUM = 32 };
    struct sheet *sheets[ENTRIES_MAXIMUM] = { NULL };
    int count = 0, last_pass = 0;
    for (; count < ENTRIES_MAXIMUM && entries[count].name != NULL; count++) {
        sheets[count] = add_sheets(book, &entries[count], error);
        if (sheets[count] == NULL)
            return false;
        last_pass = entries[count].pass > last_pass ? entries[count].pass : last_pass;
    }
    for (int pass = 1; pass <= last_pass; pass++) {
        for (int i = 0; i < count; i++) {
            if (entries[i].pass == pass && !entries[i].fill(sheets[i], error))
                return error_in(error, "sheet %s", entries[i].name);
        }
    }
    return true;
}
