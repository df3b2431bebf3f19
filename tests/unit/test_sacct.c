/* sacct text to records: columns, joins, surplus fields, and what each record means. */
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

static const char *slice(struct text_slice text)
{
    static char buffers[4][256];
    static int turn;
    char *buffer = buffers[turn++ % 4];
    snprintf(buffer, sizeof buffers[0], "%.*s", (int)text.length, text.text ? text.text : "");
    return buffer;
}

/* One record in words: id, state, K, course (elapsed, running or never), name. */
static void describe(const struct job_record *record, char *text, size_t size)
{
    char course[40];
    if (record->elapsed_seconds < 0)
        snprintf(course, sizeof course, "%llds by its times",
                 (long long)((record->end.at - record->start.at) / 1000000));
    else
        snprintf(course, sizeof course, "%llds%s", (long long)record->elapsed_seconds,
                 !record->started ? " never"
                 : record->ended  ? ""
                                  : " running");
    snprintf(text, size, "%s %s K=%d %s [%s]\n", slice(record->job_id), record->state, record->node_count,
             course, slice(record->job_name));
}

/* The whole file as one text, a line per outcome. */
static const char *read_as(const char *delimiter, const char *columns, bool clock_may_go_back)
{
    static char all[8192];
    struct job_format_options options = { .delimiter = delimiter,
                                          .columns = columns,
                                          .clock_may_go_back = clock_may_go_back };
    struct job_record record;
    struct error error = { 0 };
    enum job_outcome outcome;
    size_t used = 0;
    all[0] = '\0';
    void *reader = sacct_format.open(&sacct_format, path, &options, &error);
    if (reader == NULL) {
        const char *slash = strrchr(error.message, '/');
        snprintf(all, sizeof all, "refused: %s",
                 slash && strchr(slash, ':') ? strchr(slash, ':') + 2 : error.message);
        return all;
    }
    while ((outcome = sacct_format.next(reader, &record, &error)) != JOB_END) {
        assert_int_not_equal(outcome, JOB_FAILED);
        if (outcome == JOB_RECORD)
            describe(&record, all + used, sizeof all - used);
        else if (outcome == JOB_IGNORED)
            snprintf(all + used, sizeof all - used, "step\n");
        else
            snprintf(all + used, sizeof all - used, "line %d %s: %s\n", (int)record.line,
                     record.wrong_column ? record.wrong_column : "record", record.reason);
        used += strlen(all + used);
    }
    sacct_format.close(reader);
    return all;
}

static const char *read_text(const char *text)
{
    write_bytes(text, strlen(text));
    return read_as(NULL, NULL, false);
}

#define HEADER "JobID|State|Submit|Start|End|Elapsed|NNodes|NodeList|JobName\n"
#define DONE   "COMPLETED|2026-09-01T00:00:00|2026-09-01T01:00:00|2026-09-01T02:00:00|01:00:00|2|n[1-2]|"

static void test_columns_are_found_by_name_in_any_case_and_order(void **state)
{
    (void)state;
    assert_string_equal(read_text("nnodes|JOBNAME|state|END|start|elapsedraw|jobidraw\n"
                                  "3|train|FAILED|2026-09-01T02:00:00|2026-09-01T01:00:00|3600|77\n"),
                        "77 FAILED K=3 3600s [train]\n");
}

static void test_without_a_header_the_columns_are_the_documented_or_the_declared_ones(void **state)
{
    static const char documented[] =
        "167758|167758|phillips|black|q|acct|grp|104733|honbu|330719|2016-12-30T00:02:42|2016-12-30T00:02:42|"
        "2016-12-30T00:02:42|2016-12-30T00:03:06|00:00:24|0:0|COMPLETED|1|8|8|8000Mn|cpu=8,node=1|cpu=8,node=1|"
        "1-06:00:00|cpn-f13-42-02|7775eddc\n";
    static const char declared[] = "5;COMPLETED;2026-09-01T00:00:00;2026-09-01T00:00:10;n1\n";
    (void)state;
    assert_string_equal(read_text(documented), "167758 COMPLETED K=1 24s [7775eddc]\n");
    write_bytes(declared, strlen(declared));
    assert_string_equal(read_as(";", "JobID,State,Start,End,NodeList", false),
                        "5 COMPLETED K=1 10s by its times []\n");
}

