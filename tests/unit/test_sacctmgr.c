/* Text of sacctmgr show instance to records: columns, free text, times, what is quarantined. */
#include "tests/unit/node_test.h"

static const char *read_text(const char *bytes, const char *delimiter)
{
    return read_nodes(&sacctmgr_format, bytes, delimiter);
}

static void test_columns_are_found_by_name_as_both_spellings_have_them(void **state)
{
    (void)state;
    assert_string_equal(read_text("Cluster|NodeName|TimeStart|TimeEnd|InstanceId|InstanceType|Extra\n"
                                  "aurora|n1|2026-09-08T10:00:00|2026-09-08T12:30:00|i-0a|p5.48xlarge|\n"
                                  "aurora|n1|2026-09-08T12:31:00|Unknown|i-0b|p5.48xlarge|rack 7\n",
                                  NULL),
                        "2: aurora/n1 is i-0a (p5.48xlarge) 2026-09-08T10:00:00Z to 2026-09-08T12:30:00Z\n"
                        "3: aurora/n1 is i-0b (p5.48xlarge) 2026-09-08T12:31:00Z to -\n");
    assert_string_equal(read_text("instanceid,end,start,nodename\ni-1,None,1757325600,n2\n", ","),
                        "2: /n2 is i-1 () 2025-09-08T10:00:00Z to - UTC\n");
}

static void test_the_last_column_may_hold_what_nothing_escapes(void **state)
{
    (void)state;
    assert_string_equal(read_text("NodeName|Start|End|InstanceId|Extra\n"
                                  "n1|2026-09-08T10:00:00|Unknown|i-1|a|b||c\n"
                                  "and a line of it\n\n"
                                  "n2|2026-09-08T10:00:00|Unknown|i-2|\n",
                                  NULL),
                        "2: /n1 is i-1 () 2026-09-08T10:00:00Z to -\n"
                        "5: /n2 is i-2 () 2026-09-08T10:00:00Z to -\n");
}

static void test_what_cannot_be_read_says_why(void **state)
{
    (void)state;
    assert_string_equal(read_text("NodeName|Start|End|InstanceId\n"
                                  "n1|yesterday|Unknown|i-1\n"
                                  "n1|Unknown|Unknown|i-1\n"
                                  "n1|2026-09-08T10:00:00|2026-09-08T09:59:59|i-1\n"
                                  "n1|2026-09-08T10:00:00|soon|i-1\n"
                                  "n1|2026-09-08T10:00:00\n"
                                  "n1|2026-09-08T10:00:00|Unknown|i-1|more\n"
                                  "|2026-09-08T10:00:00|Unknown|i-1\n"
                                  "n\xff|2026-09-08T10:00:00|Unknown|i-1\n"
                                  "n1|2026-09-08T10:00:00|Unknown|\n",
                                  NULL),
                        "2: TimeStart is not a time\n3: TimeStart is not a time\n4: end is before the start\n"
                        "5: TimeEnd is not a time\n6: it has too few fields: the line was cut off\n"
                        "7: it has too many fields\n8: node is empty\n9: node is not UTF-8\n10: ignored\n");
}

static void test_a_file_without_its_columns_is_refused(void **state)
{
    (void)state;
    assert_string_equal(read_text("NodeName|Start|End\nn1|2026-09-08T10:00:00|Unknown\n", NULL),
                        ", line 1: no column InstanceId");
    assert_string_equal(read_text("", NULL), ": the file is empty");
    assert_string_equal(read_text("NodeName", ""), ": a delimiter has 1 to 15 bytes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_are_found_by_name_as_both_spellings_have_them),
        cmocka_unit_test(test_the_last_column_may_hold_what_nothing_escapes),
        cmocka_unit_test(test_what_cannot_be_read_says_why),
        cmocka_unit_test(test_a_file_without_its_columns_is_refused),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
