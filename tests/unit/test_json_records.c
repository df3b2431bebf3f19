/* Documents of JSON cut into records: which they are, where they begin, what breaks one and what
 * the whole.
 */
#include "ingest/json_records.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/scratch_file.h"

static const char *const keys[] = { "jobs", "items", NULL };

/* Every outcome as a line: the record's own line and its JSON, or what is wrong. */
static const char *read_all(bool keeps_before_cut)
{
    static char all[4096];
    struct json_record record;
    struct error error = { 0 };
    enum json_outcome outcome = JSON_FAILED;
    size_t used = 0;
    all[0] = '\0';
    struct json_records *records = json_records_open(path, keys, &error);
    if (records != NULL && keeps_before_cut)
        json_records_keep_before_cut(records);
    while (records != NULL && used < sizeof all - 200 &&
           (outcome = json_records_next(records, &record, &error)) != JSON_END && outcome != JSON_FAILED) {
        char *json = outcome == JSON_RECORD ? cJSON_PrintUnformatted(record.value) : NULL;
        used += (size_t)snprintf(all + used, sizeof all - used, "%d %s\n", (int)record.line,
                                 json != NULL ? json : record.reason);
        cJSON_free(json);
    }
    if (records == NULL || outcome == JSON_FAILED)
        snprintf(all + used, sizeof all - used, "failed%s\n", error.message + strlen(path));
    json_records_close(records);
    return all;
}

static const char *read_text(const char *text)
{
    write_bytes(text, strlen(text));
    return read_all(false);
}

