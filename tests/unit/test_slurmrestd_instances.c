/* slurmrestd's instances to records. */
#include "tests/unit/node_test.h"

static const char *read_text(const char *text)
{
    return read_nodes(&slurmrestd_format, text, NULL);
}

static void test_times_are_seconds_and_0_is_still(void **state)
{
    (void)state;
    assert_string_equal(
        read_text(
            "{\"instances\": [\n"
            "{\"cluster\": \"aurora\", \"extra\": \"\", \"instance_id\": \"i-0a\", \"instance_type\": "
            "\"p5\",\n"
            " \"node_name\": \"n1\", \"time\": {\"time_end\": 1788861600, \"time_start\": 1788854400}},\n"
            "{\"instance_id\": \"i-0b\", \"node_name\": \"n1\", \"time\": {\"time_end\": 0, \"time_start\": "
            "1788861660}},\n"
            "{\"instance_id\": \"i-0c\", \"node_name\": \"n2\", \"time\": {\"time_end\": {\"set\": false, "
            "\"number\": 0},"
            " \"time_start\": {\"set\": true, \"infinite\": false, \"number\": 1788861660}}}],\n"
            "\"meta\": {}, \"errors\": [], \"warnings\": []}\n"),
        "2: aurora/n1 is i-0a (p5) 2026-09-08T08:00:00Z to 2026-09-08T10:00:00Z UTC\n"
        "4: /n1 is i-0b () 2026-09-08T10:01:00Z to - UTC\n"
        "5: /n2 is i-0c () 2026-09-08T10:01:00Z to - UTC\n");
}

static void test_what_cannot_be_read_says_why(void **state)
{
    (void)state;
    assert_string_equal(
        read_text("{\"instances\": [\n"
                  "{\"instance_id\": \"i-1\", \"node_name\": \"n1\"},\n"
                  "{\"instance_id\": \"i-1\", \"node_name\": \"n1\", \"time\": {\"time_start\": 0}},\n"
                  "{\"instance_id\": \"i-1\", \"node_name\": \"n1\", \"time\": {\"time_start\": -5}},\n"
                  "{\"instance_id\": \"i-1\", \"node_name\": \"n1\", \"time\": {\"time_start\": 9, "
                  "\"time_end\": \"soon\"}},\n"
                  "{\"instance_id\": \"i-1\", \"node_name\": \"n1\", \"time\": {\"time_start\": 9, "
                  "\"time_end\": 8}},\n"
                  "{\"instance_id\": \"i-1\", \"time\": {\"time_start\": 9}},\n"
                  "{\"instance_id\": \"\", \"node_name\": \"n1\", \"time\": {\"time_start\": 9}},\n"
                  "5, {\"x\": nul}]}"),
        "2: time_start is not a time\n3: time_start is not a time\n4: time_start is not a time\n5: time_end "
        "is not a time\n"
        "6: end is before the start\n7: node is empty\n8: ignored\n9: it is not an object\n9: it is not JSON at "
        "\"nul}\"\n");
    assert_string_equal(read_text("{\"instances\": [{\"instance_id\": \"i-1\""),
                        "failed: the document ends in the middle\n");
    assert_string_equal(read_text(""), ": the file is empty");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times_are_seconds_and_0_is_still),
        cmocka_unit_test(test_what_cannot_be_read_says_why),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
