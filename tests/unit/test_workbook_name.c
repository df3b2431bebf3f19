/* report/workbook_name.h: names of sheets and files, and text of cells, from any text. */
#include "report/workbook_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_owned(const char *expected, char *got)
{
    assert_string_equal(expected, got);
    free(got);
}

static void assert_cell(const char *expected, const char *text)
{
    char *owned;
    assert_string_equal(expected, cell_text(text, &owned));
    free(owned);
}

static void a_sheet_name_is_legal(void **state)
{
    (void)state;
    assert_owned("Jobs", sheet_name_from("Jobs", 1));
    assert_owned("a-b-c-d-e-f-g", sheet_name_from("a[b]c:d*e?f/g", 1));
    assert_owned("it's", sheet_name_from("'it's'", 1));
    assert_owned("Sheet", sheet_name_from("'' ", 1));
    assert_owned("Sheet", sheet_name_from("history", 1));
}

static void a_name_is_not_read_as_an_escaped_character(void **state)
{
    (void)state;
    assert_owned("Curve llama_X4096_ctx", sheet_name_from("Curve llama_x4096_ctx", 1));
    assert_owned("a_X0041_-_x41_", sheet_name_from("a_x0041_/_x41_", 1));
    assert_owned("k_star_llama_X4096_ctx", defined_name_from("k_star_llama x4096 ctx", 1));
    assert_owned("a_X0041_X0042_", defined_name_from("a_x0041_x0042_", 1));
}

static void a_sheet_name_has_at_most_31_units(void **state)
{
    (void)state;
    assert_owned("abcdefghijklmnopqrstuvwxyzabcde", sheet_name_from("abcdefghijklmnopqrstuvwxyzabcdefgh", 1));
    assert_owned("abcdefghijklmnopqrstuvwxyz- (2)", sheet_name_from("abcdefghijklmnopqrstuvwxyz-cdefgh", 2));
    /* An emoji is two units: fifteen fit, and none is cut in two. */
    char *name = sheet_name_from("😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀", 1);
    assert_int_equal(15 * 4, strlen(name));
    free(name);
}

static void a_file_name_part_is_marked_where_it_had_to_change(void **state)
{
    (void)state;
    assert_owned("CC-100", file_name_part("CC-100", false));
    assert_owned("é漢", file_name_part("é漢", false));
    char *slash = file_name_part("a/b", false), *dash = file_name_part("a-b", false);
    char *colon = file_name_part("a:b", false), *marked = file_name_part("a-b", true);
    assert_string_equal("a-b", dash);
    assert_int_equal(strlen("a-b-12345678"), strlen(slash));
    assert_string_not_equal(slash, colon);
    assert_string_not_equal(slash, marked);
    assert_memory_equal("a-b-", marked, 4);
    free(slash);
    free(dash);
    free(colon);
    free(marked);
}

static void a_file_name_part_is_short(void **state)
{
    (void)state;
    char text[1000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    char *part = file_name_part(text, false);
    assert_int_equal(FILE_NAME_PART_BYTES + 9, strlen(part));
    free(part);
    char *empty = file_name_part("", false);
    assert_int_equal(9, strlen(empty));
    free(empty);
}

static void a_defined_name_has_letters_digits_and_underscores(void **state)
{
    static const struct {
        const char *text;
        int number;
        const char *name;
    } cases[] = { { "rate_EUR", 1, "rate_EUR" },
                  { "rate_EUR", 2, "rate_EUR_2" },
                  { "rate_@streaming x", 1, "rate__streaming_x" },
                  { "k_star_é", 1, "k_star___" } };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *name = defined_name_from(cases[i].text, cases[i].number);
        assert_string_equal(name, cases[i].name);
        free(name);
    }
}

static void text_of_a_cell_is_kept_but_for_what_xml_cannot_hold(void **state)
{
    (void)state;
    assert_cell("=1+1 \t\n é 漢 😀", "=1+1 \t\n é 漢 😀");
    assert_cell("bell\xE2\x90\x87 delete\xE2\x90\xA1 return\xE2\x90\x8D", "bell\x07 delete\x7F return\r");
    assert_cell("_x005F_x0041_ and _x41_", "_x0041_ and _x41_");
    assert_cell("\xEF\xBF\xBD\xEF\xBF\xBC", "\xEF\xBF\xBE\xEF\xBF\xBC");
}

/* U+202E, right-to-left override; U+2066; U+061C; U+2028, which ends a line; U+0085, of C1. */
static void what_nobody_sees_does_not_turn_a_cell_around(void **state)
{
    (void)state;
    assert_cell("job\xEF\xBF\xBD ran on 64", "job\xE2\x80\xAE ran on 64");
    assert_cell("\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD", "\xE2\x81\xA6\xD8\x9C\xE2\x80\xA8");
    assert_cell("a\xEF\xBF\xBD"
                "b",
                "a\xC2\x85"
                "b");
    assert_cell("עברית 𝄞 …\xE2\x80\x8D\xE2\x81\xA0\xD8\x9B\xC2\xA0",
                "עברית 𝄞 …\xE2\x80\x8D\xE2\x81\xA0\xD8\x9B\xC2\xA0");
    char *sheet = sheet_name_from("a\xE2\x80\xAE"
                                  "b",
                                  1);
    char *file = file_name_part("a\xE2\x80\xAE"
                                "b",
                                false);
    assert_string_equal("a-b", sheet);
    assert_int_equal(0, strncmp("a-b-", file, 4));
    free(sheet);
    free(file);
}

static void text_longer_than_a_cell_is_cut_between_characters(void **state)
{
    (void)state;
    char *owned, *text = malloc(4 * 20000 + 1);
    for (int i = 0; i < 20000; i++)
        memcpy(text + (size_t)4 * (size_t)i, "😀", 5);
    const char *cut = cell_text(text, &owned);
    size_t length = strlen(cut);
    assert_string_equal("😀…", cut + length - 7);
    assert_true((length - 3) / 4 * 2 + 1 <= CELL_TEXT_UNITS);
    assert_int_equal(16382, (length - 3) / 4);
    free(owned);
    free(text);
}

static void a_long_text_keeps_its_beginning_and_its_end(void **state)
{
    (void)state;
    assert_owned("autumn", text_shortened("autumn", 6));
    assert_owned("au…mn", text_shortened("autumn", 5));
    assert_owned("aut…mn", text_shortened("autumn plan, much later than in autumn", 6));
    assert_owned("größ…öße", text_shortened("größe und nochmals größe", 8));
    assert_owned("日本…幣", text_shortened("日本国の紙幣", 4));
    assert_owned("", text_shortened("", 4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_text_keeps_its_beginning_and_its_end),
        cmocka_unit_test(a_sheet_name_is_legal),
        cmocka_unit_test(a_name_is_not_read_as_an_escaped_character),
        cmocka_unit_test(a_sheet_name_has_at_most_31_units),
        cmocka_unit_test(a_file_name_part_is_marked_where_it_had_to_change),
        cmocka_unit_test(a_file_name_part_is_short),
        cmocka_unit_test(a_defined_name_has_letters_digits_and_underscores),
        cmocka_unit_test(text_of_a_cell_is_kept_but_for_what_xml_cannot_hold),
        cmocka_unit_test(what_nobody_sees_does_not_turn_a_cell_around),
        cmocka_unit_test(text_longer_than_a_cell_is_cut_between_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
