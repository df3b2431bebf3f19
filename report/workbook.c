/* report/workbook.c: see workbook.h. */
#include "report/workbook.h"

#include "report/workbook_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A table that was written, for the sheet that explains columns. */
struct explained {
    const struct sheet *sheet;
    const struct sheet_table *table;
};

struct book {
    const struct book_head *head;
    PGconn *connection;
    lxw_workbook *workbook;
    char *path;
    lxw_row_t rows_per_sheet;
    struct formats formats;
    int sheet_count;
    struct sheet **sheets;
    int anchor_count;
    struct anchor *anchors;
    int explained_count;
    struct explained *explained;
    int name_count;
    char **names; /* of cells */
};

static void *or_die(void *memory)
{
    if (memory == NULL) {
        fputs("out of memory\n", stderr);
        abort();
    }
    return memory;
}

/* ---- the book ---- */

static void set_properties(struct book *book)
{
    const struct book_head *head = book->head;
    char title[256], comments[256];
    char *name = NULL;
    snprintf(title, sizeof title, "%s %s", head->kind, head->period);
    snprintf(comments, sizeof comments, "%s; run %s; kstar %s", head->status, head->run_id,
             head->kstar_version);
    lxw_doc_properties properties = {
        .title = title,
        .subject = head->cost_centre == NULL ? NULL : (char *)cell_text(head->cost_centre, &name),
        .author = "kstar",
        .comments = comments,
        .created = (time_t)(head->as_of / 1000000),
    };
    workbook_set_properties(book->workbook, &properties);
    free(name);
}

struct book *book_create(const char *path, const struct book_head *head, PGconn *connection,
                         struct error *error)
{
    struct book *book = or_die(calloc(1, sizeof *book));
    book->head = head;
    book->connection = connection;
    book->path = or_die(strdup(path));
    lxw_workbook_options options = { .tmpdir = getenv("TMPDIR") }; /* NULL: the system's own */
    book->workbook = workbook_new_opt(path, &options);
    if (book->workbook == NULL) {
        error_set(error, ERROR_FAILED, "%s: cannot begin a workbook", path);
        book_discard(book);
        return NULL;
    }
    const char *limit = getenv("KSTAR_TEST_ROWS_PER_SHEET");
    long rows = limit != NULL ? strtol(limit, NULL, 10) : 0;
    book->rows_per_sheet = rows > 0 && rows < LXW_ROW_MAX ? (lxw_row_t)rows : LXW_ROW_MAX;
    formats_make(&book->formats, book->workbook, head->minor_unit_digits);
    set_properties(book);
    return book;
}

static void book_free(struct book *book)
{
    for (int i = 0; i < book->sheet_count; i++) {
        free(book->sheets[i]->name);
        free(book->sheets[i]);
    }
    free(book->sheets);
    for (int i = 0; i < book->anchor_count; i++) {
        free(book->anchors[i].name);
        free(book->anchors[i].reference);
    }
    free(book->anchors);
    free(book->explained);
    for (int i = 0; i < book->name_count; i++)
        free(book->names[i]);
    free(book->names);
    free(book->path);
    free(book);
}

bool book_write(struct book *book, struct error *error)
{
    lxw_error cause = workbook_close(book->workbook); /* frees the workbook, also on failure */
    bool ok = cause == LXW_NO_ERROR || error_set(error, ERROR_FAILED, "%s: cannot write the workbook: %s",
                                                 book->path, lxw_strerror(cause));
    book_free(book);
    return ok;
}

void book_discard(struct book *book)
{
    if (book == NULL)
        return;
    if (book->workbook != NULL && book->workbook->num_worksheets > 0)
        workbook_close(book->workbook); /* the one call that also closes its temporary files */
    else if (book->workbook != NULL)
        lxw_workbook_free(book->workbook);
    book_free(book);
}

const struct book_head *book_head(const struct book *book)
{
    return book->head;
}

PGconn *book_connection(const struct book *book)
{
    return book->connection;
}

lxw_workbook *book_lxw(struct book *book)
{
    return book->workbook;
}

const struct formats *book_formats(const struct book *book)
{
    return &book->formats;
}

lxw_row_t book_rows_per_sheet(const struct book *book)
{
    return book->rows_per_sheet;
}

double book_money(const struct book *book, int64_t minor_units)
{
    /* Both operands are exact (whole numbers below 2^53), so the quotient is the double nearest to the
     * decimal. */
    static const double powers[] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9 };
    return (double)minor_units / powers[book->head->minor_unit_digits];
}

void book_add_table(struct book *book, const struct sheet *sheet, const struct sheet_table *table)
{
    size_t bytes = (size_t)(book->explained_count + 1) * sizeof *book->explained;
    book->explained = or_die(realloc(book->explained, bytes));
    book->explained[book->explained_count++] = (struct explained){ .sheet = sheet, .table = table };
}

const struct sheet_table *book_table(const struct book *book, int i, const struct sheet **sheet)
{
    if (i >= book->explained_count)
        return NULL;
    *sheet = book->explained[i].sheet;
    return book->explained[i].table;
}

static bool sheet_name_taken(const struct book *book, const char *name)
{
    for (int i = 0; i < book->sheet_count; i++) {
        if (names_collide(book->sheets[i]->name, name))
            return true;
    }
    return false;
}

