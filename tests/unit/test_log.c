/* tests/unit/test_log.c: lines of base/log.h in both forms, whatever the values are. JSON is read
 * back by cJSON. */
#include "base/log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char line[8192];

/* What `log` writes to standard error, without the time, which is only checked to be there. */
static const char *logged(void (*log)(void))
{
    FILE *file = tmpfile();
    fflush(stderr);
    int before = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    log();
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    rewind(file);
    size_t length = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    line[length] = '\0';
    return line;
}

static const char *without_time(const char *text)
{
    static const char shape[] = "time=2026-11-20T02:00:07Z ";
    assert_true(strlen(text) > sizeof shape);
    for (size_t i = 0; i < sizeof shape - 1; i++)
        assert_true(shape[i] >= '0' && shape[i] <= '9' ? text[i] >= '0' && text[i] <= '9'
                                                       : text[i] == shape[i]);
    return text + sizeof shape - 1;
}

static void log_plainly(void)
{
    log_event(LOG_INFO, "ingested", "kind=billing source=\"%s\" rows=%lld seconds=%.2f count=%d month=%.7s",
              "aws", 998159LL, 0.5, -3, "2026-09-01");
}

static void log_wildly(void)
{
    log_event(LOG_WARNING, "quarantined", "message=\"%s, line %s\" label=%s empty=%s size=%" PRId64,
              "a \"b\" \\ c\nlevel=error\x1b[31m", "7\" rows=\"9", "two words", "", (int64_t)1 << 40);
}

static void log_bytes(void)
{
    log_event(LOG_ERROR, "refused", "file=\"%s\" code=%s share=%d%%", "caf\xc3\xa9 \xff.csv", "007", 12);
}

static void log_c1(void)
{
    log_event(LOG_ERROR, "refused", "file=\"%s\" code=%s",
              "red\xc2\x9b"
              "31m.csv",
              "next\xc2\x85line");
}

static void log_unseen(void)
{
    log_event(LOG_ERROR, "refused", "file=\"%s\" code=%s",
              "job\xe2\x80\xae"
              "61.csv",
              "a\xd8\x9c");
}

static void test_logfmt_names_what_happened(void **state)
{
    (void)state;
    assert_string_equal(
        without_time(logged(log_plainly)),
        "level=info event=ingested kind=billing source=\"aws\" rows=998159 seconds=0.50 count=-3 month=2026-09\n");
}

static void test_a_value_never_ends_its_line_or_becomes_a_field(void **state)
{
    (void)state;
    assert_string_equal(
        without_time(logged(log_wildly)),
        "level=warning event=quarantined message=\"a \\\"b\\\" \\\\ c\\nlevel=error\\u001b[31m, line 7\\\" rows=\\\"9\" "
        "label=\"two words\" empty=\"\" size=1099511627776\n");
    assert_string_equal(
        without_time(logged(log_bytes)),
        "level=error event=refused file=\"caf\xc3\xa9 \xef\xbf\xbd.csv\" code=007 share=12%\n");
    assert_string_equal(without_time(logged(log_c1)),
                        "level=error event=refused file=\"red\\u009b31m.csv\" code=\"next\\u0085line\"\n");
    assert_string_equal(without_time(logged(log_unseen)),
                        "level=error event=refused file=\"job\\u202e61.csv\" code=\"a\\u061c\"\n");
}

static void expect(const cJSON *object, const char *key, const char *value)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    assert_non_null(item);
    assert_true(cJSON_IsString(item));
    assert_string_equal(item->valuestring, value);
}

static cJSON *parsed(void (*log)(void))
{
    const char *text = logged(log);
    assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
    cJSON *object = cJSON_Parse(text);
    assert_non_null(object);
    return object;
}

static void test_json_holds_the_same(void **state)
{
    (void)state;
    assert_true(log_set_format("json"));
    cJSON *plain = parsed(log_plainly), *wild = parsed(log_wildly), *bytes = parsed(log_bytes);
    expect(plain, "level", "info");
    expect(plain, "event", "ingested");
    expect(plain, "month", "2026-09");
    assert_true(cJSON_GetObjectItem(plain, "rows")->valuedouble == 998159);
    assert_true(cJSON_GetObjectItem(plain, "count")->valuedouble == -3);
    assert_true(cJSON_GetObjectItem(plain, "seconds")->valuedouble == 0.5);
    expect(wild, "message", "a \"b\" \\ c\nlevel=error\x1b[31m, line 7\" rows=\"9");
    expect(wild, "label", "two words");
    expect(wild, "empty", "");
    expect(bytes, "file", "caf\xc3\xa9 \xef\xbf\xbd.csv");
    expect(bytes, "code", "007");
    assert_int_equal(cJSON_GetArraySize(wild), 7);
    cJSON_Delete(plain);
    cJSON_Delete(wild);
    cJSON_Delete(bytes);
    assert_true(log_set_format("logfmt"));
}

static void test_lines_name_run_and_stage(void **state)
{
    (void)state;
    log_set_run("312");
    log_set_stage("billing");
    assert_string_equal(
        strstr(logged(log_bytes), "level="),
        "level=error run=312 stage=billing event=refused file=\"caf\xc3\xa9 \xef\xbf\xbd.csv\" code=007 share=12%\n");
    log_set_run(NULL);
    log_set_stage(NULL);
}

static void test_levels_and_formats(void **state)
{
    (void)state;
    log_set_level(LOG_WARNING);
    assert_string_equal(logged(log_plainly), "");
    assert_string_not_equal(logged(log_wildly), "");
    log_set_level(LOG_INFO);
    assert_false(log_set_format("xml"));
    assert_false(log_set_format(""));
    assert_int_equal(log_format(), LOG_LOGFMT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_logfmt_names_what_happened),
        cmocka_unit_test(test_a_value_never_ends_its_line_or_becomes_a_field),
        cmocka_unit_test(test_json_holds_the_same),
        cmocka_unit_test(test_lines_name_run_and_stage),
        cmocka_unit_test(test_levels_and_formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
