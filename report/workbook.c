/* report/workbook.c: see workbook.h. */
#include "report/workbook.h"

#include "report/workbook_identity.h"
#include "report/workbook_name.h"
#include "report/workbook_temporary.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A written table, for the sheet that explains columns. */
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
    char **names;      /* names of cells */
    int64_t too_large; /* the first amount that is too large for a cell; 0: none */
};

/* ---- the book ---- */

static void set_properties(struct book *book)
{
    struct workbook_identity identity;
    workbook_identity_of(book->head, &identity);
    lxw_doc_properties properties = {
        .title = identity.title,
        .subject = identity.subject[0] != '\0' ? identity.subject : NULL,
        .author = "kstar",
        .comments = identity.comments,
        .created = (time_t)(book->head->as_of / 1000000),
    };
    workbook_set_properties(book->workbook, &properties);
    workbook_identity_free(&identity);
}

struct book *book_create(const char *path, const struct book_head *head, PGconn *connection,
                         struct error *error)
{
    struct book *book = calloc(1, sizeof *book);
    book->head = head;
    book->connection = connection;
    book->path = strdup(path);
    workbook_temporary_begin();
    book->workbook = workbook_new(path);
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

static void forget_references(struct anchor *anchor)
{
    for (int i = 0; i < anchor->reference_count; i++)
        free(anchor->references[i]);
    free(anchor->references);
    anchor->references = NULL;
    anchor->reference_count = 0;
}

static void book_free(struct book *book)
{
    for (int i = 0; i < book->sheet_count; i++) {
        struct sheet *sheet = book->sheets[i];
        for (int part = 0; part < sheet->part_count; part++)
            free(sheet->parts[part].name);
        free(sheet->parts);
        free(sheet->title);
        free(sheet);
    }
    free(book->sheets);
    for (int i = 0; i < book->anchor_count; i++) {
        forget_references(&book->anchors[i]);
        free(book->anchors[i].name);
    }
    free(book->anchors);
    free(book->explained);
    for (int i = 0; i < book->name_count; i++)
        free(book->names[i]);
    free(book->names);
    free(book->path);
    free(book);
}

/* Closes the workbook and frees it, also on failure. libxlsxwriter prints its errors to
 * `stderr`; that output is kept out of the log. `cause` gets the system's message. */
static lxw_error close_silently(lxw_workbook *workbook, char *cause, size_t size)
{
    static const char system_error[] = "System error = ";
    char *output = NULL;
    size_t length = 0;
    FILE *kept = stderr, *memory = open_memstream(&output, &length);
    stderr = memory;
    lxw_error outcome = workbook_close(workbook);
    stderr = kept;
    fclose(memory);
    const char *found = strstr(output, system_error);
    found = found != NULL ? found + sizeof system_error - 1 : lxw_strerror(outcome);
    snprintf(cause, size, "%.*s", (int)strcspn(found, "\n"), found);
    free(output);
    return outcome;
}

static bool was_written(const struct book *book, lxw_error outcome, const char *cause, struct error *error)
{
    if (!workbook_temporary_is_whole(error))
        return error_in(error, "%s", book->path);
    if (outcome == LXW_NO_ERROR)
        return true;
    error_set(error, ERROR_FAILED, "%s: cannot write the workbook: %s", book->path, cause);
    if (strcmp(cause, strerror(ENOSPC)) == 0)
        error_hint(error, "make room on that disk, then run again");
    return false;
}

bool book_write(struct book *book, struct error *error)
{
    char cause[256];
    if (!book_is_exact(book, error)) {
        book_discard(book);
        return false;
    }
    lxw_error outcome = close_silently(book->workbook, cause, sizeof cause);
    bool ok = was_written(book, outcome, cause, error);
    workbook_temporary_end();
    book_free(book);
    return ok;
}

void book_discard(struct book *book)
{
    if (book == NULL)
        return;
    if (book->workbook != NULL)
        lxw_workbook_free(book->workbook);
    workbook_temporary_end();
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

double book_money(struct book *book, int64_t minor_units)
{
    /* Both operands are exact (whole numbers below 2^53), so the quotient is the double nearest
     * to the decimal. Among decimals of at most fifteen digits, no other has the same double. */
    static const double powers[] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9 };
    bool fits = minor_units <= BOOK_MINOR_MAXIMUM && minor_units >= -BOOK_MINOR_MAXIMUM;
    if (!fits && book->too_large == 0)
        book->too_large = minor_units;
    return (double)minor_units / powers[book->head->minor_unit_digits];
}

bool book_is_exact(const struct book *book, struct error *error)
{
    const struct book_head *head = book->head;
    if (book->too_large == 0)
        return true;
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, book->too_large);
    int whole = (int)strlen(text) - head->minor_unit_digits;
    error_set(error, ERROR_INPUT, "%s %.*s%s%s has more than the 15 digits that a spreadsheet keeps",
              head->currency, whole, text, head->minor_unit_digits > 0 ? "." : "", text + whole);
    error_hint(error, "correct the bill, price or budget that the amount comes from; kstar_views.report_* "
                      "have it to the last digit");
    return false;
}

