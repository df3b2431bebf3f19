/* Text of sacctmgr show instance to records: columns, free text, times, what is kept aside. */
#include "ingest/node_format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char path[] = "/tmp/kstar-sacctmgr-XXXXXX";

static int make_file(void **state)
{
    (void)state;
    int descriptor = mkstemp(path);
    return descriptor < 0 || close(descriptor) != 0;
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static void describe_time(const struct node_time *time, char text[64])
{
    if (time->known)
        time_format(time->at, text);
    else
        snprintf(text, 64, "-");
}

static void add_record(const struct node_record *record, char *text, size_t size)
{
    char start[64], end[64];
    describe_time(&record->start, start);
    describe_time(&record->end, end);
    snprintf(text, size, "%d: %.*s/%.*s is %.*s (%.*s) %s to %s%s\n", (int)record->line,
             (int)record->cluster.length, record->cluster.text ? record->cluster.text : "",
             (int)record->node.length, record->node.text, (int)record->resource_id.length,
             record->resource_id.text, (int)record->node_type.length,
             record->node_type.text ? record->node_type.text : "", start, end,
             record->has_offset ? " UTC" : "");
}

/* The whole file as one text, a line per outcome. */
static const char *read_text(const char *bytes, const char *delimiter)
{
    static char all[8192];
    struct node_record record;
    struct error error = { 0 };
    enum node_outcome outcome;
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(bytes, file);
    assert_int_equal(fclose(file), 0);
    all[0] = '\0';
    void *reader = sacctmgr_format.open(path, delimiter, &error);
    if (reader == NULL) {
        snprintf(all, sizeof all, "%s", error.message + strlen(path));
        return all;
    }
    while ((outcome = sacctmgr_format.next(reader, &record, &error)) != NODE_END) {
        char *end = all + strlen(all);
        size_t room = sizeof all - strlen(all);
        assert_int_not_equal(outcome, NODE_FAILED);
        if (outcome == NODE_RECORD)
            add_record(&record, end, room);
        else if (outcome == NODE_IGNORED)
            snprintf(end, room, "%d: ignored\n", (int)record.line);
        else
            snprintf(end, room, "%d: %s %s\n", (int)record.line,
                     record.rejected_column ? record.rejected_column : "it", record.reason);
    }
    sacctmgr_format.close(reader);
    return all;
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
