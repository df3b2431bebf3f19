/* report/sheets.c: see sheets.h. */
#include "report/sheets.h"

#include "base/postgres/database.h"

#include <stdlib.h>
#include <string.h>

bool for_one_centre(const struct sheet *sheet)
{
    return book_head(sheet->book)->cost_centre != NULL;
}

/* Counts the rows of an entry's sheets; 0 if it has no count query. */
static bool count_rows(struct book *book, const struct sheet_entry *entry, int64_t *rows, struct error *error)
{
    *rows = 0;
    if (entry->count_query == NULL)
        return true;
    PGresult *result = database_query_file(book_connection(book), entry->count_query, 0, NULL, error);
    if (result != NULL)
        *rows = strtoll(PQgetvalue(result, 0, 0), NULL, 10);
    PQclear(result);
    return result != NULL;
}

/* Adds the sheet of an entry. A streamed sheet gets as many parts as its rows need. No sheet is
 * added for an optional entry without rows, or for an entry for everybody in a cost centre's
 * workbook. */
static bool add_sheet(struct book *book, const struct sheet_entry *entry, struct sheet **sheet,
                      struct error *error)
{
    int64_t rows;
    *sheet = NULL;
    if ((entry->flags & SHEET_EVERYBODY) != 0 && book_head(book)->cost_centre != NULL)
        return true;
    if (!count_rows(book, entry, &rows, error))
        return false;
    if ((entry->flags & SHEET_OPTIONAL) != 0 && rows == 0)
        return true;
    *sheet = book_add_sheet(book, entry->name, entry->flags, error);
    bool ok = *sheet != NULL;
    if (ok && (entry->flags & SHEET_HIDDEN) != 0)
        worksheet_hide((*sheet)->worksheet);
    if (!ok || (entry->flags & SHEET_STREAMED) == 0)
        return ok;
    for (int64_t placed = table_room(*sheet); ok && placed < rows; placed += table_room(*sheet))
        ok = sheet_add_part(*sheet, error);
    return ok;
}

/* The sheet of an earlier entry with the same name. */
static struct sheet *sheet_before(const struct sheet_entry *entries, struct sheet *const *sheets, int i)
{
    for (int j = 0; j < i; j++)
        if (strcmp(entries[j].name, entries[i].name) == 0)
            return sheets[j];
    return NULL;
}

/* Adds the sheets of all entries in their order. An entry without a sheet has NULL in `sheets`. */
static bool add_sheets(struct book *book, const struct sheet_entry *entries, struct sheet **sheets,
                       struct error *error)
{
    for (int i = 0; entries[i].name != NULL; i++) {
        if ((entries[i].flags & SHEET_AGAIN) != 0)
            sheets[i] = sheet_before(entries, sheets, i);
        else if (!add_sheet(book, &entries[i], &sheets[i], error))
            return false;
    }
    return true;
}

/* Fills the sheets of a pass. */
static bool fill_sheets(struct book *book, const struct sheet_entry *entries, struct sheet *const *sheets,
                        int pass, struct error *error)
{
    for (int i = 0; entries[i].name != NULL; i++) {
        if (sheets[i] != NULL && entries[i].pass == pass &&
            (!entries[i].fill(sheets[i], error) || !book_is_exact(book, error)))
            return error_in(error, "sheet %s", entries[i].name);
    }
    return true;
}

bool sheets_write(struct book *book, const struct sheet_entry *entries, struct error *error)
{
    int count = 0, last_pass = 0;
    for (; entries[count].name != NULL; count++)
        last_pass = entries[count].pass > last_pass ? entries[count].pass : last_pass;
    struct sheet **sheets = calloc((size_t)count + 1, sizeof(struct sheet *));
    bool ok = add_sheets(book, entries, sheets, error);
    for (int pass = 1; ok && pass <= last_pass; pass++)
        ok = fill_sheets(book, entries, sheets, pass, error);
    free(sheets);
    return ok;
}