void book_add_table(struct book *book, const struct sheet *sheet, const struct sheet_table *table)
{
    size_t bytes = (size_t)(book->explained_count + 1) * sizeof *book->explained;
    book->explained = realloc(book->explained, bytes);
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
    for (int i = 0; i < book->sheet_count; i++)
        for (int part = 0; part < book->sheets[i]->part_count; part++)
            if (names_collide(book->sheets[i]->parts[part].name, name))
                return true;
    return false;
}

/* Adds a worksheet with a legal name similar to `name`. NULL on failure; otherwise the caller
 * frees *legal. */
static lxw_worksheet *add_worksheet(struct book *book, const char *name, unsigned flags, char **legal,
                                    struct error *error)
{
    *legal = sheet_name_from(name, 1);
    for (int number = 2; sheet_name_taken(book, *legal); number++) {
        free(*legal);
        *legal = sheet_name_from(name, number);
    }
    /* A streamed sheet needs libxlsxwriter's "constant memory". The other sheets do not use it,
     * because it makes cells that charts and earlier rows need inaccessible. The option is read
     * when a sheet is added. */
    book->workbook->options.constant_memory = (flags & SHEET_STREAMED) != 0;
    lxw_worksheet *worksheet = workbook_add_worksheet(book->workbook, *legal);
    if (worksheet == NULL) {
        if (workbook_temporary_is_whole(error))
            error_set(error, ERROR_FAILED, "cannot add the sheet %s", *legal);
        error_in(error, "%s", book->path);
        free(*legal);
        return NULL;
    }
    /* No password: the protection is against mistakes, not against people. */
    worksheet_protect(worksheet, NULL,
                      &(lxw_protection){ .format_columns = 1, .format_rows = 1, .sort = 1, .autofilter = 1 });
    return worksheet;
}

/* Sets the current part of a sheet. */
static void set_part(struct sheet *sheet, int part)
{
    sheet->part = part;
    sheet->worksheet = sheet->parts[part].worksheet;
    sheet->name = sheet->parts[part].name;
    sheet->row = 0;
    sheet->tall_lines = 0;
}

static void append_part(struct sheet *sheet, struct sheet_part part)
{
    size_t bytes = (size_t)(sheet->part_count + 1) * sizeof *sheet->parts;
    sheet->parts = realloc(sheet->parts, bytes);
    sheet->parts[sheet->part_count++] = part;
}

struct sheet *book_add_sheet(struct book *book, const char *name, unsigned flags, struct error *error)
{
    struct sheet_part first;
    first.worksheet = add_worksheet(book, name, flags, &first.name, error);
    if (first.worksheet == NULL)
        return NULL;
    struct sheet *sheet = calloc(1, sizeof *sheet);
    *sheet = (struct sheet){ .book = book, .flags = flags };
    append_part(sheet, first);
    set_part(sheet, 0);
    book->sheets = realloc(book->sheets, (size_t)(book->sheet_count + 1) * sizeof *book->sheets);
    book->sheets[book->sheet_count++] = sheet;
    return sheet;
}

/* ---- a sheet that continues ---- */

bool sheet_add_part(struct sheet *sheet, struct error *error)
{
    struct sheet_part part;
    part.worksheet = add_worksheet(sheet->book, sheet->parts[0].name, sheet->flags, &part.name, error);
    if (part.worksheet != NULL)
        append_part(sheet, part);
    return part.worksheet != NULL;
}

