/* suggest/suggest.c: see suggest.h. Each file is a query of sql/suggest. The first column is the
 * comment above a row, the others are the columns of the file. */
#include "suggest/suggest.h"

#include "base/postgres/database.h"
#include "base/system/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[SUGGESTIONS] = { "cost_centres", "mapping_rules", "nodes",       "pools",
                                                "pool_rules",   "families",      "family_rules" };

/* Writes a field of a CSV. */
static void put_field(FILE *file, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL && text[0] != ' ') {
        fputs(text, file);
        return;
    }
    putc('"', file);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            putc('"', file);
        putc(*text, file);
    }
    putc('"', file);
}

/* Writes a comment: one line, without a quote that would open a field. */
static void put_comment(FILE *file, const char *text)
{
    fputs("# ", file);
    for (; *text != '\0'; text++)
        putc((unsigned char)*text < ' ' || *text == '"' ? '?' : *text, file);
    putc('\n', file);
}

static void put_rows(FILE *file, const char *name, const PGresult *rows)
{
    int columns = PQnfields(rows);
    fprintf(file,
            "# Proposed by kstar suggest: above each row what is behind it. Fill in the empty columns that\n"
            "# docs/reference.md has in bold, and copy the rows that are right into %s.csv.\n",
            name);
    for (int column = 1; column < columns; column++)
        fprintf(file, "%s%s", PQfname(rows, column), column + 1 < columns ? "," : "\n");
    for (int row = 0; row < PQntuples(rows); row++) {
        put_comment(file, PQgetvalue(rows, row, 0));
        for (int column = 1; column < columns; column++) {
            put_field(file, PQgetvalue(rows, row, column));
            putc(column + 1 < columns ? ',' : '\n', file);
        }
    }
}

/* Writes the file, unless a file of that name exists. */
static bool write_file(struct suggestion *suggestion, const char *name, const PGresult *rows,
                       struct error *error)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    put_rows(file, name, rows);
    fclose(file);
    bool ok = file_write_new(suggestion->path, text, length, &suggestion->is_kept, error);
    free(text);
    return ok;
}

static bool suggest_file(PGconn *connection, const char *folder, const char *name,
                         struct suggestion *suggestion, struct error *error)
{
    char query[64];
    *suggestion = (struct suggestion){ 0 };
    snprintf(query, sizeof query, "suggest/%s.sql", name);
    snprintf(suggestion->path, sizeof suggestion->path, "%s/%s.suggested.csv", folder, name);
    PGresult *rows = database_query_file(connection, query, 0, NULL, error);
    bool ok = rows != NULL;
    suggestion->rows = ok ? PQntuples(rows) : 0;
    if (suggestion->rows > 0)
        ok = write_file(suggestion, name, rows, error);
    PQclear(rows);
    return ok;
}

static bool check_loaded(PGconn *connection, const char *inbox, struct error *error)
{
    PGresult *result = database_query(connection, "SELECT count(*) FROM kstar.delivery", 0, NULL, error);
    if (result == NULL)
        return false;
    bool is_empty = strcmp(PQgetvalue(result, 0, 0), "0") == 0;
    PQclear(result);
    if (is_empty) {
        error_set(error, ERROR_ATTENTION, "nothing was loaded yet, so there is nothing to propose");
        error_hint(error, "put bills and job records into %s, then run: kstar nightly %s --out OUT", inbox,
                   inbox);
    }
    return !is_empty;
}

bool suggest_write(PGconn *connection, const char *inbox, struct suggestion files[SUGGESTIONS],
                   struct error *error)
{
    char *folder = path_join(inbox, "reference");
    bool ok = check_loaded(connection, inbox, error) && directory_make(folder, error) &&
              database_begin(connection, error) && database_run_file(connection, "suggest/begin.sql", error);
    for (int i = 0; ok && i < SUGGESTIONS; i++)
        ok = suggest_file(connection, folder, names[i], &files[i], error);
    database_rollback(connection);
    free(folder);
    return ok;
}
