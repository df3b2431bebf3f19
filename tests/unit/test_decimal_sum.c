/* tests/unit/test_decimal_sum.c: sums against libpgtypes, PostgreSQL's own arithmetic. */
#include "base/decimal_arithmetic.h"
#include "base/decimal_sum.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct decimal parse(const char *text)
{
    struct decimal value;
    assert_true(decimal_parse(text, strlen(text), &value));
    return value;
}

static void expect(const struct decimal_sum *sum, const struct decimal *expected)
{
    unsigned char wire[DECIMAL_SUM_WIRE_BYTES], expected_wire[DECIMAL_WIRE_BYTES];
    size_t length = decimal_sum_to_wire(sum, wire);
    assert_int_equal(length, decimal_to_wire(expected, expected_wire));
    assert_memory_equal(wire, expected_wire, length);
}

static void a_sum_has_the_digits_and_the_scale_that_postgresql_gives(void **state)
{
    static const struct {
        const char *addends[4], *sum;
    } cases[] = {
        { { NULL }, "0" },
        { { "0.00", NULL }, "0.00" },
        { { "1.50", "2.5", NULL }, "4.00" },
        { { "0.1", "0.2", "-0.3", NULL }, "0.0" },
        { { "9999", "1", NULL }, "10000" },
        { { "10000", "-0.0001", NULL }, "9999.9999" },
        { { "-10000", "0.0001", NULL }, "-9999.9999" },
        { { "-1", "-9999", "1e-4", NULL }, "-9999.9999" },
        { { "1e60", "-1e60", "1e-60", NULL }, "1e-60" },
        { { "-5", "12345678901234567890.123", NULL }, "12345678901234567885.123" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct decimal_sum sum = { 0 };
        for (int j = 0; j < 4 && cases[i].addends[j] != NULL; j++) {
            struct decimal addend = parse(cases[i].addends[j]);
            decimal_sum_add(&sum, &addend);
        }
        struct decimal expected = parse(cases[i].sum);
        expect(&sum, &expected);
    }
}

static void the_largest_and_the_smallest_decimals_fit(void **state)
{
    char text[DECIMAL_MAXIMUM_DIGITS + 1], small[sizeof text + 1];
    (void)state;
    memset(text, '9', DECIMAL_MAXIMUM_DIGITS);
    text[DECIMAL_MAXIMUM_DIGITS] = '\0';
    snprintf(small, sizeof small, ".%s", text);
    struct decimal large = parse(text), fraction = parse(small);
    struct decimal_sum sum = { 0 };
    for (int i = 0; i < 3; i++)
        decimal_sum_add(&sum, &large);
    decimal_sum_add(&sum, &fraction);
    unsigned char wire[DECIMAL_SUM_WIRE_BYTES];
    /* 2 and 127 nines and 7, then 128 nines: 33 groups before the point (a lone 2), 32 behind */
    assert_int_equal(decimal_sum_to_wire(&sum, wire), 8 + 2 * (33 + 32));
    assert_int_equal(wire[3], 32); /* weight of the first group */
    assert_int_equal(wire[9], 2);
    assert_int_equal(wire[7], 128); /* scale */
}

static void random_sums_are_those_of_libpgtypes(void **state)
{
    (void)state;
    srand(20260901);
    for (int round = 0; round < 200; round++) {
        struct decimal_sum sum = { 0 };
        struct decimal expected = parse("0");
        for (int i = 0; i < 50; i++) {
            char text[64];
            snprintf(text, sizeof text, "%s%d%04d.%0*d", rand() % 2 ? "-" : "", rand() % 100000,
                     rand() % 10000, 1 + rand() % 9, rand() % 1000000);
            struct decimal addend = parse(text);
            decimal_sum_add(&sum, &addend);
            assert_true(decimal_add(&expected, &addend, &expected));
        }
        expect(&sum, &expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sum_has_the_digits_and_the_scale_that_postgresql_gives),
        cmocka_unit_test(the_largest_and_the_smallest_decimals_fit),
        cmocka_unit_test(random_sums_are_those_of_libpgtypes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
