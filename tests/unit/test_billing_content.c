/* What lines of a bill say, as a number: what changes it, what does not, and how numbers add up. */
#include "ingest/bill/billing_content.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { PERIOD = 20000, CUSTOM = 7 };

static struct csv_field field(const char *text)
{
    return (struct csv_field){ text, strlen(text) };
}

static void set_amount(struct billing_row *row, enum billing_amount amount, const char *text)
{
    row->amount_known[amount] = true;
    assert_true(decimal_parse(text, strlen(text), &row->amounts[amount]));
}

/* A line with a text in each column but the last, so that every column has something to lose. */
static struct billing_row usual_row(void)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    struct billing_row row;
    memset(&row, 0, sizeof row);
    row.times[TIME_CHARGE_PERIOD_START] = 1000;
    row.times[TIME_CHARGE_PERIOD_END] = 2000;
    for (int text = 0; text < TEXT_COUNT - 1; text++)
        row.texts[text] = (struct csv_field){ letters + text, 1 };
    for (int amount = 0; amount < AMOUNT_COUNT; amount++)
        set_amount(&row, amount, "1.50");
    return row;
}

static XXH128_hash_t content(const struct billing_row *row)
{
    return billing_content_of(row, PERIOD, CUSTOM);
}

static void expect_same(const struct billing_row *row, const struct billing_row *other)
{
    assert_true(XXH128_isEqual(content(row), content(other)));
}

static void expect_other(const struct billing_row *row, const struct billing_row *other)
{
    assert_false(XXH128_isEqual(content(row), content(other)));
}

static void test_equal_numbers_are_equal_however_they_are_written(void **state)
{
    static const char *const spellings[] = { "1.5", "1.500000", "+1.50", "15e-1", "0001.5", "0.15E1" };
    struct billing_row row = usual_row();
    (void)state;
    row.texts[TEXT_LIST_UNIT_PRICE] = row.texts[TEXT_CONTRACTED_UNIT_PRICE] = field("1.50");
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        struct billing_row other = row;
        for (int amount = 0; amount < AMOUNT_COUNT; amount++)
            set_amount(&other, amount, spellings[i]);
        other.texts[TEXT_LIST_UNIT_PRICE] = other.texts[TEXT_CONTRACTED_UNIT_PRICE] = field(spellings[i]);
        expect_same(&row, &other);
    }
}

static void test_digits_of_other_texts_are_text(void **state)
{
    struct billing_row row = usual_row(), other = row;
    (void)state;
    row.texts[TEXT_SUB_ACCOUNT_ID] = field("0012");
    other.texts[TEXT_SUB_ACCOUNT_ID] = field("12");
    expect_other(&row, &other);
}

static void test_each_column_counts(void **state)
{
    const struct billing_row row = usual_row();
    (void)state;
    for (int text = 0; text < TEXT_COUNT; text++) {
        struct billing_row other = row;
        other.texts[text] = field("another");
        expect_other(&row, &other);
        other.texts[text] = (struct csv_field){ NULL, 0 };
        assert_int_equal(text == TEXT_COUNT - 1, XXH128_isEqual(content(&row), content(&other)));
    }
    for (int amount = 0; amount < AMOUNT_COUNT; amount++) {
        struct billing_row other = row, negative = row;
        set_amount(&other, amount, "15000"); /* the same digits at another place */
        expect_other(&row, &other);
        set_amount(&negative, amount, "-1.50");
        expect_other(&row, &negative);
        set_amount(&other, amount, "0");
        other.amount_known[amount] = false;
        struct billing_row zero = other;
        zero.amount_known[amount] = true;
        expect_other(&other, &zero); /* null is not 0 */
    }
    for (int time = TIME_CHARGE_PERIOD_START; time <= TIME_CHARGE_PERIOD_END; time++) {
        struct billing_row other = row;
        other.times[time]++;
        expect_other(&row, &other);
    }
    assert_false(XXH128_isEqual(content(&row), billing_content_of(&row, PERIOD + 1, CUSTOM)));
    assert_false(XXH128_isEqual(content(&row), billing_content_of(&row, PERIOD, CUSTOM + 1)));
}

static void test_where_a_text_ends_counts(void **state)
{
    struct billing_row row = usual_row(), other = row;
    (void)state;
    row.texts[TEXT_RESOURCE_ID] = field("ab");
    row.texts[TEXT_RESOURCE_NAME] = field("c");
    other.texts[TEXT_RESOURCE_ID] = field("a");
    other.texts[TEXT_RESOURCE_NAME] = field("bc");
    expect_other(&row, &other);
}

