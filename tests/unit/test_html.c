/* report/page/html.h: a text from outside stays text. */
#include "report/page/html.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void assert_written(const char *expected, const char *text)
{
    char *written = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&written, &length);
    html_text(out, text);
    fclose(out);
    assert_string_equal(expected, written);
    free(written);
}

static void markup_is_escaped(void **state)
{
    (void)state;
    assert_written("&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;", "<b a=\"1\" c='2'>&amp;");
    assert_written("Büro 部門 $ %s", "Büro 部門 $ %s");
    assert_written("", NULL);
}

static void what_nobody_sees_is_replaced(void **state)
{
    (void)state;
    assert_written("a\xEF\xBF\xBD"
                   "b",
                   "a\x1b"
                   "b");
    assert_written("x\xEF\xBF\xBDslx", "x\xE2\x80\xAEslx");
}

static void each_sign_takes_a_text(void **state)
{
    (void)state;
    char *written = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&written, &length);
    html_print(out, "<a href=\"$\">$</a>", "a&b", "<$>");
    fclose(out);
    assert_string_equal("<a href=\"a&amp;b\">&lt;$&gt;</a>", written);
    free(written);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(markup_is_escaped),
        cmocka_unit_test(what_nobody_sees_is_replaced),
        cmocka_unit_test(each_sign_takes_a_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
