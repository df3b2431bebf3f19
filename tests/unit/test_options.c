/* tests/unit/test_options.c: what base/options.h makes of a command line. */
#include "base/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

static struct {
    bool flag;
    const char *text, *delimiter, *period, *time;
    struct option_list list;
    double number;
    int count, first_operand;
    struct common_options common;
    struct error error;
} got;

static const struct option_entry entries[] = {
    { "flag", OPTION_FLAG, NULL, "a flag", &got.flag },
    { "text", OPTION_TEXT, "TEXT", "a text", &got.text },
    { "delimiter", OPTION_DELIMITER, "TEXT", "what stands between", &got.delimiter },
    { "list", OPTION_LIST, "TEXT", "texts", &got.list },
    { "number", OPTION_NUMBER, "N", "a number", &got.number },
    { "count", OPTION_COUNT, "N", "a count", &got.count },
    { "period", OPTION_PERIOD, "YYYY-MM", "a month", &got.period },
    { "time", OPTION_TIME, "TIME", "a time", &got.time },
    { 0 },
};

static const struct command command = { .name = "try", .usage = "kstar try", .examples = "kstar try" };

/* Reads a NULL-terminated argv whose operands may be moved. */
static bool read_line(char **argv)
{
    int argc = 0;
    while (argv[argc] != NULL)
        argc++;
    memset(&got, 0, sizeof got);
    return options_read(&command, entries, argc, argv, &got.common, &got.first_operand, &got.error);
}

#define READ(...) read_line((char *[]){ "try", __VA_ARGS__, NULL })

static void values_are_stored_in_their_places(void **state)
{
    (void)state;
    assert_true(READ("--flag", "--text=a b", "--delimiter", "\t", "--list", "a", "--list=b", "--number",
                     "-1.5e3", "--count", "7", "--period", "2026-09", "--time", "2026-09-01T10:00:00Z"));
    assert_true(got.flag);
    assert_string_equal(got.text, "a b");
    assert_string_equal(got.delimiter, "\t");
    assert_int_equal(got.list.count, 2);
    assert_string_equal(got.list.values[1], "b");
    assert_true(got.number == -1500);
    assert_int_equal(got.count, 7);
    assert_string_equal(got.period, "2026-09");
    assert_string_equal(got.time, "2026-09-01T10:00:00Z");
}

static void operands_may_stand_anywhere_and_keep_their_order(void **state)
{
    (void)state;
    char *argv[] = { "try", "one", "--flag", "two", "--", "--three", NULL };
    assert_true(read_line(argv));
    assert_int_equal(got.first_operand, 3);
    assert_string_equal(argv[3], "one");
    assert_string_equal(argv[4], "two");
    assert_string_equal(argv[5], "--three");
}

static void common_options_are_taken_by_every_command(void **state)
{
    (void)state;
    assert_true(READ("--dsn", "dbname=x", "-q"));
    assert_string_equal(got.common.dsn, "dbname=x");
    assert_null(got.common.data_dir);
    assert_true(got.common.quiet);
    assert_false(got.common.verbose);
}

static void what_is_not_given_keeps_its_default(void **state)
{
    (void)state;
    assert_true(READ("operand"));
    assert_null(got.text);
    assert_int_equal(got.count, 0);
}

static void each_wrong_value_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *option, *value, *complaint;
    } wrong[] = {
        { "--number", "1,5", "try: --number \"1,5\" is not a number" },
        { "--number", "", "try: --number \"\" is not a number" },
        { "--number", "nan", "try: --number \"nan\" is not a number" },
        { "--text", "", "try: --text is empty" },
        { "--text", " \t", "try: --text is empty" },
        { "--list", "", "try: --list is empty" },
        { "--text", "M\xFCller", "try: --text \"M\xFCller\" is not UTF-8" },
        { "--delimiter", "", "try: --delimiter is empty" },
        { "--number", "1e999", "try: --number \"1e999\" is not a number" },
        { "--count", "-1", "try: --count \"-1\" is not a whole number from 0" },
        { "--count", "2147483648", "try: --count \"2147483648\" is not a whole number from 0" },
        { "--count", "7x", "try: --count \"7x\" is not a whole number from 0" },
        { "--period", "2026-13", "try: --period \"2026-13\" is not a month (YYYY-MM)" },
        { "--period", "2026-09-01", "try: --period \"2026-09-01\" is not a month (YYYY-MM)" },
        { "--time", "yesterday", "try: --time \"yesterday\" is not a time (YYYY-MM-DD[THH:MM[:SS]Z])" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(READ((char *)wrong[i].option, (char *)wrong[i].value));
        assert_int_equal(got.error.kind, ERROR_USAGE);
        assert_string_equal(got.error.message, wrong[i].complaint);
        assert_string_equal(got.error.hint, "kstar try --help");
    }
}

static void all_that_is_wrong_is_reported_together(void **state)
{
    (void)state;
    assert_false(READ("--colour", "-x", "--flag=yes", "--count", "x", "--text"));
    assert_string_equal(got.error.message,
                        "try: unknown option --colour; unknown option -x; --flag takes no value; "
                        "--count \"x\" is not a whole number from 0; --text needs a value");
}

static void many_complaints_do_not_overflow(void **state)
{
    (void)state;
    char *argv[202] = { "try" };
    for (int i = 1; i <= 200; i++)
        argv[i] = "--a-rather-long-option-that-nobody-knows";
    assert_false(read_line(argv));
    assert_true(strlen(got.error.message) < sizeof got.error.message);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_stored_in_their_places),
        cmocka_unit_test(operands_may_stand_anywhere_and_keep_their_order),
        cmocka_unit_test(common_options_are_taken_by_every_command),
        cmocka_unit_test(what_is_not_given_keeps_its_default),
        cmocka_unit_test(each_wrong_value_is_named),
        cmocka_unit_test(all_that_is_wrong_is_reported_together),
        cmocka_unit_test(many_complaints_do_not_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
