/* Tags and cost categories of AWS's bills. */
#include "tests/unit/aws_bill.h"

/* `values`: the type and cost of a line, then its tags. */
static void expect_tags(const char *columns, const char *values, const char *expected)
{
    struct bill *bill = read_bill(columns, &values, 1);
    assert_int_equal(1, bill->count);
    assert_string_equal("", bill->rows[0].row.problem.reason);
    assert_string_equal(expected, bill->rows[0].texts[TEXT_TAGS]);
    assert_string_equal("", bill->custom);
    free(bill);
}

static void test_tags_have_the_key_that_their_user_gave(void **state)
{
    (void)state;
    expect_tags("resourceTags/user:Team,resourceTags/user:team,resourceTags/aws:createdBy",
                "09 Usage,1,A,b,root", "{\"Team\":\"A\",\"aws:createdBy\":\"root\",\"team\":\"b\"}");
    expect_tags("resourceTags/user:z,resourceTags/user:a", "09 Usage,1,1,\"tab\there\"",
                "{\"a\":\"tab\\u0009here\",\"z\":\"1\"}");
    expect_tags("resourceTags/user:a,costCategory/a", "09 Usage,1,,", "");
    expect_tags(
        "tags",
        "09 Usage,1,\"{\"\"resourceTags/department\"\":\"\"A\"\",\"\"accountTag/department\"\":\"\"C\"\","
        "\"\"userAttribute/Department\"\":\"\"B\"\",\"\"costCategory/department\"\":\"\"D\"\"}\"",
        "{\"accountTag/department\":\"C\",\"costCategory/department\":\"D\",\"department\":\"A\","
        "\"userAttribute/Department\":\"B\"}");
}

static void test_two_columns_of_one_key_stay_two(void **state)
{
    (void)state;
    expect_tags("resourceTags/user:team,resourceTags/team", "09 Usage,1,mine,theirs",
                "{\"resourceTags/user:team\":\"mine\",\"team\":\"theirs\"}");
    expect_tags("resource_tags", "09 Usage,1,\"{\"\"user:a\"\":\"\"1\"\",\"\"a\"\":\"\"1\"\"}\"",
                "{\"a\":\"1\"}");
}

static void test_tags_that_are_no_object_are_a_problem(void **state)
{
    static const char *const lines[] = {
        "09 Usage,1,[1]",
        "09 Usage,1,{x}",
        "09 Usage,1,\"{\"\"a\"\":{}}\"",
    };
    (void)state;
    struct bill *bill = read_bill("resource_tags", lines, COUNT(lines));
    assert_int_equal(3, bill->count);
    for (int i = 0; i < bill->count; i++)
        assert_string_equal("resource_tags", bill->rows[i].column);
    free(bill);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tags_have_the_key_that_their_user_gave),
        cmocka_unit_test(test_two_columns_of_one_key_stay_two),
        cmocka_unit_test(test_tags_that_are_no_object_are_a_problem),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
