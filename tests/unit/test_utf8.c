/* What counts as text, and how a message shows what is none. */
#include "base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_valid_text_is_valid_at_every_offset(void **state)
{
    (void)state;
    static const char text[] = "plain text, then \xc3\xa9\xe2\x82\xac\xf0\x9f\x92\xb0 and plain again; "
                               "\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf";
    char shifted[sizeof text + 16];
    for (size_t offset = 0; offset < 16; offset++) {
        memset(shifted, 'a', offset);
        memcpy(shifted + offset, text, sizeof text - 1);
        assert_int_equal(utf8_valid_prefix(shifted, offset + sizeof text - 1), offset + sizeof text - 1);
        shifted[offset + 3] = '\0';
        assert_int_equal(utf8_valid_prefix(shifted, offset + sizeof text - 1), offset + 3);
        shifted[offset + 3] = '\xff';
        assert_int_equal(utf8_valid_prefix(shifted, offset + sizeof text - 1), offset + 3);
    }
}

static void test_what_rfc_3629_forbids_is_found(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "\x80",         "\xc0\xaf",         "\xc1\x81",         "\xe0\x9f\xbf",
        "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80",
        "\xc3",         "\xe2\x82",         "\xf0\x9f\x92",     "\xe2(\xa1",
        "\xff"
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(utf8_valid_prefix(bad[i], strlen(bad[i])), 0);
}

/* Every encoding of two and three bytes, judged by the code point that it would stand for. */
static void test_every_short_encoding(void **state)
{
    (void)state;
    for (unsigned code = 1; code < 0x10000; code++) {
        char text[3] = { (char)(0xe0 | code >> 12), (char)(0x80 | (code >> 6 & 0x3f)),
                         (char)(0x80 | (code & 0x3f)) };
        bool valid = code >= 0x800 && (code < 0xd800 || code > 0xdfff);
        assert_int_equal(utf8_valid_prefix(text, 3), valid ? 3 : 0);
    }
}

static void test_an_excerpt_is_always_text(void **state)
{
    (void)state;
    char excerpt[16];
    assert_string_equal(utf8_excerpt("12,40", 5, excerpt, sizeof excerpt), "12,40");
    assert_string_equal(utf8_excerpt("a\nb\0c\xff", 6, excerpt, sizeof excerpt), "a?b?c?");
    assert_string_equal(utf8_excerpt("0123456789abcdefgh", 18, excerpt, sizeof excerpt),
                        "0123456789ab\xe2\x80\xa6");
    assert_string_equal(utf8_excerpt("0123456789a\xc3\xa9zzzzzz", 19, excerpt, sizeof excerpt),
                        "0123456789a\xe2\x80\xa6");
    assert_string_equal(utf8_excerpt("", 0, excerpt, sizeof excerpt), "");
    assert_string_equal(utf8_excerpt("a\xc2\x9b\xc2\xa0z", 6, excerpt, sizeof excerpt), "a?\xc2\xa0z");
}

static void test_control_characters_of_one_byte_and_of_two(void **state)
{
    (void)state;
    assert_int_equal(utf8_control("\x1b[31m"), 1);
    assert_int_equal(utf8_control("\n"), 1);
    assert_int_equal(utf8_control("\x7f"), 1);
    assert_int_equal(utf8_control("\xc2\x80"), 2);
    assert_int_equal(utf8_control("\xc2\x9f"), 2);
    assert_int_equal(utf8_control("\xc2\xa0"), 0);
    assert_int_equal(utf8_control("\xc3\x80"), 0);
    assert_int_equal(utf8_control("\xc2"), 0);
    assert_int_equal(utf8_control(" "), 0);
    assert_int_equal(utf8_control(""), 0);
}

static size_t encode(unsigned number, char text[5])
{
    size_t length = number < 0x80 ? 1 : number < 0x800 ? 2 : 3;
    static const unsigned char leads[] = { 0, 0, 0xc0, 0xe0 };
    memset(text, 0, 5);
    for (size_t i = length; i-- > 0; number >>= 6)
        text[i] = (char)(i > 0 ? 0x80 | (number & 0x3f) : length > 1 ? leads[length] | number : number);
    return length;
}

/* Bidi_Control of Unicode's PropList.txt, and its line and paragraph separators. */
static bool turns_or_ends_a_line(unsigned number)
{
    return number == 0x61c || number == 0x200e || number == 0x200f ||
           (number >= 0x2028 && number <= 0x202e) || (number >= 0x2066 && number <= 0x2069);
}

static void test_marks_that_nobody_sees_and_no_other_characters(void **state)
{
    (void)state;
    char text[5], excerpt[16];
    for (unsigned number = 0xa0; number < 0xd800; number++) {
        size_t length = encode(number, text);
        assert_int_equal(utf8_control(text), turns_or_ends_a_line(number) ? length : 0);
    }
    assert_int_equal(utf8_control("\xe2\x80"), 0);
    assert_string_equal(utf8_excerpt("a\xe2\x80\xae"
                                     "b\xd8\x9c"
                                     "c",
                                     8, excerpt, sizeof excerpt),
                        "a?b?c");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_valid_text_is_valid_at_every_offset),
        cmocka_unit_test(test_what_rfc_3629_forbids_is_found),
        cmocka_unit_test(test_every_short_encoding),
        cmocka_unit_test(test_an_excerpt_is_always_text),
        cmocka_unit_test(test_control_characters_of_one_byte_and_of_two),
        cmocka_unit_test(test_marks_that_nobody_sees_and_no_other_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
