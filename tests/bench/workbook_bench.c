/* tests/bench/workbook_bench.c: the sheet Jobs of the month in the database, for
 * tests/bench/workbooks.
 *
 *     workbook_bench kstar  OUT   as kstar writes it
 *     workbook_bench floor  OUT   the same cells once more, from memory, with nothing but
 *                                 libxlsxwriter
 *     workbook_bench cells        the cells as text, each behind the number of its format, tab
 *                                 between, for programs that are compared
 *
 * For the floor the calls that kstar makes of libxlsxwriter are kept (the linker's --wrap) and made
 * again. Prints the seconds and the peak of memory in KiB; of the floor, that of its own calls
 * alone is not known.
 */
#include "base/postgres/database.h"
#include "report/sheets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum what { BLANK, TEXT, NUMBER, FORMULA };

struct cell {
    enum what what;
    lxw_row_t row;
    lxw_col_t column;
    int format; /* position in struct formats */
    double value;
    const char *text;
};

static struct cell *cells;
static size_t cell_count, cell_room;
static bool is_keeping;
static const struct formats *formats_of_book;

/* NOLINTBEGIN(bugprone-reserved-identifier,readability-named-parameter): what the linker's --wrap
 * calls them
 */
lxw_error __real_worksheet_write_blank(lxw_worksheet *, lxw_row_t, lxw_col_t, lxw_format *);
lxw_error __real_worksheet_write_string(lxw_worksheet *, lxw_row_t, lxw_col_t, const char *, lxw_format *);
lxw_error __real_worksheet_write_number(lxw_worksheet *, lxw_row_t, lxw_col_t, double, lxw_format *);
lxw_error __real_worksheet_write_formula_num(lxw_worksheet *, lxw_row_t, lxw_col_t, const char *,
                                             lxw_format *, double);
lxw_error __wrap_worksheet_write_blank(lxw_worksheet *, lxw_row_t, lxw_col_t, lxw_format *);
lxw_error __wrap_worksheet_write_string(lxw_worksheet *, lxw_row_t, lxw_col_t, const char *, lxw_format *);
lxw_error __wrap_worksheet_write_number(lxw_worksheet *, lxw_row_t, lxw_col_t, double, lxw_format *);
lxw_error __wrap_worksheet_write_formula_num(lxw_worksheet *, lxw_row_t, lxw_col_t, const char *,
                                             lxw_format *, double);
/* NOLINTEND(bugprone-reserved-identifier,readability-named-parameter) */

static int position_of(const lxw_format *format)
{
    lxw_format *const *all = &formats_of_book->cells[0][0];
    for (int i = 0; i < CELL_TYPE_COUNT * CELL_ROLE_COUNT; i++)
        if (all[i] == format)
            return i;
    return 0;
}

static void keep(enum what what, lxw_row_t row, lxw_col_t column, const lxw_format *format, double value,
                 const char *text)
{
    if (!is_keeping)
        return;
    if (cell_count == cell_room) {
        cell_room = 2 * cell_room + 4096;
        struct cell *grown = realloc(cells, cell_room * sizeof *cells);
        if (grown == NULL)
            abort();
        cells = grown;
    }
    char *copy = text != NULL ? strdup(text) : NULL;
    if (text != NULL && copy == NULL)
        abort();
    cells[cell_count++] = (struct cell){ what, row, column, position_of(format), value, copy };
}

lxw_error __wrap_worksheet_write_blank(lxw_worksheet *sheet, lxw_row_t row, lxw_col_t column,
                                       lxw_format *format)
{
    keep(BLANK, row, column, format, 0, NULL);
    return __real_worksheet_write_blank(sheet, row, column, format);
}

lxw_error __wrap_worksheet_write_string(lxw_worksheet *sheet, lxw_row_t row, lxw_col_t column,
                                        const char *text, lxw_format *format)
{
    keep(TEXT, row, column, format, 0, text);
    return __real_worksheet_write_string(sheet, row, column, text, format);
}

lxw_error __wrap_worksheet_write_number(lxw_worksheet *sheet, lxw_row_t row, lxw_col_t column, double value,
                                        lxw_format *format)
{
    keep(NUMBER, row, column, format, value, NULL);
    return __real_worksheet_write_number(sheet, row, column, value, format);
}

