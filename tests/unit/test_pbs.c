/* The accounting log of PBS to records: which lines are a run, what Exit_status means, which nodes
 * were held. */
#include "ingest/jobs/job_format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/scratch_file.h"

/* 1788609600 is 2026-09-05T12:00:00Z. */
#define HEAD  "09/05/2026 14:00:00;"
#define WHO   "user=ada group=lm account=\"llm\" jobname=train queue=gpu ctime=1788606000 etime=1788606060 "
#define RAN   "start=1788609600 exec_host=n1/0*32+n2/0*32 Resource_List.ncpus=64 Resource_List.ngpus=8 "
#define ENDED "Resource_List.walltime=02:00:00 session=7 end=1788613200 "

static void describe(const struct job_record *record, char *text, size_t size)
{
    char course[40];
    snprintf(course, sizeof course, "%llds%s", (long long)record->elapsed_seconds,
             record->ended ? "" : " running");
    snprintf(text, size, "%.*s@%s %s K=%d %.*s %s cpus=%d accelerators=%d [%.*s]\n",
             (int)record->job_id.length, record->job_id.text, record->attempt_mark, record->state,
             record->node_count, (int)record->node_list.length,
             record->node_list.text ? record->node_list.text : "",
             record->elapsed_seconds < 0 ? "from start to end" : course, (int)record->cpus,
             (int)record->accelerators, (int)record->comment.length,
             record->comment.text ? record->comment.text : "");
}

/* The whole file as one text, a line per outcome; records without a run are counted at the
 * end. */
static const char *read_text(const char *text)
{
    static char all[8192];
    struct job_format_options options = { 0 };
    struct job_record record;
    struct error error = { 0 };
    enum job_outcome outcome;
    size_t used = 0;
    int ignored = 0;
    write_bytes(text, strlen(text));
    all[0] = '\0';
    void *reader = pbs_format.open(&pbs_format, path, &options, &error);
    assert_non_null(reader);
    while ((outcome = pbs_format.next(reader, &record, &error)) != JOB_END) {
        assert_int_not_equal(outcome, JOB_FAILED);
        ignored += outcome == JOB_IGNORED;
        if (outcome == JOB_RECORD)
            describe(&record, all + used, sizeof all - used);
        else if (outcome == JOB_QUARANTINED)
            snprintf(all + used, sizeof all - used, "line %d %s: %s\n", (int)record.line,
                     record.wrong_column ? record.wrong_column : "record", record.reason);
        used += strlen(all + used);
    }
    pbs_format.close(reader);
    if (ignored > 0)
        snprintf(all + used, sizeof all - used, "%d passed over\n", ignored);
    return all;
}

#define IS(state) "12@1788609600 " state " K=2 n1,n2 from start to end cpus=64 accelerators=8 [group=lm]\n"

static void test_a_run_is_read_from_its_start_and_from_its_end(void **state)
{
    (void)state;
    assert_string_equal(read_text(HEAD "Q;12.pbs01;queue=gpu\n" HEAD "S;12.pbs01;" WHO RAN "\n" HEAD
                                       "E;12.pbs01;" WHO RAN ENDED "Exit_status=0 run_count=1\n" HEAD
                                       "L;license;floating\n"),
                        "12@1788609600 RUNNING K=2 n1,n2 0s running cpus=64 accelerators=8 [group=lm]\n" IS(
                            "COMPLETED") "2 passed over\n");
}

static void test_a_job_that_is_queued_again_has_a_record_r_and_is_another_attempt_later(void **state)
{
    (void)state;
    assert_string_equal(
        read_text(HEAD "R;12.pbs01;" WHO RAN ENDED "Exit_status=-11 run_count=1\n" HEAD "S;12.pbs01;" WHO
                       "start=1788620000 exec_host=n3/0*32\n"),
        IS("REQUEUED") "12@1788620000 RUNNING K=1 n3 0s running cpus=-1 accelerators=-1 [group=lm]\n");
    assert_string_equal(read_text(HEAD "R;12.pbs01;" WHO RAN ENDED "Exit_status=-20\n"), IS("NODE_FAIL"));
}

