/* What Azure's units of measure count, and how many of them one block is. */
#include "ingest/bill/azure_product.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void expect_unit(const char *measure, const char *block, const char *unit)
{
    struct csv_field text = { measure, strlen(measure) }, found = { NULL, 0 };
    struct decimal number;
    char digits[DECIMAL_TEXT_BYTES];
    assert_true(azure_unit(&text, &number, &found));
    decimal_format(&number, digits);
    assert_string_equal(block, digits);
    assert_int_equal(strlen(unit), found.length);
    assert_memory_equal(unit, found.text, found.length);
}

static void test_a_block_is_the_number_before_the_unit(void **state)
{
    (void)state;
    expect_unit("100 Hours", "100", "Hours");
    expect_unit("10K", "10000", "Units");
    expect_unit("1M/Month", "1000000", "/Month");
    expect_unit("1,000 GB Seconds", "1000", "GB Seconds");
    expect_unit("1 GB/Month", "1", "GB/Month");
}

static void test_without_a_number_the_block_is_one(void **state)
{
    (void)state;
    expect_unit("Hours", "1", "Hours");
    expect_unit("Days", "1", "Days");
    expect_unit("GB", "1", "GB");
    expect_unit("Per Call", "1", "Per Call");
}

static void test_a_time_has_one_name_however_it_is_spelt(void **state)
{
    (void)state;
    expect_unit("1 Hour", "1", "Hours");
    expect_unit("1 hour", "1", "Hours");
    expect_unit("1 1 Hour", "1", "Hours");
    expect_unit("1 hora", "1", "Hours");
    expect_unit("1 小时", "1", "Hours");
    expect_unit("1 Day", "1", "Days");
    expect_unit("10 day", "10", "Days");
    expect_unit("1 Minute", "1", "Minutes");
    expect_unit("Minute(s)", "1", "Minutes");
    expect_unit("1 Second", "1", "Seconds");
}

static void test_no_unit_of_time_is_made_of_another(void **state)
{
    (void)state;
    expect_unit("1 GB Hour", "1", "GB Hour");
    expect_unit("1/Hour", "1", "/Hour");
    expect_unit("1 Hourly Unit", "1", "Hourly Unit");
    expect_unit("1 1 GB", "1", "1 GB");
}

static void test_a_block_of_nothing_is_no_unit(void **state)
{
    static const char *const measures[] = { "0 Hours", "1.2.3 Hours", "" };
    struct csv_field unit;
    struct decimal block;
    (void)state;
    for (size_t i = 0; i < sizeof measures / sizeof measures[0]; i++)
        assert_false(azure_unit(&(struct csv_field){ measures[i], strlen(measures[i]) }, &block, &unit));
    assert_false(azure_unit(&(struct csv_field){ NULL, 0 }, &block, &unit));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_block_is_the_number_before_the_unit),
        cmocka_unit_test(test_without_a_number_the_block_is_one),
        cmocka_unit_test(test_a_time_has_one_name_however_it_is_spelt),
        cmocka_unit_test(test_no_unit_of_time_is_made_of_another),
        cmocka_unit_test(test_a_block_of_nothing_is_no_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