static void test_records_are_found_in_every_shape(void **state)
{
    static const struct {
        const char *document, *records;
    } cases[] = {
        { "{\"meta\": {\"jobs\": [1]}, \"jobs\": [{\"a\": 1},\n {\"b\": \"]}\\\"\"}], \"errors\": []}",
          "1 {\"a\":1}\n2 {\"b\":\"]}\\\"\"}\n" },
        { "[{\"a\": [1, [2]]}, 7 , \"text\", null]", "1 {\"a\":[1,[2]]}\n1 7\n1 \"text\"\n1 null\n" },
        { "{\"a\": 1}\n{\"a\": 2}\n", "1 {\"a\":1}\n2 {\"a\":2}\n" },
        { "\xef\xbb\xbf{\"items\": []}\n\x1e{\"kind\": \"List\", \"items\": [{\"x\": {}}], \"more\": {\"y\": "
          "[1]}}\n[]",
          "2 {\"x\":{}}\n" },
        { "{\"jobs\": [1], \"items\": [2]}", "1 1\n1 2\n" },
        { "{\"jobs\": {\"a\": 1}}", "1 {\"jobs\":{\"a\":1}}\n" },
        { "{}", "1 {}\n" },
        { "[]", "" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(read_text(cases[i].document), cases[i].records);
}

static void test_a_broken_record_leaves_the_others(void **state)
{
    (void)state;
    assert_string_equal(read_text("{\"jobs\": [{\"a\": tru},\n{\"a\": 1}]}"),
                        "1 is not JSON at \"tru}\"\n2 {\"a\":1}\n");
    assert_string_equal(
        read_text("{\"a\": 1 2}\n{\"a\" 3}\n{\"a\":3}"),
        "1 is not JSON: a name in quotes and a colon should stand before each value\n"
        "2 is not JSON: a name in quotes and a colon should stand before each value\n3 {\"a\":3}\n");
    assert_string_equal(read_text("[\"\xff\", 1]"), "1 is not UTF-8\n1 1\n");
    write_bytes("[1, \0, 2]", 9);
    assert_string_equal(read_all(false), "1 1\n1 is not UTF-8\n1 2\n");
    char deep[1024] = "[";
    memset(deep + 1, '[', 201);
    memset(deep + 202, ']', 201);
    memcpy(deep + 403, ",1]", 4);
    assert_string_equal(read_text(deep), "1 is nested more than 200 levels deep\n1 1\n");
}

static void test_a_document_that_is_cut_off_fails(void **state)
{
    static const struct {
        const char *document, *records;
    } cases[] = {
        { "", "failed: the file is empty\n" },
        { "{\"jobs\": [{\"a\": 1}", "1 {\"a\":1}\nfailed, line 1: the document ends in the middle\n" },
        { "{\"jobs\": [{\"a\": 1}]", "1 {\"a\":1}\nfailed, line 1: the document ends in the middle\n" },
        { "{\"jobs\": [{\"a\":\n\"x", "failed, line 2: the document ends in the middle\n" },
        { "{\"jobs\": [1}", "1 1\nfailed, line 1: \"}\" where a record or \"]\" should be\n" },
        { "{\"jobs\": [1], 5}", "1 1\nfailed, line 1: is not JSON behind the records\n" },
        { "JobID|State\n", "failed, line 1: is not JSON: it begins with neither { nor [\n" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(read_text(cases[i].document), cases[i].records);
}

static void test_a_last_line_that_is_cut_off_is_one_record(void **state)
{
    static const struct {
        const char *document, *records;
    } cases[] = {
        { "{\"a\": 1}\n{\"a\": 2, \"b\": [3", "1 {\"a\":1}\n2 is cut off: the file ends within it\n" },
        { "{\"a\": 1}\n{\"a", "1 {\"a\":1}\n2 is cut off: the file ends within it\n" },
        { "{\"a\": 1}\n{", "1 {\"a\":1}\n2 is cut off: the file ends within it\n" },
        { "{\"a\": 1}\n{\"a\": tru", "1 {\"a\":1}\n2 is cut off: the file ends within it\n" },
        { "{\"a\": 1}\n[{\"a\": 2}, {",
          "1 {\"a\":1}\n2 {\"a\":2}\nfailed, line 2: the document ends in the middle\n" },
        { "{\"jobs\": [{\"a\": 1}, {\"a\": 2",
          "1 {\"a\":1}\nfailed, line 1: the document ends in the middle\n" },
        { "{\"jobs\": [{\"a\": 1}], \"b\": 2",
          "1 {\"a\":1}\nfailed, line 1: the document ends in the middle\n" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_bytes(cases[i].document, strlen(cases[i].document));
        assert_string_equal(read_all(true), cases[i].records);
    }
}

static void test_records_go_on_over_many_chunks(void **state)
{
    enum { COUNT = 300, LENGTH = 1000 };
    char *text = malloc(COUNT * (LENGTH + 32) + 32), padding[LENGTH + 1];
    struct json_record record;
    struct error error = { 0 };
    int count = 0;
    (void)state;
    assert_non_null(text);
    memset(padding, 'x', LENGTH);
    padding[LENGTH] = '\0';
    size_t used = (size_t)snprintf(text, 32, "{\"items\": [");
    for (int i = 0; i < COUNT; i++)
        used += (size_t)snprintf(text + used, LENGTH + 32, "%s{\"n\": %d, \"p\": \"%s\"}\n", i ? "," : "", i,
                                 padding);
    used += (size_t)snprintf(text + used, 32, "]}");
    write_bytes(text, used);
    free(text);
    struct json_records *records = json_records_open(path, keys, &error);
    assert_non_null(records);
    for (; json_records_next(records, &record, &error) == JSON_RECORD; count++) {
        assert_int_equal(cJSON_GetObjectItem(record.value, "n")->valueint, count);
        assert_int_equal(strlen(cJSON_GetObjectItem(record.value, "p")->valuestring), LENGTH);
        assert_int_equal(record.line, count + 1);
    }
    assert_int_equal(count, COUNT);
    assert_int_equal(json_records_position(records), used);
    json_records_close(records);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_records_are_found_in_every_shape),
        cmocka_unit_test(test_a_broken_record_leaves_the_others),
        cmocka_unit_test(test_a_document_that_is_cut_off_fails),
        cmocka_unit_test(test_a_last_line_that_is_cut_off_is_one_record),
        cmocka_unit_test(test_records_go_on_over_many_chunks),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
