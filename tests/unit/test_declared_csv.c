/* CSVs written by hand: every problem is refused by file, line, column and value. */
#include "ingest/reference/declared_csv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/scratch_file.h"

static const char *const splits[] = { "keep", "even", NULL };
static const char *const matches[] = { "tag:KEY", "source", NULL };
static const struct declared_column columns[] = {
    { "pool", DECLARED_TEXT, DECLARED_KEY | DECLARED_REQUIRED, NULL, NULL },
    { "split", DECLARED_CHOICE, DECLARED_REQUIRED, NULL, splits },
    { "weight", DECLARED_SHARE, DECLARED_OPTIONAL, "1", NULL },
    { "note", DECLARED_TEXT, DECLARED_OPTIONAL, NULL, NULL },
    { 0 },
};

/* All rows, "pool/split/weight/note;" each, or the error without the path. */
static const char *read_text(const char *text)
{
    static char all[2048];
    struct error error = { 0 };
    struct declared_row row;
    enum csv_outcome outcome = CSV_FAILED;
    write_bytes(text, strlen(text));
    all[0] = '\0';
    struct declared_csv *csv = declared_csv_open(path, columns, "docs/reference.md", &error);
    while (csv != NULL && (outcome = declared_csv_next(csv, &row, &error)) == CSV_RECORD) {
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s/%s/%s/%s;", row.values[0], row.values[1], row.values[2],
                 row.values[3] ? row.values[3] : "nothing");
    }
    declared_csv_close(csv);
    if (outcome == CSV_FAILED) {
        assert_int_equal(error.kind, ERROR_INPUT);
        assert_memory_equal(error.message, path, strlen(path));
        snprintf(all, sizeof all, "%s", error.message + strlen(path));
    }
    return all;
}

static void test_columns_stand_in_any_order_and_optional_ones_may_be_absent(void **state)
{
    (void)state;
    assert_string_equal(read_text("split,pool\neven,a\n"), "a/even/1/nothing;");
    /* cells of spreadsheets end in a line end that nobody sees */
    assert_string_equal(read_text("pool,note,split\n\"a\n\",\"\r\nx\ny\r\n\",even\n"), "a/even/1/x\ny;");
    assert_string_equal(read_text("note,weight,split,pool\n\"x, y\", 0.5 ,keep,\tb\n,,,\n\n,,even,c\n"),
                        "b/keep/0.5/x, y;c/even/1/nothing;");
}

static void test_every_problem_is_named(void **state)
{
    (void)state;
    assert_string_equal(read_text("pool,split\na,evenly\n"),
                        ", line 2, column split: \"evenly\" is not one of keep, even");
    assert_string_equal(read_text("pool,split\n\na,\n"), ", line 3, column split: is empty but is required");
    assert_string_equal(read_text("pool,split,weight\na,even,1.01\n"),
                        ", line 2, column weight: \"1.01\" is not a share from 0 to 1");
    assert_string_equal(read_text("pool,split\na,even,x\n"), ", line 2: has 3 fields, the header has 2");
    assert_string_equal(read_text("pool,split,wieght\n"),
                        ", line 1: column \"wieght\" is not one of this file");
    assert_string_equal(read_text("pool,weight\n"), ", line 1: column split is missing");
    assert_string_equal(read_text("pool;split\na;even\n"),
                        ", line 1: columns are separated by ';'; kstar reads commas");
    assert_string_equal(read_text("pool\tsplit\na\teven\n"),
                        ", line 1: columns are separated by a tab; kstar reads commas");
    assert_string_equal(read_text("pool,split\n\xff,even\n"), ", line 2, column pool: is not UTF-8 text");
}

static bool passes(enum declared_type type, const char *text)
{
    char problem[DECLARED_PROBLEM_BYTES];
    return declared_value_check(type, type == DECLARED_MATCH ? matches : splits, text, problem);
}