lxw_error __wrap_worksheet_write_formula_num(lxw_worksheet *sheet, lxw_row_t row, lxw_col_t column,
                                             const char *formula, lxw_format *format, double value)
{
    keep(FORMULA, row, column, format, value, formula);
    return __real_worksheet_write_formula_num(sheet, row, column, formula, format, value);
}

/* ---- kstar's way ---- */

static void end_with(const struct error *error)
{
    fprintf(stderr, "%s\n", error->message);
    exit(EXIT_FAILURE);
}

static void write_jobs(PGconn *connection, const char *path)
{
    struct error error = { 0 };
    const char *scope[] = { "2026-09-01", "" };
    const struct book_head head = { .kind = "Chargeback",
                                    .period = "2026-09",
                                    .month_name = "September 2026",
                                    .status = "Preliminary",
                                    .run_id = "0123456789abcdef",
                                    .kstar_version = "0",
                                    .currency = "USD",
                                    .minor_unit_digits = 2 };
    bool ok = database_run_file(connection, "report/00_session.sql", &error) &&
              database_run_file(connection, "report/begin.sql", &error);
    PGresult *result = ok ? database_query_file(connection, "report/scope.sql", 2, scope, &error) : NULL;
    if (result == NULL)
        end_with(&error);
    PQclear(result);
    struct book *book = book_create(path, &head, connection, &error);
    struct sheet *sheet = book != NULL ? book_add_sheet(book, "Jobs", SHEET_STREAMED, &error) : NULL;
    if (sheet == NULL)
        end_with(&error);
    formats_of_book = book_formats(book);
    if (!fill_jobs(sheet, &error) || !book_write(book, &error))
        end_with(&error);
    database_rollback(connection);
}

/* ---- libxlsxwriter alone ---- */

static void write_again(const char *path)
{
    lxw_workbook_options options = { .constant_memory = LXW_TRUE };
    lxw_workbook *workbook = workbook_new_opt(path, &options);
    lxw_worksheet *sheet = workbook_add_worksheet(workbook, "Jobs");
    struct formats formats;
    formats_make(&formats, workbook, 2);
    lxw_format *const *all = &formats.cells[0][0];
    for (size_t i = 0; i < cell_count; i++) {
        const struct cell *cell = &cells[i];
        lxw_format *format = all[cell->format];
        switch (cell->what) {
        case BLANK:
            __real_worksheet_write_blank(sheet, cell->row, cell->column, format);
            break;
        case TEXT:
            __real_worksheet_write_string(sheet, cell->row, cell->column, cell->text, format);
            break;
        case NUMBER:
            __real_worksheet_write_number(sheet, cell->row, cell->column, cell->value, format);
            break;
        case FORMULA:
            __real_worksheet_write_formula_num(sheet, cell->row, cell->column, cell->text, format,
                                               cell->value);
            break;
        }
    }
    workbook_close(workbook);
}

static void print_cells(void)
{
    for (size_t i = 0; i < cell_count; i++) {
        if (i > 0)
            putchar(cells[i].row == cells[i - 1].row ? '\t' : '\n');
        printf("%d ", cells[i].format);
        if (cells[i].what == NUMBER)
            printf("%.17g", cells[i].value);
        else if (cells[i].text != NULL)
            for (const char *at = cells[i].text; *at != '\0'; at++)
                putchar(*at == '\t' || *at == '\n' ? ' ' : *at);
    }
    putchar('\n');
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
    struct error error = { 0 };
    bool is_kstar = argc == 3 && strcmp(argv[1], "kstar") == 0,
         is_floor = argc == 3 && strcmp(argv[1], "floor") == 0;
    PGconn *connection = database_connect(NULL, &error);
    if (connection == NULL || !(is_kstar || is_floor || (argc == 2 && strcmp(argv[1], "cells") == 0)))
        end_with(&error);
    is_keeping = !is_kstar;
    double start = now();
    write_jobs(connection, is_kstar ? argv[2] : "/dev/null");
    if (!is_kstar && !is_floor) {
        print_cells();
        return 0;
    }
    if (is_floor) {
        start = now();
        write_again(argv[2]);
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%.3f %ld %zu\n", now() - start, usage.ru_maxrss, cell_count);
    PQfinish(connection);
    return 0;
}
