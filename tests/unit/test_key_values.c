/* Tags and their like: what FOCUS calls KeyValueFormat, no more than jsonb takes. */
#include "ingest/key_values.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_objects_of_scalars_are_good(void **state)
{
    static const char *const good[] = {
        "{}",
        "{\"a\":\"b\"}",
        " { \"a\" : 1 , \"b\" : true, \"c\": null, \"d\": -0.5e+3 } \n",
        "{\"a\":\"\\u00e9\\n\"}",
        "{\"a\":\"\\\\u0000\"}",
        "{\"\":\"\"}",
        "{\"a\":\"1.\"}",
        "{\"a\":\"\\\"01\"}",
        "{\"a\":0}",
        "{\"a\":-0}",
    };
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        if (key_values_problem(good[i], strlen(good[i])) != NULL)
            fail_msg("%s: %s", good[i], key_values_problem(good[i], strlen(good[i])));
    }
}

static void test_all_else_is_named(void **state)
{
    static const struct {
        const char *text, *word;
    } bad[] = {
        { "", "not JSON" },
        { "a=b", "not JSON" },
        { "{'a': 'b'}", "not JSON" },
        { "\"a\": \"b\"", "not a JSON object" },
        { "{\"a\":1", "not JSON" },
        { "{\"a\":\"\\ud800\"}", "not JSON" },
        { "[1]", "not a JSON object" },
        { "1", "not a JSON object" },
        { "null", "not a JSON object" },
        { "{\"a\":1,\"a\":2}", "same key twice" },
        { "{\"a\":[1]}", "not a scalar" },
        { "{\"a\":{}}", "not a scalar" },
        { "{} {}", "something after" },
        { "{}x", "something after" },
        { "{\"a\":\"\\u0000\"}", "PostgreSQL" },
        { "{\"\\u0000\":1}", "PostgreSQL" },
        { "{\"a\":\"\n\"}", "PostgreSQL" },
        { "{\"a\":01}", "PostgreSQL" },
        { "{\"a\":1.}", "PostgreSQL" },
        { "{\"a\":1e999999}", "PostgreSQL" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const char *problem = key_values_problem(bad[i].text, strlen(bad[i].text));
        if (problem == NULL || strstr(problem, bad[i].word) == NULL)
            fail_msg("%s: %s", bad[i].text, problem ? problem : "taken");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_objects_of_scalars_are_good),
        cmocka_unit_test(test_all_else_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
