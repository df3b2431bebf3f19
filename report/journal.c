/* report/journal.c: see journal.h. */
#include "report/journal.h"

#include "base/postgres/database.h"
#include "base/postgres/sql_catalogue.h"
#include "base/system/file.h"
#include "report/csv_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A column of the file. */
struct column {
    const char *heading, *field;
};

/* The layout if journal_columns.csv gives none. */
static const struct column default_columns[] = {
    { "Record", "record" },
    { "Posting key", "posting_key" },
    { "Company", "company" },
    { "Period", "period" },
    { "Issue", "issue" },
    { "Kind", "kind" },
    { "Currency", "currency" },
    { "Accounting date", "accounting_date" },
    { "Reversal date", "reversal_date" },
    { "Source", "source" },
    { "Control total", "control_total" },
    { "Line", "line" },
    { "GL account", "gl_account" },
    { "Cost centre", "cost_centre" },
    { "Debit", "debit" },
    { "Credit", "credit" },
    { "Memo", "memo" },
    { "External reference", "external_reference" },
};
enum { DEFAULT_COUNT = sizeof default_columns / sizeof default_columns[0] };

struct layout {
    int count;
    struct column *columns;
    bool has_record; /* the layout has header records; without this field there are only lines */
    char delimiter;
    PGresult *declared, *state; /* these results own the texts */
};

/* ---- layout ---- */

static void take_columns(struct layout *layout)
{
    int declared = PQntuples(layout->declared);
    layout->count = declared == 0 ? DEFAULT_COUNT : declared;
    layout->columns = calloc((size_t)layout->count, sizeof *layout->columns);
    for (int i = 0; i < layout->count; i++) {
        layout->columns[i] = declared == 0 ? default_columns[i]
                                           : (struct column){ PQgetvalue(layout->declared, i, 0),
                                                              PQgetvalue(layout->declared, i, 1) };
        layout->has_record = layout->has_record || strcmp(layout->columns[i].field, "record") == 0;
    }
}

static bool read_layout(PGconn *connection, struct layout *layout, struct error *error)
{
    layout->declared = database_query_file(connection, "report/journal_columns.sql", 0, NULL, error);
    if (layout->declared == NULL)
        return false;
    layout->state = database_query_file(connection, "report/journal_state.sql", 0, NULL, error);
    if (layout->state == NULL)
        return false;
    const char *delimiter = PQgetvalue(layout->state, 0, 2);
    layout->delimiter = (char)(strcmp(delimiter, "tab") == 0 ? '\t' : delimiter[0]);
    take_columns(layout);
    return true;
}

/* ---- rows ---- */

/* Whether the field holds text from outside or from reference files. */
static bool is_text(const char *field)
{
    static const char *const texts[] = { "posting_key",        "company",   "source", "gl_account",
                                         "cost_centre",        "line_type", "memo",   "reverses",
                                         "external_reference", NULL };
    for (int i = 0; texts[i] != NULL; i++) {
        if (strcmp(texts[i], field) == 0)
            return true;
    }
    return false;
}

static void end_field(FILE *out, const struct layout *layout, int i)
{
    if (i + 1 < layout->count)
        putc(layout->delimiter, out);
    else
        fputs("\r\n", out);
}

static void write_headings(FILE *out, const struct layout *layout)
{
    for (int i = 0; i < layout->count; i++) {
        csv_text_write(out, layout->columns[i].heading, true, layout->delimiter);
        end_field(out, layout, i);
    }
}

static void write_row(FILE *out, const struct layout *layout, const PGresult *result, int row)
{
    if (!layout->has_record && strcmp(PQgetvalue(result, row, 0), "header") == 0)
        return;
    for (int i = 0; i < layout->count; i++) {
        const char *field = layout->columns[i].field;
        int at = PQfnumber(result, field);
        if (at < 0) {
            fprintf(stderr, "BUG: report/journal_rows.sql has no column %s\n", field);
            abort();
        }
        csv_text_write(out, PQgetisnull(result, row, at) ? NULL : PQgetvalue(result, row, at), is_text(field),
                       layout->delimiter);
        end_field(out, layout, i);
    }
}

/* Writes the rows as the server sends them, so memory does not depend on the length of the
 * journal. */
static bool write_rows(PGconn *connection, FILE *out, const struct layout *layout, struct error *error)
{
    static const char query[] = "report/journal_rows.sql";
    bool ok = PQsendQueryParams(connection, sql_text(query), 0, NULL, NULL, NULL, NULL, 0) == 1 &&
              PQsetSingleRowMode(connection) == 1;
    if (!ok)
        database_error(connection, NULL, query, error);
    for (PGresult *result; (result = PQgetResult(connection)) != NULL; PQclear(result)) {
        ExecStatusType status = PQresultStatus(result);
        if (ok && status != PGRES_SINGLE_TUPLE && status != PGRES_TUPLES_OK)
            ok = database_error(connection, result, query, error);
        for (int row = 0; ok && row < PQntuples(result); row++)
            write_row(out, layout, result, row);
    }
    return ok;
}

bool journal_write(PGconn *connection, const char *path, struct error *error)
{
    struct layout layout = { 0 };
    FILE *out = NULL;
    bool ok = read_layout(connection, &layout, error);
    if (ok && (out = fopen(path, "we")) == NULL)
        ok = error_set_errno(error, "%s", path);
    if (ok) {
        write_headings(out, &layout);
        ok = write_rows(connection, out, &layout, error);
    }
    bool failed = out != NULL && ferror(out) != 0;
    failed = (out != NULL && fclose(out) != 0) || failed;
    if (ok && failed)
        ok = error_set_errno(error, "%s", path);
    free(layout.columns);
    PQclear(layout.declared);
    PQclear(layout.state);
    return ok;
}

/* ---- the journal ---- */

bool journal_fill(PGconn *connection, int number, struct error *error)
{
    char text[16] = "";
    const char *const wanted[] = { text };
    if (number > 0)
        snprintf(text, sizeof text, "%d", number);
    if (!database_run_query(connection, "report/journal_wanted.sql", 1, wanted, error) ||
        !database_run_file(connection, "report/journal.sql", error))
        return false;
    PGresult *state = database_query_file(connection, "report/journal_state.sql", 0, NULL, error);
    bool ok = state != NULL;
    if (ok && number > 0 && PQgetisnull(state, 0, 0))
        ok = error_set(error, ERROR_INPUT, "the journal has no issue %d", number);
    PQclear(state);
    return ok;
}

bool journal_check(PGconn *connection, struct error *error)
{
    PGresult *wrong = database_query_file(connection, "report/journal_proof.sql", 0, NULL, error);
    bool ok = wrong != NULL && PQntuples(wrong) == 0;
    if (wrong != NULL && !ok) {
        error_set(error, ERROR_FAILED, "journal: it books %s of %s, but the statement says %s",
                  PQgetvalue(wrong, 0, 1), PQgetvalue(wrong, 0, 0), PQgetvalue(wrong, 0, 2));
        error_hint(error, "nothing is written; this is a defect of kstar");
    }
    PQclear(wrong);
    return ok;
}