static void test_a_delimiter_at_the_end_of_each_line_is_no_text(void **state)
{
    static const char declared[] = "5|COMPLETED|2026-09-01T00:00:00|2026-09-01T00:00:10|train|n[1-2]|\n"
                                   "6|COMPLETED|2026-09-01T00:00:00|2026-09-01T00:00:10|a|b|n[1-3]|\n";
    static const char shown[] =
        "5 COMPLETED K=2 10s by its times [train]\n6 COMPLETED K=3 10s by its times [a|b]\n";
    (void)state;
    write_bytes(declared, strlen(declared));
    assert_string_equal(read_as(NULL, "JobID,State,Start,End,JobName,NodeList", false), shown);
    assert_string_equal(read_text("JobID|State|Start|End|JobName|NodeList|\n"
                                  "5|COMPLETED|2026-09-01T00:00:00|2026-09-01T00:00:10|train|n[1-2]|\n"
                                  "6|COMPLETED|2026-09-01T00:00:00|2026-09-01T00:00:10|a|b|n[1-3]|\n"),
                        shown);
}

static void test_the_delimiter_may_have_several_characters_and_be_read_from_the_header(void **state)
{
    (void)state;
    assert_string_equal(read_text("JobID|#State|#Start|#End|#NNodes|#JobName\n"
                                  "5|#COMPLETED|#2026-09-01T00:00:00|#2026-09-01T00:00:10|#1|#a|b #c\n"),
                        "5 COMPLETED K=1 10s by its times [a|b #c]\n");
}

static void test_a_delimiter_in_a_free_text_column_is_text(void **state)
{
    (void)state;
    assert_string_equal(read_text(HEADER "1|" DONE "job_0||0002|\n2|" DONE "plain\n"),
                        "1 COMPLETED K=2 3600s [job_0||0002|]\n2 COMPLETED K=2 3600s [plain]\n");
    assert_string_equal(read_text("JobID|JobName|State|Start|End|NNodes\n"
                                  "1|a|b|c|COMPLETED|2026-09-01T01:00:00|2026-09-01T02:00:00|4\n"),
                        "1 COMPLETED K=4 3600s by its times [a|b|c]\n");
    /* two free-text columns: the surplus belongs where all other fields make sense */
    assert_string_equal(read_text("JobID|JobName|State|Start|End|NNodes|Comment\n"
                                  "1|a|b|COMPLETED|2026-09-01T01:00:00|2026-09-01T02:00:00|4|note\n"
                                  "2|a|COMPLETED|2026-09-01T01:00:00|2026-09-01T02:00:00|4|note|more\n"),
                        "1 COMPLETED K=4 3600s by its times [a|b]\n2 COMPLETED K=4 3600s by its times [a]\n");
}

static void test_line_ends_in_text_do_not_end_a_record(void **state)
{
    (void)state;
    assert_string_equal(read_text("JobID|SubmitLine|State|Start|End|NNodes\n"
                                  "1|sbatch a ||\n\n b|COMPLETED|2026-09-01T01:00:00|2026-09-01T02:00:00|4\n"
                                  "2|sbatch|COMPLETED|2026-09-01T01:00:00|2026-09-01T02:00:00|5\n"),
                        "1 COMPLETED K=4 3600s by its times []\n2 COMPLETED K=5 3600s by its times []\n");
    assert_string_equal(read_text(HEADER "1|" DONE "first\nsecond line\n2|" DONE "x\n"),
                        "1 COMPLETED K=2 3600s [first\nsecond line]\n2 COMPLETED K=2 3600s [x]\n");
    assert_string_equal(read_text("JobID|State|Start|End|NNodes\r\n"
                                  "1|COMPLETED|2026-09-01T01:00:00|2026-09-01T02:00:00|4\r\n"),
                        "1 COMPLETED K=4 3600s by its times []\n");
}

static void test_a_line_that_was_cut_off_takes_nothing_with_it(void **state)
{
    (void)state;
    assert_string_equal(read_text(HEADER "1|COMPLETED|2026-09-01T00:\n2|" DONE "x\n3|COMPL"),
                        "line 2 record: has too few fields: the line was cut off\n2 COMPLETED K=2 3600s [x]\n"
                        "line 4 record: has too few fields: the line was cut off\n");
    assert_string_equal(read_text("JobID|State|Start|End|NNodes\n"
                                  "1|COMPLETED|2026-09-01T01:00:00|2026-09-01T02:00:00|4|surplus\n"),
                        "line 2 record: has too many fields\n");
}

static void test_steps_are_no_attempts(void **state)
{
    (void)state;
    assert_string_equal(read_text(HEADER "1|" DONE "x\n1.batch|" DONE "batch\n1.extern|" DONE "e\n1.0|" DONE
                                         "0\n"
                                         "7_3.0|" DONE "0\n"),
                        "1 COMPLETED K=2 3600s [x]\nstep\nstep\nstep\nstep\n");
}

