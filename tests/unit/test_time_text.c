/* Times as text: the forms of bills and job records, checked calendars, round trips. */
#include "base/time_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static const char *written(const char *text)
{
    static char formatted[32];
    time_us time;
    if (!time_parse(text, strlen(text), &time))
        return "refused";
    size_t length = time_format(time, formatted);
    assert_int_equal(length, strlen(formatted));
    return formatted;
}

static void test_every_form_is_read(void **state)
{
    static const struct {
        const char *text, *utc;
    } cases[] = {
        { "2026-09-01T00:00:00Z", "2026-09-01T00:00:00Z" },
        { "2024-09-01 00:00:00", "2024-09-01T00:00:00Z" },
        { "2022-08-01 03:00:00+00:00", "2022-08-01T03:00:00Z" },
        { "2022-08-01 03:00:00 UTC", "2022-08-01T03:00:00Z" },
        { "2026-09-01", "2026-09-01T00:00:00Z" },
        { "2026-09-01T07:00", "2026-09-01T07:00:00Z" },
        { "2026-09-01T07:00Z", "2026-09-01T07:00:00Z" },
        { "2026-09-01T00:00:00-07:00", "2026-09-01T07:00:00Z" },
        { "2026-09-01T00:00:00+0530", "2026-08-31T18:30:00Z" },
        { "2026-09-01T00:00:00+09", "2026-08-31T15:00:00Z" },
        { "2026-09-01T00:00:00.000Z", "2026-09-01T00:00:00Z" },
        { "2026-09-01T00:00:00.25Z", "2026-09-01T00:00:00.25Z" },
        { "2026-09-01T00:00:00.1234567Z", "2026-09-01T00:00:00.123456Z" },
        { "2026-08-31T24:00:00Z", "2026-09-01T00:00:00Z" },
        { "2024-02-29", "2024-02-29T00:00:00Z" },
        { "2000-02-29", "2000-02-29T00:00:00Z" },
        { "1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.5Z" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(written(cases[i].text), cases[i].utc);
}

static void test_what_is_no_time_is_refused(void **state)
{
    static const char *const cases[] = { "",
                                         "2026",
                                         "2026-09",
                                         "4/1/25",
                                         "09/01/2026",
                                         "2026-13-01",
                                         "2026-00-01",
                                         "2026-09-31",
                                         "2026-02-29",
                                         "1900-02-29",
                                         "1899-12-31",
                                         "2201-01-01",
                                         "2026-9-1",
                                         "2026-09-01T",
                                         "2026-09-01T25:00:00Z",
                                         "2026-09-01T24:00:01Z",
                                         "2026-09-01T10:60:00Z",
                                         "2026-09-01T10:00:60Z",
                                         "2026-09-01T10:00:00.Z",
                                         "2026-09-01T10:00:00ZZ",
                                         "2026-09-01T10:00:00 ",
                                         "2026-09-01T10",
                                         "2026-09-01T10:00:00+1",
                                         "2026-09-01T10:00:00+01:",
                                         "2026-09-01T10:00:00+01:99",
                                         "2026-09-01T10:00:00 CET",
                                         "2026-09-01Z",
                                         "Unknown",
                                         "None",
                                         " 2026-09-01" };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(written(cases[i]), "refused");
}

static void test_text_without_offset_is_local_to_its_zone(void **state)
{
    (void)state;
    time_us local, utc;
    assert_true(time_parse_zone("2026-09-01T02:00:00", 19, 7200, &local));
    assert_true(time_parse("2026-09-01T00:00:00Z", 20, &utc));
    assert_true(local == utc);
    assert_true(time_parse_zone("2026-09-01T00:00:00Z", 20, 7200, &local));
    assert_true(local == utc);
}

static void test_a_clock_time_without_offset_is_neither_a_date_nor_a_moment(void **state)
{
    static const struct {
        const char *text;
        bool is_clock;
    } cases[] = {
        { "2026-09-01T02:00:00", true },
        { "2026-09-01 02:00", true },
        { "2026-09-01 24:00:00", true },
        { "2026-09-01 02:00:00.5", true },
        { "2026-09-01", false },
        { "2026-09-01T00:00:00Z", false },
        { "2026-09-01 00:00:00 UTC", false },
        { "2026-09-01T00:00+00:00", false },
        { "2026-09-01T00:00:00+01:00", false },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        time_us time, plain;
        bool is_clock;
        size_t length = strlen(cases[i].text);
        assert_true(time_parse_clock(cases[i].text, length, &time, &is_clock));
        assert_true(time_parse(cases[i].text, length, &plain));
        assert_true(time == plain);
        assert_int_equal(is_clock, cases[i].is_clock);
    }
    time_us time;
    bool is_clock;
    assert_false(time_parse_clock("9/1/26", 6, &time, &is_clock));
}

/* timegm and gmtime_r of the C library know the same calendar. */
static void test_every_day_agrees_with_the_c_library(void **state)
{
    (void)state;
    for (int64_t day = -25567; day < 84371; day++) { /* 1900-01-01 to 2200-12-31 */
        time_t seconds = (time_t)(day * 86400 + 3661);
        struct tm utc;
        char expected[32], formatted[32];
        (void)strftime(expected, sizeof expected, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &utc));
        time_format(seconds * INT64_C(1000000), formatted);
        assert_string_equal(formatted, expected);
        time_us time;
        assert_true(time_parse(expected, strlen(expected), &time));
        assert_true(time == seconds * INT64_C(1000000));
        utc.tm_mday = 1;
        utc.tm_hour = utc.tm_min = utc.tm_sec = 0;
        assert_true(time_month_start(time) == timegm(&utc) * INT64_C(1000000));
    }
}

static void test_periods(void **state)
{
    (void)state;
    time_us month, time;
    assert_true(period_parse("2026-09", &month));
    assert_true(time_parse("2026-09-01", 10, &time));
    assert_true(month == time);
    static const char *const bad[] = { "",        "2026",       "2026-9", "2026-13",
                                       "2026-00", "2026-09-01", "26-09",  "2026/09" };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(period_parse(bad[i], &month));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_form_is_read),
        cmocka_unit_test(test_what_is_no_time_is_refused),
        cmocka_unit_test(test_text_without_offset_is_local_to_its_zone),
        cmocka_unit_test(test_a_clock_time_without_offset_is_neither_a_date_nor_a_moment),
        cmocka_unit_test(test_every_day_agrees_with_the_c_library),
        cmocka_unit_test(test_periods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