bool sheet_go_on(struct sheet *sheet, struct error *error)
{
    if (sheet->part + 1 == sheet->part_count && !sheet_add_part(sheet, error))
        return false;
    uint8_t paper = sheet->worksheet->paper_size;
    char *note = text_of("Goes on in %s", sheet->parts[sheet->part + 1].name);
    if (sheet->row + 1 < sheet->book->rows_per_sheet)
        sheet->row++; /* an empty row between */
    sheet_note(sheet, note);
    free(note);
    set_part(sheet, sheet->part + 1);
    sheet_title(sheet, sheet->title);
    worksheet_set_paper(sheet->worksheet, paper);
    return true;
}

bool sheet_make_room(struct sheet *sheet, lxw_row_t rows, struct error *error)
{
    return sheet->row + rows <= sheet->book->rows_per_sheet || sheet_go_on(sheet, error);
}

/* ---- anchors and formulas ---- */

static struct anchor *seek_anchor(const struct book *book, const char *name, size_t length)
{
    for (int i = 0; i < book->anchor_count; i++) {
        struct anchor *anchor = &book->anchors[i];
        if (strncmp(anchor->name, name, length) == 0 && anchor->name[length] == '\0')
            return anchor;
    }
    return NULL;
}

static const struct anchor *find_anchor(const struct book *book, const char *name, size_t length)
{
    const struct anchor *anchor = seek_anchor(book, name, length);
    if (anchor != NULL)
        return anchor;
    fprintf(stderr, "BUG: no anchor is named %.*s\n", (int)length, name);
    abort();
}

const struct anchor *book_anchor(const struct book *book, const char *name)
{
    return find_anchor(book, name, strlen(name));
}

bool book_knows(const struct book *book, const char *template)
{
    for (const char *c = template; (c = strchr(c, '{')) != NULL;) {
        size_t length = strcspn(++c, "}");
        if (strncmp(c, "digits}", 7) != 0 && seek_anchor(book, c, length) == NULL)
            return false;
    }
    return true;
}

/* Adds a reference to a named range that continues elsewhere. */
static void extend_anchor(struct book *book, const char *name, const char *reference)
{
    struct anchor *anchor = (struct anchor *)book_anchor(book, name);
    size_t bytes = (size_t)(anchor->reference_count + 1) * sizeof *anchor->references;
    anchor->references = realloc(anchor->references, bytes);
    anchor->references[anchor->reference_count++] = strdup(reference);
}

/* Names a cell or range. The name replaces an earlier anchor of the same name. */
static void set_anchor(struct book *book, const char *name, const char *reference, double value,
                       int64_t minor_units)
{
    struct anchor *anchor = seek_anchor(book, name, strlen(name));
    if (anchor == NULL) {
        size_t bytes = (size_t)(book->anchor_count + 1) * sizeof *book->anchors;
        book->anchors = realloc(book->anchors, bytes);
        anchor = &book->anchors[book->anchor_count++];
        *anchor = (struct anchor){ .name = strdup(name) };
    }
    forget_references(anchor);
    anchor->value = value;
    anchor->minor_units = minor_units;
    anchor->is_below_zero = false;
    extend_anchor(book, name, reference);
}

void book_mark_below_zero(struct book *book, const char *name)
{
    ((struct anchor *)book_anchor(book, name))->is_below_zero = true;
}

/* A template and the output of its formula. */
struct formula {
    const struct book *book;
    field_writer *write_field;
    void *context;
    FILE *out;
    int part; /* part of ranges with several parts; -1: outside a sum */
};

/* The length of a call of a summing function that begins here; 0: none. */
static size_t sum_length(const char *text, char before)
{
    static const char *const functions[] = { "SUM(", "SUMIFS(", "SUMPRODUCT(" };
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        size_t length = strlen(functions[i]);
        if (strncmp(text, functions[i], length) != 0 || (before >= 'A' && before <= 'Z'))
            continue;
        for (int depth = 1; depth > 0 && text[length] != '\0'; length++)
            depth += (text[length] == '(') - (text[length] == ')');
        return length;
    }
    return 0;
}

static int parts_of(const struct formula *formula, const char *text, size_t length)
{
    int parts = 1;
    for (const char *c = text; c < text + length; c++) {
        size_t name = strcspn(c + 1, "}");
        if (*c != '{' || strncmp(c + 1, "digits}", 7) == 0)
            continue;
        int count = find_anchor(formula->book, c + 1, name)->reference_count;
        parts = count > parts ? count : parts;
    }
    return parts;
}