static void test_long_texts_count_to_their_end(void **state)
{
    char text[5000], end[5000];
    struct billing_row row = usual_row(), other = row;
    (void)state;
    memset(text, 'x', sizeof text);
    memset(end, 'x', sizeof end);
    end[sizeof end - 1] = 'y';
    for (size_t length = 1; length < sizeof text; length = 2 * length + 1) {
        row.texts[TEXT_TAGS] = (struct csv_field){ text + sizeof text - length, length };
        other.texts[TEXT_TAGS] = (struct csv_field){ end + sizeof end - length, length };
        expect_other(&row, &other);
    }
}

static void test_a_line_of_the_longest_of_everything_fits(void **state)
{
    char digits[DECIMAL_MAXIMUM_DIGITS + 2], text[65];
    struct billing_row row = usual_row();
    (void)state;
    memset(digits, '9', sizeof digits - 1);
    digits[65] = '.';
    digits[sizeof digits - 1] = '\0';
    memset(text, 'x', sizeof text);
    for (int i = 0; i < TEXT_COUNT; i++)
        row.texts[i] = (struct csv_field){ text, 64 };
    row.texts[TEXT_LIST_UNIT_PRICE] = row.texts[TEXT_CONTRACTED_UNIT_PRICE] = field(digits);
    for (int amount = 0; amount < AMOUNT_COUNT; amount++)
        set_amount(&row, amount, digits);
    struct billing_row other = row;
    expect_same(&row, &other);
    other.texts[TEXT_TAGS].length--; /* the last that is written */
    expect_other(&row, &other);
}

/* ---- sums ---- */

static XXH128_hash_t hash(uint64_t high, uint64_t low)
{
    return (XXH128_hash_t){ .low64 = low, .high64 = high };
}

static void expect_sum(XXH128_hash_t first, XXH128_hash_t second, XXH128_hash_t expected)
{
    XXH128_hash_t forth = { 0 }, back = { 0 };
    billing_content_add(&forth, first);
    billing_content_add(&forth, second);
    billing_content_add(&back, second);
    billing_content_add(&back, first);
    assert_true(XXH128_isEqual(forth, expected));
    assert_true(XXH128_isEqual(back, expected));
}

static void test_sums_carry_and_wrap_at_2_to_the_128(void **state)
{
    (void)state;
    expect_sum(hash(1, 2), hash(3, 4), hash(4, 6));
    expect_sum(hash(0, UINT64_MAX), hash(0, 1), hash(1, 0));
    expect_sum(hash(UINT64_MAX, UINT64_MAX), hash(0, 1), hash(0, 0));
    expect_sum(hash(UINT64_MAX, UINT64_MAX), hash(UINT64_MAX, UINT64_MAX), hash(UINT64_MAX, UINT64_MAX - 1));
}

static void test_a_line_that_stands_twice_does_not_cancel_itself(void **state)
{
    const struct billing_row row = usual_row();
    XXH128_hash_t once = { 0 }, twice = { 0 }, none = { 0 };
    (void)state;
    billing_content_add(&once, content(&row));
    billing_content_add(&twice, content(&row));
    billing_content_add(&twice, content(&row));
    assert_false(XXH128_isEqual(once, twice));
    assert_false(XXH128_isEqual(none, twice));
}

static void expect_number(XXH128_hash_t sum, int count, const int64_t *groups)
{
    struct decimal_sum number, expected = { 0 };
    for (int i = 0; i < count; i++)
        expected.groups[DECIMAL_SUM_WHOLE - count + i] = groups[i];
    billing_content_number(sum, &number);
    assert_memory_equal(expected.groups, number.groups, sizeof number.groups);
    assert_int_equal(0, number.scale);
}

static void test_sums_are_whole_numbers_in_the_database(void **state)
{
    (void)state;
    expect_number(hash(0, 0), 0, NULL);
    expect_number(hash(0, 9999), 1, (const int64_t[]){ 9999 });
    expect_number(hash(0, 10000), 2, (const int64_t[]){ 1, 0 });
    /* 2^64 = 1844 6744 0737 0955 1616 */
    expect_number(hash(1, 0), 5, (const int64_t[]){ 1844, 6744, 737, 955, 1616 });
    /* 2^128 − 1 = 340 2823 6692 0938 4634 6337 4607 4317 6821 1455 */
    expect_number(hash(UINT64_MAX, UINT64_MAX), 10,
                  (const int64_t[]){ 340, 2823, 6692, 938, 4634, 6337, 4607, 4317, 6821, 1455 });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_numbers_are_equal_however_they_are_written),
        cmocka_unit_test(test_digits_of_other_texts_are_text),
        cmocka_unit_test(test_each_column_counts),
        cmocka_unit_test(test_where_a_text_ends_counts),
        cmocka_unit_test(test_long_texts_count_to_their_end),
        cmocka_unit_test(test_a_line_of_the_longest_of_everything_fits),
        cmocka_unit_test(test_sums_carry_and_wrap_at_2_to_the_128),
        cmocka_unit_test(test_a_line_that_stands_twice_does_not_cancel_itself),
        cmocka_unit_test(test_sums_are_whole_numbers_in_the_database),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