static void test_what_came_of_it_is_in_exit_status(void **state)
{
    static const char *const states[][2] = {
        { "Exit_status=0", "COMPLETED" },
        { "Exit_status=1", "FAILED" },
        { "Exit_status=255", "FAILED" },
        { "Exit_status=139", "FAILED" },
        { "Exit_status=143", "CANCELLED" },
        { "Exit_status=271", "CANCELLED" },
        { "Exit_status=265", "CANCELLED" },
        { "Exit_status=-27", "OUT_OF_MEMORY" },
        { "Exit_status=-29", "TIMEOUT" },
        { "Exit_status=-4", "NODE_FAIL" },
        { "Exit_status=-1", "FAILED" },
        { "session=8", "UNKNOWN" },
        { "Exit_status=271 resources_used.walltime=02:00:07", "TIMEOUT" },
        { "Exit_status=271 resources_used.walltime=01:59:59", "CANCELLED" },
        { "Exit_status=0 resources_used.walltime=02:00:07", "COMPLETED" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++) {
        char line[1024], expected[256];
        snprintf(line, sizeof line, HEAD "E;12.pbs01;" WHO RAN ENDED "%s\n", states[i][0]);
        snprintf(expected, sizeof expected,
                 "12@1788609600 %s K=2 n1,n2 from start to end cpus=64 accelerators=8 [group=lm]\n",
                 states[i][1]);
        assert_string_equal(read_text(line), expected);
    }
}

static void test_a_node_counts_once_however_many_chunks_it_has(void **state)
{
    (void)state;
    assert_string_equal(
        read_text(HEAD "E;12.pbs01;" WHO "start=1788609600 exec_host=n2/0*8+n10/1+n2/1*8+n10/0 "
                       "Resource_List.nodect=4 end=1788609660 Exit_status=0\n"),
        "12@1788609600 COMPLETED K=2 n10,n2 from start to end cpus=-1 accelerators=-1 [group=lm]\n");
}

static void test_the_jobs_of_an_array_are_runs_and_the_array_is_none(void **state)
{
    (void)state;
    assert_string_equal(
        read_text(HEAD "E;7[3].pbs01;" WHO RAN ENDED "Exit_status=0\n" HEAD "E;7[].pbs01;" WHO
                       "start=1788609600 array_indices=0-9 end=1788613200 Exit_status=0\n"),
        "7[3]@1788609600 COMPLETED K=2 n1,n2 from start to end cpus=64 accelerators=8 [group=lm]\n1 passed over\n");
}

static void test_values_in_quotes_hold_spaces_and_names_are_whole(void **state)
{
    (void)state;
    assert_string_equal(
        read_text(HEAD "E;12.pbs01;user=ada group=lm project=\"speech to text\" xstart=5 " RAN ENDED
                       "resources_used.note='a \"b\" end=1 Exit_status=9' Exit_status=0\n"),
        "12@1788609600 COMPLETED K=2 n1,n2 from start to end cpus=64 accelerators=8 [group=lm, project=speech to "
        "text]\n");
    assert_string_equal(
        read_text(HEAD "E;12.pbs01;group=lm project=_pbs_project_default " RAN ENDED "Exit_status=0\n"),
        IS("COMPLETED"));
}

static void test_what_cannot_be_read_is_quarantined(void **state)
{
    (void)state;
    assert_string_equal(
        read_text("JobID|State\n"
                  "2026-09-05 14:00:00;E;12.pbs01;x=1\n" HEAD "E;12.pbs01\n" HEAD "E;12.pbs01;" RAN "\n" HEAD
                  "E;12.pbs01;end=1788613200\n" HEAD "E;12.pbs01;start=soon end=1788613200\n" HEAD
                  "E;12.pbs01;start=1788613200 end=1788609600 exec_host=n1/0\n" HEAD
                  "E;12.pbs01;start=1788609600 end=1788613200 exec_host=+n1/0\n" HEAD
                  "E;12.pbs01;start=1788609600 end=1788613200\n" HEAD "E;12.pbs01;" RAN ENDED),
        "line 1 record: is not a record of a PBS accounting log\n"
        "line 2 record: is not a record of a PBS accounting log\n"
        "line 3 record: is not a record of a PBS accounting log\n"
        "line 4 end: is missing\n"
        "line 5 start: is missing\n"
        "line 6 start: \"soon\" is not a time (2026-09-01T12:00:00Z, or seconds since 1970)\n"
        "line 7 end: \"1788609600\" is before start\n"
        "line 8 node_list: \",n1\" a name is empty\n"
        "line 9 nodes: \"\" does not say how many nodes a job that ran had\n"
        "line 10 record: is cut off: the file ends within it\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_run_is_read_from_its_start_and_from_its_end),
        cmocka_unit_test(test_a_job_that_is_queued_again_has_a_record_r_and_is_another_attempt_later),
        cmocka_unit_test(test_what_came_of_it_is_in_exit_status),
        cmocka_unit_test(test_a_node_counts_once_however_many_chunks_it_has),
        cmocka_unit_test(test_the_jobs_of_an_array_are_runs_and_the_array_is_none),
        cmocka_unit_test(test_values_in_quotes_hold_spaces_and_names_are_whole),
        cmocka_unit_test(test_what_cannot_be_read_is_quarantined),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
