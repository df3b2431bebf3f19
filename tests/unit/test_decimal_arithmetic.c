/* Sums and products of decimals. Expected values by Python's decimal with 99 digits. */
#include "base/decimal_arithmetic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef bool operation(const struct decimal *, const struct decimal *, struct decimal *);

static const char *result_of(operation *operate, const char *left, const char *right)
{
    static char text[DECIMAL_TEXT_BYTES];
    struct decimal a, b;
    assert_true(decimal_parse(left, strlen(left), &a));
    assert_true(decimal_parse(right, strlen(right), &b));
    if (!operate(&a, &b, &a))
        return "refused";
    decimal_format(&a, text);
    return text;
}

static void test_sums_are_exact_and_keep_the_larger_scale(void **state)
{
    (void)state;
    assert_string_equal(result_of(decimal_add, "0.10", "0.2"), "0.30");
    assert_string_equal(result_of(decimal_add, "9999999999999999999999.99", "0.01"),
                        "10000000000000000000000.00");
    assert_string_equal(result_of(decimal_add, "1e-30", "1"), "1.000000000000000000000000000001");
    assert_string_equal(result_of(decimal_add, "-5.25", "5.25"), "0.00");
    assert_string_equal(result_of(decimal_subtract, "100.004", "100.0045"), "-0.0005");
    assert_string_equal(result_of(decimal_subtract, "0", "12.5"), "-12.5");
}

static void test_products_are_exact(void **state)
{
    (void)state;
    assert_string_equal(result_of(decimal_multiply, "12345678.9012345678", "-87654321.0987654321"),
                        "-1082152102591068.41348574911222374638");
    assert_string_equal(result_of(decimal_multiply, "0.000000123456789", "1000"), "0.000123456789000");
    assert_string_equal(result_of(decimal_multiply, "0", "3.50"), "0.00");
}

static void test_a_quotient_that_ends_is_exact(void **state)
{
    (void)state;
    assert_int_equal(strncmp(result_of(decimal_divide, "730", "100"), "7.3000000000", 12), 0);
    assert_string_equal(result_of(decimal_divide, "1", "0"), "refused");
}

static void test_too_many_digits_are_refused(void **state)
{
    (void)state;
    assert_string_equal(result_of(decimal_multiply, "1e100", "1e100"), "refused");
}

static void test_the_negative_of_zero_is_zero(void **state)
{
    struct decimal zero, one;
    (void)state;
    assert_true(decimal_parse("0.0", 3, &zero) && decimal_parse("1", 1, &one));
    assert_false(decimal_negated(&zero).negative);
    assert_true(decimal_negated(&one).negative);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums_are_exact_and_keep_the_larger_scale),
        cmocka_unit_test(test_products_are_exact),
        cmocka_unit_test(test_a_quotient_that_ends_is_exact),
        cmocka_unit_test(test_too_many_digits_are_refused),
        cmocka_unit_test(test_the_negative_of_zero_is_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
