/* What a record of a job may have: lengths of keys, numbers, and nodes of a record and of a
 * file. */
#include "ingest/jobs/job_limits.h"
#include "ingest/key_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct job_limits limits;
static struct job_record record;

/* Limits of a file, and a record of one node. */
static void begin(int64_t of_record, int64_t of_file)
{
    limits = (struct job_limits){ .record_nodes_maximum = of_record, .file_nodes_maximum = of_file };
    record = (struct job_record){
        .elapsed_seconds = -1, .suspended_seconds = -1, .cpus = -1, .accelerators = -1, .listed_names = 1
    };
}

static bool allow_nodes(int32_t names)
{
    record.listed_names = names;
    job_limits_next(&limits);
    return job_limits_allow(&limits, &record);
}

static void test_a_key_has_the_length_that_an_index_takes(void **state)
{
    (void)state;
    static char text[KEY_TEXT_MAXIMUM + 1];
    struct text_slice *const keys[] = { &record.cluster, &record.job_id, &record.job_id_raw };
    static const char *const columns[] = { "cluster", "job id", "raw job id" };
    memset(text, 'a', sizeof text);
    for (size_t i = 0; i < 3; i++) {
        begin(10, 10);
        keys[i]->text = text;
        keys[i]->length = KEY_TEXT_MAXIMUM;
        assert_true(job_limits_allow(&limits, &record));
        keys[i]->length++;
        assert_false(job_limits_allow(&limits, &record));
        assert_string_equal(record.wrong_column, columns[i]);
        assert_string_equal(record.reason, KEY_TEXT_PROBLEM);
    }
}

static void test_a_number_is_one_that_a_job_may_have(void **state)
{
    (void)state;
    const struct {
        int64_t *number, most;
        const char *column, *reason;
    } numbers[] = {
        { &record.elapsed_seconds, 3162240000, "elapsed time",
          "3162240001 seconds is more than any job has" },
        { &record.suspended_seconds, 3162240000, "suspended time",
          "3162240001 seconds is more than any job has" },
        { &record.cpus, INT32_MAX, "CPUs", "2147483648 is more than any job has" },
        { &record.accelerators, INT32_MAX, "accelerators", "2147483648 is more than any job has" },
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        begin(10, 10);
        *numbers[i].number = numbers[i].most;
        assert_true(job_limits_allow(&limits, &record));
        *numbers[i].number = numbers[i].most + 1;
        assert_false(job_limits_allow(&limits, &record));
        assert_string_equal(record.wrong_column, numbers[i].column);
        assert_string_equal(record.reason, numbers[i].reason);
    }
}

static void test_a_record_names_nodes_up_to_its_limit(void **state)
{
    (void)state;
    begin(10, 100);
    assert_true(allow_nodes(10));
    assert_int_equal(limits.nodes_left, 10);
    assert_false(allow_nodes(11));
    assert_string_equal(record.wrong_column, "node list");
    assert_string_equal(record.reason,
                        "names 11 nodes, and limit_record_nodes allows a record 10: correct the "
                        "list, or raise the limit in settings.csv");
    record.hold_count = 9; /* nodes with times of their own count, too */
    assert_true(allow_nodes(1));
    assert_false(allow_nodes(2));
}

/* The limit of a file is 1000, or 256 for each record so far, if that is more. A record that is
 * refused counts as a record, and its nodes do not. */
static void test_the_records_of_a_file_name_nodes_up_to_its_limit(void **state)
{
    (void)state;
    begin(900, 1000);
    assert_true(allow_nodes(900));
    assert_false(allow_nodes(101));
    assert_int_equal(limits.nodes_left, 100);
    assert_string_equal(record.reason,
                        "names 101 nodes, and limit_file_nodes allows the records of a file 1000: "
                        "correct the list, or raise the limit in settings.csv");
    assert_true(allow_nodes(100));
    assert_false(allow_nodes(25)); /* the fourth record: 4 x 256 = 1024 */
    assert_int_equal(limits.nodes_left, 24);
    assert_true(allow_nodes(280)); /* the fifth: 5 x 256 = 1280 */
    assert_int_equal(limits.nodes_left, 280);
    job_limits_next(&limits);
    assert_int_equal(limits.nodes_left, 256);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_key_has_the_length_that_an_index_takes),
        cmocka_unit_test(test_a_number_is_one_that_a_job_may_have),
        cmocka_unit_test(test_a_record_names_nodes_up_to_its_limit),
        cmocka_unit_test(test_the_records_of_a_file_name_nodes_up_to_its_limit),
    };
    return cmocka_run_group_tests_name("job_limits", tests, NULL, NULL);
}
