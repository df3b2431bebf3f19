/* Dates and columns of sheets; reading is tested with the workbooks of other programs
 * (database/review_decisions). */
#include "base/text/workbook_reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Serials are LibreOffice's: =VALUE(DATE(...)). */
static void dates_count_from_the_last_day_of_1899(void **state)
{
    static const struct {
        const char *serial, *date;
    } days[] = { { "61", "1900-03-01" },       { "25569", "1970-01-01" },   { "46387", "2026-12-31" },
                 { "46387.99", "2026-12-31" }, { "2958465", "9999-12-31" }, { "36585", "2000-02-29" } };
    char date[11];
    (void)state;
    for (size_t i = 0; i < sizeof days / sizeof days[0]; i++) {
        assert_true(workbook_date(days[i].serial, date));
        assert_string_equal(date, days[i].date);
    }
}

static void what_is_no_serial_is_no_date(void **state)
{
    static const char *const serials[] = { "",       "soon", "60",  "-1",        "2958466",
                                           "46387x", "nan",  "inf", "2026-12-31" };
    char date[11];
    (void)state;
    for (size_t i = 0; i < sizeof serials / sizeof serials[0]; i++)
        assert_false(workbook_date(serials[i], date));
}

static void columns_are_named_by_letters(void **state)
{
    char name[4];
    (void)state;
    workbook_column_name(0, name);
    assert_string_equal(name, "A");
    workbook_column_name(25, name);
    assert_string_equal(name, "Z");
    workbook_column_name(26, name);
    assert_string_equal(name, "AA");
    workbook_column_name(63, name);
    assert_string_equal(name, "BL");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dates_count_from_the_last_day_of_1899),
        cmocka_unit_test(what_is_no_serial_is_no_date),
        cmocka_unit_test(columns_are_named_by_letters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
