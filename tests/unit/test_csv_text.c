/* report/csv_text.h: fields of a CSV that spreadsheets and ledgers read. */
#include "report/csv_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void assert_written(const char *expected, const char *text, bool is_text, char delimiter)
{
    char *written = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&written, &size);
    csv_text_write(out, text, is_text, delimiter);
    fclose(out);
    assert_string_equal(expected, written);
    free(written);
}

static void a_plain_field_stands_as_it_is(void **state)
{
    (void)state;
    assert_written("", NULL, true, ',');
    assert_written("", "", true, ',');
    assert_written("CC-210", "CC-210", true, ',');
    assert_written("it's 5 % = much", "it's 5 % = much", true, ',');
    assert_written("Größe 漢字 😀", "Größe 漢字 😀", true, ',');
}

static void a_field_that_needs_quotes_has_them(void **state)
{
    (void)state;
    assert_written("\"a,b\"", "a,b", true, ',');
    assert_written("\"a,b\"", "a,b", true,
                   ';'); /* a reader that takes the comma for the delimiter is not misled */
    assert_written("\"1,50\"", "1,50", false, ';');
    assert_written("\"say \"\"no\"\"\"", "say \"no\"", true, ',');
    assert_written("\"two\nlines\"", "two\nlines", true, ',');
    assert_written("\"a\tb\"", "a\tb", true, '\t');
    assert_written("\" padded \"", " padded ", true, ',');
    assert_written("\"\"\"\"", "\"", true, ',');
}

static void a_text_is_no_formula(void **state)
{
    (void)state;
    assert_written("'=1+1", "=1+1", true, ',');
    assert_written("'+1", "+1", true, ',');
    assert_written("'-1", "-1", true, ',');
    assert_written("'@SUM(A1)", "@SUM(A1)", true, ',');
    assert_written("\"'\t=1\"", "\t=1", true, ',');
    assert_written("\"'\r=1\"", "\r=1", true, ',');
    assert_written("\"'=HYPERLINK(\"\"x\"\",1)\"", "=HYPERLINK(\"x\",1)", true, ',');
    assert_written("'＝1", "＝1", true, ',');
    assert_written("'＠x", "＠x", true, ',');
    assert_written("＃x", "＃x", true, ','); /* begins with the same bytes */
}

static void a_number_of_our_own_keeps_its_sign(void **state)
{
    (void)state;
    assert_written("-12.50", "-12.50", false, ',');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plain_field_stands_as_it_is),
        cmocka_unit_test(a_field_that_needs_quotes_has_them),
        cmocka_unit_test(a_text_is_no_formula),
        cmocka_unit_test(a_number_of_our_own_keeps_its_sign),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