static void test_each_type_takes_its_values_and_no_other(void **state)
{
    static const struct {
        enum declared_type type;
        const char *good[5], *bad[6];
    } cases[] = {
        { DECLARED_DATE,
          { "2026-09-01", "2024-02-29" },
          { "2026-09-31", "2026-09-01T00:00:00Z", "01.09.2026", "infinity" } },
        { DECLARED_MONTH,
          { "2026-09", "2024-12" },
          { "2026-13", "2026-00", "2026-9", "2026-09-01", "September", "" } },
        { DECLARED_TIME, { "2026-09-01", "2026-09-01T00:00:00+02:00" }, { "yesterday", "2026-13-01" } },
        { DECLARED_DECIMAL, { "-1.5", "0", "1e3", ".5" }, { "1,5", "1 000", "NaN", "x", "0x10" } },
        { DECLARED_NOT_NEGATIVE, { "0", "-0", "12.5" }, { "-0.01" } },
        { DECLARED_POSITIVE, { "0.0001", "20000" }, { "0", "0.000", "-1" } },
        { DECLARED_SHARE,
          { "0", "1", "1.000", "0.99999", "0.00005" },
          { "1.0001", "2", "10000", "10001", "-0.1" } },
        { DECLARED_MONEY,
          { "9000000000000", "-9e12", "8999999999999.999", "0", "-0.005" },
          { "9000000000000.0001", "-9000000000000.01", "9000000000001", "1e13", "999999999999999999",
            "9e99" } },
        { DECLARED_COST, { "9000000000000.00", "0" }, { "9000000000000.01", "-0.01", "1e16" } },
        { DECLARED_HOURS, { "1000000000", "0", "0.5" }, { "1000000000.1", "-1", "1e10", "1e30" } },
        { DECLARED_SOME_HOURS, { "1e9", "0.001" }, { "0", "-1", "1000000001" } },
        { DECLARED_INTEGER, { "0", "2147483647" }, { "2147483648", "-1", "1.0", "1e3", "" } },
        { DECLARED_COUNT, { "1" }, { "0" } },
        { DECLARED_SPAN, { "1", "1200" }, { "0", "1201", "100000" } },
        { DECLARED_BOOLEAN, { "true", "false", "yes", "no", "1" }, { "TRUE", "2", "y" } },
        { DECLARED_CURRENCY, { "USD" }, { "usd", "US", "USDX", "U$D" } },
        { DECLARED_CHOICE, { "keep" }, { "Keep", "kee", "keep,even" } },
        { DECLARED_MATCH, { "tag:team", "source", "tag:a:b" }, { "tag:", "tag:KEY", "tags", "sources" } },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int j = 0; j < 5 && cases[i].good[j] != NULL; j++)
            assert_true(passes(cases[i].type, cases[i].good[j]));
        for (int j = 0; j < 6 && cases[i].bad[j] != NULL; j++)
            assert_false(passes(cases[i].type, cases[i].bad[j]));
    }
}

static void test_another_century_is_not_called_no_date(void **state)
{
    static const char years[] = "is not between the years 1900 and 2200 (for ever is an empty valid_to)";
    char problem[DECLARED_PROBLEM_BYTES];
    (void)state;
    assert_false(declared_value_check(DECLARED_DATE, NULL, "9999-12-31", problem));
    assert_string_equal(problem, years);
    assert_false(declared_value_check(DECLARED_DATE, NULL, "1899-12-31", problem));
    assert_string_equal(problem, years);
    assert_false(declared_value_check(DECLARED_TIME, NULL, "2399-01-01T00:00:00Z", problem));
    assert_string_equal(problem, years);
    assert_false(declared_value_check(DECLARED_MONTH, NULL, "9999-12", problem));
    assert_string_equal(problem, years);
    assert_false(declared_value_check(DECLARED_DATE, NULL, "9999-13-31", problem));
    assert_string_equal(problem, "is not a date (YYYY-MM-DD)");
    assert_false(declared_value_check(DECLARED_DATE, NULL, "2026-02-29", problem)); /* 2000 had one */
    assert_string_equal(problem, "is not a date (YYYY-MM-DD)");
    assert_false(declared_value_check(DECLARED_DATE, NULL, "9999-12", problem));
    assert_string_equal(problem, "is not a date (YYYY-MM-DD)");
    assert_true(declared_value_check(DECLARED_DATE, NULL, "2200-12-31", problem));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_stand_in_any_order_and_optional_ones_may_be_absent),
        cmocka_unit_test(test_every_problem_is_named),
        cmocka_unit_test(test_another_century_is_not_called_no_date),
        cmocka_unit_test(test_each_type_takes_its_values_and_no_other),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
