/* What members of a JSON record say, whichever way they are written. */
#include "ingest/json_fields.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static void test_a_path_goes_through_objects(void **state)
{
    cJSON *value = cJSON_Parse(
        "{\"a\": {\"b\": {\"c\": \"deep\", \"C\": \"other\", \"e\": \"\"}}, \"t\": \"text\", \"n\": 5}");
    (void)state;
    assert_non_null(value);
    assert_string_equal(json_text(value, "a.b.c"), "deep");
    assert_string_equal(json_text(value, "a.b.C"), "other");
    assert_string_equal(json_text(value, "t"), "text");
    assert_null(json_text(value, "a.b.e"));
    assert_null(json_text(value, "a.b"));
    assert_null(json_text(value, "n"));
    assert_null(json_path(value, "t.b"));
    assert_null(json_path(value, "a.x.c"));
    assert_null(json_path(NULL, "a"));
    cJSON_Delete(value);
}

static void test_whole_numbers_in_each_of_their_forms(void **state)
{
    static const struct {
        const char *json;
        bool whole;
        int64_t number;
    } cases[] = {
        { "5", true, 5 },
        { "-7", true, -7 },
        { "\"12\"", true, 12 },
        { "\"9223372036854775807\"", true, INT64_MAX },
        { "9007199254740992", true, 9007199254740992 },
        { "{\"set\": true, \"infinite\": false, \"number\": 5}", true, 5 },
        { "{\"number\": 6}", true, 6 },
        { "{\"set\": false, \"infinite\": false, \"number\": 0}", false, 0 },
        { "{\"set\": true, \"infinite\": true, \"number\": 0}", false, 0 },
        { "{\"number\": \"5\"}", false, 0 },
        { "5.5", false, 0 },
        { "9007199254740994", false, 0 },
        { "\"9223372036854775808\"", false, 0 },
        { "\"5 \"", false, 0 },
        { "\"\"", false, 0 },
        { "\"5-\"", false, 0 },
        { "null", false, 0 },
        { "true", false, 0 },
        { "[5]", false, 0 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cJSON *value = cJSON_Parse(cases[i].json);
        int64_t number = 0;
        assert_non_null(value);
        assert_int_equal(json_integer(value, &number), cases[i].whole);
        if (cases[i].whole)
            assert_int_equal(number, cases[i].number);
        cJSON_Delete(value);
    }
    int64_t number;
    assert_false(json_integer(NULL, &number));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_path_goes_through_objects),
        cmocka_unit_test(test_whole_numbers_in_each_of_their_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