static void test_a_job_that_never_started_has_no_nodes_and_no_time(void **state)
{
    (void)state;
    assert_string_equal(
        read_text(
            HEADER
            "1|CANCELLED by 5|2026-09-01T00:00:00|2026-09-01T01:00:00|2026-09-01T01:00:00|00:00:00|8|None assigned|a\n"
            "2|CANCELLED|2026-09-01T00:00:00|Unknown|2026-09-01T01:00:00|00:00:00|8||b\n"
            "3|PENDING|2026-09-01T00:00:00|Unknown|Unknown|00:00:00|8|None assigned|c\n"
            "4|PENDING|2026-09-01T00:00:00|2026-09-01T03:00:00|Unknown|00:00:00|8|n[1-8]|d\n"
            "1080_[5-1024]|PENDING|2026-09-01T00:00:00|Unknown|Unknown|00:00:00|1|None assigned|e\n"),
        "1 CANCELLED K=0 0s never [a]\n2 CANCELLED K=0 0s never [b]\n3 PENDING K=0 0s never [c]\n"
        "4 PENDING K=0 0s never [d]\n1080_[5-1024] PENDING K=0 0s never [e]\n");
}

static void test_a_job_without_an_end_runs_unless_its_state_says_that_it_is_over(void **state)
{
    (void)state;
    assert_string_equal(
        read_text(HEADER "1|RUNNING|2026-09-01T00:00:00|2026-09-01T01:00:00|Unknown|1-00:00:05|2|n[1-2]|a\n"
                         "2|FAILED|2026-09-01T00:00:00|2026-09-01T01:00:00|Unknown|00:00:05|2|n[1-2]|b\n"
                         "3|EXPLODED|2026-09-01T00:00:00|2026-09-01T01:00:00|Unknown|00:00:05|2|n[1-2]|c\n"),
        "1 RUNNING K=2 86405s running [a]\n2 FAILED K=2 5s [b]\n3 UNKNOWN K=2 5s running [c]\n");
}

static void test_k_is_what_was_allocated_wherever_it_stands(void **state)
{
    (void)state;
    assert_string_equal(read_text("JobID|State|Start|End|AllocTRES\n"
                                  "1|COMPLETED|2026-09-01T01:00:00|2026-09-01T02:00:00|cpu=8,node=3\n"
                                  "2|COMPLETED|2026-09-01T01:00:00|2026-09-01T02:00:00|cpu=8\n"),
                        "1 COMPLETED K=3 3600s by its times []\n"
                        "line 3 NNodes: \"\" does not say how many nodes a job that ran had\n");
    assert_string_equal(read_text("JobID|State|Start|End|NodeList\n"
                                  "1|COMPLETED|2026-09-01T01:00:00|2026-09-01T02:00:00|n[01-16],m\n"),
                        "1 COMPLETED K=17 3600s by its times []\n");
}

static void test_unreadable_fields_are_named(void **state)
{
    (void)state;
    assert_string_equal(
        read_text(HEADER
                  "x|" DONE "a\n"
                  "1||2026-09-01T00:00:00|2026-09-01T01:00:00|2026-09-01T02:00:00|01:00:00|2|n[1-2]|a\n"
                  "2|FAILED|2026-09-01T00:00:00|2026-09-01T03:00:00|2026-09-01T02:00:00|01:00:00|2|n[1-2]|a\n"
                  "3|FAILED|yesterday|2026-09-01T01:00:00|2026-09-01T02:00:00|01:00:00|2|n[1-2]|a\n"
                  "4|FAILED|2026-09-01T00:00:00|2026-09-01T01:00:00|2026-09-01T02:00:00|soon|2|n[1-2]|a\n"
                  "5|FAILED|2026-09-01T00:00:00|2026-09-01T01:00:00|2026-09-01T02:00:00|01:00:00|2|n[2-1]|a\n"
                  "6|" DONE "\xff\n"
                  "7|FAILED|2026-09-01T00:00:00|2026-09-01T01:00:00+02:00|Unknown|01:00:00|2|n[1-2]|a\n"),
        "line 2 JobID: \"x\" is not a job id\nline 3 State: is empty\n"
        "line 4 End: \"2026-09-01T02:00:00\" is before Start\nline 5 Submit: \"yesterday\" is not a time (2026-09-01T12:00:00Z, or seconds since 1970)\n"
        "line 6 Elapsed: \"soon\" is not a duration\nline 7 NodeList: \"n[2-1]\" a range runs backwards\n"
        "line 8 JobName: is not UTF-8 text\n"
        "line 9 Start: \"2026-09-01T01:00:00+02:00\" and another time of the record differ in having an offset\n");
}

static void test_nul_bytes_are_not_text(void **state)
{
    static const char text[] = HEADER "6|" DONE "a\0b\n7|" DONE "c\n";
    (void)state;
    write_bytes(text, sizeof text - 1);
    assert_string_equal(read_as(NULL, NULL, false),
                        "line 2 JobName: is not UTF-8 text\n7 COMPLETED K=2 3600s [c]\n");
}

