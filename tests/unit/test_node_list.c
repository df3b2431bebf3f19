/* Host lists: expanded as `scontrol show hostnames` does, refused where they are no list. */
#include "ingest/jobs/node_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct names {
    char text[1024];
};

static void collect(void *context, const char *name, size_t length)
{
    struct names *names = context;
    size_t used = strlen(names->text);
    assert_int_equal(strlen(name), length);
    snprintf(names->text + used, sizeof names->text - used, "%s%s", used > 0 ? " " : "", name);
}

static void test_a_list_becomes_its_names_in_order(void **state)
{
    static const struct {
        const char *list, *names;
        int count;
    } cases[] = {
        { "cpn-f11-31", "cpn-f11-31", 1 },
        { "a,b,a", "a b a", 3 },
        { "gpu[1-2]", "gpu1 gpu2", 2 },
        { "cpn-f13-03-[01-02],cpn-f13-04-[01-02]", "cpn-f13-03-01 cpn-f13-03-02 cpn-f13-04-01 cpn-f13-04-02",
          4 },
        { "cpn-u23-[17,25]", "cpn-u23-17 cpn-u23-25", 2 },
        { "learnnode[1273,1405,1529-1531]",
          "learnnode1273 learnnode1405 learnnode1529 learnnode1530 learnnode1531", 5 },
        { "n[08-10]", "n08 n09 n10", 3 },
        { "n[8-10]", "n8 n9 n10", 3 },
        { "n[099-101]", "n099 n100 n101", 3 },
        { "n[7-7]", "n7", 1 },
        { "r[1-2]n[01-02]", "r1n01 r1n02 r2n01 r2n02", 4 },
        { "r[1-2]n[1,3]-ib", "r1n1-ib r1n3-ib r2n1-ib r2n3-ib", 4 },
        { "[1-3]", "1 2 3", 3 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct names names = { 0 };
        const char *reason;
        assert_int_equal(node_list_expand(cases[i].list, strlen(cases[i].list), collect, &names, &reason),
                         cases[i].count);
        assert_string_equal(names.text, cases[i].names);
        assert_int_equal(node_list_expand(cases[i].list, strlen(cases[i].list), NULL, NULL, &reason),
                         cases[i].count);
    }
}

static void test_what_is_no_list_is_refused_with_the_reason(void **state)
{
    static const struct {
        const char *list, *reason;
    } cases[] = {
        { "", "a name is empty" },
        { "a,,b", "a name is empty" },
        { "a,", "a name is empty" },
        { "n[1-2", "a bracket is not closed" },
        { "n1-2]", "a bracket is closed that was not opened" },
        { "n[2-1]", "a range runs backwards" },
        { "n[]", "a bracket holds something else than numbers and ranges" },
        { "n[a]", "a bracket holds something else than numbers and ranges" },
        { "n[1,]", "a bracket holds something else than numbers and ranges" },
        { "n[1-]", "a bracket holds something else than numbers and ranges" },
        { "n[1-2-3]", "a bracket holds something else than numbers and ranges" },
        { "n[1[2]]", "a bracket is closed that was not opened" },
        { "n[1234567890123]", "a number in a bracket is too long" },
        { "None assigned", "a name has a character that no host name has" },
        { "n1;n2", "a name has a character that no host name has" },
        { "n1|n2", "a name has a character that no host name has" },
        { "n[1-65537]", "it names more than 65,536 nodes" },
        { "n[1-300]m[1-300]", "it names more than 65,536 nodes" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *reason = NULL;
        assert_int_equal(node_list_expand(cases[i].list, strlen(cases[i].list), NULL, NULL, &reason), -1);
        assert_string_equal(reason, cases[i].reason);
    }
}

static void test_as_many_names_as_allowed(void **state)
{
    const char *reason, *list = "n[1-256]m[1-256]";
    (void)state;
    assert_int_equal(node_list_expand(list, strlen(list), NULL, NULL, &reason), NODE_LIST_MAXIMUM);
}

static void test_a_name_that_stands_twice_is_one(void **state)
{
    static const struct {
        const char *list;
        int names, different;
    } cases[] = {
        { "n1", 1, 1 },         { "n1,n1", 2, 1 },           { "n1,n2,n2", 3, 2 },    { "n[1-3],n2", 4, 3 },
        { "n[1,1-2,2]", 4, 2 }, { "n[01-02],n[1-2]", 4, 4 }, { "n[1-2][1,1]", 4, 2 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *list = cases[i].list, *reason;
        int names = node_list_expand(list, strlen(list), NULL, NULL, &reason);
        assert_int_equal(names, cases[i].names);
        assert_int_equal(node_list_different(list, strlen(list), names), cases[i].different);
    }
}

static void test_a_name_has_at_most_255_bytes(void **state)
{
    char list[300];
    const char *reason;
    (void)state;
    memset(list, 'n', sizeof list);
    assert_int_equal(node_list_expand(list, 255, NULL, NULL, &reason), 1);
    assert_int_equal(node_list_expand(list, 256, NULL, NULL, &reason), -1);
    assert_string_equal(reason, "a name is longer than 255 bytes");
    memcpy(list + 250, "[123456]", 8);
    assert_int_equal(node_list_expand(list, 258, NULL, NULL, &reason), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_list_becomes_its_names_in_order),
        cmocka_unit_test(test_what_is_no_list_is_refused_with_the_reason),
        cmocka_unit_test(test_as_many_names_as_allowed),
        cmocka_unit_test(test_a_name_that_stands_twice_is_one),
        cmocka_unit_test(test_a_name_has_at_most_255_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
