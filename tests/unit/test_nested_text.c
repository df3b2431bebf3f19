/* Nested values as text: JSON and Python's repr give the same text, numbers digit for digit. */
#include "ingest/bill/nested_text.h"

#include <cjson/cJSON.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_both_spellings_give_the_same(void **state)
{
    static const struct {
        const char *text, *json;
    } cases[] = {
        { "[]", "[]" },
        { " {\"a\": \"b\"} ", "{\"a\":\"b\"}" },
        { "{'a': 'b'}", "{\"a\":\"b\"}" },
        { "[{'name': \"it's\", 'amount': -0.10}]", "[{\"name\":\"it's\",\"amount\":\"-0.10\"}]" },
        { "{'a': None, 'b': True, 'c': False}", "{\"a\":null,\"b\":true,\"c\":false}" },
        { "{\"a\": null, \"b\": true, \"c\": false}", "{\"a\":null,\"b\":true,\"c\":false}" },
        { "[0.1234567890123456789012345, 1e-05, 10]", "[\"0.1234567890123456789012345\",\"1e-05\",\"10\"]" },
        { "['say \"hi\"']", "[\"say \\\"hi\\\"\"]" },
        { "['\\'', '\\xe9', '\\u00e9', '\\\\', '\\n']",
          "[\"'\",\"\xc3\xa9\",\"\xc3\xa9\",\"\\\\\",\"\\n\"]" },
        { "[\"{'not': None}\"]", "[\"{'not': None}\"]" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *problem;
        cJSON *value = nested_text_parse(cases[i].text, strlen(cases[i].text), &problem);
        char *json = cJSON_PrintUnformatted(value);
        assert_non_null(json);
        assert_string_equal(cases[i].json, json);
        cJSON_free(json);
        cJSON_Delete(value);
    }
}

static void test_anything_else_is_refused(void **state)
{
    static const char *const bad[] = {
        "",
        "a=b",
        "(1, 2)",
        "[1",
        "['a]",
        "['a\\']",
        "{'a': datetime.date(2026, 9, 1)}",
        "[Decimal('1')]",
        "[nan]",
        "[NaN]",
        "[0x10]",
        "[1_000]",
        "[1] [2]",
        "{'a': 1,}",
        "['\\q']",
        "['\\x4']",
        "[Nonesuch]",
        "['a\nb']",
        "array([1], dtype=object)",
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const char *problem;
        cJSON *value = nested_text_parse(bad[i], strlen(bad[i]), &problem);
        if (value != NULL)
            fail_msg("%s was read", bad[i]);
        assert_string_equal("neither JSON nor a printed list of records", problem);
    }
}

static void test_a_longer_field_is_refused(void **state)
{
    size_t length = NESTED_TEXT_BYTES_MAXIMUM + 1;
    char *text = malloc(length);
    const char *problem;
    (void)state;
    assert_non_null(text);
    memset(text, ' ', length);
    text[0] = '[';
    text[length - 1] = ']';
    assert_null(nested_text_parse(text, length, &problem));
    assert_string_equal("longer than the limit of 65536 bytes", problem);
    text[length - 2] = ']';
    cJSON *value = nested_text_parse(text, length - 1, &problem);
    assert_non_null(value);
    cJSON_Delete(value);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_spellings_give_the_same),
        cmocka_unit_test(test_anything_else_is_refused),
        cmocka_unit_test(test_a_longer_field_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