static void test_where_the_clock_is_put_back_an_end_may_be_before_its_start(void **state)
{
    static const char text[] = HEADER
        "1|COMPLETED|2026-10-25T00:00:00|2026-10-25T02:50:00|2026-10-25T02:10:00|00:20:00|2|n[1-2]|a\n"
        "2|COMPLETED|2026-10-25T00:00:00|2026-10-25T05:50:00|2026-10-25T02:10:00|00:20:00|2|n[1-2]|b\n";
    (void)state;
    write_bytes(text, strlen(text));
    assert_string_equal(read_as(NULL, NULL, true), "1 COMPLETED K=2 1200s [a]\n"
                                                   "line 3 End: \"2026-10-25T02:10:00\" is before Start\n");
}

static void test_a_missing_column_refuses_the_file(void **state)
{
    (void)state;
    assert_string_equal(read_text("JobID|State|End|NNodes\n"), "refused: column Start is missing");
    assert_string_equal(read_text("JobIDRaw|Start|End|NNodes\n"), "refused: column State is missing");
    assert_string_equal(read_text("JobID|State|Start|End\n"),
                        "refused: column NNodes is missing (and AllocNodes, AllocTRES, NodeList)");
    assert_string_equal(read_text(""), "refused: the file is empty");
}

static void test_ids_of_arrays_and_heterogeneous_jobs_are_split(void **state)
{
    static const char text[] = "JobID|JobIDRaw|State|Start|End|NNodes\n"
                               "123_7|130|COMPLETED|2026-09-01T01:00:00|2026-09-01T02:00:00|1\n"
                               "200+1|201|COMPLETED|2026-09-01T01:00:00|2026-09-01T02:00:00|1\n";
    struct job_format_options options = { 0 };
    struct job_record record;
    struct error error;
    (void)state;
    write_bytes(text, strlen(text));
    void *reader = sacct_format.open(&sacct_format, path, &options, &error);
    assert_non_null(reader);
    assert_int_equal(sacct_format.next(reader, &record, &error), JOB_RECORD);
    assert_string_equal(slice(record.array_job_id), "123");
    assert_string_equal(slice(record.array_task_id), "7");
    assert_string_equal(slice(record.job_id_raw), "130");
    assert_int_equal(record.heterogeneous_offset, -1);
    assert_int_equal(sacct_format.next(reader, &record, &error), JOB_RECORD);
    assert_string_equal(slice(record.heterogeneous_job_id), "200");
    assert_int_equal(record.heterogeneous_offset, 1);
    assert_null(record.array_job_id.text);
    sacct_format.close(reader);
}

static void test_a_line_longer_than_the_bound_is_one_quarantined_record(void **state)
{
    size_t length = 3 << 20, header = strlen(HEADER);
    char *text = malloc(length);
    (void)state;
    assert_non_null(text);
    memset(text, 'x', length);
    memcpy(text, HEADER, header);
    text[length - 60] = '\n';
    memcpy(text + length - 59, "9|PENDING|2026-09-01T00:00:00|Unknown|Unknown||1||last\n", 55);
    write_bytes(text, length - 4);
    free(text);
    assert_string_equal(read_as(NULL, NULL, false),
                        "line 2 record: is longer than 1 MiB\n9 PENDING K=0 0s never [last]\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_are_found_by_name_in_any_case_and_order),
        cmocka_unit_test(test_without_a_header_the_columns_are_the_documented_or_the_declared_ones),
        cmocka_unit_test(test_a_delimiter_at_the_end_of_each_line_is_no_text),
        cmocka_unit_test(test_the_delimiter_may_have_several_characters_and_be_read_from_the_header),
        cmocka_unit_test(test_a_delimiter_in_a_free_text_column_is_text),
        cmocka_unit_test(test_line_ends_in_text_do_not_end_a_record),
        cmocka_unit_test(test_a_line_that_was_cut_off_takes_nothing_with_it),
        cmocka_unit_test(test_steps_are_no_attempts),
        cmocka_unit_test(test_a_job_that_never_started_has_no_nodes_and_no_time),
        cmocka_unit_test(test_a_job_without_an_end_runs_unless_its_state_says_that_it_is_over),
        cmocka_unit_test(test_k_is_what_was_allocated_wherever_it_stands),
        cmocka_unit_test(test_unreadable_fields_are_named),
        cmocka_unit_test(test_nul_bytes_are_not_text),
        cmocka_unit_test(test_where_the_clock_is_put_back_an_end_may_be_before_its_start),
        cmocka_unit_test(test_a_missing_column_refuses_the_file),
        cmocka_unit_test(test_ids_of_arrays_and_heterogeneous_jobs_are_split),
        cmocka_unit_test(test_a_line_longer_than_the_bound_is_one_quarantined_record),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