struct sheet *book_add_sheet(struct book *book, const char *name, unsigned flags, struct error *error)
{
    char *legal = sheet_name_from(name, 1);
    for (int number = 2; sheet_name_taken(book, legal); number++) {
        free(legal);
        legal = sheet_name_from(name, number);
    }
    /* A streamed sheet needs libxlsxwriter's "constant memory"; the others do without, because it keeps the
     * cells that charts and earlier rows need out of reach. The option is read when a sheet is added. */
    book->workbook->options.constant_memory = (flags & SHEET_STREAMED) != 0;
    lxw_worksheet *worksheet = workbook_add_worksheet(book->workbook, legal);
    if (worksheet == NULL) {
        error_set(error, ERROR_FAILED, "%s: cannot add the sheet %s", book->path, legal);
        free(legal);
        return NULL;
    }
    /* Without a password: against accidents, not against people. */
    worksheet_protect(worksheet, NULL,
                      &(lxw_protection){ .format_columns = 1, .format_rows = 1, .sort = 1, .autofilter = 1 });
    struct sheet *sheet = or_die(calloc(1, sizeof *sheet));
    *sheet = (struct sheet){ .book = book, .worksheet = worksheet, .name = legal };
    book->sheets = or_die(realloc(book->sheets, (size_t)(book->sheet_count + 1) * sizeof *book->sheets));
    book->sheets[book->sheet_count++] = sheet;
    return sheet;
}

/* ---- anchors and formulas ---- */

void book_set_anchor(struct book *book, const char *name, const char *reference, double value,
                     int64_t minor_units)
{
    struct anchor *anchor = NULL;
    for (int i = 0; i < book->anchor_count && anchor == NULL; i++) {
        if (strcmp(book->anchors[i].name, name) == 0)
            anchor = &book->anchors[i];
    }
    if (anchor == NULL) {
        size_t bytes = (size_t)(book->anchor_count + 1) * sizeof *book->anchors;
        book->anchors = or_die(realloc(book->anchors, bytes));
        anchor = &book->anchors[book->anchor_count++];
        *anchor = (struct anchor){ .name = or_die(strdup(name)) };
    }
    free(anchor->reference);
    anchor->reference = or_die(strdup(reference));
    anchor->value = value;
    anchor->minor_units = minor_units;
}

static const struct anchor *find_anchor(const struct book *book, const char *name, size_t length)
{
    for (int i = 0; i < book->anchor_count; i++) {
        const struct anchor *anchor = &book->anchors[i];
        if (strncmp(anchor->name, name, length) == 0 && anchor->name[length] == '\0')
            return anchor;
    }
    fprintf(stderr, "BUG: no anchor is named %.*s\n", (int)length, name);
    abort();
}

const struct anchor *book_anchor(const struct book *book, const char *name)
{
    return find_anchor(book, name, strlen(name));
}

char *book_formula(const struct book *book, const char *template, field_writer *write_field, void *context)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = or_die(open_memstream(&text, &size));
    for (const char *c = template; *c != '\0';) {
        if (*c != '{' && *c != '[') {
            fputc(*c++, out);
            continue;
        }
        size_t length = strcspn(c + 1, "]}");
        if (*c == '[')
            write_field(context, c + 1, length, out);
        else if (length == 6 && strncmp(c + 1, "digits", length) == 0)
            fprintf(out, "%d", book->head->minor_unit_digits);
        else
            fputs(find_anchor(book, c + 1, length)->reference, out);
        c += length + 2;
    }
    fclose(out);
    return or_die(text);
}

static void set_range(struct sheet *sheet, const char *name, const char *range, double value,
                      int64_t minor_units)
{
    char *quoted = or_die(lxw_quote_sheetname(sheet->name));
    char *reference = text_of("%s!%s", quoted, range);
    book_set_anchor(sheet->book, name, reference, value, minor_units);
    free(reference);
    free(quoted);
}

void sheet_anchor(struct sheet *sheet, const char *name, lxw_row_t row, lxw_col_t column, double value,
                  int64_t minor_units)
{
    char cell[LXW_MAX_CELL_NAME_LENGTH];
    lxw_rowcol_to_cell_abs(cell, row, column, 1, 1);
    set_range(sheet, name, cell, value, minor_units);
}

void sheet_anchor_range(struct sheet *sheet, const char *name, lxw_row_t first_row, lxw_row_t last_row,
                        lxw_col_t column, int64_t checks_failed)
{
    char range[LXW_MAX_CELL_RANGE_LENGTH];
    char first[LXW_MAX_CELL_NAME_LENGTH], last[LXW_MAX_CELL_NAME_LENGTH];
    lxw_rowcol_to_cell_abs(first, first_row, column, 1, 1);
    lxw_rowcol_to_cell_abs(last, last_row, column, 1, 1);
    snprintf(range, sizeof range, "%s:%s", first, last);
    set_range(sheet, name, range, 0, checks_failed);
}

static bool cell_name_taken(const struct book *book, const char *name)
{
    for (int i = 0; i < book->name_count; i++)
        if (names_collide(book->names[i], name))
            return true;
    return false;
}

void sheet_define_name(struct sheet *sheet, const char *text, lxw_row_t row, lxw_col_t column)
{
    struct book *book = sheet->book;
    char cell[LXW_MAX_CELL_NAME_LENGTH];
    char *name = defined_name_from(text, 1);
    for (int number = 2; cell_name_taken(book, name); number++) {
        free(name);
        name = defined_name_from(text, number);
    }
    lxw_rowcol_to_cell_abs(cell, row, column, 1, 1);
    char *quoted = or_die(lxw_quote_sheetname(sheet->name));
    char *reference = text_of("=%s!%s", quoted, cell);
    workbook_define_name(book->workbook, name, reference);
    free(reference);
    free(quoted);
    book->names = or_die(realloc(book->names, (size_t)(book->name_count + 1) * sizeof *book->names));
    book->names[book->name_count++] = name;
}
