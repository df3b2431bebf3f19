/* tests/unit/test_workbook_temporary.c: a workbook whose temporary files could not be written for a
 * while, as on a disk that another program fills and frees again, is not one. A limit on the size
 * of files stands for it. */
#include "report/workbook_temporary.h"

#include "report/workbook.h"
#include "report/workbook_check.h"

#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "scratch_file.h"

enum { ROWS = 20000, SMALL = 64 << 10 };

static void limit_files(rlim_t bytes)
{
    struct rlimit limit;
    assert_int_equal(0, getrlimit(RLIMIT_FSIZE, &limit));
    limit.rlim_cur = bytes;
    assert_int_equal(0, setrlimit(RLIMIT_FSIZE, &limit));
}

static struct book *begin(struct sheet **sheet)
{
    static const struct book_head head = { .kind = "Chargeback", .period = "2026-09", .currency = "USD" };
    struct error error = { 0 };
    struct book *book = book_create(path, &head, NULL, &error);
    assert_non_null(book);
    *sheet = book_add_sheet(book, "Jobs", SHEET_STREAMED, &error);
    assert_non_null(*sheet);
    return book;
}

static void write_rows(struct sheet *sheet, lxw_row_t from, lxw_row_t to)
{
    for (lxw_row_t row = from; row < to; row++)
        assert_int_equal(LXW_NO_ERROR, worksheet_write_number(sheet->worksheet, row, 0, row, NULL));
}

static void rows_that_were_lost_in_the_middle_are_noticed(void **state)
{
    (void)state;
    struct sheet *sheet;
    struct error error = { 0 };
    struct book *book = begin(&sheet);
    write_rows(sheet, 0, ROWS / 4);
    limit_files(SMALL);
    write_rows(sheet, ROWS / 4, ROWS / 2);
    limit_files(RLIM_INFINITY);
    write_rows(sheet, ROWS / 2, ROWS);
    assert_false(book_write(book, &error));
    assert_non_null(strstr(error.message, "temporary file in "));
    assert_non_null(strstr(error.message, path));
}

static void a_sheet_that_cannot_be_packed_is_noticed(void **state)
{
    (void)state;
    struct sheet *sheet;
    struct error error = { 0 };
    struct book *book = begin(&sheet);
    write_rows(sheet, 0, ROWS);
    limit_files(SMALL);
    assert_false(book_write(book, &error));
    limit_files(RLIM_INFINITY);
    assert_non_null(strstr(error.message, "temporary file in "));
}

static void the_next_workbook_is_none_the_worse(void **state)
{
    (void)state;
    struct sheet *sheet;
    struct error error = { 0 };
    struct book *book = begin(&sheet);
    write_rows(sheet, 0, ROWS);
    assert_true(book_write(book, &error));
    assert_true(workbook_is_whole(path, &error));
}

static int open_descriptors(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    assert_non_null(folder);
    while (readdir(folder) != NULL)
        count++;
    closedir(folder);
    return count;
}

static void no_file_stays_open_of_a_sheet_without_cells(void **state)
{
    (void)state;
    struct sheet *sheet;
    struct error error = { 0 };
    int before = open_descriptors();
    struct book *book = begin(&sheet);
    assert_true(book_write(book, &error));
    assert_int_equal(before, open_descriptors());
}

static void no_file_stays_open_of_a_workbook_that_was_given_up(void **state)
{
    (void)state;
    struct sheet *sheet;
    int before = open_descriptors();
    struct book *book = begin(&sheet);
    write_rows(sheet, 0, ROWS);
    book_discard(book);
    assert_int_equal(before, open_descriptors());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_that_were_lost_in_the_middle_are_noticed),
        cmocka_unit_test(a_sheet_that_cannot_be_packed_is_noticed),
        cmocka_unit_test(the_next_workbook_is_none_the_worse),
        cmocka_unit_test(no_file_stays_open_of_a_sheet_without_cells),
        cmocka_unit_test(no_file_stays_open_of_a_workbook_that_was_given_up),
    };
    signal(SIGXFSZ, SIG_IGN); /* else it ends the process */
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
