/* The prefetching thread gives what csv_reader gives: records, end, errors. It stops on request. */
#include "base/text/csv_prefetch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/scratch_file.h"

/* `lines` records of 1 to 7 fields, now and then one of 300 kB or over several lines; then
 * `tail`. */
static void put_file(int lines, const char *tail)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < lines; i++) {
        fprintf(file, "%d", i);
        for (int j = 0; j < i % 7; j++)
            fprintf(file, ",%d", i * j);
        if (i % 10000 == 5000)
            fprintf(file, ",%0300000d", i);
        if (i % 100 == 50)
            fprintf(file, ",\"%d\n\"\"x\"", i);
        fputc('\n', file);
    }
    fputs(tail, file);
    fclose(file);
}

static void compare(void)
{
    struct error error = { 0 }, prefetched_error = { 0 };
    struct csv_record record, prefetched_record;
    enum csv_outcome outcome;
    struct csv_reader *reader = csv_reader_open(path, ',', NULL, &error);
    struct csv_prefetch *prefetch = csv_prefetch_open(path, ',', NULL, &error);
    assert_non_null(reader);
    assert_non_null(prefetch);
    do {
        outcome = csv_reader_next(reader, &record, &error);
        assert_int_equal(csv_prefetch_next(prefetch, &prefetched_record, &prefetched_error), outcome);
        if (outcome != CSV_RECORD)
            break;
        assert_int_equal(prefetched_record.line, record.line);
        assert_int_equal(prefetched_record.raw_length, record.raw_length);
        assert_memory_equal(prefetched_record.raw, record.raw, record.raw_length);
        assert_int_equal(prefetched_record.field_count, record.field_count);
        for (int i = 0; i < record.field_count; i++) {
            assert_int_equal(prefetched_record.fields[i].length, record.fields[i].length);
            assert_memory_equal(prefetched_record.fields[i].text, record.fields[i].text,
                                record.fields[i].length);
        }
    } while (true);
    assert_string_equal(prefetched_error.message, error.message);
    assert_int_equal(csv_prefetch_next(prefetch, &prefetched_record, &prefetched_error),
                     outcome); /* and again */
    csv_reader_close(reader);
    csv_prefetch_close(prefetch);
}

static void test_records_are_the_same(void **state)
{
    (void)state;
    put_file(60000, "");
    compare();
    put_file(1, "");
    compare();
}

static void test_failures_are_the_same_and_come_after_the_records_before(void **state)
{
    (void)state;
    put_file(0, "");
    compare();
    put_file(20000, "\"never closed\n");
    compare();
}

static void test_the_caller_may_stop_at_any_record(void **state)
{
    (void)state;
    put_file(30000, "");
    for (int stop = 0; stop < 20000; stop = 3 * stop + 1) {
        struct error error;
        struct csv_record record;
        struct csv_prefetch *prefetch = csv_prefetch_open(path, ',', NULL, &error);
        for (int i = 0; i < stop; i++)
            assert_int_equal(csv_prefetch_next(prefetch, &record, &error), CSV_RECORD);
        csv_prefetch_close(prefetch);
    }
    csv_prefetch_close(NULL);
}

static void test_a_file_that_is_not_there(void **state)
{
    (void)state;
    struct error error = { 0 };
    assert_null(csv_prefetch_open("/nowhere.csv", ',', NULL, &error));
    assert_non_null(strstr(error.message, "/nowhere.csv"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_records_are_the_same),
        cmocka_unit_test(test_failures_are_the_same_and_come_after_the_records_before),
        cmocka_unit_test(test_the_caller_may_stop_at_any_record),
        cmocka_unit_test(test_a_file_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