static void write_name(struct formula *formula, const char *name, size_t length)
{
    if (length == 6 && strncmp(name, "digits", length) == 0) {
        fprintf(formula->out, "%d", formula->book->head->minor_unit_digits);
        return;
    }
    const struct anchor *anchor = find_anchor(formula->book, name, length);
    if (anchor->reference_count > 1 && formula->part < 0) {
        fprintf(stderr, "BUG: %s goes on: only a sum may take it\n", anchor->name);
        abort();
    }
    fputs(anchor->references[anchor->reference_count > 1 ? formula->part : 0], formula->out);
}

static void write_template(struct formula *formula, const char *text, size_t length)
{
    char before = '\0';
    for (const char *c = text; c < text + length; before = c[-1]) {
        size_t sum = formula->part < 0 ? sum_length(c, before) : 0, name = strcspn(c + 1, "]}");
        if (sum > 0) {
            int parts = parts_of(formula, c, sum);
            fputs(parts > 1 ? "(" : "", formula->out);
            for (formula->part = 0; formula->part < parts; formula->part++) {
                fputs(formula->part > 0 ? "+" : "", formula->out);
                write_template(formula, c, sum);
            }
            formula->part = -1;
            fputs(parts > 1 ? ")" : "", formula->out);
            c += sum;
        } else if (*c == '[') {
            formula->write_field(formula->context, c + 1, name, formula->out);
            c += name + 2;
        } else if (*c == '{') {
            write_name(formula, c + 1, name);
            c += name + 2;
        } else {
            fputc(*c++, formula->out);
        }
    }
}

char *book_formula(const struct book *book, const char *template, field_writer *write_field, void *context)
{
    char *text = NULL;
    size_t size = 0;
    struct formula formula = { book, write_field, context, open_memstream(&text, &size), -1 };
    write_template(&formula, template, strlen(template));
    fclose(formula.out);
    return text;
}

/* 'Sheet'!$A$1; the caller frees it. */
static char *reference_on(const char *sheet_name, const char *range)
{
    char *quoted = lxw_quote_sheetname(sheet_name);
    char *reference = text_of("%s!%s", quoted, range);
    free(quoted);
    return reference;
}

void sheet_anchor(struct sheet *sheet, const char *name, lxw_row_t row, lxw_col_t column, double value,
                  int64_t minor_units)
{
    char cell[LXW_MAX_CELL_NAME_LENGTH];
    lxw_rowcol_to_cell_abs(cell, row, column, 1, 1);
    char *reference = reference_on(sheet->name, cell);
    set_anchor(sheet->book, name, reference, value, minor_units);
    free(reference);
}

void sheet_anchor_part(struct sheet *sheet, int part, bool goes_on, const char *name, lxw_row_t first_row,
                       lxw_row_t last_row, lxw_col_t column, int64_t checks_failed)
{
    char range[LXW_MAX_CELL_RANGE_LENGTH];
    char first[LXW_MAX_CELL_NAME_LENGTH], last[LXW_MAX_CELL_NAME_LENGTH];
    lxw_rowcol_to_cell_abs(first, first_row, column, 1, 1);
    lxw_rowcol_to_cell_abs(last, last_row, column, 1, 1);
    snprintf(range, sizeof range, "%s:%s", first, last);
    char *reference = reference_on(sheet->parts[part].name, range);
    if (goes_on)
        extend_anchor(sheet->book, name, reference);
    else
        set_anchor(sheet->book, name, reference, 0, checks_failed);
    free(reference);
}

void sheet_anchor_range(struct sheet *sheet, const char *name, lxw_row_t first_row, lxw_row_t last_row,
                        lxw_col_t column)
{
    sheet_anchor_part(sheet, sheet->part, false, name, first_row, last_row, column, 0);
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
    char *reference = reference_on(sheet->name, cell), *formula = text_of("=%s", reference);
    workbook_define_name(book->workbook, name, formula);
    free(formula);
    free(reference);
    book->names = realloc(book->names, (size_t)(book->name_count + 1) * sizeof *book->names);
    book->names[book->name_count++] = name;
}
