/* report/formats.h: how wide a column must be to show a number. */
#include "report/formats.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A digit is a character wide, a separator, point or sign half of one, "%" a whole one; one more is
 * left free. */
static void a_number_needs_its_digits_and_half_as_much_for_its_marks(void **state)
{
    (void)state;
    assert_float_equal(formats_width(CELL_MONEY, 2, 0.5, 0), 3 + 0.5 + 1, 0); /* 0.50 */
    assert_float_equal(formats_width(CELL_MONEY, 2, 1234567890.12, 0), 12 + 4 * 0.5 + 1,
                       0); /* 1,234,567,890.12 */
    assert_float_equal(formats_width(CELL_DIFFERENCE, 2, -999999.994, 0), 8 + 3 * 0.5 + 1,
                       0); /* -999,999.99 */
    assert_float_equal(formats_width(CELL_DIFFERENCE, 2, 999999.995001, 0), 9 + 3 * 0.5 + 1,
                       0); /* 1,000,000.00 */
    assert_float_equal(formats_width(CELL_MONEY, 0, 64753307034.0, 0), 11 + 3 * 0.5 + 1,
                       0);                                                              /* 64,753,307,034 */
    assert_float_equal(formats_width(CELL_PRICE, 2, 880640.0, 0), 10 + 2 * 0.5 + 1, 0); /* 880,640.0000 */
    assert_float_equal(formats_width(CELL_PERCENT, 2, -0.094, 0), 2 + 2 * 0.5 + 1 + 1, 0); /* -9.4% */
    assert_float_equal(formats_width(CELL_COUNT, 2, 1000, 0), 4 + 0.5 + 1, 0);             /* 1,000 */
}

static void an_exact_amount_needs_the_places_that_it_has(void **state)
{
    (void)state;
    assert_float_equal(formats_width(CELL_EXACT, 2, 12.5, 0), 4 + 0.5 + 1, 0);       /* 12.50 */
    assert_float_equal(formats_width(CELL_EXACT, 2, 12.5078125, 0), 9 + 0.5 + 1, 0); /* 12.5078125 */
}

static void what_is_no_number_needs_nothing(void **state)
{
    (void)state;
    assert_float_equal(formats_width(CELL_TEXT, 2, 1e9, 0), 0, 0);
    assert_float_equal(formats_width(CELL_DATE, 2, 45000, 0), 0, 0);
    assert_float_equal(formats_width(CELL_MONEY, 2, NAN, 0), 0, 0);
}

/* The cheap answer is the exact one, around each power of ten and far from them. */
static void a_column_that_is_wide_enough_stays(void **state)
{
    (void)state;
    const double around[] = { -0.006, -0.0051, -0.004, 0, 0.004, 0.0051, 0.006 };
    for (double power = 1; power < 1e15; power *= 10) {
        for (size_t i = 0; i < sizeof around / sizeof around[0]; i++) {
            double value = power + around[i];
            double needed = formats_width(CELL_MONEY, 2, value, 0);
            for (double width = needed - 3; width < needed + 3; width += 0.5)
                assert_float_equal(formats_width(CELL_MONEY, 2, value, width),
                                   width > needed ? width : needed, 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_needs_its_digits_and_half_as_much_for_its_marks),
        cmocka_unit_test(an_exact_amount_needs_the_places_that_it_has),
        cmocka_unit_test(a_column_that_is_wide_enough_stays),
        cmocka_unit_test(what_is_no_number_needs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
