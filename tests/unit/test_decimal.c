/* Decimals at the rim: text in, wire form and text out. Random values are compared with Python's
 * decimal (tests/unit/decimal_vectors.py); PostgreSQL's own numeric judges the wire form in
 * tests/database/. */
#include "base/decimal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/extent.h"

static const char *plain(const char *text)
{
    static char formatted[DECIMAL_TEXT_BYTES];
    struct decimal value;
    if (!decimal_parse(text, strlen(text), &value))
        return "refused";
    size_t length = decimal_format(&value, formatted);
    assert_int_equal(length, strlen(formatted));
    return formatted;
}

static void test_text_comes_back_with_the_scale_it_had(void **state)
{
    static const struct {
        const char *text, *plain;
    } cases[] = {
        { "0", "0" },
        { "0.00", "0.00" },
        { "-0.00", "0.00" },
        { "12.50", "12.50" },
        { "-1234.5", "-1234.5" },
        { "+7", "7" },
        { ".5", "0.5" },
        { "5.", "5" },
        { "00012", "12" },
        { "10000", "10000" },
        { "100000000", "100000000" },
        { "0.00000080000", "0.00000080000" },
        { "0.00010000", "0.00010000" },
        { "99999999.99999999", "99999999.99999999" },
        { "1.385e-05", "0.00001385" },
        { "1E3", "1000" },
        { "1.5E+1", "15" },
        { "120e-2", "1.20" },
        { "0e-5", "0.00000" },
        { "0e99", "0" },
        { "0e1280", "0" }, /* the largest exponent that is read */
        { "-0.000e2", "0.0" },
        { "9e-128",
          "0.0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
          "0000000000000000000000000000000000009" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(plain(cases[i].text), cases[i].plain);
}

static void test_what_is_no_decimal_is_refused(void **state)
{
    static const char *const cases[] = {
        "",       "-",       "+",     ".",      "-.",       " 1",    "1 ",
        "12,40",  "1,000",   "NaN",   "inf",    "Infinity", "1e",    "1e+",
        "e5",     "1.2.3",   "0x10",  "$5",     "1e5000",   "1e200", "1e-200",
        "--1",    "1e1.5",   "1_000", "1d",     "null",     "5-",    "1e99999999999999999999",
        "0e1281", "0e12801", "1e128", "1e1000", "1e-1000"
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(plain(cases[i]), "refused");
    struct decimal value;
    assert_false(decimal_parse("1\0", 2, &value));
    assert_false(decimal_parse("1e-5", 2, &value)); /* what follows is not its own */
    assert_true(decimal_parse("5.25", 1, &value));
    assert_int_equal(value.scale, 0);
}

static void test_the_limit_of_digits_is_exact(void **state)
{
    (void)state;
    char text[DECIMAL_MAXIMUM_DIGITS + 3];
    struct decimal value;
    memset(text, '9', sizeof text);
    assert_true(decimal_parse(text, DECIMAL_MAXIMUM_DIGITS, &value));
    assert_false(decimal_parse(text, DECIMAL_MAXIMUM_DIGITS + 1, &value));
    for (size_t point = 0; point <= DECIMAL_MAXIMUM_DIGITS; point++) {
        memset(text, '9', sizeof text);
        text[point] = '.';
        assert_true(decimal_parse(text, DECIMAL_MAXIMUM_DIGITS + 1, &value));
        assert_true(value.group_count <= DECIMAL_GROUPS);
    }
    memset(text, '0', sizeof text);
    text[sizeof text - 1] = '1';
    assert_true(decimal_parse(text, sizeof text, &value)); /* leading zeros do not count */
    /* The same with an exponent. */
    char scaled[DECIMAL_MAXIMUM_DIGITS + 3];
    memset(scaled, '9', sizeof scaled);
    memcpy(scaled + DECIMAL_MAXIMUM_DIGITS, "e0", 2);
    assert_true(decimal_parse(scaled, DECIMAL_MAXIMUM_DIGITS + 2, &value));
    memcpy(scaled + DECIMAL_MAXIMUM_DIGITS, "9e0", 3);
    assert_false(decimal_parse(scaled, DECIMAL_MAXIMUM_DIGITS + 3, &value));
    assert_true(decimal_parse("1e127", 5, &value));
    assert_int_equal(value.weight, 31); /* 10^127 = 1000 x 10000^31 */
    assert_int_equal(value.groups[0], 1000);
}

/* No group is kept of a zero, whatever was there before. */
static void test_zero_has_no_groups(void **state)
{
    (void)state;
    struct decimal value;
    memset(&value, 0, sizeof value);
    assert_true(decimal_parse("0.0000", 6, &value));
    assert_int_equal(value.group_count, 0);
    assert_int_equal(value.weight, 0);
}

static void test_wire_form_is_postgresqls(void **state)
{
    (void)state;
    struct decimal value;
    unsigned char wire[DECIMAL_WIRE_BYTES];
    static const unsigned char minus_12345_0067[] = { 0, 3, 0, 1, 0x40, 0, 0, 4, 0, 1, 0x09, 0x29, 0, 67 };
    assert_true(decimal_parse("-12345.0067", 11, &value));
    assert_int_equal(decimal_to_wire(&value, wire), sizeof minus_12345_0067);
    assert_memory_equal(wire, minus_12345_0067, sizeof minus_12345_0067);
    static const unsigned char small[] = { 0, 1, 0xff, 0xfe, 0, 0, 0, 8, 0, 7 };
    assert_true(decimal_parse("0.00000007", 10, &value));
    assert_int_equal(decimal_to_wire(&value, wire), sizeof small);
    assert_memory_equal(wire, small, sizeof small);
    static const unsigned char zero[] = { 0, 0, 0, 0, 0, 0, 0, 2 };
    assert_true(decimal_parse("-0.00", 5, &value));
    assert_int_equal(decimal_to_wire(&value, wire), sizeof zero);
    assert_memory_equal(wire, zero, sizeof zero);
}

/* Each line of the script: a text, a tab, what Python's decimal writes in plain form. Before a
 * release there are more of them. */
static void test_random_values_agree_with_python(void **state)
{
    (void)state;
    const int wanted = tried(30000, 200000);
    char command[512];
    snprintf(command, sizeof command,
             "PATH=/usr/bin:$PATH python3 " KSTAR_SOURCE_DIR "/tests/unit/decimal_vectors.py %d", wanted);
    FILE *vectors = popen(command, "r");
    assert_non_null(vectors);
    char line[1024];
    int count = 0;
    while (fgets(line, sizeof line, vectors) != NULL) {
        char *expected = strchr(line, '\t');
        assert_non_null(expected);
        *expected++ = '\0';
        expected[strcspn(expected, "\n")] = '\0';
        if (strcmp(plain(line), expected) != 0)
            fail_msg("%s: %s, but Python says %s", line, plain(line), expected);
        count++;
    }
    assert_int_equal(pclose(vectors), 0);
    assert_int_equal(count, wanted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_comes_back_with_the_scale_it_had),
        cmocka_unit_test(test_what_is_no_decimal_is_refused),
        cmocka_unit_test(test_the_limit_of_digits_is_exact),
        cmocka_unit_test(test_zero_has_no_groups),
        cmocka_unit_test(test_wire_form_is_postgresqls),
        cmocka_unit_test(test_random_values_agree_with_python),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
