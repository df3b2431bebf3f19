/* tests/unit/test_workbook.c: what a workbook is asked to hold is in it, however much that is, or
 * it is refused by name. */
#include "report/workbook.h"

#include "report/sheets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "scratch_file.h"

static const struct book_head head = { .kind = "Chargeback",
                                       .period = "2026-09",
                                       .month_name = "September 2026",
                                       .status = "Preliminary",
                                       .run_id = "0123456789abcdef",
                                       .currency = "USD",
                                       .minor_unit_digits = 2 };

static struct book *begin(void)
{
    struct error error = { 0 };
    struct book *book = book_create(path, &head, NULL, &error);
    assert_non_null(book);
    return book;
}

static int filled;

static bool fill_one(struct sheet *sheet, struct error *error)
{
    (void)sheet;
    (void)error;
    filled++;
    return true;
}

static void every_sheet_of_a_long_list_is_written(void **state)
{
    (void)state;
    enum { SHEETS = 200 };
    static struct sheet_entry entries[SHEETS + 1];
    static char names[SHEETS][16];
    for (int i = 0; i < SHEETS; i++) {
        snprintf(names[i], sizeof names[i], "Sheet %d", i);
        entries[i] = (struct sheet_entry){ names[i], 1 + i % 3, 0, NULL, fill_one };
    }
    struct error error = { 0 };
    struct book *book = begin();
    filled = 0;
    assert_true(sheets_write(book, entries, &error));
    assert_int_equal(filled, SHEETS);
    assert_int_equal(book_lxw(book)->num_sheets, SHEETS);
    assert_true(book_write(book, &error));
}

static const char *amount; /* that fill_amount() writes */

static bool fill_amount(struct sheet *sheet, struct error *error)
{
    (void)error;
    sheet_value(sheet, 0, 0, amount, CELL_MONEY, ROLE_BODY);
    return true;
}

static const struct sheet_entry with_amount[] = { { "Budgets", 1, 0, NULL, fill_amount }, { 0 } };

static void an_amount_of_fifteen_digits_is_the_double_that_reads_back_as_it(void **state)
{
    (void)state;
    static const char *const amounts[] = { "999999999999999", "-999999999999999", "703687441776641",
                                           "900719925474099" };
    for (size_t i = 0; i < sizeof amounts / sizeof amounts[0]; i++) {
        struct error error = { 0 };
        struct book *book = begin();
        long long minor = strtoll(amounts[i], NULL, 10);
        char read_back[32], written[32];
        snprintf(read_back, sizeof read_back, "%.15g", book_money(book, minor));
        snprintf(written, sizeof written, "%lld.%02lld", minor / 100, llabs(minor % 100));
        assert_string_equal(read_back, written);
        amount = amounts[i];
        assert_true(sheets_write(book, with_amount, &error));
        assert_true(book_write(book, &error));
    }
}

static void a_larger_amount_is_refused_by_sheet_and_amount(void **state)
{
    (void)state;
    static const char *const amounts[][2] = {
        { "1000000000000000", "sheet Budgets: USD 10000000000000.00 has more than the 15 digits that a "
                              "spreadsheet keeps" },
        { "-9007199254740993", "sheet Budgets: USD -90071992547409.93 has more than the 15 digits that a "
                               "spreadsheet keeps" },
    };
    for (size_t i = 0; i < sizeof amounts / sizeof amounts[0]; i++) {
        struct error error = { 0 };
        struct stat written;
        assert_int_equal(0, truncate(path, 0));
        struct book *book = begin();
        amount = amounts[i][0];
        assert_false(sheets_write(book, with_amount, &error));
        assert_int_equal(error.kind, ERROR_INPUT);
        assert_string_equal(error.message, amounts[i][1]);
        assert_false(book_write(book, &error)); /* also where nobody listened */
        assert_int_equal(0, stat(path, &written));
        assert_int_equal(0, written.st_size);
    }
}

static void a_number_below_zero_that_rounds_to_nothing_has_no_sign(void **state)
{
    (void)state;
    struct error error = { 0 };
    struct book *book = begin();
    struct sheet *sheet = book_add_sheet(book, "Hours", 0, &error);
    sheet_number(sheet, 0, 0, -0.0, CELL_HOURS, ROLE_BODY);
    sheet_formula(sheet, 1, 0, "=A1", -0.0, CELL_HOURS, ROLE_TOTAL);
    for (lxw_row_t row = 0; row < 2; row++) {
        lxw_row *cells = lxw_worksheet_find_row(sheet->worksheet, row);
        const lxw_cell *cell = lxw_worksheet_find_cell_in_row(cells, 0);
        assert_int_equal(signbit(row == 0 ? cell->u.number : cell->formula_result), 0);
    }
    book_discard(book);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sheet_of_a_long_list_is_written),
        cmocka_unit_test(an_amount_of_fifteen_digits_is_the_double_that_reads_back_as_it),
        cmocka_unit_test(a_larger_amount_is_refused_by_sheet_and_amount),
        cmocka_unit_test(a_number_below_zero_that_rounds_to_nothing_has_no_sign),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
